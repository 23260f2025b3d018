//! Small problems of friction in the plane, each compared with all combinations of open, sticking and slipping contacts.
//!
//! The collections of such problems (FCLIB: V. Acary, M. Brémond, T. Koziara, F. Pérignon, INRIA RT-444, 2014) are files of
//! matrices; here the problems are small enough to be written down: poses, velocities and contacts of textbook configurations.

use constraint_runtime::nalgebra::{DMatrix, DVector};
use constraint_runtime::prelude::*;
use constraint_runtime::{Contact2, ContactResiduals};

const H: f64 = 1e-3;

/// A body: mass, moment, place, velocity. The body 0 is the ground.
type Part = (f64, f64, [f64; 2], [f64; 3]);

/// A contact: bodies, point, direction of the normal in degrees, friction.
type Touch = ([usize; 2], [f64; 2], f64, f64);

struct Problem {
    name: &'static str,
    parts: &'static [Part],
    touches: &'static [Touch],
}

const PROBLEMS: [Problem; 6] = [
    Problem {
        name: "a block thrown onto the floor, which slides and tips",
        parts: &[(2.0, 0.4, [0.0, 0.5], [3.0, -1.0, 0.7])],
        touches: &[
            ([0, 1], [-0.4, 0.0], 90.0, 0.3),
            ([0, 1], [0.4, 0.0], 90.0, 0.3),
        ],
    },
    Problem {
        name: "a block that sticks under a pull",
        parts: &[(2.0, 0.4, [0.0, 0.5], [0.2, -1.0, 0.0])],
        touches: &[
            ([0, 1], [-0.6, 0.0], 90.0, 0.8),
            ([0, 1], [0.6, 0.0], 90.0, 0.8),
        ],
    },
    Problem {
        name: "a ladder between floor and wall",
        parts: &[(5.0, 2.5, [0.5, 1.0], [0.1, -0.5, 0.4])],
        touches: &[
            ([0, 1], [1.0, 0.0], 90.0, 0.4),
            ([0, 1], [0.0, 2.0], 0.0, 0.2),
        ],
    },
    Problem {
        name: "a wedge pressed between two slopes",
        parts: &[(1.0, 0.1, [0.0, 0.3], [0.3, -2.0, 0.5])],
        touches: &[
            ([0, 1], [-0.2, 0.2], 40.0, 0.1),
            ([0, 1], [0.2, 0.2], 140.0, 0.25),
        ],
    },
    Problem {
        name: "a block on a block on the floor, pushed apart by friction",
        parts: &[
            (3.0, 0.5, [0.0, 0.5], [0.0, -0.6, 0.0]),
            (1.0, 0.1, [0.0, 1.3], [2.0, -1.5, 0.0]),
        ],
        touches: &[
            ([0, 1], [-0.5, 0.0], 90.0, 0.1),
            ([0, 1], [0.5, 0.0], 90.0, 0.1),
            ([1, 2], [0.0, 1.0], 90.0, 0.5),
        ],
    },
    Problem {
        name: "a ball driven between a block and the floor",
        parts: &[
            (1.0, 0.02, [0.0, 0.2], [1.5, -0.4, -2.0]),
            (4.0, 0.6, [0.7, 0.5], [-0.3, -0.2, 0.0]),
        ],
        touches: &[
            ([0, 1], [0.0, 0.0], 90.0, 0.3),
            ([1, 2], [0.2, 0.2], 0.0, 0.4),
            ([0, 2], [0.7, 0.0], 90.0, 0.6),
        ],
    },
];

impl Problem {
    /// Velocities after one step of a world, and how far it is from the laws.
    fn step(&self, solver: Solver) -> (DVector<f64>, ContactResiduals) {
        let mut world = World2::new().with_solver(solver);
        let mut bodies = vec![world.add(Body2::fixed(Rigid2::identity())).unwrap()];
        for &(mass, moment, [x, y], velocity) in self.parts {
            let inertia = Inertia2::new(mass, moment).unwrap();
            let body = Body2::new(inertia, Rigid2::translation(x, y)).moving(velocity);
            bodies.push(world.add(body).unwrap());
        }
        let (touches, handles) = (self.touches, bodies.clone());
        let mut world = world
            .with_contacts(move |_, found| {
                for (feature, &([a, b], point, angle, friction)) in touches.iter().enumerate() {
                    let (sin, cos) = angle.to_radians().sin_cos();
                    let contact = Contact2::new([handles[a], handles[b]], point, [cos, sin], 0.0);
                    let contact = contact.with_friction(friction);
                    found.push(contact.with_feature(feature as u64));
                }
            })
            .with_contact_sweeps(5_000);
        world.step(H).unwrap();
        let v = bodies[1..].iter().flat_map(|&it| {
            *world
                .velocity(it)
                .unwrap()
                .data
                .as_slice()
                .first_chunk::<3>()
                .unwrap()
        });
        let v: Vec<f64> = v.collect();
        (v.into(), world.contact_residuals())
    }

