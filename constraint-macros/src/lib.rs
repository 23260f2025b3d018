//! Procedural macros that turn equations of mechanics into specialised Rust with a certificate.
//!
//! Depend on `constraint-runtime`, which re-exports them with the types and traits that the generated code uses.
#![forbid(unsafe_code)]

use constraint_symbolic::compile;
use proc_macro::TokenStream;
use proc_macro2::{Literal, TokenStream as Tokens, TokenTree};

/// A constraint C(q, t) = 0 with everything that follows from it: J, Ċ, J̇, the bias of C̈, λ and f̂.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// constraint! {
///     /// A rod of fixed length between two points of the plane.
///     pub struct Rod { pub length: Real }
///     |a: Point2, b: Point2| norm(b - a) == length
/// }
///
/// let wire = constraint!(|x, y| x*x + 100*y);
/// ```
///
/// # The full form
///
/// Attributes, visibility and `struct Name;` or `struct Name { parameters }`, then the coordinates between
/// bars, then the equation. Parameters are `Real`, `Vector2` or `Vector3`; coordinates are scalars unless
/// typed `Point2` or `Point3`, or bodies, and one of them may be typed `Time`.
///
/// # Bodies
///
/// Coordinates typed `Rigid2` or `Rigid3` are rigid bodies, and the type implements `BodyConstraint`:
///
/// ```
/// # use constraint_runtime::prelude::*;
/// constraint! {
///     /// A rod between two bodies.
///     pub struct Rod { pub r1: Vector3, pub r2: Vector3, pub length: Real }
///     |a: Rigid3, b: Rigid3| norm(at(b, r2) - at(a, r1)) == length
/// }
///
/// constraint! {
///     /// Two wheels in mesh.
///     pub struct Gear { pub r1: Real, pub r2: Real }
///     |a: Rigid2, b: Rigid2| r1*angular_velocity(a) + r2*angular_velocity(b) == 0
/// }
/// ```
///
/// `at(body, r)` is the position of a point fixed to a body, `dir(body, u)` a direction fixed to it; `velocity(…)` is
/// the rate of any expression of these, `angular_velocity(body)` a body's ω in the world's frame. A row that contains
/// velocities is a relation Φ(q, v, t) = 0 and must be affine in them. In a constraint between bodies,
/// the coordinates are bodies, either all in the plane or all in space, and at most one `Time`.
///
/// # Derivatives
///
/// `#[derivatives]` before the struct generates the derivatives of f̂ and λ with respect to t, q, v, the inverse
/// masses, the external force and the parameters, as `ForceDerivatives`, for constraints on points.
///
/// # The bare form
///
/// Without a struct the macro is an expression whose value is the constraint. The coordinates come between bars, as
/// in the full form: scalars, points, bodies, the time. Without bars, the free names of the equation are its
/// coordinates, all of them scalars: `x`, `y`, `z` in this order, then other names in order of appearance, so that
/// `constraint!(y == sin(x))` takes (x, y). There are no parameters, and the equation cannot refer to variables of
/// the surrounding code.
///
/// ```
/// # use constraint_runtime::prelude::*;
/// let wire = constraint!(100*y + x^2 == 0);
/// let wire = constraint!(|x, y| 100*y + x^2);
/// let rod = constraint!(|a: Point3, b: Point3| norm(b - a) == 2);
/// ```
///
/// # The language
///
/// | part | syntax |
/// |---|---|
/// | numbers | integers and decimals are exact fractions: `7/6` is seven sixths; `PI`, `TAU`, `E`; a number outside the range of `f64`, also in a derivative, is an error |
/// | operators | `+ - * /`, unary `-`, `^` (right-associative, tighter than unary minus; constant exponents to ±10⁶) |
/// | functions | `sin(x)` or `x.sin()`, named as on `f64`; `pow(x, y)` for any exponent; `erf(x)`, `erfc(x)` |
/// | transitions | `clamp(x, low, high)`, `smoothstep(low, high, x)`, `softplus(x)` = ln(1 + eˣ), `logistic(x)` = 1/(1 + e⁻ˣ); no argument overflows |
/// | splines | `cubic_spline(x, [0, 1, 2], [a, b, c])`, `periodic_spline(…)`, `monotone_spline(…)`: see below |
/// | vectors | `[a, b]`, `[a, b, c]`, `.x .y .z`, `dot`, `cross`, `norm`, `norm_squared`, `normalize`, `perp` |
/// | bodies | `at(body, r)`, `dir(body, u)`, `velocity(at(body, r))`, `angular_velocity(body)` |
/// | choice | `if x > 0 { a } else { b }` with `< <= > >= == && \|\| !` |
/// | names | `{ let d = b - a; dot(d, d) - length^2 }` |
/// | relation | `lhs == rhs` means `lhs - rhs = 0`; a bare expression means `expression = 0` |
/// | rows | `[a == b, c]`: one row each; a vector at the top level also gives one row per component |
///
/// `norm` and `norm_squared` also take a list of more than three numbers. `smoothstep` is the cubic s² (3 − 2 s),
/// whose second derivative jumps at both ends.
///
/// A spline interpolates the values of its second list at the ascending numbers of its first, and is differentiated
/// exactly. Beyond its ends it continues as a straight line. `cubic_spline` is natural: its second derivative is
/// continuous everywhere, 0 at the ends and beyond; its values may be parameters. `periodic_spline` repeats: its last
/// value equals its first, and its second derivative is continuous there too. `monotone_spline` rises and falls only
/// where its points do, with the slopes of Fritsch and Butland; its second derivative jumps at the points. Each piece
/// is a cubic; an evaluation finds the piece by comparisons and computes one cubic.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// constraint! {
///     /// A follower on a cam given by five points.
///     pub struct Cam { pub lift: Real }
///     |angle, height| height == cubic_spline(angle, [0, 1, 2, 3, 4], [0, 0, lift, 0, 0])
/// }
/// let cam = Cam { lift: 0.01 };
/// assert_eq!(cam.value(0.0, &Vector2::new(2.0, 0.01))[0], 0.0);
/// // Through points in the plane: one spline for each component.
/// curve! {
///     pub struct Road;
///     |s in 0..=2| [s, monotone_spline(s, [0, 1, 2], [0, 0.25, 0.25])]
/// }
/// assert_eq!(Road.position(1.0), Vector2::new(1.0, 0.25));
/// ```
#[proc_macro]
pub fn constraint(input: TokenStream) -> TokenStream {
    answered(input, compile::constraint)
}

