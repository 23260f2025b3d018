//! Operation counts and diagnostics of systems, as derived.

use constraint_symbolic::compile::{analyze_system, system};
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::system::{Derived, Quantity, Solution};

pub fn derived(text: &str) -> Derived {
    let tokens = text.parse().unwrap();
    analyze_system(tokens).unwrap_or_else(|diagnostics| {
        let texts: Vec<String> = diagnostics.iter().map(|d| d.text()).collect();
        panic!("{}", texts.join("\n"))
    })
}

fn chain(n: usize) -> Derived {
    derived(&format!(
        "#[solver(unrolled)]
        pub struct Chain {{ m: Real = 1, l: Real = 0.5, g: Real = 9.81 }}
        particle bead[{n}]: Point2 {{ mass: m }}
        constraint anchor: norm_squared(bead[0]) == l^2;
        for i in 1..{n} {{ constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }}
        for i in 0..{n} {{ force bead[i]: [0, -m*g]; }}"
    ))
}

/// Each bead has its own mass, length and force.
fn chain_of_arrays(n: usize) -> Derived {
    derived(&format!(
        "pub struct Chain {{ m: [Real; {n}], l: [Real; {n}], g: Real = 9.81 }}
        input push[{n}]: Vector2;
        for i in 0..{n} {{ particle bead[i]: Point2 {{ mass: m[i] }} }}
        constraint anchor: norm_squared(bead[0]) == l[0]^2;
        for i in 1..{n} {{ constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l[i]^2; }}
        for i in 0..{n} {{ force bead[i]: push[i] + [0, -m[i]*g]; }}"
    ))
}

/// Names of rows and checks of masses are told by families: with four times the bodies nothing is longer but numbers.
#[test]
fn the_source_of_bodies_grows_with_what_differs() {
    let source = |n: usize| {
        let text = format!(
            "pub struct Links {{ m: [Real; {n}], moments: [Vector3; {n}], up: [Vector3; {n}], g: Real = 9.81 }}
            for i in 0..{n} {{
                body link[i]: Rigid3 {{ mass: m[i], inertia: [moments[i].x, moments[i].y, moments[i].z] }}
            }}
            constraint anchor: at(link[0], up[0]) == [0, 0, 0];
            for i in 1..{n} {{ constraint ball[i]: at(link[i], up[i]) == at(link[i-1], [0, 0, -1]); }}
            for i in 0..{n} {{ force link[i]: [0, 0, -m[i]*g]; }}"
        );
        system(text.parse().unwrap()).to_string().len()
    };
    // From a few rows on names are no longer written out.
    let [some, many] = [24, 96].map(source);
    assert!(100 * many < 102 * some, "{some}, {many}");
}

/// Loops over elements: four times as many beads take no more code, and each as many operations.
#[test]
fn chains_of_arrays_are_solved_in_loops() {
    assert_eq!(
        written(&chain_of_arrays(32)),
        written(&chain_of_arrays(128))
    );
}

/// Of each routine how many kernels and loops are written down.
fn written(system: &Derived) -> Vec<(Quantity, usize, usize)> {
    let Solution::Rolled(rolled) = &system.solution else {
        panic!("the system is not in loops");
    };
    let routines = rolled.routines.iter();
    let sizes = routines.map(|(&of, it)| {
        let loops = it.loops.len();
        (of, it.kernels.len(), loops)
    });
    sizes.collect()
}

/// n bays of two rails and a rung, with a brace or without.
fn ladder(n: usize, brace: &str) -> Derived {
    derived(&format!(
        "pub struct Ladder {{ m: Real = 1, l: Real = 0.5, g: Real = 9.81 }}
        particle left[{n}]: Point2 {{ mass: m }}
        particle right[{n}]: Point2 {{ mass: m }}
        for i in 1..{n} {{ constraint up[i]: norm_squared(left[i] - left[i-1]) == l^2; }}
        for i in 1..{n} {{ constraint along[i]: norm_squared(right[i] - right[i-1]) == l^2; }}
        for i in 0..{n} {{ constraint rung[i]: norm_squared(right[i] - left[i]) == l^2; }}
        for i in 1..{n} {{ {brace} }}
        for i in 0..{n} {{ force left[i]: [0, -m*g]; }}"
    ))
}

