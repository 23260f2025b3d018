//! The same motion in other units: no length, time or mass is built in.

use crate::generated::{Rods, SliderCrank};
use constraint_runtime::joint::Hinge;
use constraint_runtime::prelude::*;
use simba::simd::WideF64x4;

/// The units that numbers are told in: so many of them make a metre, a second.
#[derive(Clone, Copy, Debug)]
struct Units {
    metre: f64,
    second: f64,
}

impl Units {
    const SI: Units = Units {
        metre: 1.0,
        second: 1.0,
    };

    fn acceleration(self) -> f64 {
        self.metre / self.second / self.second
    }
}

/// Lengths, then times; what velocities square to is a number in all of them.
fn all_units() -> impl Iterator<Item = Units> {
    let lengths = [1e-150, 1e-100, 1e-12, 1e-6, 1e3, 1e9, 1e100, 1e150];
    let lengths = lengths
        .into_iter()
        .map(|metre| Units { metre, ..Units::SI });
    let times = [1e-100, 1e-12, 1e6, 1e100].map(|second| Units {
        second,
        ..Units::SI
    });
    let both = Units {
        metre: 1e50,
        second: 1e-50,
    };
    lengths.chain(times).chain([both])
}

const ALL: std::ops::RangeInclusive<f64> = 0.0..=f64::INFINITY;

/// Rows that are eliminated together take fourth powers of a length.
const ROWS_TOGETHER: std::ops::RangeInclusive<f64> = 1e-70..=1e70;

/// That a motion, told in metres and seconds, has the same digits whatever units it runs in.
fn has_the_same_digits<const N: usize>(
    digits: f64,
    lengths: std::ops::RangeInclusive<f64>,
    run: impl Fn(Units) -> Result<[f64; N], Error>,
) {
    let expected = run(Units::SI).unwrap();
    let size = expected.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    for units in all_units().filter(|units| lengths.contains(&units.metre)) {
        let found = match run(units) {
            Ok(found) => found,
            Err(error) => panic!("{units:?}: {error}"),
        };
        for (found, expected) in found.iter().zip(expected) {
            let error = (found - expected).abs() / size;
            assert!(error < digits, "{units:?}: {found} instead of {expected}");
        }
    }
}

/// Places in metres, then how far C is off.
fn ends<S, I, const Q: usize, const V: usize>(
    system: S,
    start: State<SVector<f64, Q>, SVector<f64, V>>,
    method: I,
    units: Units,
    lengths: [bool; Q],
) -> Result<[f64; Q], Error>
where
    S: System<f64, Q = SVector<f64, Q>, V = SVector<f64, V>>,
    I: Integrator<Scalar = f64>,
{
    let mut run = Simulation::new(system, start, method)?;
    run.run_until(1.0 * units.second)?;
    assert!(
        run.drift() <= 1e-14 * units.metre,
        "{units:?}: {:e}",
        run.drift()
    );
    let q = run.state().q;
    Ok(std::array::from_fn(|i| {
        if lengths[i] { q[i] / units.metre } else { q[i] }
    }))
}

/// One test for each method with steps of a hundredth of a second.
macro_rules! with_each_method {
    ($digits:expr, $lengths:expr, |$units:ident, $method:ident| $run:expr) => {
        has_the_same_digits($digits, $lengths, |$units| {
            let $method = Rk4::new(0.01 * $units.second);
            $run
        });
        has_the_same_digits($digits, $lengths, |$units| {
            let $method = SemiImplicitEuler::new(0.01 * $units.second);
            $run
        });
        has_the_same_digits($digits, $lengths, |$units| {
            let $method = Rattle::new(0.01 * $units.second);
            $run
        });
    };
}

#[test]
fn a_bead_on_a_circle() {
    constraint! { struct Circle { r: Real } |x, y| x^2 + y^2 == r^2 }
    // The square of a velocity is one of a length over a time: what drifts is a square.
    with_each_method!(1e-12, ALL, |units, method| {
        let Units { metre, second } = units;
        let bead = Particle::new(3.0).on(Circle { r: metre });
        let bead = bead.under_gravity([0.0, -9.81 * units.acceleration()]);
        let v = metre / second;
        let start = State::new(0.0, [0.6 * metre, -0.8 * metre], [0.8 * v, 0.6 * v]);
        let mut run = Simulation::new(bead, start, method)?;
        run.run_until(second)?;
        assert!(run.drift() <= 1e-15 * metre * metre);
        Ok([run.state().q.x / metre, run.state().q.y / metre])
    });
}