/// Generates a joint of the library from the file at this path, as [`constraint!`] does; [`system!`] reads the same
/// file.
#[doc(hidden)]
#[proc_macro]
pub fn library_joint(path: TokenStream) -> TokenStream {
    answered(path, |path| compile::library_joint(&path))
}

/// The derivation of a call of [`constraint!`] as a string of MathML, which rustdoc shows on its type.
#[doc(hidden)]
#[proc_macro]
pub fn derivation_mathml(input: TokenStream) -> TokenStream {
    answered(input, |input| literal(&compile::derivation_mathml(input)))
}

/// Many bodies, many constraints, one generated solver.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// Two beads joined by a spring on the wire y = x⁴ − 2x².
///     pub struct SpringBeads {
///         m1: Real = 1, m2: Real = 1, k: Real = 20, rest: Real = 1, g: Real = 9.81
///     }
///
///     fn wire(s) = [s, s^4 - 2*s^2];
///
///     coordinate x1, x2;
///     particle a = wire(x1) { mass: m1 }
///     particle b = wire(x2) { mass: m2 }
///
///     potential m1*g*a.y + m2*g*b.y;
///     potential k/2 * (norm(b - a) - rest)^2;
/// }
/// ```
///
/// # Statements
///
/// | statement | meaning |
/// |---|---|
/// | `fn name(a, b) = expression;` | a function |
/// | `let name = expression;` | a name for a value; also for a list of any length, `let rest = [1, 2, 3, 4];` |
/// | `const N = 8;` | a number that may be used as a length, also before its declaration |
/// | `coordinate x, theta[3];` | generalized coordinates; `angle { symbol: "θ" }` is printed as θ in formulas |
/// | `particle p: Point2 { mass: m }`, `particle a, b[8]: Point2 { … }` | particles with coordinates of their own |
/// | `particle p = expression { mass: m }` | a particle whose position is a function of other coordinates |
/// | `body b: Rigid3 { mass: m, inertia: [i, j, k] }` | a rigid body: moments about its own axes, or `[[i, j, k], [j, l, m], [k, m, n]]`; `Rigid2` in the plane, with one number |
/// | `body b: Rigid2 = pose(place, angle) { mass: m, inertia: i }` | a rigid body whose pose is a function of other coordinates; in space `pose(place, axis, angle)`; in a product each pose is relative to the one before it, which may be a body: `link[i - 1] * pose([l, 0], q[i])` |
/// | `input u, wind: Vector3, pull[4]: Vector2;` | supplied by the caller at every evaluation |
/// | `force target: vector;` `torque b: vector;` | on a particle, a point, a coordinate or any expression of them; on a body, about its centre of mass |
/// | `gravity [0, -g];` | the weight of every particle and every body |
/// | `potential V;` `dissipation R;` `kinetic T;` | −∂V/∂q, −∂R/∂v, and Lagrange's equations of T; R and T may use `angular_velocity(b)` |
/// | `constraint name: relation;` | holonomic, or on velocities if it contains `velocity(…)` |
/// | `output name = expression;` | a named result at a state, which may use the solution: `acceleration(p)`, `angular_acceleration(b)`, `multiplier(link[3])` |
/// | `for i in 1..8 { … }` | repeats the statements for every i; a particle or a body declared in it is an element, `p[i]` |
/// | `joint knee: Hinge { a: thigh, b: shank, r1: …, r2: …, axis: … }` | a joint of `constraint_runtime::joint`, by its name and its parameters; omit `a` or `b` for the ground |
/// | `part Leg { l: Real, m: Real = 1 } { … }` | a sub-model: statements in a scope of their own, instantiated at each use |
/// | `leg[i]: Leg { l: 2/5 }` | a use of it; its names are members, `leg[2].foot`, `multiplier(leg[2].knee)` |
/// | `particle p[i in 0..8]: Point2 { mass: m[i] }` | the short form of a `for` with one statement: an index in the declared name, also in a `body` or a `constraint`, and in the target of a `force` or a `torque` |
///
/// Every coordinate needs inertia: a particle, a body, a `kinetic` energy, or constraints that determine it, such
/// as the parameter of a curve that guides a particle.
///
/// `/// …` before a statement documents the fields that it declares.
///
/// `t` is the time, `velocity(p)` the rate of any position. The language of expressions is that of [`constraint!`],
/// and `sum(i in 0..8: term)`.
///
/// # Arrays
///
/// Parameters, inputs, coordinates, particles, bodies, constraints and lists have up to three indices. An index
/// consists of numbers and the indices of `for` and `sum`; `a % n`, for integers only, is the remainder, which is less
/// than n and never negative. Declare the elements of an array in a `for` in order, with the last index varying fastest.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// Six knots on a ring of threads, each with its own mass and in its own wind.
///     pub struct Wreath {
///         pub m: [Real; N], pub k: [Real; 2] = [20, 30], pub g: Vector2 = [0, -9.81]
///     }
///
///     const N = 6;
///     let rest = [1/2, 1/2, 3/4, 1/2, 1/2, 3/4];
///     input wind[N]: Vector2;
///
///     for i in 0..N {
///         particle knot[i]: Point2 { mass: m[i] }
///         force knot[i]: m[i]*g + wind[i];
///     }
///     for i in 0..N { constraint thread[i]: norm(knot[(i + 1) % N] - knot[i]) == rest[i]; }
///     potential sum(i in 0..2: k[i]/2*norm_squared(knot[i] - knot[i + 3]));
/// }
///
/// let m = [1.0, 2.0, 1.0, 2.0, 1.0, 2.0];
/// let wreath = Wreath { m, k: [20.0, 30.0], g: [0.0, -9.81].into() };
/// let wind = [Vector2::new(0.5, 0.0); 6];
/// let knot = core::array::from_fn(|i| Point2::new(i as f64, (i * i) as f64));
/// let q = WreathCoordinates { knot }.into();
/// let wreath = wreath.with_inputs(WreathInputs { wind });
/// let slope = wreath.acceleration(0.0, &q, &SVector::zeros());
/// assert!(slope.is_ok());
/// ```
///
/// An index may be bound in the declaration, one or several, the first outermost:
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A curtain of threads.
///     pub struct Curtain { m: [Real; 4] = [1, 2, 2, 1], l: Real = 0.1, g: Real = 9.81 }
///     gravity [0, 0, -g];
///     particle bead[i in 0..4][j in 0..6]: Point3 { mass: m[i]/(j + 1) }
///     constraint hook[i in 0..4]: norm(bead[i][0] - [i, 0, 0]) == l;
///     constraint thread[i in 0..4][j in 1..6]: norm(bead[i][j] - bead[i][j - 1]) == l;
/// }
/// assert_eq!(Curtain::<f64>::CONSTRAINTS[4], "thread[0][1]");
/// ```
///
/// The default of an array is the value of each element, `[Real; 8] = 1`, or a list of them.
///
/// # Frames, units and signs
///
/// Points, velocities, forces and torques have their components in the world's frame, including `torque b`,
/// `angular_velocity(b)`, `at(b, r)` and `dir(b, u)`. The body's own frame, whose origin is the centre of mass, is
/// used for `r`, `u` and `inertia`: its moments, or I = Σ mᵢ (|rᵢ|² 1 − rᵢ rᵢᵀ), whose entries off the diagonal are
/// −Σ mᵢ xᵢ yᵢ and so on. A torque τ given in the body's frame is `τ.x*dir(b, [1, 0, 0]) + τ.y*dir(b, [0, 1, 0]) +
/// τ.z*dir(b, [0, 0, 1])`. In the plane angles and torques are numbers, positive counter-clockwise.
///
/// Units are those of the numbers given; kg, m, s and rad unless stated otherwise. On a coordinate θ a `force` is the
/// generalized force: it does the work `force`·dθ, and is in N for a length and in N·m for an angle. The same holds
/// for any scalar function of positions: `force y - x: f;` pushes y and x apart, `force norm(b - a): -k*norm(b - a);`
/// pulls along the line between two points, `force atan2(p.y, p.x): m;` turns p about the origin. Forces push along
/// their components, `potential V` pushes downhill, `dissipation R` (half the power lost if R is quadratic, as in c/2
/// v²) pushes against the motion, and +λ pushes along the gradient of the row as written, `lhs - rhs`.
///
/// `gravity [0, -g];` is the acceleration of free fall, a function of parameters and `t`: it adds a potential −m g·r
/// for every particle, however its position is defined, and every body, including those declared after it. If it
/// depends on an input, it is a force, and the energy does not include it.
///
/// # Outputs
///
/// `output name = expression;` adds a field to `ChainOutputs`, the result of `outputs(t, q, v)` and `run.outputs()`:
/// a number, a `Vector2` or a `Vector3`; with indices an array, which begins at the same index.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     /// A load on a rope over eight links.
///     pub struct Rope { m: Real = 0.1, load: Real = 5, l: Real = 0.25, g: Real = 9.81 }
///     particle bead[i in 0..8]: Point2 { mass: if i == 7 { load } else { m } }
///     gravity [0, -g];
///     constraint anchor: norm(bead[0]) == l;
///     constraint link[i in 1..8]: norm(bead[i] - bead[i - 1]) == l;
///
///     output hook = bead[7];
///     output pull[i in 1..8] = -multiplier(link[i]);
///     output felt = acceleration(bead[7]) + [0, g];
/// }
///
/// let bead = core::array::from_fn(|i| Point2::new(0.0, -0.25 * (i + 1) as f64));
/// let q: SVector<f64, 16> = RopeCoordinates { bead }.into();
/// let start = State { t: 0.0, q, v: SVector::zeros() };
/// let run = Simulation::new(Rope::<f64>::default(), start, Rk4::new(1e-3))?;
/// let outputs = run.outputs()?;
/// assert_eq!(outputs.hook, Vector2::new(0.0, -2.0));
/// assert!((outputs.pull[7] - 5.0 * 9.81).abs() < 1e-12);
/// assert!((outputs.felt - Vector2::new(0.0, 9.81)).norm() < 1e-12);
/// // λ by the names of the rows, and flat.
/// let lambda = run.multipliers()?;
/// assert_eq!(lambda.link[7], lambda.flat[7]);
/// # Ok::<(), Error>(())
/// ```
///
/// Outputs are computed in one program and share subexpressions. If one uses λ or an acceleration, the equations are
/// solved, once for all of them; otherwise nothing is solved. `acceleration(p)` is that of any position, with the
/// constraints enforced; `multiplier(rod)`, of a constraint declared before, is λ of its rows: a number, for two or
/// three rows a vector, and for a list of rows `multiplier(rods[4])` is that of row 4. λ pushes along the row's
/// gradient: the tension of a rod `norm(b - a) == l` is −λ.
///
/// # What is generated
///
/// For `struct Chain { m: Real = 1, … }` with `particle bead[8]: Point2 { … }`:
///
/// - `Chain<T = f64>`, the parameters, with `Default` if all of them have values. Fields are private to the module
///   unless written `pub`. It implements the runtime's `System`, with M, J and β derived from the statements; with
///   constraints of one side, friction on equations or motors `Constrained` and `OneSided` instead; with an `input`
///   `InputSystem` instead, which becomes one of these once its inputs are constant or computed by a law.
/// - `ChainCoordinates` and `ChainVelocities`: a field for each declared name, `bead: [Point2<T>; 8]`, for two
///   indices `[[Point2<T>; 8]; 4]`. Fields are in the order of the first of their elements, row by row, and convert
///   to and from the flat vectors. A particle or body placed by an expression has no field.
/// - `ChainOutputs`, if there are outputs, and `ChainMultipliers`, λ by the names of the constraints: a field for
///   each whose indices are those of an array.
/// - `ChainInputs`, if there are inputs: a field for each, `wind: Vector3<T>`, `pull: [Vector2<T>; 4]`.
/// - `Chain::CONSTRAINTS`, the names of the rows in the order of λ, and `Chain::DERIVATION`: M, h, C, J and β as
///   text, the solver, the operation counts.
///
/// A system is generic over its scalar; write `Chain::<f64>::default()` if the context does not determine it.
///
/// # Sizes
///
/// If a system has more than 512 coordinates, velocities or rows (4 KiB of `f64`), its vectors are the runtime's
/// `HeapArray<T, N>` instead of `SVector<T, N>`, J is a `SparseMatrix`, and the functions that steps call write into
/// memory that is kept from step to step. Every field that holds more than 512 numbers becomes a heap array as well:
/// `bead: HeapArray<Point2<T>, 1000>` instead of `[Point2<T>; 1000]`, and a struct that contains one is no longer
/// `Copy`. A system solved in loops puts nothing of its size on the stack, in any build profile: 128 KiB are enough
/// for any chain. A system that is written out keeps its intermediate values there. Up to 512, nothing is on the
/// heap.
///
/// - Memory: for a chain under `Rk4`, projected, no more than 12 times the state.
/// - Cost: a step of `Rk4` and `DormandPrince` allocates nothing after the first one, except in the first steps from
///   rest, where a projection checks its result more closely. Other methods allocate their vectors in each step.
/// - Expansion visits each row: a chain of 100,000 links, the largest array allowed, takes the compiler about a
///   minute and 1.2 GB. More than 5,000,000 names, numbers and operations in total are rejected, and so is a system
///   that is neither regular enough for loops nor small enough to write out, v̇ in 250,000 operations.
/// - Beyond 4,096 rows there is no `CONSTRAINTS`; `row_name` returns each name.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// system! {
///     pub struct Chain { m: Real = 1, l: Real = 1, g: Real = 9.81 }
///     const N = 1000;
///     particle bead[N]: Point2 { mass: m }
///     constraint link[0]: norm(bead[0]) == l;
///     for i in 1..N { constraint link[i]: norm(bead[i] - bead[i - 1]) == l; }
///     gravity [0, -g];
/// }
///
/// /// A struct only has to name `Simulation<Chain, Rk4>`.
/// struct Scene {
///     run: Simulation<Chain, Rk4>,
/// }
///
/// let bead = HeapArray::from_fn(|i| Point2::new(1.0 + i as f64, 0.0));
/// let level = ChainCoordinates { bead };
/// let start = State::new(0.0, level, ChainVelocities::default());
/// let mut scene = Scene { run: Simulation::new(Chain::default(), start, Rk4::new(1e-3))? };
/// scene.run.run_until(0.01)?;
/// let checkpoint = scene.run.clone();
/// assert!(checkpoint.coordinates().bead[999].y < -4.9e-4);
/// # Ok::<(), Error>(())
/// ```
///
/// # Options
///
/// Before the struct:
///
/// - `#[solver(unrolled)]` writes out every operation, `#[solver(rolled)]` derives each family of statements once and
///   loops over it. By default the number of operations decides: loops are used if more than 400 operations become at
///   most half as many in the source; without constraints, they run over the blocks of M that are alike. If no two steps
///   of the elimination are alike, as in a net, loops are used beyond 8,000: rows are then eliminated in blocks of four by
///   four, in nested-dissection order, driven by tables; this is slower than the same operations written out, but the
///   code does not grow with the number of rows. The type's documentation states which form was chosen.
/// - `#[task_space]` generates the Jacobians of outputs, their accelerations at v̇ = 0, and the entries of M.
/// - `#[redundant(least_squares)]` accepts constraints that follow from each other, everywhere or only where they
///   hold; not together with `rolled`. λ is then computed at run time: among all solutions, the one of least Σ (Jᵢ
///   M⁻¹ Jᵢᵀ) λᵢ², so that equivalent rows share their force, however each is written.
/// - `#[derivatives]` implements the runtime's `Derivatives`: the derivatives of v̇ and λ with respect to t, q, v,
///   the inputs and the parameters, as matrices (`linearize`, `linearize_with_multipliers`), along a tangent (`jvp`)
///   and as gradients (`vjp`); the same for outputs (`OutputDerivatives`), by name. It is available for systems that
///   are written out and for constraints in loops, of up to 512 coordinates. With `least_squares` they hold where C = 0
///   and the number of independent rows is constant.
/// - `#[regressor]` implements the runtime's `Regressor`: M a − h as a linear function of the inertial parameters of links with
///   posed bodies, and the base parameters, on which forces depend. Not together with `rolled`.
#[proc_macro]
pub fn system(input: TokenStream) -> TokenStream {
    answered(input, compile::system)
}

