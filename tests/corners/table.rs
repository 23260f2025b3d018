//! Each function that has a corner or an end, in potentials, forces, rows and outputs; all functions of a system there.

use constraint_runtime::prelude::*;
use constraint_runtime::{equilibrium, make_consistent};

/// What functions return at a state: whether v̇ exists, and whether its derivatives do.
#[derive(Clone, Copy, PartialEq)]
enum Exists {
    Both,
    Value,
    Neither,
}

use Exists::{Both, Neither, Value};

/// Asserts that a result is finite if it exists, and else an error about a corner.
#[track_caller]
fn judge<R>(what: &str, exists: bool, result: Result<R, Error>, all: impl Fn(&R) -> Vec<f64>) {
    match result {
        Ok(found) => {
            let found = all(&found);
            assert!(
                exists && found.iter().all(|x| x.is_finite()),
                "{what}: {found:?}"
            );
        }
        Err(Error::Corner { place, .. }) => assert!(!exists, "{what}: {place}"),
        Err(other) => panic!("{what}: {other}"),
    }
}

/// Asserts it of all functions of a system with derivatives and outputs, in one precision.
macro_rules! judge_all {
    ($T:ty, $system:ident, $q:expr, $v:expr, $exists:expr) => {{
        let system = $system::<$T>::default();
        let number = |x: f64| x as $T;
        let (q, v) = ($q.map(number).into(), $v.map(number).into());
        let [value, slope] = [$exists != Neither, $exists == Both];
        let what = |name: &str| format!("{name} of {} in {}", stringify!($system), stringify!($T));
        let all = |x: &[$T]| x.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
        let moved = system.acceleration(0.0, &q, &v);
        judge(&what("acceleration"), value, moved, |a| all(a.as_slice()));
        let told = system.outputs(0.0, &q, &v);
        judge(&what("outputs"), true, told, |y| all(&[y.y]));
        let slopes = system.linearize(0.0, &q, &v);
        judge(&what("linearize"), slope, slopes, |it| {
            [it.a.as_slice(), it.p.as_slice()].map(all).concat()
        });
        let both = system.linearize_with_multipliers(0.0, &q, &v);
        judge(&what("linearize_with_multipliers"), slope, both, |it| {
            all(it.0.a.as_slice())
        });
        let along = Tangent {
            q: v.map(|_| 1.0),
            ..Tangent::default()
        };
        let moved = system.jvp(0.0, &q, &v, &along);
        judge(&what("jvp"), slope, moved, |it| all(it.0.as_slice()));
        let by = system.vjp(0.0, &q, &v, &v.map(|_| 1.0), &SVector::from_element(1.0));
        judge(&what("vjp"), slope, by, |it| {
            [it.q.as_slice(), it.v.as_slice(), it.p.as_slice()]
                .map(all)
                .concat()
        });
        let told = system.outputs_jvp(0.0, &q, &v, &along);
        let refused = !slope && matches!(told, Err(Error::Corner { .. }));
        judge(&what("outputs_jvp"), !refused, told, |y| all(&[y.y]));
        let start = State::new(0.0, q, v);
        let run = Simulation::new(system, start, Rk4::new(1e-3));
        let run = run.and_then(|mut run| run.step().map(|_| *run.state()));
        judge(&what("a step"), value, run, |it| all(it.v.as_slice()));
    }};
}

/// The same in both precisions, and that `equilibrium` finds no NaN.
macro_rules! corners {
    ($($test:ident: $system:ident at $q:expr, $v:expr => $exists:expr;)*) => {$(
        #[test]
        fn $test() {
            judge_all!(f64, $system, $q, $v, $exists);
            judge_all!(f32, $system, $q, $v, $exists);
            let start = State::new(0.0, $q, $v);
            if let Ok(rest) = equilibrium(&$system::<f64>::default(), start) {
                assert!(rest.q.iter().all(|x| x.is_finite()), "{rest:?}");
            }
        }
    )*};
}

system! {
    #[derivatives]
    struct Spring { k: Real = 5, l: Real = 1 }
    particle p: Point2 { mass: 1 }
    potential k/2*(norm(p) - l)^2;
    output y = p.x;
}