/// n by n beads joined by rods.
fn net(n: usize) -> Derived {
    derived(&format!(
        "pub struct Net {{ m: Real = 1, l: Real = 0.5, g: Real = 9.81 }}
        for i in 0..{n} {{ for j in 0..{n} {{ particle bead[i][j]: Point2 {{ mass: m }} }} }}
        for i in 0..{n} {{ for j in 1..{n} {{
            constraint across[i][j - 1]: norm_squared(bead[i][j] - bead[i][j - 1]) == l^2;
        }} }}
        for i in 1..{n} {{ for j in 0..{n} {{
            constraint down[i - 1][j]: norm_squared(bead[i][j] - bead[i - 1][j]) == l^2;
        }} }}
        for i in 0..{n} {{ for j in 0..{n} {{ force bead[i][j]: [0, -m*g]; }} }}"
    ))
}

/// The elimination fills in, by steps that repeat from bay to bay.
#[test]
fn ladders_take_no_more_code_where_they_are_longer() {
    let brace = "constraint brace[i]: norm_squared(right[i] - left[i-1]) == 2*l^2;";
    for brace in ["force right[i]: [0, -m*g];", brace] {
        assert_eq!(written(&ladder(40, brace)), written(&ladder(160, brace)));
    }
}

/// No two steps are alike, and nothing but tables grows.
#[test]
fn nets_take_no_more_code_where_they_are_larger() {
    assert_eq!(written(&net(9)), written(&net(14)));
}

/// Few rods are written out: the loops of zeros and tables would take longer.
#[test]
fn a_small_net_is_written_out() {
    assert!(matches!(net(4).solution, Solution::Unrolled(_)));
}

/// A link divides by its pivot and by its mass, once each.
#[test]
fn masses_are_divided_by_once() {
    let divisions = |n: usize, name: &str| {
        let chain = chain_of_arrays(n);
        let names = names(&chain.system);
        let functions = functions(&chain, &names);
        let function = functions.iter().find(|it| it.signature.name == name);
        function.expect("a function of that name").body.cost().div
    };
    for name in ["acceleration", "acceleration_and_multipliers", "correction"] {
        assert_eq!(divisions(128, name) - divisions(64, name), 2 * 64, "{name}");
    }
}

/// By hand a link of inverse masses and forces of its own takes 44 operations for v̇ and λ, one of them a division:
/// d and its rate 4, d·d 3, (w + w′) d·d 2, w f 2, the right-hand side 9, what couples to the next link 4, the
/// elimination 7, substitution 2, Jᵀλ 4, v̇ 4, and d and its length of λ again 3.
#[test]
fn masses_of_their_own_cost_a_link_no_more_than_by_hand() {
    let cost = |n: usize| {
        let chain = derived(&format!(
            "pub struct Chain {{ w: [Real; {n}], l: Real }}
            input f[{n}]: Vector2;
            for i in 0..{n} {{ particle bead[i]: Point2 {{ mass: 1/w[i] }} }}
            constraint anchor: norm_squared(bead[0])/2 == l^2/2;
            for i in 1..{n} {{ constraint link[i]: norm_squared(bead[i] - bead[i-1])/2 == l^2/2; }}
            for i in 0..{n} {{ force bead[i]: f[i]; }}"
        ));
        let names = names(&chain.system);
        let functions = functions(&chain, &names);
        let mut functions = functions.iter();
        let both = functions.find(|it| it.signature.name == "acceleration_and_multipliers");
        both.expect("it is a function").body.cost()
    };
    let (short, long) = (cost(32), cost(96));
    assert_eq!(long.div - short.div, 64);
    let link = (long.total() - short.total()) / 64;
    assert!(link <= 44, "{link}");
}

const SPRING_BEADS: &str = "
    pub struct SpringBeads { m1: Real = 1, m2: Real = 1, k: Real = 20, rest: Real = 1, g: Real = 9.81 }
    fn wire(s) = [s, s^4 - 2*s^2];
    coordinate x1, x2;
    particle a = wire(x1) { mass: m1 }
    particle b = wire(x2) { mass: m2 }
    potential m1*g*a.y + m2*g*b.y;
    potential k/2 * (norm(b - a) - rest)^2;";

/// Bars of published generators: SymPy with cse 59, wrenfold 65, CasADi 76.
#[test]
fn accelerations_of_the_spring_beads() {
    let count = derived(SPRING_BEADS)
        .plain_program(&[Quantity::Acceleration])
        .count;
    assert!(count.total() <= 50, "{count}");
}

/// CasADi 450, wrenfold 510, SymPy 512.
#[test]
fn straight_line_rows_of_a_chain() {
    let quantities = [Quantity::Value, Quantity::Bias, Quantity::Delassus];
    let count = chain(16).plain_program(&quantities).count;
    assert_eq!(count.total(), 249, "{count}");
}

