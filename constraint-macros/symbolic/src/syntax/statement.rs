//! The surface tree of `system!`: a struct, then statements.

use crate::expr::CollectVec;
use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};

use super::ast::{Declaration, Expr, ExprKind, Header, RelationKind, Repeated};
use super::symbol::Symbol;
use crate::diagnostic::SourceRange;

/// One call of `system!`.
#[derive(Clone, Debug)]
pub struct System {
    /// The declared struct with its parameters; it has no coordinates of its own.
    pub header: Header,
    /// `#[solver(…)]`, `#[redundant(…)]`: the attribute's name and its argument.
    pub options: Vec<(Ident, Option<Ident>)>,
    /// The statements after the struct.
    pub statements: Vec<Statement>,
    /// The tokens of the statements.
    pub body_tokens: TokenStream,
}

/// One statement and its source range.
#[derive(Clone, Debug)]
pub struct Statement {
    /// Its kind and contents.
    pub kind: StatementKind,
    /// Its keyword.
    pub keyword: SourceRange,
    /// The `#[doc = …]` before it.
    pub docs: TokenStream,
}

/// The statements of the language.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// `fn name(a, b) = value;`
    Function(Function),
    /// `const NAME = value;`
    Const(Ident, Expr),
    /// `let name = value;`
    Let(Ident, Expr),
    /// `coordinate a { symbol: "θ" }, b[3];`
    Coordinate(Vec<Declared>),
    /// `input u, w: Vector2;`
    Input(Vec<Input>),
    /// `particle a, b: Point2 { mass: m }`, `particle name = place { mass: m }`
    Particle(Particle),
    /// `body a, b: Rigid3 { mass: m, inertia: [a, b, c] }`, `body a: Rigid2 = pose(place, angle) { mass: m, inertia: i }`
    Body(Body),
    /// `force target: value;`
    Force(Expr, Expr),
    /// `torque body: value;`
    Torque(Expr, Expr),
    /// `gravity value;`
    Gravity(Expr),
    /// `potential value;`
    Potential(Expr),
    /// `dissipation value;`
    Dissipation(Expr),
    /// `kinetic value;`
    Kinetic(Expr),
    /// `constraint name[i]: relation;`
    Constraint(Declared, Expr),
    /// `constraint name[i]: a >= b { restitution: e, friction: mu, slip: rate };`, `a == b` with friction, or
    /// `motor name[i]: rate == speed { most: bound };`
    OneSided(OneSided),
    /// `output name[i] = value;`
    Output(Declared, Expr),
    /// `output momentum;`, one of [`TOTALS`]
    Total(Declared),
    /// `for i in a..b { … }`
    For(For),
    /// `part Leg { l: Real } { … }`
    Part(Part),
    /// `leg[i]: Leg { l: 1 }`
    PartUse(PartUse),
    /// `joint knee: Hinge { a: thigh, b: shank }`
    Joint(PartUse),
}

/// The outputs that need no value: of everything that has a mass.
pub const TOTALS: [&str; 3] = ["center_of_mass", "momentum", "angular_momentum"];

impl StatementKind {
    /// The declared names that become fields of generated structs.
    pub fn fields(&self) -> Vec<&Ident> {
        match self {
            StatementKind::Coordinate(list) => list.iter().map(|it| &it.name).collect_vec(),
            StatementKind::Input(list) => list.iter().map(|it| &it.declared.name).collect_vec(),
            StatementKind::Particle(Particle { declared, .. })
            | StatementKind::Body(Body { declared, .. }) => {
                declared.iter().map(|it| &it.name).collect_vec()
            }
            StatementKind::Constraint(declared, _)
            | StatementKind::Output(declared, _)
            | StatementKind::Total(declared) => {
                vec![&declared.name]
            }
            StatementKind::OneSided(it) => vec![&it.declared.name],
            StatementKind::PartUse(it) | StatementKind::Joint(it) => vec![&it.declared.name],
            _ => Vec::new(),
        }
    }
}

/// A name, possibly with brackets: lengths if an array is declared, indices if one of its elements is.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name.
    pub name: Ident,
    /// The expressions in the brackets, in order.
    pub brackets: Vec<Expr>,
    /// The symbol by which formulas print a coordinate, if given.
    pub symbol: Option<Symbol>,
}

impl Declared {
    /// From the first bracket to the last, or the name if there are none.
    pub fn indices(&self) -> SourceRange {
        match (self.brackets.first(), self.brackets.last()) {
            (Some(first), Some(last)) => first.range.to(last.range),
            _ => self.name.span().into(),
        }
    }
}

