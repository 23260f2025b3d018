//! `constraint!` with rows of one side: the system of its points.
//!
//! ```text
//! |p: Point2, t: Time| { let r = norm(p); r <= 1 { friction: mu } }
//! particle p: Point2 { mass: 1 }   let r = norm(p);   constraint bowl: r <= 1 { friction: mu };
//! ```
//! Which rows press is decided at run time by how the system responds to forces, so that the type has to be a system.
//! All coordinates have the mass 1; a `Particle` of the runtime scales the responses.

use crate::expr::CollectVec;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::ast::{
    Annotation, Constraint, Declaration, Expr, ExprKind, Factor, Header, RelationKind, name_of,
};
use super::identifier::snake;
use super::parse::parse;
use super::statement::{
    Declared, OneSided, Particle, ParticlePlace, Statement, StatementKind, System,
};
use crate::diagnostic::{Diagnostics, SourceRange, catalogue};

/// A call of `constraint!` with rows of one side.
#[derive(Clone, Debug)]
pub struct Sided {
    /// The call.
    pub written: Constraint,
    /// The system of its points.
    pub system: System,
}

/// Whether a call of `constraint!` declares points and has a row that is decided at run time.
pub fn has_sides(tokens: &TokenStream) -> bool {
    let tree = parse(tokens.clone(), &mut Diagnostics::default());
    tree.is_some_and(|tree| {
        let header = tree.header.as_ref();
        header.is_some_and(|it| it.named && it.coordinates.iter().all(is_point))
            && is_sided(&tree.body)
    })
}

/// The tree of such a call.
pub fn parse_sided(tokens: TokenStream, diagnostics: &mut Diagnostics) -> Option<Sided> {
    let written = parse(tokens, diagnostics)?;
    let mut header = written.header.clone()?;
    let coordinates = std::mem::take(&mut header.coordinates);
    let moving = coordinates.iter().filter(|it| type_of(it) != "Time");
    let kinds: Vec<String> = moving.map(type_of).collect_vec();
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect_vec();
    if let Some(range) = header.derivatives.take() {
        diagnostics.push(catalogue::derivatives_of_sides(range));
    }
    let mut rows = Rows {
        name: Ident::new(&snake(&name_of(&header.name)), header.name.span()),
        in_plane: matches!(kinds[..], ["Point2"] | ["", ""]),
        statements: coordinates.iter().flat_map(declaration).collect_vec(),
        rows: Vec::new(),
        diagnostics,
    };
    rows.read(&written.body);
    let system = rows.system(header, &written.body_tokens);
    Some(Sided { written, system })
}

/// `Point2`, or nothing of a coordinate that is a number.
fn type_of(coordinate: &Declaration) -> String {
    match &coordinate.annotation {
        Annotation::Type(name) => name.to_string(),
        _ => String::new(),
    }
}

fn is_point(coordinate: &Declaration) -> bool {
    match &coordinate.annotation {
        Annotation::Missing => true,
        Annotation::Type(name) => ["Point2", "Point3", "Time"].iter().any(|it| name == it),
        _ => false,
    }
}

fn is_sided(body: &Expr) -> bool {
    match &body.kind {
        ExprKind::Block(block) => is_sided(&block.value),
        ExprKind::List(items) => items.iter().any(is_sided),
        ExprKind::With(..) => true,
        ExprKind::Compare(sign, ..) => matches!(sign.kind, RelationKind::Ge | RelationKind::Le),
        _ => false,
    }
}

fn declared(name: &Ident, brackets: Vec<Expr>) -> Declared {
    Declared {
        name: name.clone(),
        brackets,
        symbol: None,
    }
}

/// `particle p: Point2 { mass: 1 }`, `coordinate x; kinetic velocity(x)^2/2;`, `let time = t;`
fn declaration(coordinate: &Declaration) -> Vec<Statement> {
    let (name, ty) = (&coordinate.name, type_of(coordinate));
    let range: SourceRange = name.span().into();
    let number = |digits: &str| Expr::new(ExprKind::Number(digits.to_owned()), range);
    let word = |text: &str| Ident::new(text, name.span());
    let named = |name: Ident| Expr::new(ExprKind::Name(name), range);
    let kinds = match (ty.as_str(), &coordinate.annotation) {
        ("Time", _) if name == "t" => vec![],
        ("Time", _) => vec![StatementKind::Let(name.clone(), named(word("t")))],
        (_, Annotation::Type(ty)) => vec![StatementKind::Particle(Particle {
            declared: vec![declared(name, Vec::new())],
            place: ParticlePlace::Own(ty.clone()),
            fields: vec![(word("mass"), number("1"))],
        })],
        _ => {
            let rate = ExprKind::Call {
                function: word("velocity"),
                arguments: vec![named(name.clone())],
                method: false,
            };
            let rate = Expr::new(rate, range);
            let square = ExprKind::Power(Box::new(rate), Box::new(number("2")));
            let factors = [(false, Expr::new(square, range)), (true, number("2"))];
            let factors = factors.map(|(inverse, value)| Factor { inverse, value });
            let energy = Expr::new(ExprKind::Product(factors.into()), range);
            vec![
                StatementKind::Coordinate(vec![declared(name, Vec::new())]),
                StatementKind::Kinetic(energy),
            ]
        }
    };
    kinds
        .into_iter()
        .map(|kind| stated(kind, range))
        .collect_vec()
}

fn stated(kind: StatementKind, keyword: SourceRange) -> Statement {
    Statement {
        kind,
        keyword,
        docs: TokenStream::new(),
    }
}

/// The statements of the rows.
struct Rows<'a> {
    name: Ident,
    in_plane: bool,
    statements: Vec<Statement>,
    rows: Vec<(OneSided, SourceRange)>,
    diagnostics: &'a mut Diagnostics,
}

impl Rows<'_> {
    fn read(&mut self, body: &Expr) {
        match &body.kind {
            ExprKind::Block(block) => {
                for it in &block.lets {
                    let named = StatementKind::Let(it.name.clone(), it.value.clone());
                    self.statements.push(stated(named, it.name.span().into()));
                }
                self.read(&block.value);
            }
            ExprKind::List(items) => items.iter().for_each(|item| self.read(item)),
            ExprKind::Error => {}
            kind => match OneSided::of(&declared(&self.name, Vec::new()), body) {
                Some(row) => self.rows.push((row, body.range)),
                None => {
                    let strict = match kind {
                        ExprKind::With(relation, _) => &relation.kind,
                        kind => kind,
                    };
                    let diagnostic = match strict {
                        ExprKind::Compare(sign, ..) if sign.kind != RelationKind::Eq => {
                            catalogue::inequality(sign.range)
                        }
                        _ => catalogue::row_among_sides(body.range),
                    };
                    self.diagnostics.push(diagnostic);
                }
            },
        }
    }

    /// The system, with its rows named after the struct: `bowl`, or `bowl[0]`, `bowl[1]`.
    fn system(mut self, mut header: Header, body: &TokenStream) -> System {
        header.complete &= !self.rows.is_empty();
        let several = self.rows.len() > 1;
        for (i, (mut row, range)) in self.rows.into_iter().enumerate() {
            if several {
                let index = Expr::new(ExprKind::Number(i.to_string()), range);
                row.declared.brackets.push(index);
            }
            row.in_plane = self.in_plane;
            let kind = StatementKind::OneSided(row);
            self.statements.push(stated(kind, range));
        }
        System {
            header,
            options: Vec::new(),
            statements: self.statements,
            body_tokens: quote!(#body),
        }
    }
}
