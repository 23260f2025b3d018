//! Matrices of Newton's method made of a descriptor pair's entries: they lead where dense ones lead, in as many iterations,
//! and a chain takes as many numbers a link however long it is.

use constraint_runtime::nalgebra::UnitQuaternion;
use constraint_runtime::prelude::*;
use constraint_runtime::{Descriptor, DescriptorMatrix, Implicit, Properties, Vector};
use constraint_runtime::{Effort, make_consistent};

system! {
    /// A chain of eight in the wind, its bends stiff.
    #[derivatives]
    struct Eight { m: Real = 1, l: Real = 1, k: Real = 1e7, c: Real = 0.2, g: Real = 9.81 }
    particle bead[8]: Point2 { mass: m }
    constraint anchor: norm(bead[0]) == l;
    for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 2..8 { potential k/2*norm_squared(bead[i] - 2*bead[i-1] + bead[i-2]); }
    for i in 0..8 { force bead[i]: [sin(t), 0] - c*velocity(bead[i]); }
    gravity [0, -g];
}

system! {
    /// A slider-crank by coordinates, its slider on a stiff spring.
    #[derivatives]
    struct SliderCrank { m: Real = 1, slider: Real = 2, r: Real = 0.5, l: Real = 1.25, k: Real = 1e3, g: Real = 9.81 }
    coordinate angle, x;
    particle pin = [r*cos(angle), r*sin(angle)] { mass: m }
    particle block = [x, 0] { mass: slider }
    constraint rod: norm(block - pin) == l;
    potential k/2*(x - 1.5)^2;
    gravity [0, -g];
}

system! {
    /// A top on its tip.
    #[derivatives]
    struct Top { m: Real = 2, l: Real = 0.5, g: Real = 9.81 }
    body top: Rigid3 { mass: m, inertia: [0.2, 0.2, 0.1] }
    constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
    gravity [0, 0, -g];
}

system! {
    /// A disk that rolls: rows on velocities.
    #[derivatives]
    struct Disk { m: Real = 2, r: Real = 0.5, g: Real = 9.81 }
    body disk: Rigid3 { mass: m, inertia: [m*r^2/4, m*r^2/4, m*r^2/2] }
    let axis = dir(disk, [0, 0, 1]);
    let down = [axis.x*axis.z, axis.y*axis.z, axis.z*axis.z - 1];
    constraint rolling: velocity(at(disk, [0, 0, 0])) + cross(angular_velocity(disk), r*down/norm(down)) == [0, 0, 0];
    gravity [0, 0, -g];
}

/// A system whose matrices are made of entries, or dense.
#[derive(Clone, Copy)]
struct Told<S, const SPARSE: bool>(S);

impl<S: Dynamics<f64>, const SPARSE: bool> Dynamics<f64> for Told<S, SPARSE> {
    dynamics_within!();

    const PROPERTIES: Properties = Properties {
        sparse: SPARSE,
        linearizes: true,
        ..Properties::NONE
    };

    fn write_linearization(
        &self,
        t: f64,
        q: &S::Q,
        v: &S::V,
        by_q: &mut [S::V],
        by_v: &mut [S::V],
    ) -> Result<(), Error> {
        assert!(!SPARSE, "no dense matrix is asked for");
        self.0.write_linearization(t, q, v, by_q, by_v)
    }
}

impl<S: Descriptor<f64>, const SPARSE: bool> System<f64> for Told<S, SPARSE> {}

impl<S: Descriptor<f64>, const SPARSE: bool> Constrained<f64> for Told<S, SPARSE> {
    system_within!();

    fn write_descriptor(
        &self,
        t: f64,
        q: &S::Q,
        v: &S::V,
        a: &S::V,
        lambda: &S::Rows,
        entry: &mut impl FnMut(DescriptorMatrix, usize, usize, f64),
    ) {
        self.0.descriptor(t, q, v, a, lambda, entry);
    }
}

system! {
    /// A thousand links on stiff bends.
    #[derivatives]
    struct Thousand { m: Real = 1, l: Real = 1, k: Real = 1e7, g: Real = 9.81 }
    particle bead[1000]: Point2 { mass: m }
    constraint link[0]: norm(bead[0]) == l;
    for i in 1..1000 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }
    for i in 2..1000 { potential k/2*norm_squared(bead[i] - 2*bead[i-1] + bead[i-2]); }
    gravity [0, -g];
}