/// `u`, `u[3]: Vector2`
#[derive(Clone, Debug)]
pub struct Input {
    /// Its name; the brackets are the lengths of an array of inputs.
    pub declared: Declared,
    /// `Real`, `Vector2`, `Vector3`; `None` means a number.
    pub ty: Option<Ident>,
}

/// `fn name(a, b) = value;`
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its arguments.
    pub arguments: Vec<Ident>,
    /// The value of a call.
    pub value: Expr,
}

/// A point mass, or several of the same kind.
#[derive(Clone, Debug)]
pub struct Particle {
    /// Its name, or their names; the brackets are the lengths of an array, or the indices of an element that is
    /// declared within a `for` or placed by an expression.
    pub declared: Vec<Declared>,
    /// Its place.
    pub place: ParticlePlace,
    /// The fields in braces.
    pub fields: Vec<(Ident, Expr)>,
}

/// A rigid body, or several of the same kind.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name, or their names; the brackets are the lengths of an array, or the indices of an element within a `for`.
    pub declared: Vec<Declared>,
    /// `Rigid2`, `Rigid3`
    pub ty: Ident,
    /// Its pose, if it is a function of other coordinates.
    pub pose: Option<Expr>,
    /// The fields in braces; `None` for a mistake that has been reported.
    pub fields: Option<Vec<(Ident, Expr)>>,
}

/// Place of a particle.
#[derive(Clone, Debug)]
pub enum ParticlePlace {
    /// Coordinates of its own: `Point2`, `Point3`.
    Own(Ident),
    /// A point that is a function of other coordinates.
    At(Expr),
    /// A mistake that has been reported.
    Invalid,
}

/// A row that is decided at run time: a constraint of one side, one of two with friction, or a motor.
#[derive(Clone, Debug)]
pub struct OneSided {
    /// Its name; the brackets are the indices of an element within a `for`.
    pub declared: Declared,
    /// Its sides.
    pub kind: SideKind,
    /// The side that must not be less than the other.
    pub greater: Expr,
    /// The other side.
    pub less: Expr,
    /// The fields in braces.
    pub fields: Vec<(Ident, Expr)>,
    /// Whether its slip is the tangential velocity unless it is given: the coordinates are those of a point in the plane.
    pub in_plane: bool,
}

/// The sides of a row that is decided at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SideKind {
    /// `a >= b`, `a <= b`
    One,
    /// `a == b` with friction.
    Two,
    /// `motor name: rate == speed { most: bound };`
    Motor,
}

impl OneSided {
    /// The row of a relation; `None` if nothing is decided at run time.
    pub fn of(declared: &Declared, relation: &Expr) -> Option<OneSided> {
        let (relation, fields) = match &relation.kind {
            ExprKind::With(relation, fields) => (&**relation, Some(fields)),
            _ => (relation, None),
        };
        let ExprKind::Compare(sign, left, right) = &relation.kind else {
            return None;
        };
        let (kind, greater, less) = match (sign.kind, fields) {
            (RelationKind::Ge, _) => (SideKind::One, left, right),
            (RelationKind::Le, _) => (SideKind::One, right, left),
            (RelationKind::Eq, Some(_)) => (SideKind::Two, left, right),
            _ => return None,
        };
        Some(OneSided {
            declared: declared.clone(),
            kind,
            greater: (**greater).clone(),
            less: (**less).clone(),
            fields: fields.cloned().unwrap_or_default(),
            in_plane: false,
        })
    }
}

/// `for index in start..end { … }`
#[derive(Clone, Debug)]
pub struct For {
    /// The index and its values.
    pub repeated: Repeated,
    /// The statements repeated for each value.
    pub body: Vec<Statement>,
}

/// A sub-model, which has no effect until it is used.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: Ident,
    /// Parameters, to which its uses give values.
    pub parameters: Vec<Declaration>,
    /// The statements of each use; `None` if they are missing, which is reported.
    pub body: Option<Rc<[Statement]>>,
}

/// `leg[i]: Leg { l: 1 }`, or a joint of the library.
#[derive(Clone, Debug)]
pub struct PartUse {
    /// Name of the use; the brackets are the lengths of an array, or the indices of an element within a `for`.
    pub declared: Declared,
    /// The name of the part, or of the joint.
    pub part: Ident,
    /// The values of its parameters.
    pub values: Vec<(Ident, Expr)>,
}