#[test]
fn two_rods() {
    with_each_method!(1e-11, ROWS_TOGETHER, |units, method| {
        let l = units.metre;
        let system = Rods {
            l1: l,
            l2: 0.8 * l,
            g: 9.81 * units.acceleration(),
            ..Rods::default()
        };
        let start = State::new(0.0, [0.6 * l, -0.8 * l, 1.4 * l, -0.8 * l], [0.0; 4]);
        ends(system, start, method, units, [true; 4])
    });
}

#[test]
fn an_angle_beside_a_length() {
    with_each_method!(1e-11, ALL, |units, method| {
        let l = units.metre;
        let system = SliderCrank {
            r: l,
            l: 2.5 * l,
            g: 9.81 * units.acceleration(),
            ..SliderCrank::default()
        };
        let start = State::new(0.0, [0.0, 3.5 * l], [3.0 / units.second, 0.0]);
        ends(system, start, method, units, [false, true])
    });
}

/// A brake beside a wheel: what the kick of Rattle still changes is measured in the unit of each.
#[test]
fn an_angle_beside_a_damped_length() {
    system! {
        struct Brake { m: Real, l: Real, c: Real }
        coordinate angle, x;
        particle rim = [l*cos(angle), l*sin(angle)] { mass: m }
        particle shoe = [x, 0] { mass: m }
        dissipation c/2*velocity(x)^2;
    }
    with_each_method!(1e-11, ALL, |units, method| {
        let Units { metre, second } = units;
        let system = Brake {
            m: 1.0,
            l: metre,
            c: 60.0 / second,
        };
        let start = State::new(0.0, [0.0, 0.0], [2.0 / second, 100.0 * metre / second]);
        ends(system, start, method, units, [false, true])
    });
}

#[test]
fn a_rod_by_its_norm() {
    constraint! { struct Rod { l: Real } |x, y| norm([x, y]) == l }
    with_each_method!(1e-12, ALL, |units, method| {
        let bead = Particle::new(3.0).on(Rod { l: units.metre });
        let bead = bead.under_gravity([0.0, -9.81 * units.acceleration()]);
        let (l, v) = (units.metre, units.metre / units.second);
        let start = State::new(0.0, [0.6 * l, -0.8 * l], [0.8 * v, 0.6 * v]);
        ends(bead, start, method, units, [true; 2])
    });
}

#[test]
fn a_slide_that_is_driven() {
    system! {
        struct Driven { m: Real, a: Real, omega: Real, k: Real }
        particle p: Point2 { mass: m }
        constraint slide: p.x == a*sin(omega*t);
        constraint tilted: p.y == p.x*sin(3*omega*t);
    }
    with_each_method!(1e-11, ALL, |units, method| {
        let (l, omega) = (units.metre, 2.0 / units.second);
        let system = Driven {
            m: 1.0,
            a: l,
            omega,
            k: 1.0,
        };
        let start = State::new(0.0, [0.0, 0.0], [l * omega, 0.0]);
        ends(system, start, method, units, [true; 2])
    });
}

system! {
    /// A lever on a pin.
    struct Lever { m: Real, inertia: Real, l: Real, x: Real, g: Real }
    body lever: Rigid2 { mass: m, inertia: inertia }
    constraint pin: at(lever, [-l, 0]) == [x, 0];
    potential m*g*at(lever, [0, 0]).y;
}

system! {
    /// The same in space, on a ball.
    struct Top { m: Real, a: Real, c: Real, l: Real, g: Real }
    body top: Rigid3 { mass: m, inertia: [a, a, c] }
    constraint tip: at(top, [0, 0, -l]) == [l, 0, 0];
    potential m*g*at(top, [0, 0, 0]).z;
}

