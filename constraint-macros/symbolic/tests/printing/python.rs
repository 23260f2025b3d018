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
    assert_has(&class, "@dataclass(kw_only=True)\nclass S:\n    \"\"\"");
    assert_has(&class, "    \"\"\"\n    a: float\n    lambda_: list\n");
    // All pieces at once: copies may be on different ones.
    let position = "    def position(self, s):
        \"\"\"r: an array of shape (2,).\"\"\"
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
    let fields = "    \"\"\"
    step_: float = 0.5
    erf_: list = field(default_factory=lambda: [1.0, 2.0])
    m: float = 1.0
    inputs: object = None

    def acceleration(self, t, q, v):
        \"\"\"v̇: an array of shape (2,). `q` has the shape (2,). `v` has the shape (2,).\"\"\"
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
    assert_has(
        &class,
        "    def own_slope(self, t, q, v):\n        \"\"\"q̇ and v̇ with bodies",
    );
    let slope = "        world = [0.0] * 6
        for j in range(6):
            world[j] = v[j]
        self.turn(q, world, 1.0)
        given = self.inputs(t, q, world)
";
    assert_has(&class, slope);
}

#[test]
fn a_class_says_what_its_methods_take() {
    let class = exported(
        "system! {
            struct Cart { m: Real = 1 }
            input push: Real, wind[3]: Vector2;
            coordinate x, angle;
            particle bob = [x + sin(angle), -cos(angle)] { mass: m }
            force bob: push*wind[0];
            kinetic velocity(x)^2 + velocity(angle)^2;
            constraint drive: x == sin(t);
        }",
    );
    let docs = "class Cart:
    \"\"\"Numbers have the units of the model, angles are in radians.

    q, shape (2,): x, angle
    v, shape (2,): v_x, v_angle
    C, λ, shape (1,): drive
    inputs: a function (t, q, v) whose result has the attributes `push`, a number; `wind` of the shape
    (3, 2); for example a lambda with a SimpleNamespace of these.
";
    assert_has(&class, docs);
    let jacobian = "    def jacobian(self, t, q):
        \"\"\"J: an array of shape (1, 2). `q` has the shape (2,).\"\"\"
";
    assert_has(&class, jacobian);
    // As in Rust and in the book, with rows and without.
    assert_has(&class, "    def inverse_dynamics(self, t, q, v, a):\n");
    let free = exported("system! { struct F { m: Real = 1 } particle p: Point2 { mass: m } }");
    assert_has(&free, "    def inverse_dynamics(self, t, q, v, a):\n");
    assert!(!free.contains("unconstrained"), "{free}");
}
