//! The surface tree of `system!`: a struct, then statements.

use std::rc::Rc;

use proc_macro2::{Ident, TokenStream};

use super::ast::{Declaration, Expr, Header, Repeated};
use super::symbol::Symbol;
use crate::diagnostic::SourceRange;

/// One call of `system!`.
#[derive(Clone, Debug)]
pub struct System {
    /// The declared struct with its parameters; it has no coordinates of its own.
    pub header: Header,
    /// `#[solver(…)]`, `#[redundant(…)]`: the attribute's name and what it asks for.
    pub options: Vec<(Ident, Option<Ident>)>,
    /// What stands after it.
    pub statements: Vec<Statement>,
    /// The tokens of the statements.
    pub body_tokens: TokenStream,
}

/// One statement and where it stands.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it says.
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
    /// `output name[i] = value;`
    Output(Declared, Expr),
    /// `for i in a..b { … }`
    For(For),
    /// `part Leg { l: Real } { … }`
    Part(Part),
    /// `leg[i]: Leg { l: 1 }`
    PartUse(PartUse),
    /// `joint knee: Hinge { a: thigh, b: shank }`
    Joint(PartUse),
}

impl StatementKind {
    /// The names of what it declares that fields are named after.
    pub fn fields(&self) -> Vec<&Ident> {
        match self {
            StatementKind::Coordinate(list) => list.iter().map(|it| &it.name).collect(),
            StatementKind::Input(list) => list.iter().map(|it| &it.declared.name).collect(),
            StatementKind::Particle(Particle { declared, .. })
            | StatementKind::Body(Body { declared, .. }) => {
                declared.iter().map(|it| &it.name).collect()
            }
            StatementKind::Constraint(declared, _) | StatementKind::Output(declared, _) => {
                vec![&declared.name]
            }
            StatementKind::PartUse(it) | StatementKind::Joint(it) => vec![&it.declared.name],
            _ => Vec::new(),
        }
    }
}

/// A name, perhaps with brackets: lengths where an array is declared, indices where one of its elements is.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The name.
    pub name: Ident,
    /// What stands in the brackets, one after the other.
    pub brackets: Vec<Expr>,
    /// How formulas print it, where a coordinate says so.
    pub symbol: Option<Symbol>,
}

impl Declared {
    /// From the first bracket to the last, or the name where there are none.
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
    /// `Real`, `Vector2`, `Vector3`; a number where there is none.
    pub ty: Option<Ident>,
}

/// `fn name(a, b) = value;`
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: Ident,
    /// Its arguments.
    pub arguments: Vec<Ident>,
    /// What a call stands for.
    pub value: Expr,
}

/// A point mass, or several of the same kind.
#[derive(Clone, Debug)]
pub struct Particle {
    /// Its name, or their names; the brackets are the lengths of an array, or the indices of an element within a `for` or of one that
    /// an expression places.
    pub declared: Vec<Declared>,
    /// Where it is.
    pub place: Place,
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
    /// Where it is and how it is turned, if coordinates of other names tell that.
    pub pose: Option<Expr>,
    /// The fields in braces; `None` for a mistake that has been reported.
    pub fields: Option<Vec<(Ident, Expr)>>,
}

/// Where a particle is.
#[derive(Clone, Debug)]
pub enum Place {
    /// At coordinates of its own: `Point2`, `Point3`.
    Own(Ident),
    /// At a point that other coordinates determine.
    At(Expr),
    /// A mistake that has been reported.
    Invalid,
}

/// `for index in start..end { … }`
#[derive(Clone, Debug)]
pub struct For {
    /// The index and its values.
    pub repeated: Repeated,
    /// What is said for each value.
    pub body: Vec<Statement>,
}

/// A sub-model, which says nothing until it is used.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name.
    pub name: Ident,
    /// What its uses give values to.
    pub parameters: Vec<Declaration>,
    /// What is said at each use; none where that is missing, which is reported.
    pub body: Option<Rc<[Statement]>>,
}

/// `leg[i]: Leg { l: 1 }`, and the same of a joint of the library.
#[derive(Clone, Debug)]
pub struct PartUse {
    /// What it is called here; the brackets are the lengths of an array, or the indices of an element within a `for`.
    pub declared: Declared,
    /// The name of the part, or of the joint.
    pub part: Ident,
    /// The values of its parameters.
    pub values: Vec<(Ident, Expr)>,
}
