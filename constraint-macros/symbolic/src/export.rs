//! Exports a macro call to another language, for build scripts.
//!
//! Input: the call as written in Rust. Output: a self-contained text.

use crate::expr::CollectVec;
use std::fmt;

use proc_macro2::{TokenStream, TokenTree};

use crate::code::step::Stepped;
use crate::compile::{Certified, Reader, certified};
use crate::diagnostic::Diagnostics;
use crate::emit::{
    C, Dialect, Exported, JavaScript, Language, Python, Wgsl, javascript_defaults, lacked, routines,
};
use crate::macros::{CONSTRAINT, CURVE, Derivation, Derived, Macro, SIDED, SYSTEM};
use crate::model::{Declared, Model, scalars};
use crate::syntax::has_sides;

pub use crate::emit::{LeftOut, Reason};

/// The output language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// C99 with `double`: structs of parameters and inputs, a function for each quantity.
    C,
    /// The same with `float`.
    CSingle,
    /// C99 with `double` as a source of its own: functions that other programs and languages link to, for
    /// `cc -shared -fPIC`.
    CLibrary,
    /// The same with `float`.
    CLibrarySingle,
    /// The declarations of [`Target::CLibrary`]: a header for C and C++.
    CHeader,
    /// The same with `float`.
    CHeaderSingle,
    /// CUDA C with `double`, also for run-time compilation: no header is included. The functions are those of C, for
    /// host and device; a system with a step also has a kernel, `chain_run<<<blocks, threads>>>(self, t, h, steps,
    /// copies, q, v)`: one thread for each copy, which has its own parameters; the values of one coordinate of all
    /// copies are contiguous.
    Cuda,
    /// The same with `float`.
    CudaSingle,
    /// JavaScript with numbers in arrays; a system also has its step, `step(self, t, h, q, v)`, which changes `q` and
    /// `v`.
    JavaScript,
    /// The same as a module: it exports the functions, and `defaults` where all parameters have values.
    JavaScriptModule,
    /// Python with NumPy: a class with a field for each parameter, whose methods are the functions of C. A component of a
    /// vector may be an array of the numbers of many copies.
    Python,
    /// WGSL, in single precision: the functions of C, whose results are written through pointers to function
    /// variables; a system with a step also has an entry point, `chain_run`, like CUDA C's kernel, whose inputs and
    /// outputs are bindings.
    Wgsl,
}

/// The reason why nothing was exported.
#[derive(Debug)]
pub enum Refused {
    /// The tokens are not `constraint! { … }`, `curve! { … }` or `system! { … }`.
    NotACall,
    /// The call has errors.
    Mistakes(Diagnostics),
    /// The language supports none of its functions.
    Nothing(Vec<LeftOut>),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::NotACall => f.write_str(
                "expected one call of a macro, as in `system! { struct Chain { … } … }`",
            ),
            Refused::Mistakes(diagnostics) => {
                let texts = diagnostics.iter().map(|it| match &it.help {
                    Some(help) => format!("{} ({help})", it.message),
                    None => it.message.clone(),
                });
                f.write_str(&texts.collect_vec().join("\n"))
            }
            Refused::Nothing(left_out) => {
                f.write_str("no function can be exported to this language")?;
                left_out.iter().try_for_each(|it| write!(f, "\n{it}"))
            }
        }
    }
}

impl std::error::Error for Refused {}

/// Exports a macro call, as written in Rust, to another language.
///
/// For C the result is a header: a struct of the parameters, one of the inputs, and a `static inline` function for
/// each function of the Rust type, `chain_acceleration(&chain, t, q, v, result)`; a system also has
/// `chain_step(&chain, t, h, q, v)`, a Runge–Kutta step of order 4 with projection onto its constraints, with bodies
/// in their own frames. Arrays must not overlap. Operations and their order equal those of the Rust code, including
/// loops and blocks of sparse matrices. Guards are omitted: a division by 0 gives infinity.
///
/// A body is stored as the centre of mass followed by the rotation, (re, im) or (i, j, k, w); its velocity as v, then
/// ω; its inverse mass is followed by the upper triangle of its inverse inertia, row by row; a tangent is δt, δq, δv,
/// δu and δp. With several bodies, all numbers of the first come first. A vector without entries, such as λ of a
/// system without constraints, is not an argument. (In JavaScript, bodies and tangents are objects with the fields
/// that they have in Rust.)
///
/// Two signatures differ from Rust's: the force itself replaces a force law, except in JavaScript; the descriptor
/// pair returns the values of all entries, and `descriptor_entries` lists the matrix (0 is E, 1 A, 2 B), row and
/// column of each.
///
/// Omitted functions are listed in the first lines, each with its [`Reason`]: numbers outside the range of single
/// precision, or arrays too large for a stack. `languages.md`, next to the sources, lists all functions.
///
/// ```
/// use constraint_symbolic::export::{Target, export};
///
/// let call = "constraint! { pub struct Parabola; |x, y| x*x + 100*y }";
/// let header = export(call.parse().unwrap(), Target::C).unwrap();
/// assert!(header.contains("static inline void parabola_force(double t, const double q[2], "));
/// ```
///
/// # Errors
/// The text is not a call, the call has errors, or none of its functions can be exported.
pub fn export(call: TokenStream, target: Target) -> Result<String, Refused> {
    let (name, body) = split(call).ok_or(Refused::NotACall)?;
    let text = match has_sides(&body) {
        true => of_macro(&SIDED, &name, &body, target),
        false => of_macro(&CONSTRAINT, &name, &body, target),
    };
    let text = text.or_else(|| of_macro(&CURVE, &name, &body, target));
    let text = text.or_else(|| of_macro(&SYSTEM, &name, &body, target));
    text.unwrap_or(Err(Refused::NotACall))
}