    /// The same by trying all combinations: velocities of each that obeys the laws.
    fn solutions(&self) -> Vec<DVector<f64>> {
        let (n, k) = (3 * self.parts.len(), self.touches.len());
        let mass = DVector::from_iterator(n, self.parts.iter().flat_map(|it| [it.0, it.0, it.1]));
        let start = DVector::from_iterator(n, self.parts.iter().flat_map(|it| it.3));
        // G: gap and slip of each contact.
        let mut g = DMatrix::zeros(2 * k, n);
        for (i, &(pair, [x, y], angle, _)) in self.touches.iter().enumerate() {
            let (sin, cos) = angle.to_radians().sin_cos();
            for (row, [dx, dy]) in [[cos, sin], [-sin, cos]].into_iter().enumerate() {
                for (body, sign) in pair.into_iter().zip([-1.0, 1.0]).filter(|it| it.0 > 0) {
                    let [px, py] = self.parts[body - 1].2;
                    let entries = [dx, dy, (x - px) * dy - (y - py) * dx];
                    for (c, entry) in entries.into_iter().enumerate() {
                        g[(2 * i + row, 3 * (body - 1) + c)] = sign * entry;
                    }
                }
            }
        }
        let weighted = DMatrix::from_fn(n, 2 * k, |r, c| g[(c, r)] / mass[r]);
        let delassus = &g * &weighted;
        let free = &g * &start;
        let mut found = Vec::new();
        for mode in 0..4_usize.pow(k as u32) {
            let modes: Vec<usize> = (0..k).map(|i| mode / 4_usize.pow(i as u32) % 4).collect();
            // Rows of a linear system for Λ: open, sticking, slipping to either side.
            let mut a = DMatrix::zeros(2 * k, 2 * k);
            let mut b = DVector::zeros(2 * k);
            for (i, &mode) in modes.iter().enumerate() {
                let (normal, slip) = (2 * i, 2 * i + 1);
                let mut hold = |row: usize| {
                    a.row_mut(row).copy_from(&delassus.row(row));
                    b[row] = -free[row];
                };
                match mode {
                    0 => (a[(normal, normal)], a[(slip, slip)]) = (1.0, 1.0),
                    1 => [normal, slip].into_iter().for_each(hold),
                    _ => {
                        hold(normal);
                        let side = if mode == 2 { 1.0 } else { -1.0 };
                        a[(slip, slip)] = 1.0;
                        a[(slip, normal)] = side * self.touches[i].3;
                    }
                }
            }
            let Some(impulse) = a.lu().solve(&b) else {
                continue;
            };
            let rates = &free + &delassus * &impulse;
            let fits = modes.iter().enumerate().all(|(i, &mode)| {
                let (push, along) = (impulse[2 * i], impulse[2 * i + 1]);
                let (gap, slip) = (rates[2 * i], rates[2 * i + 1]);
                match mode {
                    0 => gap >= -1e-12,
                    1 => push >= -1e-12 && along.abs() <= self.touches[i].3 * push + 1e-12,
                    2 => push >= -1e-12 && slip >= -1e-12,
                    _ => push >= -1e-12 && slip <= 1e-12,
                }
            });
            if fits {
                found.push(&start + &weighted * &impulse);
            }
        }
        found
    }
}

#[test]
fn impulses_of_small_problems_obey_the_laws_of_contact() {
    for problem in &PROBLEMS {
        let (name, solutions) = (problem.name, problem.solutions());
        assert!(!solutions.is_empty(), "{name}");
        for solver in [Solver::Exact, SequentialImpulses::new(2_000).into()] {
            let (v, residuals) = problem.step(solver);
            let ContactResiduals {
                signorini,
                coulomb,
                dissipation,
            } = residuals;
            let most = signorini.max(coulomb).max(dissipation);
            assert!(most < 1e-8, "{name}: {residuals:?}");
            let nearest = solutions.iter().map(|it| (it - &v).norm());
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            assert!(nearest < 1e-8, "{name}: {v} {solutions:?}");
        }
    }
}

/// A single sweep leaves the laws unfulfilled, by what the residuals say.
#[test]
fn residuals_show_what_sweeps_have_left() {
    let (_, after_one) = PROBLEMS[2].step(SequentialImpulses::new(1).into());
    let (_, after_many) = PROBLEMS[2].step(SequentialImpulses::new(500).into());
    assert!(after_one.signorini > 1e-3, "{after_one:?}");
    assert!(after_many.signorini < 1e-8, "{after_many:?}");
}
