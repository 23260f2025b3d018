//! The surface tree: the user's text with source ranges, before names are resolved.
//!
//! Chains of sums and products are one node each, so the height of a tree is the depth of the user's
//! nesting, never the length of the input.

use proc_macro2::{Ident, TokenStream};

use crate::diagnostic::SourceRange;

/// Limit on the height of an expression.
pub const MAX_HEIGHT: u16 = 256;

/// One call of `constraint!`.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The declared struct and coordinates; `None` if there is only an equation.
    pub header: Option<Header>,
    /// The equation or equations.
    pub body: Expr,
    /// The tokens that the body was parsed from.
    pub body_tokens: TokenStream,
}

/// One call of `curve!`.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The declared struct; its one coordinate is the curve's parameter.
    pub header: Header,
    /// `#[joined(…)]`: permitted distance between pieces where they meet, as a fraction of the curve's extent.
    pub joined: Option<f64>,
    /// The ends of the parameter; `None` if they could not be read.
    pub domain: Option<Domain>,
    /// The points of the curve.
    pub body: Expr,
    /// The tokens that the body was parsed from.
    pub body_tokens: TokenStream,
}

/// `start..=end`
#[derive(Clone, Debug)]
pub struct Domain {
    /// The lower end.
    pub start: Expr,
    /// The upper end.
    pub end: Expr,
    /// From start to end, in the source.
    pub range: SourceRange,
    /// The tokens of `start`.
    pub start_tokens: TokenStream,
    /// The tokens of `end`.
    pub end_tokens: TokenStream,
}

/// `/// docs pub struct Name { parameters } |coordinates|`
#[derive(Clone, Debug)]
pub struct Header {
    /// Attributes and docs, without the derives.
    pub attributes: TokenStream,
    /// The paths in the user's `#[derive(…)]`s, in order.
    pub derives: Vec<TokenStream>,
    /// Source of `#[derivatives]`, which is removed from the attributes.
    pub derivatives: Option<SourceRange>,
    /// `pub`, `pub(crate)` or nothing.
    pub visibility: TokenStream,
    /// The name of the struct.
    pub name: Ident,
    /// Whether the user names it; a call that declares only coordinates is an expression.
    pub named: bool,
    /// The fields of the struct.
    pub parameters: Vec<Declaration>,
    /// The declarations between the bars.
    pub coordinates: Vec<Declaration>,
    /// False if a mistake in the header may have hidden declarations.
    pub complete: bool,
}

/// A parameter or a coordinate.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Attributes and docs (parameters only).
    pub attributes: TokenStream,
    /// The field's visibility (parameters only).
    pub visibility: TokenStream,
    /// The name, with the user's span.
    pub name: Ident,
    /// The text after the colon.
    pub annotation: Annotation,
    /// `= value` (parameters of systems only).
    pub default: Option<Expr>,
}

/// The type of a declaration.
#[derive(Clone, Debug)]
pub enum Annotation {
    /// No colon.
    Missing,
    /// One identifier.
    Type(Ident),
    /// `[[Real; 4]; 3]`, in systems: the type of the elements, and the lengths, the outermost first.
    Array(Ident, Vec<Expr>),
    /// Anything else, reported already.
    Invalid,
}

/// An expression with its source range.
#[derive(Clone, Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its source range.
    pub range: SourceRange,
    height: u16,
}

/// The kinds of expressions. Parentheses leave no trace but the tree's shape.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `12`, `0.5`: digits and decimal point as written.
    Number(String),
    /// `x`, `PI`.
    Name(Ident),
    /// a + b − c …
    Sum(Vec<Term>),
    /// a · b / c …
    Product(Vec<Factor>),
    /// a % b, of whole numbers in systems.
    Remainder(Box<Expr>, Box<Expr>),
    /// `sum(i in 0..n: term)`, in systems.
    SumOver(Box<Repeated>, Box<Expr>),
    /// −a
    Neg(Box<Expr>),
    /// base ^ exponent
    Power(Box<Expr>, Box<Expr>),
    /// `f(a, b)` and `a.f(b)`.
    Call {
        /// The function's name.
        function: Ident,
        /// All arguments; the receiver of a method is the first.
        arguments: Vec<Expr>,
        /// Whether the first argument was written before a dot.
        method: bool,
    },
    /// `p.x`
    Component(Box<Expr>, Ident),
    /// `bead[i]`, in systems.
    Index(Box<Expr>, Box<Expr>),
    /// `[a, b]`: a vector, or rows at the top.
    List(Vec<Expr>),
    /// `{ let …; value }`
    Block(Box<Block>),
    /// `if … { } else if … { } else { }`
    If(Box<If>),
    /// a < b, and `==`, which is a relation at the top.
    Compare(Relation, Box<Expr>, Box<Expr>),
    /// `a >= b { restitution: e }`: a relation with its properties in braces.
    With(Box<Expr>, Vec<(Ident, Expr)>),
    /// a && b && …
    And(Vec<Expr>),
    /// a || b || …
    Or(Vec<Expr>),
    /// !a
    Not(Box<Expr>),
    /// A mistake that has been reported.
    Error,
}

