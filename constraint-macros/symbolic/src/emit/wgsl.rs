//! WGSL, for what runs on any GPU, in browsers too.
//!
//! Precision is single. What is more than a number is handed by pointer to a variable of a function: the parameters of a
//! type as `own`, inputs, where there are any, as `given`, vectors, and where several numbers go, `result`.

use super::language::{
    Field, Kind, Language, Parameter, Reason, Stepped, function_name, indented, on_stack, own_name,
};
use crate::expr::Function;
use crate::model::{Declared, Model};

/// Writes the functions of one type as WGSL.
#[derive(Clone, Debug)]
pub struct Wgsl {
    name: String,
    fields: Vec<Field>,
    inputs: Vec<Field>,
    defaults: Option<Vec<f64>>,
}

/// Words that can be no names: keywords, those that may become some, and what we ask for.
const RESERVED: &str = "NULL Self abstract active alias alignas alignof as asm asm_fragment async attribute auto await \
    become bitcast bool break case cast catch class co_await co_return co_yield coherent column_major common compile \
    compile_fragment concept const const_assert const_cast consteval constexpr constinit continue continuing crate \
    debugger decltype default delete demote demote_to_helper diagnostic discard do dynamic_cast else enable enum \
    explicit export extends extern external f16 f32 fallthrough false filter final finally fn for friend from fxgroup \
    get given goto groupshared highp i32 if impl implements import inline instanceof interface layout let loop lowp \
    macro macro_rules match mediump meta mod module move mut mutable namespace new nil noexcept noinline \
    nointerpolation non_coherent noncoherent noperspective null nullptr of operator override own package packoffset \
    partial pass patch pixelfragment precise precision premerge priv protected ptr pub public readonly ref regardless \
    register reinterpret_cast require requires resource restrict result return select self set shared sizeof smooth \
    snorm static static_assert static_cast std struct subroutine super switch target template this thread_local throw \
    trait true try type typedef typeid typename typeof u32 union unless unorm unsafe unsized use using var varying \
    virtual volatile wgsl where while with writeonly yield array abs acos acosh asin asinh atan atan2 atanh cos cosh \
    exp exp2 floor log log2 max min pow sin sinh sqrt tan tanh cbrt expm1 hypot log10 log1p signum";

/// What WGSL lacks of our functions, of parts that it has; near 0 by series, which take off nothing.
const LACKED: [(&str, &str); 6] = [
    (
        "cbrt",
        "fn cbrt(x: f32) -> f32 {
  if (x == 0.0f) { return x; }
  let size = abs(x);
  let root = exp2(log2(size) / 3.0f);
  return sign(x) * (root - (root - size / (root * root)) / 3.0f);
}
",
    ),
    (
        "expm1",
        "fn expm1(x: f32) -> f32 {
  if (abs(x) > 0.5f) { return exp(x) - 1.0f; }
  let high = 1.0f + x / 5.0f * (1.0f + x / 6.0f * (1.0f + x / 7.0f * (1.0f + x / 8.0f)));
  return x * (1.0f + x / 2.0f * (1.0f + x / 3.0f * (1.0f + x / 4.0f * high)));
}
",
    ),
    (
        "hypot",
        "fn hypot(x: f32, y: f32) -> f32 {
  let most = max(abs(x), abs(y));
  if (most == 0.0f) { return most; }
  let part = min(abs(x), abs(y)) / most;
  return most * sqrt(1.0f + part * part);
}
",
    ),
    (
        "log10",
        "fn log10(x: f32) -> f32 {
  return log(x) * 0.4342945f;
}
",
    ),
    (
        "log1p",
        "fn log1p(x: f32) -> f32 {
  if (abs(x) > 0.25f) { return log(1.0f + x); }
  let z = x / (2.0f + x);
  let square = z * z;
  return 2.0f * z * (1.0f + square * (1.0f / 3.0f + square * (0.2f + square * (1.0f / 7.0f + square / 9.0f))));
}
",
    ),
    (
        "signum",
        "fn signum(x: f32) -> f32 {
  return bitcast<f32>((bitcast<u32>(x) & 0x80000000u) | 0x3f800000u);
}
",
    ),
];

