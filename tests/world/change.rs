//! Worlds that change between steps: removal, new poses, masses and parameters, joints that are suspended.

use constraint_runtime::Quantity;
use constraint_runtime::joint::{Ball, Distance, Hinge};
use constraint_runtime::prelude::*;

use super::random::Random;
use super::{DOWN, ball_of_mass};

/// Links of length one in a row along x, the first on a wall; joint k is to the left of link k.
struct Row {
    world: World3,
    links: Vec<BodyHandle>,
    joints: Vec<JointHandle>,
}

fn pin() -> Ball<f64> {
    Ball {
        r1: Vector3::x() * 0.5,
        r2: Vector3::x() * -0.5,
    }
}

fn link(k: f64) -> Body3 {
    let pose = Rigid3::translation(k + 0.5, 0.0, 0.0);
    Body3::new(ball_of_mass(1.0 + 0.1 * k), pose)
}

impl Row {
    fn new(count: usize, solver: Solver) -> Self {
        let mut world = World3::new().with_gravity(DOWN).with_solver(solver);
        let wall = Body3::fixed(Rigid3::translation(-0.5, 0.0, 0.0));
        let mut links = vec![world.add(wall).unwrap()];
        let mut joints = Vec::new();
        for k in 0..count {
            links.push(world.add(link(k as f64)).unwrap());
            let pair = [links[k], links[k + 1]];
            joints.push(world.connect(pin(), pair).unwrap());
        }
        Self {
            world,
            links,
            joints,
        }
    }

    fn states(&self, which: impl Iterator<Item = usize>) -> Vec<(Rigid3, SVector<f64, 6>)> {
        which
            .map(|k| {
                let link = self.links[k];
                (
                    *self.world.pose(link).unwrap(),
                    *self.world.velocity(link).unwrap(),
                )
            })
            .collect()
    }
}

const SOLVERS: [fn() -> Solver; 2] = [|| Solver::Exact, || SequentialImpulses::new(7).into()];

#[test]
fn after_a_removal_a_world_moves_like_one_that_never_had_it() {
    for solver in SOLVERS {
        let mut whole = Row::new(6, solver());
        let mut short = Row::new(4, solver());
        // A stranger in front of everything, and a joint of a type of its own.
        let mut world = World3::new().with_gravity(DOWN).with_solver(solver());
        let ghost = world.add(link(9.0)).unwrap();
        let wall = Body3::fixed(Rigid3::translation(-0.5, 0.0, 0.0));
        let mut links = vec![world.add(wall).unwrap()];
        for k in 0..4 {
            links.push(world.add(link(f64::from(k))).unwrap());
        }
        let axis = Vector3::y_axis();
        let poses = [links[4], ghost].map(|it| *world.pose(it).unwrap());
        let tie = Hinge::between(&poses[0], &poses[1], &Point3::new(5.0, 0.0, 0.0), &axis);
        world.connect(tie, [links[4], ghost]).unwrap();
        for k in 0..4 {
            world.connect(pin(), [links[k], links[k + 1]]).unwrap();
        }
        assert_eq!(world.remove(ghost).unwrap().pose(), &poses[1]);

        // The last two links of a longer row.
        whole.world.remove(whole.links[6]).unwrap();
        whole.world.disconnect(whole.joints[4]).unwrap();
        for _ in 0..20 {
            whole.world.step(1e-2).unwrap();
            short.world.step(1e-2).unwrap();
            world.step(1e-2).unwrap();
        }
        assert_eq!(whole.states(0..5), short.states(0..5));
        let found: Vec<_> = links
            .iter()
            .map(|&it| (*world.pose(it).unwrap(), *world.velocity(it).unwrap()))
            .collect();
        assert_eq!(found, short.states(0..5));
        // Link 5 has fallen freely.
        let fallen = whole.world.velocity(whole.links[5]).unwrap();
        assert!((fallen[2] + 9.81 * 0.2).abs() < 1e-12, "{fallen}");
    }
}

/// Random additions and removals against a list of what must be there.
#[test]
fn handles_name_the_same_body_for_ever() {
    let mut random = Random::new(7);
    let mut world = World3::<f64>::new();
    let mut there: Vec<(BodyHandle, f64)> = Vec::new();
    let mut tied: Vec<(JointHandle, [BodyHandle; 2])> = Vec::new();
    let (mut gone, mut untied) = (Vec::new(), Vec::new());
    for round in 0..400 {
        match random.below(5) {
            0 | 1 => {
                let place = Rigid3::translation(f64::from(round), 0.0, 0.0);
                let body = world.add(Body3::new(ball_of_mass(1.0), place)).unwrap();
                there.push((body, f64::from(round)));
            }
            2 if there.len() > 1 => {
                let a = random.below(there.len());
                let pair = [there[a].0, there[(a + 1) % there.len()].0];
                let joint = if round % 2 == 0 {
                    world.connect(pin(), pair)
                } else {
                    let rod = Distance {
                        r1: Vector3::x(),
                        r2: Vector3::y(),
                        length: f64::from(round),
                    };
                    world.connect(rod, pair)
                };
                tied.push((joint.unwrap(), pair));
            }
            3 if !there.is_empty() => {
                let (body, _) = there.remove(random.below(there.len()));
                world.remove(body).unwrap();
                gone.push(body);
                let (kept, lost): (Vec<_>, Vec<_>) =
                    tied.drain(..).partition(|(_, pair)| !pair.contains(&body));
                tied = kept;
                untied.extend(lost.into_iter().map(|(joint, _)| joint));
            }
            4 if !tied.is_empty() => {
                let (joint, _) = tied.remove(random.below(tied.len()));
                world.disconnect(joint).unwrap();
                untied.push(joint);
            }
            _ => {}
        }
        for &(body, x) in &there {
            assert_eq!(world.pose(body).unwrap().translation.x, x);
        }
        for (joint, pair) in &tied {
            assert_eq!(world.bodies_of(*joint).unwrap(), pair);
        }
        assert!(world.bodies().eq(there.iter().map(|it| it.0)));
        assert!(world.joints().eq(tied.iter().map(|it| it.0)));
        for &body in &gone {
            let body_gone = Error::RemovedBody {
                body: body.number(),
            };
            assert_eq!(world.pose(body), Err(body_gone));
        }
        for &joint in &untied {
            let joint_gone = Error::RemovedJoint {
                joint: joint.number(),
            };
            assert_eq!(world.impulse(joint), Err(joint_gone));
        }
    }
    assert!(gone.len() > 20 && untied.len() > 20, "nothing was removed");
}

