//! The statements of `system!`, one row a keyword: the parser, its messages, the model and the Rust that IDEs read all
//! take them from here.

use crate::expr::CollectVec;
use proc_macro2::Ident;
use syn::parse::ParseStream;

use super::ast::Expr;
use super::parser::{Parsed, Parser};
use super::statement::{Declared, StatementKind};
use crate::diagnostic::{Diagnostic, SourceRange, system};

/// A keyword that begins a statement.
pub(crate) struct Keyword {
    /// The word.
    pub word: &'static str,
    /// How its statements are written.
    pub form: Form,
    /// The keys that their braces take, each with its explanation for IDEs.
    pub keys: &'static [(&'static str, &'static str)],
    /// Their explanation for IDEs; none of words that Rust reserves, which IDEs know.
    pub about: &'static str,
}

/// Parses a statement after its keyword.
type Parse = fn(&mut Parser<'_>, ParseStream<'_>) -> Parsed<StatementKind>;

/// Parses a row after its relation.
type ParseRow = fn(&mut Parser<'_>, ParseStream<'_>, Declared, Expr) -> Parsed<StatementKind>;

/// The message about a mistake at a place.
type Mistake = fn(SourceRange) -> Diagnostic;

/// How statements are written.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// `fn name(a, b) = value;`
    Function,
    /// `const NAME = value;`
    Constant(fn(Ident, Expr) -> StatementKind),
    /// `let name = value;`
    Named(fn(Ident, Expr) -> StatementKind),
    /// `coordinate a, b[3];`
    Names(Parse),
    /// `body a, b: Rigid2 { mass: m, inertia: i }`, `particle name = place { mass: m }`
    Moving(Parse),
    /// `force target: value;`, with its usage and the mistake of writing no target
    Acting(fn(Expr, Expr) -> StatementKind, &'static str, Mistake),
    /// `potential value;`, with the mistake of writing a target, if it has a message of its own
    Value(fn(Expr) -> StatementKind, Option<Mistake>),
    /// `constraint name[i]: relation { keys };`, with its usage
    Row(&'static str, ParseRow),
    /// `output name[i] = value;`, `output momentum;`
    Output,
    /// `for i in a..b { … }`
    For,
    /// `part Leg { l: Real } { … }`
    Part,
    /// `joint knee: Hinge { a: thigh, b: shank }`
    Joint,
    /// `leg[i]: Leg { l: 1 }`, which begins with a name instead of a keyword
    Use,
}

impl Form {
    /// Whether the statement ends with braces, and not with a `;`.
    pub fn ends_with_braces(self) -> bool {
        use Form::{For, Joint, Moving, Part, Use};
        matches!(self, Moving(_) | For | Part | Joint | Use)
    }

    /// Whether names that other statements use may be missing if this one is broken.
    pub fn declares(self) -> bool {
        use Form::{Acting, Joint, Output, Row, Value};
        !matches!(self, Acting(..) | Value(..) | Row(..) | Output | Joint)
    }
}

/// `/// about`, `word: Form(…)`, then the keys with their explanations.
macro_rules! keywords {
    ($(
        $(#[doc = $about:literal])?
        $word:ident: $form:ident $(($($of:expr),*))? $(, { $(#[doc = $meaning:literal] $key:ident),* })?;
    )*) => {
        &[$(Keyword {
            word: stringify!($word),
            form: Form::$form $(($($of),*))?,
            keys: &[$($((stringify!($key), $meaning)),*)?],
            about: concat!($($about)?),
        }),*]
    };
}

/// In the order in which messages list them.
pub(crate) const KEYWORDS: &[Keyword] = keywords! {
    fn: Function;
    const: Constant(StatementKind::Const);
    let: Named(StatementKind::Let);
    /// `coordinate x, y[3];`: generalized coordinates.
    coordinate: Names(|parser, input| parser.declared_coordinates(input));
    /// `input u, push: Vector2;`: values that the user supplies at every moment.
    input: Names(|parser, input| parser.inputs(input));
    /// `particle bob: Point2 { mass: m }`, `particle bead = [s, s^2] { mass: m }`
    particle: Moving(|parser, input| parser.particle(input)), {
        /// m
        mass
    };
    /// `body rod: Rigid2 { mass: m, inertia: i }`, `body link: Rigid2 = pose([0, 0], q) { … }`
    body: Moving(|parser, input| parser.rigid_body(input)), {
        /// m
        mass,
        /// In the plane a number; in space three moments, or a matrix, about the centre of mass.
        inertia
    };
    /// `force bob: [1, 0];`: on a particle or any point; a number on a coordinate or any expression.
    force: Acting(StatementKind::Force, "force name: value;", system::no_target);
    /// `torque rod: 3;`: on a body, about its centre of mass, in the world's frame.
    torque: Acting(StatementKind::Torque, "torque body: value;", system::torque_on_no_body);
    /// `gravity [0, -g];`: the weight of every particle and every body.
    gravity: Value(StatementKind::Gravity, Some(system::gravity_is_everywhere));
    /// `potential k/2 * x^2;`: pushes downhill, −∂V/∂q.
    potential: Value(StatementKind::Potential, None);
    /// `dissipation c/2 * velocity(x)^2;`: pushes against the motion, −∂R/∂v.
    dissipation: Value(StatementKind::Dissipation, None);
    /// `kinetic m/2 * velocity(x)^2;`: added to the kinetic energy of particles and bodies.
    kinetic: Value(StatementKind::Kinetic, None);
    /// `constraint rod: norm(bob) == l;`, `constraint floor: bob.y >= 0 { restitution: e };`
    constraint: Row("constraint name: relation;", |parser, input, declared, relation| {
        parser.constraint(input, declared, relation)
    }), {
        /// The part of the speed with which a gap opens after an impact.
        restitution,
        /// Coulomb's coefficient; it needs a slip.
        friction,
        /// The velocity along the contact.
        slip
    };
    /// `motor drive: angular_velocity(wheel) == speed { most: torque };`: keeps a speed with at most this torque.
    motor: Row("motor name: rate == speed { most: bound };", |parser, input, declared, relation| {
        parser.motor(input, declared, &relation)
    }), {
        /// The bound of its force or torque.
        most
    };
    /// `output tip = at(rod, [l, 0]);`
    output: Output;
    for: For;
    /// `part Leg { l: Real } { … }`: a sub-model, used as `leg: Leg { l: 1 }`.
    part: Part;
    /// `joint knee: Hinge { a: thigh, b: shank }`: a joint of the library.
    joint: Joint;
};

/// The row of a word, if it begins a statement.
pub(crate) fn keyword(word: &(impl PartialEq<str> + ?Sized)) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|row| word == row.word)
}

/// The keys that the braces of a statement take.
pub(crate) fn keys_of(word: &str) -> Vec<&'static str> {
    let keys = keyword(word).map_or(&[][..], |row| row.keys);
    keys.iter().map(|(key, _)| *key).collect_vec()
}

/// The words that begin a statement.
pub fn keywords() -> Vec<&'static str> {
    KEYWORDS.iter().map(|row| row.word).collect_vec()
}