/// The text of a call, if it is one of this macro.
fn of_macro<T, L, D: Derivation>(
    of: &Macro<T, L, D>,
    name: &str,
    body: &TokenStream,
    target: Target,
) -> Option<Result<String, Refused>> {
    (name == of.word).then(|| {
        let written = |it: Certified<'_>| export_certified(&it, target);
        certified(of, Reader::Person, body.clone(), written).map_err(Refused::Mistakes)?
    })
}

/// Exports a call that is already certified, so that several languages share one derivation. The parts of functions have
/// comments if the call was certified for [`Reader::Person`].
///
/// # Errors
/// None of the functions can be exported.
pub fn export_certified(certified: &Certified<'_>, target: Target) -> Result<String, Refused> {
    let derivation = certified.derivation();
    let (model, system) = (derivation.model(), derivation.system());
    let (inputs, defaults) = system.map_or((&[][..], &[][..]), |it| {
        (&it.system.inputs[..], &it.system.defaults[..])
    });
    let language: Box<dyn Language> = match target {
        Target::Python => {
            let python = Python::new(&name(model), model, !inputs.is_empty(), defaults);
            Box::new(python.described(described(derivation)))
        }
        target => language(target, model, inputs, defaults),
    };
    let functions = certified.exported(&*language);
    // A step would pass through constraints of one side.
    let stepped = system.filter(|it| it.system.one_sided.is_empty());
    let text = joined(&*language, certified, functions, stepped.map(Stepped::of))?;
    Ok(text.of(target, model, defaults))
}

/// `name ! { body }`
fn split(call: TokenStream) -> Option<(String, TokenStream)> {
    let mut tokens = call.into_iter();
    match (tokens.next()?, tokens.next()?, tokens.next()?) {
        (TokenTree::Ident(name), TokenTree::Punct(sign), TokenTree::Group(body))
            if sign.as_char() == '!' =>
        {
            Some((name.to_string(), body.stream()))
        }
        _ => None,
    }
}

fn name(model: &Model) -> String {
    let name = model.item.as_ref().map(|item| item.name.to_string());
    name.unwrap_or_else(|| "Constraint".to_owned())
}

/// What a class says of its arguments: the order of their numbers, and units.
fn described(derivation: &dyn Derivation) -> Vec<String> {
    let model = derivation.model();
    let mut lines = vec![
        "Numbers have the units of the model, angles are in radians.".to_owned(),
        String::new(),
    ];
    match derivation.derived() {
        Derived::Constraint(_) if model.bodies.is_empty() => {
            lines.push(ordered("q, v", &scalars::points(model)));
        }
        Derived::Constraint(_) => lines.push(format!("{BODIES} v: of each v, then ω.")),
        Derived::Curve(_) => lines.push("s: the parameter of the curve, ds its rate.".to_owned()),
        Derived::System(derived) => {
            let system = &derived.system;
            lines.push(ordered("q", &scalars::coordinates(system)));
            let velocities = scalars::velocities(&system.model, system.velocities());
            lines.push(ordered("v", &velocities));
            if !system.rows.is_empty() {
                let rows: Vec<String> = system.rows.iter().map(ToString::to_string).collect_vec();
                lines.push(ordered("C, λ", &rows));
            }
            if !system.inputs.is_empty() {
                lines.push(of_inputs(&system.inputs));
            }
        }
    }
    lines.push("tangent: δt, δq, δv, δu and δp, one after the other.".to_owned());
    lines.push(COPIES.to_owned());
    lines
}

/// Bodies of a constraint.
const BODIES: &str = "q: of each body the place, then the rotation, (re, im) or (i, j, k, w).";
/// Many copies at once.
const COPIES: &str =
    "Every number may be an array of the numbers of many copies: q of the shape (n, copies).";

/// `q, shape (4,): a.x, a.y, b.x, b.y`
fn ordered(name: &str, numbers: &[String]) -> String {
    const MOST: usize = 24;
    let count = numbers.len();
    let listed = match numbers {
        [first @ .., last] if count > MOST => format!("{}, …, {last}", first[..MOST].join(", ")),
        all => all.join(", "),
    };
    format!("{name}, shape ({count},): {listed}")
}

