//! What derivatives cost, v̇ included, as multiples of v̇ alone.

use constraint_symbolic::compile::{analyze, analyze_system};
use constraint_symbolic::expr::SymbolId;
use constraint_symbolic::families::Loop;
use constraint_symbolic::function::Body;
use constraint_symbolic::function::loops::Loops;
use constraint_symbolic::function::system::{functions, names};
use constraint_symbolic::model::Role;
use constraint_symbolic::schedule::{self, OperationCount, Root};
use constraint_symbolic::system::loops::routine::Write;
use constraint_symbolic::system::{Derived, Quantity};

fn derived(text: &str) -> Derived {
    solved("unrolled", text)
}

fn solved(form: &str, text: &str) -> Derived {
    let tokens = format!("#[derivatives] #[solver({form})] {text}");
    let tokens = tokens.parse().unwrap();
    analyze_system(tokens).unwrap_or_else(|diagnostics| {
        let texts: Vec<String> = diagnostics.iter().map(|d| d.text()).collect();
        panic!("{}", texts.join("\n"))
    })
}

const BEAD: &str = "struct Bead;
    particle bead: Point2 { mass: 1 }
    constraint wire: bead.x^2 + 100*bead.y == 0;
    gravity [0, -9.81];";

const ALONG: &str = "struct Bead { m: Real, g: Real }
    coordinate u;
    particle bead = [u, -u^2/100] { mass: m }
    gravity [0, -g];";

const CART_POLE: &str = "struct CartPole { m_cart: Real, m_bob: Real, l: Real, g: Real }
    input push;
    coordinate x, angle;
    particle cart = [x, 0] { mass: m_cart }
    particle bob = cart + l*[sin(angle), cos(angle)] { mass: m_bob }
    potential m_bob*g*bob.y;
    force x: push;";

const ANGLES: &str = "struct Angles { m1: Real, m2: Real, l1: Real, l2: Real, g: Real }
    coordinate a, b;
    particle upper = [l1*sin(a), -l1*cos(a)] { mass: m1 }
    particle lower = upper + [l2*sin(b), -l2*cos(b)] { mass: m2 }
    potential m1*g*upper.y + m2*g*lower.y;";

fn chain(n: usize) -> String {
    format!(
        "struct Chain {{ m: Real, l: Real, g: Real }}
        particle bead[{n}]: Point2 {{ mass: m }}
        constraint anchor: norm_squared(bead[0]) == l^2;
        for i in 1..{n} {{ constraint link[i]: norm_squared(bead[i] - bead[i-1]) == l^2; }}
        for i in 0..{n} {{ force bead[i]: [0, -m*g]; }}"
    )
}

/// v̇ alone.
fn alone(system: &Derived) -> OperationCount {
    system.plain_program(&[Quantity::Acceleration]).count
}

/// v̇ with a derivative.
fn with(system: &Derived, derivative: Quantity) -> OperationCount {
    let quantities = [Quantity::Acceleration, derivative];
    system.plain_program(&quantities).count
}

/// v̇ with A and B.
fn with_matrices(system: &Derived) -> OperationCount {
    let (form, model) = (&system.form, &system.system.model);
    let all = &form[&Quantity::Linearization];
    let n = system.system.velocities();
    let matrices = n * (2 * n + system.system.given());
    let outputs = all.outputs[..matrices].iter().copied().map(Root::Output);
    let roots: Vec<Root> = form[&Quantity::Acceleration]
        .roots()
        .chain(outputs)
        .collect();
    schedule::schedule(&model.graph, &roots, &[], &|_| String::new()).count
}

#[track_caller]
fn at_most(count: OperationCount, alone: OperationCount, times: f64) {
    let found = f64::from(count.total()) / f64::from(alone.total());
    assert!(found <= times, "{found:.2} times: {count}; alone {alone}");
}

/// CasADi with common subexpressions taken out: 2.17, 2.64 and 3.35.
#[test]
fn matrices_of_small_systems() {
    let systems = [(ALONG, 2.0), (BEAD, 2.0), (CART_POLE, 2.1), (ANGLES, 2.44)];
    for (source, times) in systems {
        let system = derived(source);
        at_most(with_matrices(&system), alone(&system), times);
    }
}