/// A parametric curve r(s) with everything that follows from it: r′, r″, κ, and the motion of a bead along it.
///
/// ```
/// use constraint_runtime::prelude::*;
///
/// curve! {
///     /// The hump track.
///     pub struct Hump;
///     |s in -2.5..=2.5| [s, 3 - 7/6*s^2 + s^4/6]
/// }
///
/// curve! {
///     pub struct Ellipse { pub a: Real, pub b: Real }
///     |s in 0..=TAU| [a*cos(s), b*sin(s)]
/// }
/// ```
///
/// Attributes, visibility and `struct Name;` or `struct Name { parameters }`, then between bars the parameter with
/// its domain, whose ends are numbers, constants or fields, then the point: a vector of the plane or of space in the
/// language of [`constraint!`]. Write pieces with `if`; they must meet up to rounding, unless `#[joined(1e-5)]`
/// before the struct allows a gap of that fraction of the curve's extent. `#[derivatives]` generates the derivatives of a
/// bead's s̈, as `CurveDerivatives`.
#[proc_macro]
pub fn curve(input: TokenStream) -> TokenStream {
    answered(input, compile::curve)
}

/// The derivation of a call of [`curve!`] as a string of MathML, which rustdoc shows on its type.
#[doc(hidden)]
#[proc_macro]
pub fn curve_mathml(input: TokenStream) -> TokenStream {
    answered(input, |input| literal(&compile::curve_mathml(input)))
}

/// The derivation of a call of [`system!`] as a string of MathML, which rustdoc shows on its type.
#[doc(hidden)]
#[proc_macro]
pub fn system_mathml(input: TokenStream) -> TokenStream {
    answered(input, |input| literal(&compile::system_mathml(input)))
}

/// The words of the language for the shims that IDEs read: statements, keys, joints and functions.
#[doc(hidden)]
#[proc_macro]
pub fn ide(_: TokenStream) -> TokenStream {
    constraint_symbolic::model::words_for_ides().into()
}

/// The engine's expansion of a call, or a single error if the engine panics.
fn answered(input: TokenStream, expand: impl FnOnce(Tokens) -> Tokens) -> TokenStream {
    compile::answered(|| expand(input.into())).into()
}

fn literal(text: &str) -> Tokens {
    TokenTree::Literal(Literal::string(text)).into()
}