fn is_taken(word: &str) -> bool {
    RESERVED.split_whitespace().any(|it| it == word)
}

/// A number of single precision, of any sign.
fn literal(value: f64) -> String {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "single precision is all there is"
    )]
    let value = value as f32;
    format!("{value:?}f")
}

impl Wgsl {
    /// Of a type that is called so, with inputs, and with the values of parameters where all are given.
    pub fn new(
        name: &str,
        model: &Model,
        inputs: &[Declared],
        defaults: &[Option<Vec<f64>>],
    ) -> Wgsl {
        let fields = model.parameters.iter();
        let fields = fields.map(|it| Field::new(&it.name, it.shape, &it.lengths, is_taken));
        let inputs = inputs.iter();
        let inputs = inputs.map(|it| Field::new(&it.name, it.shape, &it.lengths, is_taken));
        let values: Option<Vec<&Vec<f64>>> = defaults.iter().map(Option::as_ref).collect();
        Wgsl {
            name: name.to_owned(),
            fields: fields.collect(),
            inputs: inputs.collect(),
            defaults: values.map(|values| values.into_iter().flatten().copied().collect()),
        }
    }

    fn function_name(&self, function: &str) -> String {
        function_name(&self.name, function)
    }

    /// The structs that functions are handed: what is added to the type's name, what they are called, and the fields.
    fn structures(&self) -> Vec<(&'static str, &'static str, &[Field])> {
        let all: [(_, _, &[Field]); 2] =
            [("", "own", &self.fields), ("Inputs", "given", &self.inputs)];
        all.into_iter().filter(|it| !it.2.is_empty()).collect()
    }

    /// `own: ptr<function, Chain>, `
    fn parameters(&self) -> String {
        let all = self.structures().into_iter();
        let all = all.map(|it| format!("{}: ptr<function, {}{}>, ", it.1, self.name, it.0));
        all.collect()
    }
}

/// `array(0.0f, -9.81f)`, as the lengths have it.
fn nested(values: &[f64], lengths: &[usize]) -> String {
    let Some((&length, inner)) = lengths.split_first() else {
        return literal(values[0]);
    };
    let parts = values.chunks((values.len() / length).max(1));
    let parts: Vec<String> = parts.map(|part| nested(part, inner)).collect();
    format!("array({})", parts.join(", "))
}

impl Language for Wgsl {
    fn prelude(&self, functions: &str) -> String {
        let mut text = String::new();
        for (suffix, fields) in self.structures().iter().map(|it| (it.0, it.2)) {
            let fields = fields.iter().map(|field| {
                let ty = field.lengths.iter().rev();
                let ty = ty.fold("f32".to_owned(), |ty, it| format!("array<{ty}, {it}>"));
                format!("  {}: {ty},\n", field.name)
            });
            let fields: String = fields.collect();
            text += &format!("struct {}{suffix} {{\n{fields}}}\n\n", self.name);
        }
        let defaults = self.defaults.as_ref();
        let told = defaults.filter(|it| !it.is_empty() && it.iter().all(|&it| self.holds(it)));
        if let Some(values) = told {
            let mut rest = &values[..];
            let fields = self.fields.iter().map(|field| {
                let (own, others) = rest.split_at(field.lengths.iter().product());
                rest = others;
                nested(own, &field.lengths)
            });
            let fields = fields.collect::<Vec<String>>().join(", ");
            let (ty, name) = (&self.name, self.function_name("default"));
            text += &format!("const {name} = {ty}({fields});\n\n");
        }
        let lacked = LACKED.iter();
        let asked = lacked.filter(|it| functions.contains(&format!("{}(", it.0)));
        asked.for_each(|it| text += &format!("{}\n", it.1));
        text
    }

