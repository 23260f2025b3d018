//! Joints of the library in `system!`: their rows are those of the runtime's types, which are made of the same text.

use constraint_runtime::joint::{Cylindrical, Fixed, Hinge, Prismatic, Universal, plane};
use constraint_runtime::prelude::*;

use crate::noise;

system! {
    /// Two bodies and the ground, joined in all ways.
    #[redundant(least_squares)]
    pub struct Joined { m: Real = 1, r1: Vector3 = [0.1, 0.2, 0.3], r2: Vector3 = [-0.3, 0.5, 0.1], axis: Vector3 = [2, -1, 2] }
    body a, b: Rigid3 { mass: m, inertia: [1, 2, 2] }
    joint hinge: Hinge { a: a, b: b, r1: r1, r2: r2, axis: axis }
    joint slider: Prismatic { a: a, b: b, r1: r1, r2: r2, axis: axis }
    joint tube: Cylindrical { b: b, r1: r1, r2: r2, axis: [0, 0, -1] }
    joint weld: Fixed { a: a, r1: r1, r2: r2 }
    joint cross: Universal { a: a, b: b, r1: r1, r2: r2, axis1: [1, 0, 0], axis2: axis }
}

/// Unlike frames and rotations.
fn bodies() -> [Rigid3<f64>; 2] {
    let vector = |i| Vector3::new(noise(i), noise(i + 1), noise(i + 2));
    [
        Rigid3::new(vector(0), vector(3)),
        Rigid3::new(vector(6), vector(9)),
    ]
}

#[test]
fn rows_are_those_of_the_types() {
    let joined = Joined::<f64>::default();
    let [a, b] = bodies();
    let q = JoinedCoordinates { a, b }.into();
    let rows: JoinedMultipliers = joined.constraint(0.0, &q).into();
    let (r1, r2) = (joined.r1, joined.r2);
    let (ground, straight) = (Rigid3::identity(), Rigid3::identity());
    let origin = Point3::origin();
    let axis = constraint_runtime::nalgebra::UnitVector3::new_normalize(joined.axis);

    // `between` bodies that are not turned: what stands for an axis that is the same in both frames.
    let hinge = Hinge {
        r1,
        r2,
        axis: joined.axis,
        ..Hinge::between(&straight, &straight, &origin, &axis)
    };
    close(&hinge.value(0.0, [&a, &b]), &rows.hinge);
    let slider = Prismatic {
        r1,
        r2,
        axis: joined.axis,
        ..Prismatic::between(&straight, &straight, &origin, &axis)
    };
    close(&slider.value(0.0, [&a, &b]), &rows.slider);
    let down = -Vector3::z_axis();
    let tube = Cylindrical {
        r1,
        r2,
        ..Cylindrical::between(&straight, &straight, &origin, &down)
    };
    close(&tube.value(0.0, [&ground, &b]), &rows.tube);
    let weld = Fixed {
        r1,
        r2,
        ..Fixed::between(&straight, &straight, &origin)
    };
    close(&weld.value(0.0, [&a, &ground]), &rows.weld);
    let cross = Universal {
        r1,
        r2,
        axis1: Vector3::x(),
        axis2: joined.axis,
    };
    close(&cross.value(0.0, [&a, &b]), &rows.cross);
}

fn close<const N: usize>(rows: &SVector<f64, N>, found: &[f64; N]) {
    let off = rows.iter().zip(found).map(|(a, b)| (a - b).abs());
    assert!(off.fold(0.0, f64::max) < 1e-14, "{rows} {found:?}");
}

system! {
    /// A flat bar on a slide and a second on its end: joints of the plane.
    pub struct Flat { m: Real = 1, l: Real = 2 }
    body bar, end: Rigid2 { mass: m, inertia: m*l^2/12 }
    joint slide: Prismatic { b: bar, r1: [0, 1], r2: [l/2, 0], normal1: [0, 1] }
    for i in 0..1 { joint pin[i]: Revolute { a: bar, b: end, r1: [l/2, 0], r2: [-l/2, 0] } }
}

#[test]
fn rows_of_the_plane_are_those_of_the_types() {
    let flat = Flat::<f64>::default();
    let bar = Rigid2::new(Vector2::new(0.3, 0.4), 0.7);
    let end = Rigid2::new(Vector2::new(1.3, -0.4), -1.1);
    let q = FlatCoordinates { bar, end }.into();
    let rows: FlatMultipliers = flat.constraint(0.0, &q).into();
    let normal = Vector2::y();
    let slide = plane::Prismatic {
        r1: normal,
        r2: Vector2::x(),
        normal1: normal,
        normal2: normal,
    };
    close(&slide.value(0.0, [&Rigid2::identity(), &bar]), &rows.slide);
    let pin = plane::Revolute {
        r1: Vector2::x(),
        r2: -Vector2::x(),
    };
    assert!((pin.value(0.0, [&bar, &end]) - rows.pin[0]).norm() < 1e-15);
    assert_eq!(
        Flat::<f64>::CONSTRAINTS,
        ["slide.0", "slide.1", "pin[0].x", "pin[0].y"]
    );
}