/// One division a link; the work grows with the number of links.
#[test]
fn a_chain_costs_the_same_per_link() {
    let count = |n| chain(n).plain_program(&[Quantity::Acceleration]).count;
    let (short, long) = (count(8), count(16));
    assert_eq!(long.div - short.div, 8);
    assert!(long.total() - short.total() <= 8 * 32, "{short}, {long}");
}

/// Two rows are solved by one division.
#[test]
fn two_links_divide_once() {
    let count = chain(2).plain_program(&[Quantity::Acceleration]).count;
    assert_eq!(count.div, 1, "{count}");
}

/// By hand 121 operations, three of them divisions.
#[test]
fn a_square_of_rods_costs_no_more_than_by_hand() {
    let square = derived(
        "pub struct Square { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[4]: Point2 { mass: m }
        for i in 0..3 { constraint rod[i]: norm_squared(bead[i+1] - bead[i]) == l^2; }
        constraint closing: norm_squared(bead[0] - bead[3]) == l^2;
        for i in 0..4 { force bead[i]: [0, -m*g]; }",
    );
    let count = square.plain_program(&[Quantity::Acceleration]).count;
    assert_eq!(count.div, 3, "{count}");
    assert!(count.total() <= 121, "{count}");
}

/// A square of four rods, written out.
const SQUARE: &str = "#[solver(unrolled)]
    pub struct Square { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
    particle bead[4]: Point2 { mass: m }
    for i in 0..3 { constraint rod[i]: norm_squared(bead[i+1] - bead[i]) == l^2; }
    constraint closing: norm_squared(bead[0] - bead[3]) == l^2;
    for i in 0..4 { force bead[i]: [0, -m*g]; }";
/// Two bodies on ball joints.
const PAIR: &str = "pub struct Pair { m: Real = 1, a: Real = 1, b: Real = 2, c: Real = 3, l: Real = 1, g: Real = 9.81 }
    body link[2]: Rigid3 { mass: m, inertia: [a, b, c] }
    constraint pin: at(link[0], [0, 0, l]) == [0, 0, 0];
    constraint joint: at(link[1], [0, 0, l]) == at(link[0], [0, 0, -l]);
    for i in 0..2 { force link[i]: [0, 0, -m*g]; }";

/// v̇ and λ of one program: of λ alone nothing but wλ times m and the row's scale, one multiplication a row and at most
/// one for the scale.
#[test]
fn multipliers_beside_accelerations_cost_a_multiplication_a_row() {
    for (derived, rows) in [(chain(8), 8), (derived(SQUARE), 4), (derived(PAIR), 6)] {
        let count = |quantity| derived.plain_program(&[quantity]).count;
        let alone = count(Quantity::Acceleration);
        let both = count(Quantity::AccelerationAndMultipliers);
        assert_eq!((both.div, both.sqrt), (alone.div, alone.sqrt), "{both}");
        assert!(both.total() <= alone.total() + rows + 1, "{alone}, {both}");
    }
}

/// Velocities are moved onto the constraints without another division. Of a chain of 8, v̇ takes 214 operations, Ċ 60 and
/// a correction 182.
#[test]
fn projected_motion_factors_once() {
    for (derived, most) in [
        (chain(8), 336),
        (derived(SQUARE), 191),
        (derived(PAIR), 642),
    ] {
        let count = |quantity| derived.plain_program(&[quantity]).count;
        let alone = count(Quantity::Acceleration);
        let both = count(Quantity::ProjectedMotion);
        assert_eq!((both.div, both.sqrt), (alone.div, alone.sqrt), "{both}");
        assert!(both.total() <= most, "{both}");
    }
}

/// The same in loops, whose λ and Jᵀ λ alone are solved for in units of force.
#[test]
fn multipliers_in_loops_cost_a_multiplication_a_row() {
    let chain = derived(
        "#[solver(rolled)]
        pub struct Chain { m: Real = 1, l: Real = 0.5, g: Real = 9.81 }
        particle bead[64]: Point2 { mass: m }
        constraint anchor: norm_squared(bead[0])/2 == l^2/2;
        for i in 1..64 { constraint link[i]: norm_squared(bead[i] - bead[i-1])/2 == l^2/2; }
        for i in 0..64 { force bead[i]: [0, -m*g]; }",
    );
    let names = names(&chain.system);
    let all = functions(&chain, &names);
    let count = |name: &str| {
        let mut functions = all.iter();
        let function = functions.find(|function| function.signature.name == name);
        function.expect("a function of that name").body.cost()
    };
    let (alone, both) = (count("acceleration"), count("acceleration_and_multipliers"));
    assert_eq!(both.total(), alone.total() + 64, "{alone}, {both}");
    assert_eq!(both.mul, alone.mul + 64, "{alone}, {both}");
    assert!(count("constraint_force").total() <= 1925);
    // Ċ, a substitution forwards and backwards, and v′; the pivots are divided by once.
    let moved = count("projected_motion");
    assert_eq!(moved.div, alone.div, "{alone}, {moved}");
    assert!(moved.total() <= 3080, "{moved}");
}

/// λ of rods of unit scale: the unknowns times m and the rod's length, without another division.
#[test]
fn multipliers_divide_no_more_than_accelerations() {
    let pendulum = derived(
        "pub struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
        particle bob[2]: Point2 { mass: m }
        constraint upper: norm(bob[0]) == l;
        constraint lower: norm(bob[1] - bob[0]) == l;
        potential m*g*(bob[0].y + bob[1].y);",
    );
    let divisions = |quantity| pendulum.plain_program(&[quantity]).count.div;
    assert_eq!(
        divisions(Quantity::Multipliers),
        divisions(Quantity::Acceleration)
    );
}

/// By hand: R 24, Rᵀ ω 15, Euler's equations (b − c) ω₂ ω₃/a three times 4 and three reciprocals, R ω̇ 15: 69.
#[test]
fn a_free_body_is_solved_for_in_its_own_frame() {
    let body = "pub struct Free { m: Real = 1, a: Real = 1, b: Real = 2, c: Real = 3 }
        body racket: Rigid3 { mass: m, inertia: [a, b, c] }";
    let count = derived(body).plain_program(&[Quantity::Acceleration]).count;
    assert!(count.total() <= 69, "{count}");
}

/// By hand: Euler's equations three times 4 and three reciprocals, ½ r ω four times 6: 39.
#[test]
fn a_step_of_a_free_body_turns_nothing() {
    let body = "pub struct Free { m: Real = 1, a: Real = 1, b: Real = 2, c: Real = 3 }
        body racket: Rigid3 { mass: m, inertia: [a, b, c] }";
    let count = derived(body).plain_program(&[Quantity::OwnSlope]).count;
    assert!(count.total() <= 39, "{count}");
}

/// R ω for what moves in the world takes what Rᵀ ω and R ω̇ take in the world's frame, and no more than that.
#[test]
fn a_step_in_the_bodies_frames_costs_no_more_than_in_the_worlds() {
    let parameters =
        "pub struct Bodies { m: Real = 1, a: Real = 1, b: Real = 2, c: Real = 3, l: Real = 1 }";
    for rest in [
        "body top: Rigid3 { mass: m, inertia: [a, a, c] }
        constraint tip: at(top, [0, 0, -l]) == [0, 0, 0];
        potential m*at(top, [0, 0, 0]).z;",
        "body p[3]: Rigid3 { mass: m, inertia: [a, b, c] }
        constraint pin: norm(at(p[0], [0, 0, l])) == 1;
        for i in 1..3 { constraint rod[i]: norm(at(p[i], [0, l, l]) - at(p[i-1], [l, 0, -l])) == 1; }",
        "body p[3]: Rigid3 { mass: m, inertia: [a, b, c] }
        constraint pin: at(p[0], [0, 0, l]) == [0, 0, 0];
        for i in 1..3 { constraint ball[i]: at(p[i], [0, l, l]) == at(p[i-1], [l, 0, -l]); }",
    ] {
        let system = derived(&format!("{parameters} {rest}"));
        let count = |quantities: &[Quantity]| system.plain_program(quantities).count;
        let world = count(&[Quantity::Kinematics, Quantity::Acceleration]);
        let own = count(&[Quantity::OwnSlope]);
        assert!(own.total() <= world.total(), "{own}, {world}");
        assert!((own.div, own.sqrt) == (world.div, world.sqrt), "{own}, {world}");
    }
}

/// By hand, a link of a chain on ball joints, whose blocks of J W Jᵀ are symmetric (`benches/by_hand/links.rs`):
/// R 24, Rᵀ ω 15, Euler's equations 9, the block 24 and its motion 25, assembled 15; what the link before takes off
/// it 102, its inverse and λ 45; λ backwards 33; accelerations 39: 331.
#[test]
fn a_link_of_bodies_costs_no_more_than_by_hand() {
    let links = |n: usize| {
        let text = format!(
            "pub struct Links {{ m: Real = 0.7, a: Real = 0.4, b: Real = 0.3, c: Real = 0.1, l: Real = 0.5 }}
            body link[{n}]: Rigid3 {{ mass: m, inertia: [a, b, c] }}
            constraint anchor: at(link[0], [0, 0, l]) == [0, 0, 0];
            for i in 1..{n} {{ constraint ball[i]: at(link[i], [0, 0, l]) == at(link[i-1], [0, 0, -l]); }}"
        );
        derived(&text)
            .plain_program(&[Quantity::Acceleration])
            .count
    };
    let (short, long) = (links(4), links(6));
    assert!(long.total() - short.total() <= 2 * 331, "{short}, {long}");
}

/// Places told by angles: what textbooks cancel by sin² + cos² = 1 is gone. A pendulum is −g sin(a)/l; a bead in a
/// turning hoop sin(a) (ω² cos(a) − g/r) with one more; a spherical pendulum has three of its 13 in the check of its mass.
#[test]
fn sines_and_cosines_of_angles_join() {
    let count = |text: &str| derived(text).plain_program(&[Quantity::Acceleration]).count;
    let pendulum = "pub struct Pendulum { m: Real = 1, l: Real = 1, g: Real = 9.81 }
        coordinate a;
        particle bob = [l*sin(a), -l*cos(a)] { mass: m }
        potential m*g*bob.y;";
    let hoop = "pub struct Hoop { m: Real = 1, r: Real = 1, w: Real = 1, g: Real = 9.81 }
        coordinate a;
        particle bead = [r*sin(a)*cos(w*t), r*sin(a)*sin(w*t), -r*cos(a)] { mass: m }
        potential m*g*bead.z;";
    let spherical = "pub struct Spherical { m: Real = 1, l: Real = 1, g: Real = 9.81 }
        coordinate a, b;
        particle bob = [l*sin(a)*cos(b), l*sin(a)*sin(b), -l*cos(a)] { mass: m }
        potential m*g*bob.z;";
    let cart = "pub struct Cart { M: Real = 1, m: Real = 1, l: Real = 1, g: Real = 9.81 }
        coordinate x, a;
        particle cart = [x, 0] { mass: M }
        particle bob = cart + l*[sin(a), cos(a)] { mass: m }
        potential m*g*bob.y;";
    for (text, most) in [(pendulum, 3), (hoop, 7), (spherical, 13), (cart, 20)] {
        let count = count(text);
        assert!(count.total() <= most, "{text}: {count}");
    }
}

/// Two masses on two rods: with r₁², r₂² and their motions 23, J W Jᵀ 9 and two reciprocals, β and weights 8, λ 10,
/// accelerations 11.
#[test]
fn different_masses_are_taken_out_of_sums() {
    let rods =
        "pub struct Rods { m1: Real = 1, m2: Real = 1, l1: Real = 1, l2: Real = 1, g: Real = 9.81 }
        particle upper: Point2 { mass: m1 }
        particle lower: Point2 { mass: m2 }
        constraint first: norm(upper) == l1;
        constraint second: norm(lower - upper) == l2;
        potential g*(m1*upper.y + m2*lower.y);";
    let count = derived(rods).plain_program(&[Quantity::Acceleration]).count;
    assert!(count.total() <= 63, "{count}");
}

/// λ and Jᵀ λ are solved for in units of force: w, the mass that others are multiples of, enters in b, once a row, and
/// not in each of the nine components after.
#[test]
fn forces_of_constraints_are_solved_for_as_forces() {
    let chain = "pub struct Chain { m: Real = 1, l: Real = 1, g: Real = 9.81 }
        particle p0: Point3 { mass: m }
        particle p1: Point3 { mass: 3*m }
        particle p2: Point3 { mass: m }
        constraint first: norm_squared(p0) == l^2;
        constraint second: norm_squared(p1 - p0) == l^2;
        constraint third: norm_squared(p2 - p1) == l^2;
        potential m*g*(p0.z + 3*p1.z + p2.z);";
    let count = |quantity| derived(chain).plain_program(&[quantity]).count.total();
    let multipliers = count(Quantity::Multipliers);
    assert!(multipliers <= 84, "{multipliers}");
    // Jᵀ λ of three rods: three components each, and those that two rods pull at added.
    assert!(count(Quantity::Force) - multipliers <= 9 + 6);
}
