//! The expansion is part of the product: it is read like code. `INSTA_UPDATE=always` rewrites the
//! snapshots; then read the difference as if a colleague had sent it.
//!
//! One expansion of each macro, and one that checks pivots and takes the least squares, are kept whole; of the others the
//! outline: formulas, operation counts, types and signatures. That outlines compute what they say is for `tests/oracles/`.
//!
//! Left out of the snapshots: the shim for rust-analyzer and the MathML, which only tools read.

use constraint_symbolic::compile;
use proc_macro2::TokenStream;
use syn::{Attribute, Expr, File, ImplItem, Item, ItemConst, Stmt};

#[test]
fn parabola() {
    insta::assert_snapshot!(whole(constraint(
        "/// A bead on the parabola x² + 100·y = 0.
         pub struct Parabola;
         |x, y| x*x + 100*y"
    )));
}

#[test]
fn circle() {
    insta::assert_snapshot!(outline(constraint(
        "pub struct UnitCircle; |x, y| (x*x + y*y - 1)/2"
    )));
}

#[test]
fn rod() {
    insta::assert_snapshot!(outline(constraint(
        "/// A rod of fixed length between two points of the plane.
         pub struct Rod { pub length: Real }
         |a: Point2, b: Point2| { let d = b - a; norm(d) == length }"
    )));
}

#[test]
fn spinning_hoop() {
    insta::assert_snapshot!(outline(constraint(
        "pub struct SpinningHoop { pub r: Real, pub omega: Real }
         |p: Point3, t: Time| [norm_squared(p) - r^2, p.x*sin(omega*t) - p.y*cos(omega*t)]"
    )));
}

#[test]
fn distance_of_bodies() {
    insta::assert_snapshot!(outline(constraint(
        "/// Two points of two bodies at a fixed distance.
         pub struct Distance { pub r1: Vector3, pub r2: Vector3, pub length: Real }
         |a: Rigid3, b: Rigid3| { let d = at(b, r2) - at(a, r1); norm(d) == length }"
    )));
}

#[test]
fn rolling_wheel() {
    insta::assert_snapshot!(whole(constraint(
        "/// A wheel on the ground.
         pub struct Wheel { pub radius: Real }
         |body: Rigid2| [
             at(body, [0, 0]).y == radius,
             velocity(at(body, [0, 0])).x + radius*angular_velocity(body) == 0,
         ]"
    )));
}

#[test]
fn piecewise_track() {
    insta::assert_snapshot!(outline(constraint(
        "struct Valley; |x, y| y == if x > 0 { x^2 } else { -x^3 }"
    )));
}

#[test]
fn hump() {
    insta::assert_snapshot!(outline(curve(
        "/// The hump track.
         pub struct Hump;
         |s in -2.5..=2.5| [s, 3 - 7/6*s^2 + s^4/6]"
    )));
}

#[test]
fn lemniscate() {
    insta::assert_snapshot!(outline(curve(
        "/// The lemniscate of Bernoulli.
         pub struct Lemniscate { pub a: Real }
         |s in 0..=TAU| { let d = 1 + sin(s)^2; [a*cos(s)/d, a*sin(s)*cos(s)/d] }"
    )));
}

/// A branch for each of the pieces, each simplified alone, and a selection for lanes that do not agree.
#[test]
fn arc_and_straight() {
    insta::assert_snapshot!(whole(curve(
        "/// A quarter of a circle, and straight on.
         pub struct Ramp { pub r: Real }
         |s in -PI/2..=2| if s < 0 { [r*sin(s), r*(1 - cos(s))] } else { [r*s, 0] }"
    )));
}

#[test]
fn spring_beads() {
    insta::assert_snapshot!(outline(system(
        "/// Two beads joined by a spring on the wire y = x⁴ − 2x².
         pub struct SpringBeads { m1: Real = 1, m2: Real = 1, k: Real = 20, rest: Real = 1, g: Real = 9.81 }
         fn wire(s) = [s, s^4 - 2*s^2];
         coordinate x1, x2;
         particle a = wire(x1) { mass: m1 }
         particle b = wire(x2) { mass: m2 }
         potential m1*g*a.y + m2*g*b.y;
         potential k/2 * (norm(b - a) - rest)^2;"
    )));
}

#[test]
fn double_pendulum() {
    insta::assert_snapshot!(outline(system(
        "/// Two rods, one hanging from the other.
         pub struct DoublePendulum { m1: Real = 1, m2: Real = 1, l1: Real = 1, l2: Real = 1, g: Real = 9.81 }
         particle upper: Point2 { mass: m1 }
         particle lower: Point2 { mass: m2 }
         constraint first: norm(upper) == l1;
         constraint second: norm(lower - upper) == l2;
         potential g*(m1*upper.y + m2*lower.y);"
    )));
}

