//! The certificate: it finds every fault that changes a value, and none where there is none.

use constraint_symbolic::certify::{self, Certificate, Refuted};
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::function::Function;
use constraint_symbolic::model::Model;
use constraint_symbolic::syntax::ast;
use constraint_symbolic::{constraint, curve, function, model, syntax};
use proc_macro2::TokenStream;

#[path = "../fuzz/grammar/mod.rs"]
#[allow(dead_code)]
mod grammar;
mod mutants;
mod repository;

/// A call on its way through the engine.
struct Listed {
    tree: Tree,
    model: Model,
    functions: Vec<Function<'static>>,
}

enum Tree {
    Constraint(Box<ast::Constraint>),
    Curve(Box<ast::Curve>),
}

impl Listed {
    fn new(text: &str) -> Option<Listed> {
        Listed::constraint(text.parse().ok()?)
    }

    fn constraint(tokens: TokenStream) -> Option<Listed> {
        let mut diagnostics = Diagnostics::new();
        let tree = syntax::parse(tokens, &mut diagnostics)?;
        let model = model::lower(&tree, &mut diagnostics)?;
        let derived = constraint::derive(model, &mut diagnostics)?;
        let names = function::constraint::names(&derived.model);
        Some(Listed {
            tree: Tree::Constraint(Box::new(tree)),
            functions: function::constraint::functions(&derived, &names),
            model: derived.model,
        })
    }

    fn curve(tokens: TokenStream) -> Option<Listed> {
        let mut diagnostics = Diagnostics::new();
        let tree = syntax::parse_curve(tokens, &mut diagnostics)?;
        let lowered = model::lower_curve(&tree, &mut diagnostics)?;
        let derived = curve::derive(lowered, &mut diagnostics)?;
        let names = function::curve::names(&derived.curve.model);
        Some(Listed {
            tree: Tree::Curve(Box::new(tree)),
            functions: function::curve::functions(&derived, &names),
            model: derived.curve.model,
        })
    }

    fn certificate(&self) -> Result<Certificate, Refuted> {
        match &self.tree {
            Tree::Constraint(tree) => certify::constraint(tree, &self.model, &self.functions),
            Tree::Curve(tree) => certify::curve(tree, &self.model, &self.functions),
        }
    }
}

/// So many cases as asked for by `CONSTRAINT_CASES`, few by default.
fn cases(few: usize) -> usize {
    let asked = std::env::var("CONSTRAINT_CASES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(few)
}

const CONSTRAINTS: [&str; 17] = [
    "x*x + 100*y",
    "x^3*y - 2*x/y + 0.5",
    "struct Circle { r: Real } |x, y| x^2 + y^2 == r^2",
    "struct Rod { l: Real } |a: Point2, b: Point2| norm(a - b) == l",
    "struct Rod { l: Real } |a: Point3, b: Point3| norm_squared(a - b) == l^2",
    "struct Hoop { r: Real, w: Real } |p: Point3, t: Time| [
        norm_squared(p) == r^2, p.x*sin(w*t) == p.y*cos(w*t)
    ]",
    "struct Wave { a: Real, k: Real } |x, y| y == a*sin(k*x)",
    "struct Chain; |p: Point2| { let d = p - [1, 2]; let l = norm(d); l + 1/l == 3*d.x }",
    "struct Three; |a: Point2, b: Point2| [a.x*b.y == 1, norm(a) == norm(b), dot(a, b) == a.y]",
    "x*exp(-y) + ln(1 + x^2)*y",
    "if x > 0 { x^2 - y } else { y^3 + x }",
    "max(x, 2*y) + abs(x - y)*y",
    "atan2(y, x)*x - hypot(x, y)",
    "tan(x)*y - sinh(y)/cosh(x) + tanh(x*y)",
    "asin(x*y) + acos(y/3) + atan(x) - cbrt(x + y)",
    "pow(x, 1/3)*y^1.5 - x^y",
    "clamp(x, 0, 1)*y + smoothstep(1, 2, y) - x*y",
];

#[test]
fn all_functions_of_constraints_are_certified() {
    for text in CONSTRAINTS {
        let listed = Listed::new(text).expect("a valid constraint");
        let certificate = listed.certificate();
        let names = listed.functions.iter().map(|it| it.signature.name);
        let names: Vec<&str> = names.collect();
        let found = certificate.as_ref().map(|it| &it.functions[..]);
        assert_eq!(found, Ok(&names[..]), "{text}");
    }
}

#[test]
fn what_holds_rounded_numbers_is_not_certified() {
    for text in ["x*PI + y", "x + y^2*sin(1)", "x^2 + sqrt(2)*y"] {
        let listed = Listed::new(text).expect("a valid constraint");
        let certificate = listed.certificate().expect("no fault");
        assert!(!certificate.functions.contains(&"value"), "{text}");
    }
}

/// 10,000 random inputs with `CONSTRAINT_CASES=10000`.
#[test]
fn nothing_is_found_in_random_inputs() {
    let mut random = grammar::Random(11);
    let (mut covered, mut valid) = (0, 0);
    for case in 0..cases(300) {
        let sentence = ("constraint", grammar::statement(&mut random));
        for (name, text) in [sentence, grammar::input(case as u64)] {
            let listed = text.parse().ok().and_then(|tokens| match name {
                "constraint" => Listed::constraint(tokens),
                "curve" => Listed::curve(tokens),
                _ => None,
            });
            let Some(listed) = listed else {
                continue;
            };
            valid += 1;
            let certificate = listed.certificate();
            let certificate = certificate.unwrap_or_else(|it| panic!("{it:?}: {text}"));
            covered += usize::from(!certificate.functions.is_empty());
        }
    }
    println!("{covered} of {valid} are certified");
}

/// All joints, examples and tests; how many functions of each are certified is told with `--nocapture`.
#[test]
fn nothing_is_found_in_the_calls_of_this_repository() {
    let mut calls = 0;
    for (place, listed) in repository::calls() {
        calls += 1;
        let certificate = listed.certificate();
        let certificate = certificate.unwrap_or_else(|it| panic!("{place}: {it:?}"));
        let all = listed.functions.len();
        println!(
            "{} of {all} functions: {place}",
            certificate.functions.len()
        );
    }
    let packed = !repository::root().join("examples").exists();
    assert!(calls > 100 || packed, "{calls} calls");
}

/// All mutants with `CONSTRAINT_CASES=1000000`.
#[test]
fn mutants_that_change_a_value_are_found() {
    let constraints = CONSTRAINTS.map(|it| (it.to_owned(), Listed::new(it)));
    let constraints = constraints.into_iter();
    let constraints = constraints.map(|(text, it)| (text, it.expect("a valid constraint")));
    let theirs = repository::calls().into_iter();
    let theirs = theirs.filter(|it| it.0.contains("joints") || it.0.contains("tracks"));
    for (place, mut listed) in constraints.chain(theirs) {
        let (found, equal) = mutants::examine(&mut listed, cases(4));
        println!("{found} mutants found, {equal} change no value: {place}");
    }
}
