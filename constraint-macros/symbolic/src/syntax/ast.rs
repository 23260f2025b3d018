//! The surface tree: what the user wrote, with source ranges, before names mean anything.
//!
//! Chains of sums and products are one node each, so the height of a tree is the depth of the user's
//! nesting, never the length of the input.

use proc_macro2::{Ident, TokenStream};

use crate::diagnostic::SourceRange;

/// No expression is higher than this.
pub const MAX_HEIGHT: u16 = 256;

/// One call of `constraint!`.
#[derive(Clone, Debug)]
pub struct Constraint {
    /// The declared struct and coordinates; `None` where the equation stands alone.
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
    /// `#[joined(…)]`: how far apart pieces may be where they meet, as a part of the curve's extent.
    pub joined: Option<f64>,
    /// Where the parameter begins and ends; `None` where that could not be read.
    pub domain: Option<Domain>,
    /// The points of the curve.
    pub body: Expr,
    /// The tokens that the body was parsed from.
    pub body_tokens: TokenStream,
}

/// `start..=end`
#[derive(Clone, Debug)]
pub struct Domain {
    /// The least parameter.
    pub start: Expr,
    /// The greatest.
    pub end: Expr,
    /// From start to end.
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
    /// Where `#[derivatives]` stands, which is ours and not passed on.
    pub derivatives: Option<SourceRange>,
    /// `pub`, `pub(crate)` or nothing.
    pub visibility: TokenStream,
    /// The name of the struct.
    pub name: Ident,
    /// Whether the user names it; where only the coordinates are declared, the call is an expression.
    pub named: bool,
    /// The fields of the struct.
    pub parameters: Vec<Declaration>,
    /// What stands between the bars.
    pub coordinates: Vec<Declaration>,
    /// False where a mistake in the header may have swallowed declarations.
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
    /// What follows the colon.
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
    /// Something else, reported already.
    Invalid,
}

/// An expression and the tokens it was written with.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
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
    /// What it stays below, or reaches.
    pub end: Expr,
    /// `..=`
    pub inclusive: bool,
}

/// The sign of a relation, with the place of its sign.
#[derive(Clone, Copy, Debug)]
pub struct Relation {
    /// Which one.
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
    /// Whether `-` stands before it.
    pub negative: bool,
    /// The term.
    pub value: Expr,
}

/// One member of a product.
#[derive(Clone, Debug)]
pub struct Factor {
    /// Whether `/` stands before it.
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
    /// What it stands for.
    pub value: Expr,
}

/// A choice with its `else`.
#[derive(Clone, Debug)]
pub struct If {
    /// Conditions and the blocks taken where they are the first to hold.
    pub branches: Vec<(Expr, Expr)>,
    /// The block taken where none holds.
    pub otherwise: Expr,
}

impl Expr {
    /// An expression, one higher than its highest operand.
    pub fn new(kind: ExprKind, range: SourceRange) -> Expr {
        let height = kind.operands_height().saturating_add(1);
        Expr {
            kind,
            range,
            height,
        }
    }

    /// The place of a mistake that has been reported.
    pub fn error(range: SourceRange) -> Expr {
        Expr::new(ExprKind::Error, range)
    }

    /// The value at the end of a block.
    pub fn innermost(&self) -> &Expr {
        let mut expr = self;
        while let ExprKind::Block(block) = &expr.kind {
            expr = &block.value;
        }
        expr
    }

    /// The same expression, its delimiters included.
    pub fn within(mut self, range: SourceRange) -> Expr {
        self.range = range;
        self
    }

    /// Where a name first appears that no `let` has declared there.
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

    /// The greatest number of nested nodes.
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

/// The identifier as it is compared: `r#x` is `x`.
pub fn name_of(ident: &Ident) -> String {
    let text = ident.to_string();
    match text.strip_prefix("r#") {
        Some(plain) => plain.to_owned(),
        None => text,
    }
}