#[test]
fn bodies_of_systems() {
    let lever = |units: Units| {
        let l = units.metre;
        let (m, inertia, g) = (2.0, 0.3 * l * l, 9.81 * units.acceleration());
        let system = Lever {
            m,
            inertia,
            l,
            x: 0.5 * l,
            g,
        };
        let start = State::new(0.0, [1.5 * l, 0.0, 1.0, 0.0], [0.0; 3]);
        let lengths = [true, true, false, false];
        (system, start, lengths)
    };
    let top = |units: Units| {
        let l = units.metre;
        let g = 9.81 * units.acceleration();
        let system = Top {
            m: 1.0,
            a: 0.2 * l * l,
            c: 0.3 * l * l,
            l,
            g,
        };
        let spin = [0.0, 20.0 / units.second, 0.0];
        let place = [2.0 * l, 0.0, 0.0];
        let (s, c) = (0.5_f64.sqrt(), 0.5_f64.sqrt());
        // The axis along x: v = ω×r of the centre of mass, r = (l, 0, 0).
        let v = [0.0, 0.0, -20.0 * l / units.second];
        let q = [place[0], place[1], place[2], 0.0, s, 0.0, c];
        let start = State::new(0.0, q, [v[0], v[1], v[2], spin[0], spin[1], spin[2]]);
        (
            system,
            start,
            [true, true, true, false, false, false, false],
        )
    };
    has_the_same_digits(1e-10, ALL, |units| {
        let (system, start, lengths) = lever(units);
        ends(system, start, Rk4::new(0.01 * units.second), units, lengths)
    });
    has_the_same_digits(1e-10, ALL, |units| {
        let (system, start, lengths) = lever(units);
        ends(
            system,
            start,
            SemiImplicitEuler::new(0.01 * units.second),
            units,
            lengths,
        )
    });
    has_the_same_digits(1e-9, ALL, |units| {
        let (system, start, lengths) = top(units);
        ends(
            system,
            start,
            Rk4::new(0.002 * units.second),
            units,
            lengths,
        )
    });
}

#[test]
fn a_hinge_of_a_world() {
    has_the_same_digits(1e-10, ALL, |units| {
        let Units { metre, second } = units;
        let mut world = World3::new().with_gravity([0.0, 0.0, -9.81 * units.acceleration()]);
        let square = metre * metre;
        let inertia = Inertia3::principal(2.0, [0.01 * square, 0.2 * square, 0.2 * square])?;
        let (wall, place) = (
            Rigid3::identity(),
            Rigid3::translation(0.5 * metre, 0.0, 0.0),
        );
        let ground = world.add(Body3::fixed(wall))?;
        let rod = world.add(Body3::new(inertia, place))?;
        let pin = Hinge::between(&wall, &place, &Point3::origin(), &Vector3::y_axis());
        world.connect(pin, [ground, rod])?;
        world.run_until(second, 0.01 * second)?;
        let [x, y, z]: [f64; 3] = world.pose(rod)?.translation.vector.into();
        // Two rows of a hinge are angles, and may be off by the rounding of one.
        assert!(
            world.drift() <= 1e-15 * metre.max(1.0),
            "{units:?}: {:e}",
            world.drift()
        );
        assert!((x.hypot(z) / metre - 0.5).abs() < 1e-14, "{units:?}");
        Ok([x / metre, y / metre, z / metre])
    });
}

mod chosen_steps {
    use super::*;

    constraint! { struct Circle { r: Real } |x, y| x^2 + y^2 == r^2 }
    constraint! { struct Slope { c: Real } |x, y| y == c*x }

    /// Where a motion of ten seconds ends, in metres, and in how many steps.
    fn run(
        system: impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>>,
        q: [f64; 2],
        v: [f64; 2],
        second: f64,
    ) -> ([f64; 2], usize) {
        let start = State::new(0.0, q, v.map(|v| v / second));
        let method = DormandPrince::new(1e-8, 0.0);
        let mut steps = 0;
        let mut run = Simulation::new(system, start, method).unwrap();
        run.run_until_with(10.0 * second, |_| steps += 1)
            .unwrap_or_else(|error| panic!("a second of {second:e} from {start:?}: {error}"));
        (run.state().q.into(), steps)
    }

    /// That a motion takes as many steps to the same end in every unit of time, and no more than those.
    fn takes_the_same_steps(most: usize, digits: f64, run: impl Fn(f64) -> ([f64; 2], usize)) {
        let ([x, y], steps) = run(1.0);
        assert!(steps <= most, "{steps} steps");
        let times = [1e-100, 1e-50, 1e-12, 1e-3, 1e3, 1e9, 1e20, 1e50, 1e100];
        for second in times {
            let (found, taken) = run(second);
            let error = (found[0] - x).hypot(found[1] - y);
            assert!(error <= digits * x.hypot(y), "{second:e}: {error:e} off");
            assert!(
                taken.abs_diff(steps) <= 1,
                "{second:e}: {taken} steps instead of {steps}"
            );
        }
    }

    fn pendulum(second: f64) -> impl System<f64, Q = SVector<f64, 2>, V = SVector<f64, 2>> {
        let gravity = [0.0, -9.81 / second / second];
        Particle::new(3.0)
            .on(Circle { r: 1.0 })
            .under_gravity(gravity)
    }