#[test]
fn a_suspended_joint_is_as_good_as_none() {
    for solver in SOLVERS {
        let mut row = Row::new(4, solver());
        row.world.run_until(0.1, 1e-2).unwrap();
        let mut cut = Row::new(4, solver());
        cut.world.run_until(0.1, 1e-2).unwrap();
        row.world.set_enabled(row.joints[2], false).unwrap();
        cut.world.disconnect(cut.joints[2]).unwrap();
        for _ in 0..20 {
            row.world.step(1e-2).unwrap();
            cut.world.step(1e-2).unwrap();
            let pairs = row.states(0..5).into_iter().zip(cut.states(0..5));
            for ((pose, velocity), (other, same)) in pairs {
                assert!((pose.translation.vector - other.translation.vector).norm() < 1e-12);
                assert!((velocity - same).norm() < 1e-11);
            }
        }
        assert_eq!(row.world.impulse(row.joints[2]), Ok(&[0.0; 3][..]));
        assert!(!row.world.is_enabled(row.joints[2]).unwrap());
        // The gap is 1 m and more: it does not snap shut.
        row.world.set_enabled(row.joints[2], true).unwrap();
        let before = row.world.checkpoint();
        let refused = row.world.step(1e-2).unwrap_err();
        assert!(matches!(refused, Error::JointApart { .. }), "{refused}");
        assert_eq!(row.world.checkpoint(), before);
    }
}

#[test]
fn messages_name_joints_and_bodies_by_their_numbers() {
    let mut row = Row::new(4, Solver::Exact);
    row.world.remove(row.links[1]).unwrap();
    let away = Rigid3::translation(50.0, 0.0, 0.0);
    row.world.set_pose(row.links[4], away).unwrap();
    let refused = row.world.step(1e-2).unwrap_err().to_string();
    assert!(
        refused.starts_with("joint 3 (Ball between bodies 3 and 4) is apart"),
        "{refused}"
    );
    // What failed can be mended.
    row.world.set_pose(row.links[4], *link(3.0).pose()).unwrap();
    row.world.step(1e-2).unwrap();
}

#[test]
fn a_joint_that_cannot_be_closed_is_not_connected() {
    let mut world = World3::<f64>::new();
    let far = Rigid3::translation(9.0, 0.0, 0.0);
    let (a, b) = (
        world.add(Body3::fixed(Rigid3::identity())).unwrap(),
        world.add(Body3::fixed(far)).unwrap(),
    );
    let rod = world.add(link(2.0)).unwrap();
    let held = world.connect_and_move(pin(), [a, rod]).unwrap();
    let before = world.checkpoint();
    let refused = world.connect_and_move(pin(), [rod, b]);
    assert!(refused.is_err(), "{refused:?}");
    assert_eq!(world.checkpoint(), before);
    assert!(world.joints().eq([held]));
    world.step(1e-2).unwrap();
}

/// A body that becomes fixed holds what hangs on it, and one that becomes free falls.
#[test]
fn masses_and_gravity_change_between_steps() {
    for solver in SOLVERS {
        let mut row = Row::new(2, solver());
        row.world.step(1e-3).unwrap();
        row.world.set_inertia(row.links[1], None).unwrap();
        row.world.set_velocity(row.links[1], [0.0; 6]).unwrap();
        let held = *row.world.pose(row.links[1]).unwrap();
        // The wall, too, is fixed: a joint between the two holds nothing.
        row.world.set_enabled(row.joints[0], false).unwrap();
        row.world.run_until(0.1, 1e-3).unwrap();
        assert_eq!(row.world.pose(row.links[1]).unwrap(), &held);
        row.world.set_gravity([0.0, 0.0, 1.0]).unwrap();
        row.world
            .set_inertia(row.links[1], ball_of_mass(2.0))
            .unwrap();
        row.world.disconnect(row.joints[1]).unwrap();
        row.world.step(1e-3).unwrap();
        let rises = row.world.velocity(row.links[1]).unwrap();
        assert!((rises[2] - 1e-3).abs() < 1e-15, "{rises}");
    }
    let mut world = World3::<f64>::new();
    let refused = world.set_gravity([0.0, f64::NAN, 0.0]);
    let Err(Error::NonFinite {
        quantity, index, ..
    }) = refused
    else {
        panic!("{refused:?}")
    };
    assert_eq!((quantity, index), (Quantity::Gravity, 1));
}