fn of_inputs(inputs: &[Declared]) -> String {
    let fields = inputs.iter().map(|it| {
        let lengths = it.lengths.iter().copied();
        let own = (it.shape.len() > 1).then_some(it.shape.len());
        let lengths: Vec<String> = lengths.chain(own).map(|it| it.to_string()).collect_vec();
        match &lengths[..] {
            [] => format!("`{}`, a number", it.name),
            [length] => format!("`{}` of the shape ({length},)", it.name),
            lengths => format!("`{}` of the shape ({})", it.name, lengths.join(", ")),
        }
    });
    let fields = fields.collect_vec().join("; ");
    format!(
        "inputs: a function (t, q, v) whose result has the attributes {fields}; for example a lambda with a \
         SimpleNamespace of these."
    )
}

/// The language of a target.
fn language(
    target: Target,
    model: &Model,
    inputs: &[Declared],
    defaults: &[Option<Vec<f64>>],
) -> Box<dyn Language> {
    let name = name(model);
    let header = Dialect::default();
    let [single, cuda, library, declared] = [
        Dialect {
            single: true,
            ..header
        },
        Dialect {
            cuda: true,
            ..header
        },
        Dialect {
            library: true,
            ..header
        },
        Dialect {
            library: true,
            header: true,
            ..header
        },
    ];
    let c = |dialect| Box::new(C::new(&name, model, inputs, defaults, dialect));
    match target {
        Target::C => c(header),
        Target::CSingle => c(single),
        Target::Cuda => c(cuda),
        Target::CudaSingle => c(Dialect {
            single: true,
            ..cuda
        }),
        Target::CLibrary => c(library),
        Target::CLibrarySingle => c(Dialect {
            single: true,
            ..library
        }),
        Target::CHeader => c(declared),
        Target::CHeaderSingle => c(Dialect {
            single: true,
            ..declared
        }),
        Target::JavaScript | Target::JavaScriptModule => Box::new(JavaScript),
        Target::Python => Box::new(Python::new(&name, model, !inputs.is_empty(), defaults)),
        Target::Wgsl => Box::new(Wgsl::new(&name, model, inputs, defaults)),
    }
}

/// The functions left out, what is certified, the prelude, the functions in alphabetical order, and a step.
fn joined(
    language: &dyn Language,
    certified: &Certified<'_>,
    mut exported: Exported,
    stepped: Option<Stepped>,
) -> Result<Joined, Refused> {
    if exported.functions.is_empty() {
        return Err(Refused::Nothing(exported.left_out));
    }
    let (others, composed) = match &stepped {
        Some(stepped) => routines(stepped, language, &mut exported),
        None => (Vec::new(), Vec::new()),
    };
    let has_step = composed.contains(&"step");
    let kernel = stepped.filter(|_| has_step);
    let kernel = kernel.and_then(|it| language.kernel(&it));
    let functions = exported.functions.keys().copied();
    let functions = functions.chain(has_step.then_some("step")).collect_vec();
    let parts = exported
        .tables
        .into_iter()
        .chain(exported.functions.into_values());
    let parts: Vec<String> = parts.chain(others).chain(kernel).collect_vec();
    let parts = parts.join("\n");
    let left_out = exported.left_out.iter();
    let left_out: String = left_out.map(|it| language.omitted(it)).collect();
    Ok(Joined {
        text: left_out
            + &header(language, certified, &composed)
            + &language.prelude(&parts)
            + &lacked(language, &parts)
            + &parts
            + language.postlude(),
        functions,
    })
}

/// Comments on what is certified, and on what is not.
fn header(language: &dyn Language, certified: &Certified<'_>, composed: &[&str]) -> String {
    const WIDTH: usize = 110;
    let words = certified.certificate().in_words(certified.functions());
    let mut words = words.unwrap_or_default();
    if !composed.is_empty() {
        let names: Vec<String> = composed.iter().map(|it| format!("`{it}`")).collect_vec();
        words += &format!(" Composed of these functions: {}.", names.join(", "));
    }
    let mut lines = vec![String::new()];
    for word in words.split(' ').filter(|it| !it.is_empty()) {
        match lines.last_mut() {
            Some(line) if line.is_empty() => *line += word,
            Some(line) if line.chars().count() + word.chars().count() < WIDTH => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.retain(|line| !line.is_empty());
    let lines = lines.iter().map(|line| language.comment(line) + "\n");
    lines.collect::<String>()
}

/// All functions of a type, and their names.
struct Joined {
    text: String,
    functions: Vec<&'static str>,
}

impl Joined {
    /// The text; of a module of JavaScript with its exports.
    fn of(self, target: Target, model: &Model, defaults: &[Option<Vec<f64>>]) -> String {
        if target != Target::JavaScriptModule {
            return self.text;
        }
        let defaults = javascript_defaults(model, defaults).unwrap_or_default();
        let functions = self.functions.join(", ");
        format!("{}\n{defaults}export {{ {functions} }};\n", self.text)
    }
}