    #[test]
    fn of_a_pendulum() {
        // Swinging, from rest, and at rest where it hangs.
        takes_the_same_steps(440, 1e-12, |second| {
            run(pendulum(second), [0.6, -0.8], [0.8, 0.6], second)
        });
        takes_the_same_steps(440, 1e-12, |second| {
            run(pendulum(second), [0.6, -0.8], [0.0, 0.0], second)
        });
        takes_the_same_steps(8, 0.0, |second| {
            run(pendulum(second), [0.0, -1.0], [0.0, 0.0], second)
        });
    }

    #[test]
    fn of_a_bead_on_a_line() {
        let bead = || Particle::new(3.0).on(Slope { c: 0.5 });
        let falls = |second: f64| bead().under_gravity([0.0, -9.81 / second / second]);
        // In free flight, and from rest in the origin, where nothing has a size yet.
        takes_the_same_steps(5, 1e-12, |second| {
            run(bead(), [2.0, 1.0], [6.0, 3.0], second)
        });
        takes_the_same_steps(8, 1e-12, |second| {
            run(falls(second), [0.0, 0.0], [0.0, 0.0], second)
        });
    }

    /// The time at the start counts only where nothing else does.
    #[test]
    fn of_starts_at_other_times() {
        for t in [0.0, 3.0, -1e6] {
            for second in [1e-100, 1.0, 1e100] {
                let start = State::new(t * second, [0.0, 0.0], [0.0, 0.0]);
                let bead = Particle::new(3.0).on(Slope { c: 0.5 });
                let bead = bead.under_gravity([0.0, -9.81 / second / second]);
                let method = DormandPrince::new(1e-8, 0.0);
                let mut run = Simulation::new(bead, start, method).unwrap();
                run.step().unwrap();
                assert!(run.state().t > start.t && run.state().q.x < 0.0);
            }
        }
    }
}

/// In single precision from 1e-15 to 1e15.
#[test]
fn a_bead_in_single_precision() {
    constraint! { struct Circle { r: Real } |x, y| x^2 + y^2 == r^2 }
    let run = |metre: f32| {
        let bead = Particle::new(3.0_f32).on(Circle { r: metre });
        let bead = bead.under_gravity([0.0, -9.81 * metre]);
        let start = State::new(0.0, [0.6 * metre, -0.8 * metre], [0.8 * metre, 0.6 * metre]);
        let mut run = Simulation::new(bead, start, Rk4::new(0.01))?;
        run.run_until(1.0)?;
        assert!(run.drift() <= 1e-6 * metre * metre);
        Ok::<f32, Error>(run.state().q.x / metre)
    };
    let expected = run(1.0).unwrap();
    for metre in [1e-15, 1e-9, 1e-3, 1e3, 1e9, 1e15] {
        let found = run(metre).unwrap();
        assert!(
            (found - expected).abs() < 1e-5,
            "{metre}: {found} {expected}"
        );
    }
}

mod starts {
    use super::*;

    constraint! { struct Rod { l: Real } |x, y| norm([x, y]) == l }

    fn refused(q: [f64; 2], v: [f64; 2], l: f64) -> Option<Error> {
        let rod = Particle::new(1.0).on(Rod { l });
        Simulation::new(rod, State::new(0.0, q, v), Rk4::new(0.01)).err()
    }

    #[test]
    fn a_start_is_as_far_off_in_any_unit() {
        for units in all_units() {
            let (l, v) = (units.metre, units.metre / units.second);
            let [x, y] = [0.6 * l, -0.8 * l];
            assert_eq!(refused([x, y], [0.0, 0.0], l), None, "{units:?}");
            assert_eq!(refused([x, y], [0.8 * v, 0.6 * v], l), None, "{units:?}");
            // Typed to eight digits.
            assert_eq!(
                refused([x * (1.0 + 1e-9), y], [0.0, 0.0], l),
                None,
                "{units:?}"
            );
            assert_eq!(
                refused([x, y], [0.8 * v, 0.600_000_001 * v], l),
                None,
                "{units:?}"
            );
            let error = refused([x, y * 1.01], [0.0, 0.0], l);
            assert!(
                matches!(error, Some(Error::InconsistentPosition { .. })),
                "{units:?}"
            );
            let error = refused([x, y], [0.8 * v, 0.61 * v], l);
            assert!(
                matches!(error, Some(Error::InconsistentVelocity { .. })),
                "{units:?}"
            );
        }
    }