/// v̇ with its own derivative by q and v: λ is given no weight, and time, inputs and parameters stand still.
fn with_state_alone(system: &Derived, derivative: Quantity) -> OperationCount {
    let (form, model) = (&system.form, &system.system.model);
    let mut graph = model.graph.clone();
    let (zero, n) = (graph.zero(), system.system.velocities());
    let still = |role: Role| match role {
        Role::Tangent(k) => k == 0 || k > 2 * n,
        Role::MultiplierAdjoint(_) => true,
        _ => false,
    };
    let symbols = model.symbols.iter().enumerate();
    let symbols = symbols.filter(|(_, symbol)| still(symbol.role));
    let map = symbols.map(|(i, _)| (graph.symbol(SymbolId::new(i)), zero));
    let map = map.collect();
    let outputs = match derivative {
        Quantity::Gradient => &form[&derivative].outputs[1..1 + 2 * n],
        _ => &form[&derivative].outputs[..n],
    };
    let map = graph.substitute(outputs.iter().copied(), map);
    let outputs = outputs.iter().map(|output| Root::Output(map[output]));
    let roots = form[&Quantity::Acceleration].roots().chain(outputs);
    let roots: Vec<Root> = roots.collect();
    schedule::schedule(&graph, &roots, &[], &|_| String::new()).count
}

/// By q and v, and by all that there is. CasADi 2.33 to 2.70 backwards.
#[test]
fn small_systems_along_and_back() {
    let table = [
        (ALONG, [2.43, 2.72], [2.29, 2.43]),
        (BEAD, [2.25, 2.25], [2.38, 2.63]),
        (CART_POLE, [2.29, 3.24], [2.2, 2.91]),
        (ANGLES, [2.52, 3.25], [2.49, 3.17]),
    ];
    for (source, along, back) in table {
        let system = derived(source);
        let alone = alone(&system);
        for (derivative, [of_state, of_all]) in
            [(Quantity::Tangent, along), (Quantity::Gradient, back)]
        {
            at_most(with_state_alone(&system, derivative), alone, of_state);
            at_most(with(&system, derivative), alone, of_all);
        }
    }
}

/// CasADi 2.80 to 2.81 backwards and 2.85 forwards.
#[test]
fn chains_along_and_back() {
    for n in [8, 32] {
        let system = derived(&chain(n));
        let alone = alone(&system);
        at_most(with(&system, Quantity::Gradient), alone, 2.36);
        at_most(with(&system, Quantity::Tangent), alone, 2.41);
        at_most(with_state_alone(&system, Quantity::Gradient), alone, 2.2);
        at_most(with_state_alone(&system, Quantity::Tangent), alone, 2.25);
    }
}

/// A function of a rolled system.
fn function_in_loops<'a>(system: &'a Derived, name: &str) -> Loops<'a> {
    let mut functions = functions(system, &names(&system.system)).into_iter();
    let function = functions.find(|it| it.signature.name == name);
    let Body::Loops(loops) = function.unwrap().body else {
        panic!("{name} is written out")
    };
    loops
}

/// What a function of a rolled system costs, with what is added to places where more is added.
fn in_loops(system: &Derived, name: &str) -> f64 {
    let loops = function_in_loops(system, name);
    let routine = loops.routine;
    let added = |kernel: usize| {
        let writes = routine.kernels[kernel].writes.iter();
        writes.filter(|it| matches!(it, Write::Add(..))).count()
    };
    let of = |it: &Loop| {
        it.rounds
            * loops.times(it)
            * it.body
                .iter()
                .map(|(kernel, _)| added(*kernel))
                .sum::<usize>()
    };
    let added: usize = routine.loops.iter().map(of).sum();
    f64::from(loops.cost().total()) + added as f64
}

/// The statements of a function in loops.
fn written(system: &Derived, name: &str) -> usize {
    let loops = function_in_loops(system, name);
    let kernels = loops.routine.loops.iter().flat_map(|it| &it.body);
    kernels
        .map(|(kernel, _)| loops.kernels[*kernel].program.statements.len())
        .sum()
}

/// CasADi backwards 2.80 to 2.81 and forwards 2.85, written out.
#[test]
fn chains_in_loops() {
    let lengths = [8, 32, 256].map(|n| {
        let system = solved("rolled", &chain(n));
        let alone = in_loops(&system, "acceleration");
        for (name, times) in [("jvp", 2.2), ("vjp", 2.17)] {
            let found = in_loops(&system, name) / alone;
            assert!(found <= times, "{name} of {n}: {found:.3} times");
        }
        ["jvp", "vjp"].map(|name| written(&system, name))
    });
    assert_eq!(lengths[1], lengths[2]);
}