system! {
    /// Beads in a row on springs, with nothing to hold them but these: 24 velocities.
    #[derivatives]
    struct Row { m: Real = 1, k: Real = 1e6, g: Real = 9.81 }
    particle bead[12]: Point2 { mass: m }
    potential k/2*(norm(bead[0]) - 1)^2;
    for i in 1..12 { potential k/2*(norm(bead[i] - bead[i-1]) - 1)^2; }
    gravity [0, -g];
}

system! {
    /// Eight bodies in loops, on joints, with springs between their turns.
    #[derivatives]
    #[solver(rolled)]
    struct Links { m: Real = 1, l: Real = 0.5, k: Real = 1e3, g: Real = 9.81 }
    for i in 0..8 { body link[i]: Rigid3 { mass: m, inertia: [0.1, 0.2, 0.25] } }
    constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
    for i in 1..8 { constraint pin[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }
    for i in 1..8 { potential k*(1 - dot(dir(link[i], [0, 0, 1]), dir(link[i-1], [0, 0, 1]))); }
    gravity [0, 0, -g];
}

/// Where a method leads after a second, and what that takes.
fn moved<S, I>(
    system: S,
    start: State<S::Q, S::V>,
    method: I,
    with: Stabilization<f64>,
) -> (State<S::Q, S::V>, Effort)
where
    S: System<f64>,
    I: Implicit + Integrator<Scalar = f64>,
{
    let run = Simulation::new(system, start, method).expect("a start");
    let mut run = run.with_stabilization(with);
    run.run_until(1.0).expect("it moves");
    (run.state().clone(), run.effort())
}

/// What large systems have of themselves leads where their dense matrices do.
#[track_caller]
fn leads_as_dense<S>(system: S, start: State<S::Q, S::V>)
where
    S: System<f64> + Descriptor<f64> + Copy,
{
    const { assert!(S::PROPERTIES.sparse) };
    let method = GeneralizedAlpha::new(0.01, 0.8);
    let with = Stabilization::default();
    let (dense, took) = moved(Told::<S, false>(system), start.clone(), method, with);
    let (sparse, takes) = moved(system, start, method, with);
    let off = furthest(&dense, &sparse);
    assert!(off <= 1e-8, "{off:e}");
    assert!(
        takes.iterations <= took.iterations + 2,
        "{took:?} {takes:?}"
    );
}

/// By how much two states differ in an entry at the most.
fn furthest<Q: Vector<Scalar = f64>, V: Vector<Scalar = f64>>(
    a: &State<Q, V>,
    b: &State<Q, V>,
) -> f64 {
    let q = a.q.entries().iter().zip(b.q.entries());
    let v = a.v.entries().iter().zip(b.v.entries());
    q.chain(v).fold(0.0, |most, (a, b)| (a - b).abs().max(most))
}

/// Both kinds of matrices lead to the same end, in about as many iterations; of feedback dense ones see a part only.
#[track_caller]
fn lead_alike<S, I>(system: S, start: State<S::Q, S::V>, method: I, tolerances: [f64; 2])
where
    S: Descriptor<f64> + Copy,
    I: Implicit + Integrator<Scalar = f64> + Copy,
{
    let feedback = Stabilization::Baumgarte {
        alpha: 5.0,
        beta: 5.0,
    };
    for (with, tolerance) in [Stabilization::default(), feedback]
        .into_iter()
        .zip(tolerances)
    {
        let (dense, took) = moved(Told::<S, false>(system), start.clone(), method, with);
        let (sparse, takes) = moved(Told::<S, true>(system), start.clone(), method, with);
        let off = furthest(&dense, &sparse);
        assert!(off <= tolerance, "{with:?}: {off:e}");
        assert!(
            takes.iterations as f64 <= 1.1 * took.iterations as f64,
            "{with:?}: {took:?} {takes:?}"
        );
    }
}

fn level<const N: usize>() -> [Point2<f64>; N] {
    std::array::from_fn(|i| Point2::new(1.0 + i as f64, 0.0))
}

#[test]
fn entries_lead_where_dense_matrices_lead() {
    let alpha = GeneralizedAlpha::new(0.01, 0.8);
    let bead = EightCoordinates { bead: level() };
    let chain = State::new(0.0, bead, EightVelocities::default());
    lead_alike(Eight::default(), chain, alpha, [1e-10, 1e-7]);
    // The pin at (0.5, 0) and the rod on to x = 1.75.
    let crank = State::new(0.0, [0.0, 1.75], [2.0, 0.0]);
    lead_alike(SliderCrank::default(), crank, alpha, [1e-10, 1e-7]);
    let turn = Vector3::new(0.4, 0.0, 0.0);
    let up = UnitQuaternion::from_scaled_axis(turn) * Vector3::new(0.0, 0.0, 0.5);
    let top = TopCoordinates {
        top: Rigid3::new(up, turn),
    };
    let spin = UnitQuaternion::from_scaled_axis(turn) * Vector3::new(0.0, 0.0, 30.0);
    let v = [0.0, 0.0, 0.0, spin.x, spin.y, spin.z];
    lead_alike(
        Top::default(),
        State::new(0.0, top, v),
        GeneralizedAlpha::new(0.002, 0.8),
        [1e-10, 1e-7],
    );
    let turn = Vector3::new(1.3, 0.0, 0.0);
    let disk = DiskCoordinates {
        disk: Rigid3::new(Vector3::zeros(), turn),
    };
    let spin = UnitQuaternion::from_scaled_axis(turn) * Vector3::new(0.0, 0.0, 10.0);
    let v = [0.0, 0.0, 0.0, spin.x, spin.y, spin.z];
    let rolling = make_consistent(&Disk::default(), State::new(0.0, disk, v));
    let rolling = rolling.expect("a rolling disk");
    lead_alike(Disk::default(), rolling, alpha, [1e-10, 1e-7]);
}

#[test]
fn radau_steps_lead_there_too() {
    let radau = Radau5::new(1e-6, 1e-6);
    let bead = EightCoordinates { bead: level() };
    let chain = State::new(0.0, bead, EightVelocities::default());
    lead_alike(Eight::default(), chain, radau, [1e-9, 1e-3]);
    let crank = State::new(0.0, [0.0, 1.75], [2.0, 0.0]);
    lead_alike(SliderCrank::default(), crank, radau, [1e-9, 1e-3]);
}

/// 10⁷ numbers would be dense. Far from the hinge they fall freely, which the method does exactly.
#[test]
fn a_thousand_stiff_links_fall() -> Result<(), Error> {
    let bead = HeapArray::from(level());
    let start = State::new(
        0.0,
        ThousandCoordinates { bead },
        ThousandVelocities::default(),
    );
    let mut run = Simulation::new(Thousand::default(), start, GeneralizedAlpha::new(1e-2, 0.8))?;
    run.run_until(0.1)?;
    let end = run.coordinates().bead[999];
    assert!((end.y + 9.81 * 0.1 * 0.1 / 2.0).abs() < 1e-12, "{end}");
    assert!(run.drift() < 1e-12 && run.effort().iterations <= 40);
    Ok(())
}

#[test]
fn large_systems_are_eliminated_entry_by_entry() {
    let bead = RowCoordinates { bead: level() };
    leads_as_dense(
        Row::default(),
        State::new(0.0, bead, RowVelocities::default()),
    );
}

/// Against explicit steps, beside which the method errs by h² times what swings.
#[test]
fn bodies_in_loops_move_by_entries() {
    let turn = Vector3::new(0.0, std::f64::consts::FRAC_PI_2, 0.0);
    let link = std::array::from_fn(|i| Rigid3::new(Vector3::new(-0.5 - i as f64, 0.0, 0.0), turn));
    let mut v = LinksVelocities::default();
    for (i, link) in v.link.iter_mut().enumerate() {
        // All turn about the vertical as one.
        link.angular = Vector3::new(0.0, 0.0, 1.0);
        link.linear = Vector3::new(0.0, -0.5 - i as f64, 0.0);
    }
    let start = State::new(0.0, LinksCoordinates { link }, v);
    let end = |h: f64| {
        let method = GeneralizedAlpha::new(h, 0.8);
        let run = Simulation::new(Links::default(), start, method);
        let mut run = run.expect("a start");
        run.run_until(0.2).expect("they move");
        let Effort {
            steps, iterations, ..
        } = run.effort();
        assert!(iterations <= 3 * steps && run.drift() < 1e-12);
        *run.state()
    };
    let exact = DormandPrince::new(1e-10, 1e-10);
    let mut exact = Simulation::new(Links::default(), start, exact).expect("a start");
    exact.run_until(0.2).expect("they move");
    let [once, half] = [2e-3, 1e-3].map(|h| furthest(exact.state(), &end(h)));
    assert!(
        half < 1e-3 && (3.5..4.5).contains(&(once / half)),
        "{once:e} {half:e}"
    );
}