    fn step(&self, of: &Stepped) -> Result<Option<String>, Reason> {
        if !of.rotations.is_empty() {
            return Ok(None);
        }
        let (n, rows) = (of.velocities, of.rows);
        on_stack(5 * n + rows)?;
        let named = |function| self.function_name(function);
        let (name, acceleration) = (named("step"), named("acceleration"));
        let given: String = self
            .structures()
            .iter()
            .map(|it| format!("{}, ", it.1))
            .collect();
        let mut body = format!(
            "var part = array<f32, 4>(0.0f, 0.5f, 0.5f, 1.0f);
var weight = array<f32, 4>(1.0f, 2.0f, 2.0f, 1.0f);
var x: array<f32, {n}>;
var u: array<f32, {n}>;
var a: array<f32, {n}>;
var slope: array<f32, {n}>;
var turn: array<f32, {n}>;
for (var i = 0; i < 4; i++) {{
  for (var j = 0; j < {n}; j++) {{
    x[j] = (*q)[j] + h * part[i] * u[j];
    u[j] = (*v)[j] + h * part[i] * a[j];
  }}
  {acceleration}({given}t + h * part[i], &x, &u, &a);
  for (var j = 0; j < {n}; j++) {{
    slope[j] += weight[i] * u[j];
    turn[j] += weight[i] * a[j];
  }}
}}
for (var j = 0; j < {n}; j++) {{
  (*q)[j] += h / 6.0f * slope[j];
  (*v)[j] += h / 6.0f * turn[j];
}}"
        );
        if rows > 0 {
            let [constraint, rate, correction] =
                ["constraint", "constraint_rate", "correction"].map(named);
            body += &format!(
                "
var c: array<f32, {rows}>;
for (var i = 0; i < 3; i++) {{
  {constraint}({given}t + h, q, &c);
  {correction}({given}t + h, q, &c, &x);
  for (var j = 0; j < {n}; j++) {{ (*q)[j] -= x[j]; }}
}}
{rate}({given}t + h, q, v, &c);
{correction}({given}t + h, q, &c, &x);
for (var j = 0; j < {n}; j++) {{ (*v)[j] -= x[j]; }}"
            );
        }
        let vector = format!("ptr<function, array<f32, {n}>>");
        let parameters = self.parameters();
        let body = indented(&body);
        Ok(Some(format!(
            "fn {name}({parameters}t: f32, h: f32, q: {vector}, v: {vector}) {{\n{body}\n}}\n"
        )))
    }

    fn kernel(&self, of: &Stepped) -> Option<String> {
        let n = of.velocities;
        let [run, settings, step] = ["run", "settings", "step"].map(|it| self.function_name(it));
        let ty = format!("{}Settings", self.name);
        let mut text = format!(
            "struct {ty} {{\n  t: f32,\n  h: f32,\n  steps: u32,\n  copies: u32,\n}}

@group(0) @binding(0) var<uniform> {settings}: {ty};
@group(0) @binding(1) var<storage, read_write> {run}_q: array<f32>;
@group(0) @binding(2) var<storage, read_write> {run}_v: array<f32>;\n"
        );
        let (mut own, mut given) = (String::new(), String::new());
        for (binding, (suffix, name, _)) in (3..).zip(self.structures()) {
            text += &format!(
                "@group(0) @binding({binding}) var<storage, read> {run}_{name}: array<{}{suffix}>;\n",
                self.name
            );
            own += &format!("  var {name} = {run}_{name}[copy];\n");
            given += &format!("&{name}, ");
        }
        text += &format!(
            "
@compute @workgroup_size(64)
fn {run}(@builtin(global_invocation_id) id: vec3<u32>) {{
  let copy = id.x;
  let copies = {settings}.copies;
  if (copy >= copies) {{ return; }}
{own}  var q: array<f32, {n}>;
  var v: array<f32, {n}>;
  for (var j = 0u; j < {n}u; j++) {{
    q[j] = {run}_q[j * copies + copy];
    v[j] = {run}_v[j * copies + copy];
  }}
  for (var i = 0u; i < {settings}.steps; i++) {{
    {step}({given}{settings}.t + f32(i) * {settings}.h, {settings}.h, &q, &v);
  }}
  for (var j = 0u; j < {n}u; j++) {{
    {run}_q[j * copies + copy] = q[j];
    {run}_v[j * copies + copy] = v[j];
  }}
}}
"
        );
        Some(text)
    }

    fn is_reserved(&self, word: &str) -> bool {
        is_taken(word)
    }

    fn number(&self, size: f64) -> String {
        literal(size)
    }

    fn holds(&self, number: f64) -> bool {
        number.abs() <= f64::from(f32::MAX)
    }