    #[test]
    fn of_rows_with_time_too() {
        constraint! { struct Driven { a: Real, omega: Real } |x, t: Time| x == a*sin(omega*t) }
        for units in all_units() {
            let (a, omega) = (units.metre, 2.0 / units.second);
            let starts = |x: f64, v: f64, t: f64| {
                let bead = Particle::new(1.0).on(Driven { a, omega });
                let start = State::new(t * units.second, [x * a], [v * a * omega]);
                Simulation::new(bead, start, Rk4::new(0.01 * units.second)).is_ok()
            };
            let turn = std::f64::consts::PI;
            // At the ends of its way it stands still, in the middle it is nowhere.
            assert!(starts(1.0, 0.0, turn / 4.0), "{units:?}");
            assert!(starts(0.0, -1.0, turn / 2.0), "{units:?}");
            assert!(starts(0.0, 1.0, 0.0), "{units:?}");
            assert!(!starts(1e-3, -1.0, turn / 2.0), "{units:?}");
            assert!(!starts(1.0, 1e-3, turn / 4.0), "{units:?}");
            assert!(!starts(0.0, 1.001, 0.0), "{units:?}");
        }
    }
}

constraint! {
    /// A bead on a vertical hoop that turns, the documentation's.
    struct TurningHoop { pub r: Real, pub omega: Real }
    |p: Point3, t: Time| [norm_squared(p) - r^2, p.x*sin(omega*t) - p.y*cos(omega*t)]
}

system! {
    struct TwoRods { m: Real = 1, l: Real = 1, g: Real = 1 }
    particle bead[2]: Point2 { mass: m }
    constraint upper: norm(bead[0]) == l;
    constraint lower: norm(bead[1] - bead[0]) == l;
    gravity [0, -g];
}

/// In units in which products of rows are floats a run holds its rows; in others it says so, and never says `Ok` beside
/// them.
#[test]
fn units_that_leave_the_range_of_floats_are_refused_as_such() {
    let mut refused = 0;
    for exponent in (-165..=165).step_by(3) {
        let r = 10.0_f64.powi(exponent);
        for (angle, g) in [
            (0.0_f64, 9.81 * r),
            (0.7, 9.81 * r),
            (2.1, 9.81),
            (1.4, 0.0),
        ] {
            let hoop = TurningHoop { r, omega: 2.0 };
            let bead = Particle::new(1.0).on(hoop).under_gravity([0.0, 0.0, -g]);
            let (sin, cos) = angle.sin_cos();
            let start = State::new(
                0.0,
                [r * sin, 0.0, -r * cos],
                [r * cos, 2.0 * r * sin, r * sin],
            );
            let run = Simulation::new(bead, start, Rk4::new(0.01)).and_then(|mut run| {
                run.run_until(0.1)?;
                Ok(run.state().q / r)
            });
            let (sin, cos) = 0.2_f64.sin_cos();
            match run {
                Ok(q) => {
                    let off = (q.norm() - 1.0).abs().max((q.x * sin - q.y * cos).abs());
                    assert!(off < 1e-12, "{r:e} {angle}: {q}");
                }
                Err(error) => {
                    refused += 1;
                    let is_slow = exponent.abs() <= 99 && g <= 10.0 * r;
                    assert!(!is_slow, "{r:e} {angle}: {error}");
                }
            }
        }
    }
    assert!(refused > 0);
    for exponent in [80, 100, 120, 150, -80, -100, -120, -150] {
        let l = 10.0_f64.powi(exponent);
        let rods = TwoRods {
            l,
            g: l,
            ..TwoRods::default()
        };
        let start = State::new(0.0, [l, 0.0, l, -l], [0.0; 4]);
        let error = Simulation::new(rods, start, Rk4::new(1e-3))
            .map(|_| ())
            .unwrap_err();
        assert!(
            matches!(error, Error::UnitsOutOfRange { .. }),
            "{l:e}: {error}"
        );
        assert!(error.to_string().contains("choose other units"), "{error}");
    }
}

/// One lane in units out of range refuses the run, whichever it is.
#[test]
fn units_of_every_lane_are_looked_at() {
    for lane in 0..4 {
        let mut lengths = [1.0; 4];
        lengths[lane] = 1e-100;
        let l = WideF64x4::from(lengths);
        let zero = WideF64x4::from([0.0; 4]);
        let rods = TwoRods {
            l,
            g: l,
            m: WideF64x4::from([1.0; 4]),
        };
        let start = State::new(zero, [l, zero, l, -l], [zero; 4]);
        let method = Rk4::new(WideF64x4::from([1e-3; 4]));
        let error = Simulation::new(rods, start, method)
            .map(|_| ())
            .unwrap_err();
        assert!(
            matches!(error, Error::UnitsOutOfRange { size, .. } if size < 1e-90),
            "{lane}: {error}"
        );
    }
}