#[test]
fn cart_pole() {
    insta::assert_snapshot!(whole(system(
        "/// A cart with a pole, pushed.
         pub struct CartPole { cart_mass: Real = 1, m: Real = 0.2, l: Real = 0.6, g: Real = 9.81 }
         coordinate x, theta;
         input push;
         particle cart = [x, 0] { mass: cart_mass }
         particle pole = [x + l*sin(theta), l*cos(theta)] { mass: m }
         potential m*g*pole.y;
         force x: push;"
    )));
}

#[test]
fn top() {
    insta::assert_snapshot!(outline(system(
        "/// A top whose tip, `l` below its centre of mass, stands still.
         pub struct Top { m: Real = 1, a: Real = 2, c: Real = 3, l: Real = 1, g: Real = 9.81 }
         body top: Rigid3 { mass: m, inertia: [a, a, c] }
         constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
         potential m*g*at(top, [0, 0, 0]).z;"
    )));
}

#[test]
fn doubled_rod() {
    insta::assert_snapshot!(whole(system(
        "#[redundant(least_squares)]
         pub struct DoubledRod { m: Real = 1, l: Real = 1, g: Real = 9.81 }
         particle bob: Point2 { mass: m }
         constraint rod: norm(bob) == l;
         constraint again: 3*norm(bob) == 3*l;
         force bob: [0, -m*g];"
    )));
}

/// So that whoever calls a constraint with a mistake in it hears of that mistake alone.
#[test]
fn a_body_without_its_type_is_a_body_of_the_stub() {
    let stub =
        constraint("struct S; |a: Rigid3, b, t: Time| at(a, [0, 0, 0]).x == at(b, [0, 0, 0]).x");
    let stub = stub.to_string();
    assert!(
        stub.contains("rt :: BodyConstraint < T , 6 , 2 , 1 >"),
        "{stub}"
    );
}

#[test]
fn the_same_tokens_expand_to_the_same_tokens() {
    let sources = [
        "struct S; |a: Point3, b: Point3| [norm(b - a) - 2, a.x*sin(b.y) + b.z^3, a.y*b.y - 1]",
        "struct J { r: Vector3 } |a: Rigid3, b: Rigid3| [at(a, r) == at(b, [0, 0, 1]), dot(dir(a, r), dir(b, r)) == 0]",
    ];
    for source in sources {
        let first = constraint(source).to_string();
        for _ in 0..5 {
            assert_eq!(constraint(source).to_string(), first);
        }
    }
}

fn constraint(source: &str) -> TokenStream {
    compile::constraint(tokens(source))
}

fn curve(source: &str) -> TokenStream {
    compile::curve(tokens(source))
}

fn system(source: &str) -> TokenStream {
    compile::system(tokens(source))
}

fn tokens(source: &str) -> TokenStream {
    source.parse().expect("the test's source is valid tokens")
}

/// All of the code.
fn whole(expansion: TokenStream) -> String {
    prettyplease::unparse(&read(expansion))
}

/// The documentation, with formulas and operation counts, the types, and the functions without their bodies.
fn outline(expansion: TokenStream) -> String {
    let mut file = read(expansion);
    for item in &mut file.items {
        if let Item::Const(item) = item
            && let Expr::Block(block) = &mut *item.expr
        {
            let statements = &mut block.block.stmts;
            statements.retain(|statement| matches!(statement, Stmt::Item(Item::Impl(_))));
            statements.iter_mut().for_each(empty);
        }
    }
    let text = prettyplease::unparse(&file);
    text.replace(" = {};\n", ";\n").replace(" {}\n", ";\n")
}

/// Takes the bodies of functions and the values of constants out of an impl.
fn empty(statement: &mut Stmt) {
    let Stmt::Item(Item::Impl(item)) = statement else {
        return;
    };
    for member in &mut item.items {
        match member {
            ImplItem::Fn(function) => function.block.stmts.clear(),
            ImplItem::Const(constant) => constant.expr = syn::parse_quote!({}),
            _ => {}
        }
    }
}

fn read(expansion: TokenStream) -> File {
    let mut file: File = syn::parse2(expansion).expect("the expansion is valid items");
    file.items
        .retain(|item| !matches!(item, Item::Const(item) if is_for_ides(item)));
    for item in &mut file.items {
        if let Item::Struct(item) = item {
            item.attrs.retain(|attribute| !is_for_rustdoc(attribute));
        }
    }
    file
}

/// The lint about the name of the cfg that IDEs set is allowed nowhere else.
fn is_for_ides(item: &ItemConst) -> bool {
    let lint = |attribute: &Attribute| quote::quote!(#attribute).to_string();
    item.attrs
        .iter()
        .any(|attribute| lint(attribute).contains("unexpected_cfgs"))
}

fn is_for_rustdoc(attribute: &Attribute) -> bool {
    quote::quote!(#attribute)
        .to_string()
        .starts_with("# [cfg_attr (doc ,")
}