    fn call(&self, function: Function, arguments: &[String]) -> String {
        format!("{}({})", function.row().wgsl, arguments.join(", "))
    }

    fn mixes_conditions(&self) -> bool {
        false
    }

    fn select(&self, [condition, then, otherwise]: [&str; 3]) -> String {
        format!("select({otherwise}, {then}, {condition})")
    }

    fn argument(&self, name: &str) -> String {
        format!("(*{name})")
    }

    fn result_name(&self) -> &'static str {
        "(*result)"
    }

    fn inputs(&self, _: &[String]) -> Option<String> {
        None
    }

    fn knows_fields(&self) -> bool {
        false
    }

    fn law(&self, _: &str, _: &[&[String]]) -> Option<String> {
        None
    }

    fn field(&self, path: &str) -> String {
        let mut parts = path.split('.').map(|part| part.trim_start_matches("r#"));
        let owner = match parts.next() {
            Some("self") => "own",
            owner => owner.unwrap_or_default(),
        };
        let parts = parts.map(|part| {
            let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
            format!(".{}{indices}", own_name(name, is_taken))
        });
        format!("(*{owner}){}", parts.collect::<String>())
    }

    fn constant(&self, name: &str, value: &str) -> String {
        format!("let {name} = {value};")
    }

    fn variable(&self, name: &str, value: &str) -> String {
        format!("var {name} = {value};")
    }

    fn array(&self, name: &str, length: usize, _: bool) -> String {
        format!("var {name}: array<f32, {length}>;")
    }

    fn begin_result(&self, length: usize, zeros: bool) -> Option<String> {
        zeros.then(|| format!("*result = array<f32, {length}>();"))
    }

    fn solved(&self, name: &str, function: &str, state: &[String], length: usize) -> String {
        let own: String = self
            .structures()
            .iter()
            .map(|it| format!("{}, ", it.1))
            .collect();
        let (function, state) = (self.function_name(function), state.join(", "));
        format!("var {name}: array<f32, {length}>;\n{function}({own}{state}, &{name});")
    }

    fn table(&self, name: &str, lines: &[Vec<usize>]) -> String {
        let [length, width] = [lines.len(), lines.first().map_or(0, Vec::len)];
        let lines = lines.iter().map(|line| {
            let places = line.iter().map(ToString::to_string);
            format!("  array({})", places.collect::<Vec<String>>().join(", "))
        });
        let lines = lines.collect::<Vec<String>>().join(",\n");
        let name = self.function_name(name);
        format!("const {name} = array<array<i32, {width}>, {length}>(\n{lines}\n);\n")
    }

    fn line(&self, name: &str, (table, _): (&str, &[Vec<usize>]), number: &str) -> String {
        format!("let {name} = {}[{number}];", self.function_name(table))
    }

    fn rounds(&self, counter: &str, rounds: usize, body: &str) -> String {
        let body = indented(body);
        format!("for (var {counter} = 0; {counter} < {rounds}; {counter}++) {{\n{body}\n}}")
    }

    fn result_entry(&self, index: usize) -> String {
        format!("(*result)[{index}]")
    }

    fn function(
        &self,
        name: &str,
        parameters: &[Parameter],
        result: Option<usize>,
        body: &str,
    ) -> String {
        let vector = |length: usize| format!("ptr<function, array<f32, {length}>>");
        let own = (!self.fields.is_empty()).then(|| format!("own: ptr<function, {}>", self.name));
        let parameters = parameters.iter().map(|it| match it.kind {
            Kind::Inputs => format!("given: ptr<function, {}Inputs>", self.name),
            Kind::Vector(length) => format!("{}: {}", it.name, vector(length)),
            // Functions that are given anything else are left out.
            _ => format!("{}: f32", it.name),
        });
        let written = result.map(|length| format!("result: {}", vector(length)));
        let parameters = own.into_iter().chain(parameters).chain(written);
        let parameters = parameters.collect::<Vec<String>>().join(", ");
        let gives = if result.is_some() { "" } else { " -> f32" };
        let (name, body) = (self.function_name(name), indented(body));
        format!("fn {name}({parameters}){gives} {{\n{body}\n}}\n")
    }
}
