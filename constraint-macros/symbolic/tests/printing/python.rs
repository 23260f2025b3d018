//! Calls as Python: how they read.

use constraint_symbolic::export::{Target, export};

fn exported(call: &str) -> String {
    let tokens = call.parse().expect("tokens");
    export(tokens, Target::Python).unwrap_or_else(|it| panic!("{call}: {it}"))
}

#[track_caller]
fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "{text}");
}

#[test]
fn every_operation_is_written() {
    let class = exported(
        "curve! { struct S { a: Real, lambda: Vector2 } |s in 0..=1| [
            sin(s)*cos(s) + atan2(a, s)/s - exp(-s),
            if s < 1/2 && !(a >= s) || a == 2 { ln(s) } else { min(s, lambda.y) - (3/4 - erf(a)) }] }",
    );
    let begin = "@dataclass(kw_only=True)
class S:
    a: float
    lambda_: list
";
    assert_has(&class, begin);
    // All pieces at once: copies may be on different ones.
    let position = "    def position(self, s):
        a = self.a
        [_, lambda_y] = self.lambda_
        sin_s = np.sin(s)
        cos_s = np.cos(s)
        return _array([sin_s * cos_s + np.arctan2(a, s) / s - np.exp(-s), \
np.where(np.logical_or(np.logical_and(s < 0.5, np.logical_not(a >= s)), a == 2.0), np.log(s), \
np.fmin(s, lambda_y) + self.erf(a) - 0.75)])
";
    assert_has(&class, position);
    assert_has(&class, "    def erf(self, x):\n");
}

#[test]
fn fields_have_names_that_methods_leave_free() {
    let class = exported(
        "system! {
            struct Fall { step: Real = 0.5, erf: Vector2 = [1, 2], m: Real = 1 }
            input push;
            particle p: Point2 { mass: m }
            force p: [step*push, erf.x];
        }",
    );
    let fields = "class Fall:
    step_: float = 0.5
    erf_: list = field(default_factory=lambda: [1.0, 2.0])
    m: float = 1.0
    inputs: object = None

    def acceleration(self, t, q, v):
        given = self.inputs(t, q, v)
";
    assert_has(&class, fields);
    assert_has(
        &class,
        "        step = self.step_\n        [erf_x, _] = self.erf_\n",
    );
}

#[test]
fn loops_count_from_line_to_line() {
    let class = exported(
        "system! {
            #[solver(rolled)]
            struct Chain { m: Real = 1 }
            particle bead[8]: Point2 { mass: m }
            constraint anchor: norm(bead[0]) == 1;
            for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == 1; }
        }",
    );
    assert_has(&class, "        for round in range(7):\n            ");
    assert_has(&class, "        out = [0.0] * 16\n");
    assert_has(&class, "        return _array(out[0:16])\n");
}

#[test]
fn inputs_are_asked_for_at_velocities_of_the_world() {
    let class = exported(
        "system! {
            struct Brick { m: Real = 1 }
            input twist: Vector3;
            body brick: Rigid3 { mass: m, inertia: [0.4, 0.3, 0.1] }
            torque brick: twist;
        }",
    );
    let slope = "    def own_slope(self, t, q, v):
        world = [0.0] * 6
        for j in range(6):
            world[j] = v[j]
        self.turn(q, world, 1.0)
        given = self.inputs(t, q, world)
";
    assert_has(&class, slope);
}