/// `index in start..end`
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The index.
    pub index: Ident,
    /// Its first value.
    pub start: Expr,
    /// Its last value; excluded unless `inclusive`.
    pub end: Expr,
    /// Whether written `..=`.
    pub inclusive: bool,
}

/// The sign of a relation, with the place of its sign.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// Kind of the relation.
    pub kind: RelationKind,
    /// The tokens of the sign.
    pub range: SourceRange,
}

/// `< <= > >= ==`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // <, ≤, >, ≥, =
pub enum RelationKind {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
}

/// One member of a sum.
#[derive(Clone, Debug)]
pub struct Term {
    /// Whether it follows a `-`.
    pub negative: bool,
    /// The term.
    pub value: Expr,
}

/// One member of a product.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Whether it follows a `/`.
    pub inverse: bool,
    /// The factor.
    pub value: Expr,
}

/// `{ let …; value }`
#[derive(Clone, Debug)]
pub struct Block {
    /// The names, in order.
    pub lets: Vec<Let>,
    /// The value.
    pub value: Expr,
}

/// `let name = value;`
#[derive(Clone, Debug)]
pub struct Let {
    /// The new name.
    pub name: Ident,
    /// The value of the name.
    pub value: Expr,
}

/// A choice with its `else`.
#[derive(Clone, Debug)]
pub struct If {
    /// Conditions and their blocks; the first condition that holds decides.
    pub branches: Vec<(Expr, Expr)>,
    /// The block if no condition holds.
    pub otherwise: Expr,
}

impl Expr {
    /// An expression; its height is one more than that of its highest operand.
    pub fn new(kind: ExprKind, range: SourceRange) -> Expr {
        let height = kind.operands_height().saturating_add(1);
        Expr {
            kind,
            range,
            height,
        }
    }

    /// Replaces a mistake that has been reported.
    pub fn error(range: SourceRange) -> Expr {
        Expr::new(ExprKind::Error, range)
    }

    /// The expression itself, or for a block the value at its end.
    pub fn innermost(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Block(block) = &expr.kind {
            expr = &block.value;
        }
        expr
    }

    /// The expression with a range that includes its delimiters.
    pub fn within(mut self, range: SourceRange) -> Expr {
        self.range = range;
        self
    }

    /// The first occurrence of a name outside the scope of a `let` of this name.
    pub fn first_free(&self, sought: &str) -> Option<&Ident> {
        match &self.kind {
            ExprKind::Name(name) => (name_of(name) == sought).then_some(name),
            ExprKind::Block(block) => {
                for name in &block.lets {
                    if let found @ Some(_) = name.value.first_free(sought) {
                        return found;
                    }
                    if name_of(&name.name) == sought {
                        return None;
                    }
                }
                block.value.first_free(sought)
            }
            kind => {
                let mut found = None;
                kind.for_each_operand(&mut |operand| {
                    found = found.or_else(|| operand.first_free(sought));
                });
                found
            }
        }
    }

    /// The depth of nesting.
    pub fn height(&self) -> u16 {
        self.height
    }
}

impl ExprKind {
    fn operands_height(&self) -> u16 {
        let mut highest = 0;
        self.for_each_operand(&mut |operand| highest = highest.max(operand.height));
        highest
    }

    /// Calls `visit` for every operand, left to right.
    pub fn for_each_operand<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        match self {
            ExprKind::Number(_) | ExprKind::Name(_) | ExprKind::Error => {}
            ExprKind::Sum(terms) => terms.iter().for_each(|term| visit(&term.value)),
            ExprKind::Product(factors) => factors.iter().for_each(|factor| visit(&factor.value)),
            ExprKind::Neg(a) | ExprKind::Not(a) | ExprKind::Component(a, _) => visit(a),
            ExprKind::Power(a, b)
            | ExprKind::Remainder(a, b)
            | ExprKind::Index(a, b)
            | ExprKind::Compare(_, a, b) => {
                visit(a);
                visit(b);
            }
            ExprKind::With(relation, fields) => {
                visit(relation);
                fields.iter().for_each(|(_, value)| visit(value));
            }
            ExprKind::SumOver(repeated, term) => {
                visit(&repeated.start);
                visit(&repeated.end);
                visit(term);
            }
            ExprKind::Call {
                arguments: list, ..
            }
            | ExprKind::List(list)
            | ExprKind::And(list)
            | ExprKind::Or(list) => list.iter().for_each(visit),
            ExprKind::Block(block) => {
                block.lets.iter().for_each(|name| visit(&name.value));
                visit(&block.value);
            }
            ExprKind::If(choice) => {
                for (condition, branch) in &choice.branches {
                    visit(condition);
                    visit(branch);
                }
                visit(&choice.otherwise);
            }
        }
    }
}

/// The identifier as used in comparisons: `r#x` is `x`.
pub fn name_of(ident: &Ident) -> String {
    let text = ident.to_string();
    match text.strip_prefix("r#") {
        Some(plain) => plain.to_owned(),
        None => text,
    }
}