system! {
    /// V = x^(3/2), whose force has a value at 0.
    #[derivatives]
    struct Power { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    potential k*powf(abs(x), 1.5);
    output y = x;
}

system! {
    /// The same potential, of the square.
    #[derivatives]
    struct Square { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    potential k*(x^2)^0.75;
    output y = x;
}

system! {
    /// V = k (x²)^(1/3), whose force has no bound.
    #[derivatives]
    struct Pointed { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    potential k*(x*x)^(1/3);
    output y = x;
}

system! {
    /// V = √x, whose force has none.
    #[derivatives]
    struct Root { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    potential k*sqrt(x);
    output y = x;
}

system! {
    #[derivatives]
    struct Hypot { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    potential k*hypot(x, z);
    output y = x;
}

system! {
    /// The angle itself is a force; at the origin atan2 is 0, and turns any way.
    #[derivatives]
    struct Angle { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    force x: k*atan2(z, x);
    output y = x;
}

system! {
    /// Dry friction of a puck.
    #[derivatives]
    struct Puck { k: Real = 5 }
    particle p: Point2 { mass: 1 }
    force p: -k*normalize(velocity(p));
    output y = p.x;
}

system! {
    #[derivatives]
    struct Arc { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    force x: k*acos(x);
    output y = x;
}

system! {
    #[derivatives]
    struct ArcPotential { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    potential k*asin(x);
    output y = x;
}

system! {
    #[derivatives]
    struct Logarithm { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    force x: k*ln(x);
    output y = x;
}

system! {
    #[derivatives]
    struct CubeRoot { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    force x: -k*cbrt(x);
    output y = x;
}

system! {
    #[derivatives]
    struct Gravitation { k: Real = 5 }
    particle p: Point2 { mass: 1 }
    potential -k/norm(p);
    output y = p.x;
}

system! {
    /// J is (1, 0) at x = 0, but the row bends without bound there.
    #[derivatives]
    struct Wire { k: Real = 5 }
    coordinate x, z;
    kinetic velocity(x)^2 + velocity(z)^2;
    constraint wire: z == powf(abs(x), 1.5);
    output y = x;
}

corners! {
    a_spring_without_length: Spring at [0.0, 0.0], [1.0, 0.0] => Neither;
    a_spring_elsewhere: Spring at [0.0, 0.1], [1.0, 0.0] => Both;
    a_power_at_zero: Power at [0.0, 1.0], [1.0, 0.0] => Value;
    a_power_elsewhere: Power at [-0.2, 1.0], [1.0, 0.0] => Both;
    a_power_of_a_square_at_zero: Square at [0.0, 1.0], [1.0, 0.0] => Value;
    a_power_of_a_square_elsewhere: Square at [-0.2, 1.0], [1.0, 0.0] => Both;
    a_point_of_a_potential: Pointed at [0.0, 1.0], [1.0, 0.0] => Neither;
    a_root_at_zero: Root at [0.0, 1.0], [1.0, 0.0] => Neither;
    a_root_below_zero: Root at [-1.0, 1.0], [1.0, 0.0] => Neither;
    a_root_elsewhere: Root at [0.5, 1.0], [1.0, 0.0] => Both;
    a_hypotenuse_of_zero: Hypot at [0.0, 0.0], [1.0, 0.0] => Neither;
    an_angle_at_the_origin: Angle at [0.0, 0.0], [1.0, 0.0] => Value;
    an_angle_elsewhere: Angle at [0.0, -0.3], [1.0, 0.0] => Both;
    friction_at_rest: Puck at [0.3, 0.0], [0.0, 0.0] => Neither;
    friction_of_a_slide: Puck at [0.3, 0.0], [0.0, -1.0] => Both;
    an_arc_at_its_end: Arc at [1.0, 0.0], [0.0, 0.0] => Value;
    an_arc_beyond_its_end: Arc at [-1.5, 0.0], [0.0, 0.0] => Neither;
    an_arc_elsewhere: Arc at [0.5, 0.0], [0.0, 0.0] => Both;
    the_slope_of_an_arc_at_its_end: ArcPotential at [-1.0, 0.0], [0.0, 0.0] => Neither;
    a_logarithm_of_zero: Logarithm at [0.0, 0.0], [0.0, 0.0] => Neither;
    a_logarithm_below_zero: Logarithm at [-1.0, 0.0], [0.0, 0.0] => Neither;
    a_cube_root_at_zero: CubeRoot at [0.0, 0.0], [0.0, 0.0] => Value;
    a_mass_point_at_the_centre: Gravitation at [0.0, 0.0], [0.0, 0.0] => Neither;
    a_wire_that_bends_without_bound: Wire at [0.0, 0.0], [1.0, 0.0] => Neither;
    a_wire_elsewhere: Wire at [1.0, 1.0], [1.0, 1.5] => Both;
}

/// 2 ẍ = −V′ with V′ = 3/2 k √|x| sgn x, which is 0 at 0.
#[test]
fn a_power_of_a_square_has_its_force() -> Result<(), Error> {
    let square = Square::<f64>::default();
    for (x, slope) in [(0.0, 0.0), (0.25, 0.75), (-0.25, -0.75), (4.0, 3.0)] {
        let found = square.acceleration(0.0, &[x, 1.0].into(), &SVector::zeros())?;
        assert!((2.0 * found[0] + 5.0 * slope).abs() < 1e-14, "{x} {found}");
    }
    Ok(())
}

#[test]
fn the_error_names_the_expression() {
    let refused = |system: &Spring, v: [f64; 2]| {
        let refused = system.acceleration(0.0, &SVector::zeros(), &v.into());
        refused.unwrap_err().to_string()
    };
    assert_eq!(
        refused(&Spring::default(), [1.0, 0.0]),
        "no derivative exists here: p.x² + p.y² = 0 is a corner of the forces"
    );
    // Values that are not finite at the start are reported first.
    assert_eq!(
        refused(&Spring::default(), [f64::NAN, 0.0])
            .split(';')
            .next(),
        Some("velocity 0 is NaN")
    );
    let wire = Wire::<f64>::default();
    let refused = wire.multipliers(0.0, &SVector::zeros(), &[1.0, 0.0].into());
    assert_eq!(
        refused.unwrap_err().to_string(),
        "no derivative exists here: |x| = 0 is a corner of constraint `wire`"
    );
}

#[test]
fn an_equilibrium_is_refused_by_the_expression() {
    let start = State::new(0.0, [0.0, 0.0], [0.0, 0.0]);
    let refused = equilibrium(&Spring::<f64>::default(), start).unwrap_err();
    assert!(matches!(refused, Error::Corner { .. }), "{refused}");
}

system! {
    /// A bead under a force that ends, as a number, at t = 1.
    pub struct Fading { m: Real = 1 }
    particle p: Point2 { mass: m }
    constraint wire: p.y == p.x^2;
    force p: [sqrt(1 - t), 0];
}

#[test]
fn a_force_that_ends_is_named_by_all_methods() -> Result<(), Error> {
    fn check<I: Integrator<Scalar = f64>>(method: I) -> Result<(), Error> {
        let start = State::new(0.0, [0.0; 2], [0.0; 2]);
        let mut run = Simulation::new(Fading::<f64>::default(), start, method)?;
        let error = run.run_until(10.0).unwrap_err().to_string();
        let (begin, end) = error.split_once(": ").expect("a place");
        assert!(
            begin.starts_with("no derivative exists here at t = "),
            "{error}"
        );
        assert_eq!(end, "1 − t > 0 does not hold in the forces");
        assert!(run.state().t > 0.8 && run.state().q.iter().all(|x| x.is_finite()));
        Ok(())
    }
    check(Rk4::new(0.1))?;
    check(SemiImplicitEuler::new(0.1))?;
    check(DormandPrince::new(1e-6, 1e-6))
}

/// A start away from the corner that a stage of a long step meets exactly: a method that chooses its steps goes around.
#[test]
fn a_method_that_chooses_its_steps_takes_shorter_ones() -> Result<(), Error> {
    let start = State::new(0.0, [0.5, 0.0], [-1.0, 0.3]);
    let method = DormandPrince::new(1e-9, 1e-9);
    let mut run = Simulation::new(Spring::<f64>::default(), start, method)?;
    run.run_until(5.0)?;
    assert!(run.state().q.iter().all(|x| x.is_finite()));
    Ok(())
}

system! {
    /// A disk that rolls: flat on the ground it has no lowest point.
    pub struct Disk { m: Real = 0.2, r: Real = 0.5 }
    body disk: Rigid3 { mass: m, inertia: [m*r^2/4, m*r^2/4, m*r^2/2] }
    let axis = dir(disk, [0, 0, 1]);
    constraint contact: at(disk, [0, 0, 0]).z == r*normalize([0, 0, 1] - axis.z*axis).z;
}

/// It is no matter of steps or of the distance of the guess.
#[test]
fn a_guess_at_which_a_row_has_no_value_is_refused_as_a_start_is() {
    let flat = State::new(0.0, DiskCoordinates::default(), DiskVelocities::default());
    let disk = Disk::<f64>::default();
    let guess = make_consistent(&disk, flat).unwrap_err();
    assert_eq!(
        guess.to_string(),
        "constraint `contact` is NaN at the start: a parameter is NaN, or a function is out of its domain there"
    );
    let start = Simulation::new(disk, flat, Rk4::new(0.1)).unwrap_err();
    assert_eq!(start.to_string(), guess.to_string());
}
