//! A − μ B and A + μ B of rows with friction: the acceleration of a gap by its λ while it slides.

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::model::Role;
use constraint_symbolic::schedule::{Root, schedule};
use constraint_symbolic::system::Quantity;

/// Of each row with friction while it slides forward, then backward; parameters in the order of their declarations.
fn sliding(text: &str, q: &[f64], parameters: &[f64]) -> Vec<f64> {
    let tokens = text.parse().expect("tokens");
    let derived = analyze_system(tokens).unwrap_or_else(|messages| panic!("{messages:?}\n{text}"));
    let roots = derived.expressions(Quantity::Sliding).into_iter();
    let roots: Vec<Root> = roots.map(Root::Output).collect();
    let model = &derived.system.model;
    let program = schedule(&model.graph, &roots, &[], &|symbol| {
        format!("x{}", symbol.index())
    });
    program.evaluate(|symbol| match model.symbols[symbol.index()].role {
        Role::Coordinate(i) => q[i],
        Role::Parameter { parameter, .. } => parameters[parameter],
        role => panic!("{role:?}"),
    })
}

const ROD: &str =
    "struct Rod { m: Real, l: Real, mu: Real } body rod: Rigid2 { mass: m, inertia: m*l^2/12 }
     gravity [0, -10]; let tip = at(rod, [-l/2, 0]);
     constraint floor: tip.y >= 0 { friction: mu, slip: velocity(tip).x };";

/// The lower end of a uniform rod at the angle θ is at r = −l/2 (cos θ, sin θ): A = 1/m + r_x²/I = (1 + 3 cos² θ)/m and
/// B = −r_x r_y/I = −3 sin θ cos θ/m. While it slides backward, A + μ B is not positive somewhere from
/// μ = min (4 + T²)/(3 T) = 4/3 on, where T = tan θ = 2 (Génot and Brogliato 1999).
#[test]
fn a_uniform_rod_has_the_published_paradox() {
    let (m, l) = (3.0, 0.7);
    let at = |angle: f64, mu: f64| {
        let (sin, cos) = angle.sin_cos();
        let found = sliding(ROD, &[0.0, 1.0, cos, sin], &[m, l, mu]);
        let a = (1.0 + 3.0 * cos * cos) / m;
        let b = -3.0 * sin * cos / m;
        assert_eq!(found.len(), 2);
        for (found, expected) in found.iter().zip([a - mu * b, a + mu * b]) {
            assert!((found - expected).abs() < 1e-14, "{found} {expected}");
        }
        found[1]
    };
    let critical = 2.0_f64.atan();
    assert!(at(critical, 4.0 / 3.0).abs() < 1e-14);
    assert!(at(critical, 1.334) < 0.0);
    for k in 0..=60 {
        assert!(at(f64::from(k) * 0.025, 1.333) > 0.0, "{k}");
    }
}

/// A guide along x = y leaves a point the mobility 1/(2 m) in both directions. Friction on a constraint of two sides is listed as
/// well; a motor has none.
#[test]
fn guides_and_constraints_of_two_sides_count() {
    let text = "struct Guided { m: Real, mu: Real } particle p: Point2 { mass: m } particle free: Point2 { mass: m }
         constraint guide: p.x == p.y; motor drive: velocity(p).y == 1 { most: 1 };
         constraint floor: p.y >= 0 { friction: mu, slip: velocity(p).x }; constraint stop: free.x <= 1;
         constraint wire: free.y == 2*free.x { friction: mu, slip: velocity(free).x };";
    let (m, mu) = (2.0, 0.4);
    let found = sliding(text, &[1.0, 1.0, 0.5, 1.0], &[m, mu]);
    // The wire's gap y − 2 x has A = (4 + 1)/m and B = −2/m with the slip ẋ.
    let expected = [
        (1.0 - mu) / (2.0 * m),
        (1.0 + mu) / (2.0 * m),
        (5.0 + 2.0 * mu) / m,
        (5.0 - 2.0 * mu) / m,
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-15, "{found} {expected}");
    }
}

/// The documentation of the type has the formulas.
#[test]
fn the_formulas_are_documented() {
    let tokens = ROD.parse().expect("tokens");
    let written = constraint_symbolic::compile::system(tokens).to_string();
    for text in [
        "floor.backward = 3 rod.re²/m − 3 mu rod.re rod.im/m + 1/m",
        "of its gap g is A ∓ μ B",
    ] {
        assert!(written.contains(text), "{text}");
    }
}