fn net(n: usize) -> String {
    format!(
        "struct Net {{ m: Real, l: Real, g: Real }}
        particle k[i in 0..{n}][j in 0..{n}]: Point3 {{ mass: m }}
        for i in 0..{n} {{ for j in 1..{n} {{ constraint x[i][j]: norm(k[i][j] - k[i][j-1]) == l; }} }}
        for i in 1..{n} {{ for j in 0..{n} {{ constraint y[i][j]: norm(k[i][j] - k[i-1][j]) == l; }} }}
        gravity [0, 0, -g];"
    )
}

/// All columns by one elimination, v̇ included: 41 times v̇ of a chain of 32, CasADi's program 43 times.
#[test]
fn linearizations_in_loops() {
    let table = [
        (chain(8), [3_247, 3_614]),
        (chain(16), [10_539, 11_779]),
        (chain(32), [39_531, 44_051]),
        (chain(64), [152_811, 170_035]),
        (net(3), [17_297, 18_209]),
        (net(4), [73_895, 76_727]),
    ];
    for (text, operations) in table {
        let system = solved("rolled", &text);
        let names = ["linearize", "linearize_with_multipliers"];
        for (name, operations) in names.into_iter().zip(operations) {
            let found = in_loops(&system, name);
            assert!(found <= f64::from(operations), "{name}: {found}\n{text}");
        }
    }
}

/// f̂ alone, and with a derivative.
fn forces(text: &str) -> [OperationCount; 5] {
    let tokens = format!("#[derivatives] {text}").parse().unwrap();
    let derived = analyze(tokens).expect("a constraint");
    let quantities = [
        Quantity::ForceTangent,
        Quantity::ForceGradient,
        Quantity::ForceLinearization,
        Quantity::ForceLinearizationAndMultipliers,
    ];
    let [along, back, all, beside] =
        quantities.map(|it| derived.plain_program(&[Quantity::Force, it]).count);
    let alone = derived.plain_program(&[Quantity::Force]).count;
    [alone, along, back, all, beside]
}

/// The force of a bead on a parabola, of a rod, and of two rods in a row: along a tangent, back, all matrices, by 9 to
/// 29 numbers, and these with the rows of λ.
#[test]
fn derivatives_of_forces() {
    let table = [
        (
            "struct Parabola; |p: Point2| p.x^2 + 100*p.y == 0",
            [2.93, 2.7, 3.16, 3.54],
        ),
        (
            "struct Rod { l: Real } |a: Point3, b: Point3| norm(b - a) == l",
            [2.99, 2.78, 3.21, 3.71],
        ),
        (
            "struct Rods { l: Real } |a: Point2, b: Point2, c: Point2| [norm(b - a) == l, norm(c - b) == l]",
            [2.68, 2.61, 5.37, 6.11],
        ),
    ];
    for (text, times) in table {
        let [alone, derivatives @ ..] = forces(text);
        for (count, times) in derivatives.into_iter().zip(times) {
            at_most(count, alone, times);
        }
    }
}

/// What a function in loops costs.
fn cost(system: &Derived, name: &str) -> OperationCount {
    let loops = function_in_loops(system, name);
    loops.cost()
}

/// Ċ of a rod is Δ·Δv/|Δ|: what is taken off does not ask for |Δ|, nor does how that varies. What the elimination makes of
/// a rod is not made again.
#[test]
fn roots_of_rods_on_the_way_back() {
    let rods = "struct Chain { m: Real, l: Real }
        particle bead[8]: Point2 { mass: m }
        constraint anchor: norm(bead[0]) == l;
        for i in 1..8 { constraint link[i]: norm(bead[i] - bead[i-1]) == l; }";
    let written = derived(rods);
    let quantity = Quantity::VelocityCorrectionGradient;
    let count = written.plain_program(&[quantity]).count;
    assert!(count.sqrt == 0 && count.div <= 8, "{count}");
    let rolled = solved("rolled", rods);
    // Of a rod: its pivot, 1/|Δ| of C; of v̇ 1/Δ² and λ over |Δ| beside its pivot.
    for (name, roots, divisions) in [
        ("velocity_correction_vjp", 0, 1),
        ("place_correction_vjp", 2, 2),
        ("vjp", 1, 3),
    ] {
        let count = cost(&rolled, name);
        let within = count.sqrt <= 8 * roots && count.div <= 8 * divisions;
        assert!(within, "{name}: {count}");
    }
}
