//! WGSL, for any GPU, also in browsers.
//!
//! Precision is single. Everything but numbers is handed by pointer to a variable of a function: the parameters of a
//! type as `own`, inputs, where there are any, as `given`, vectors, and where several numbers go, `result`.

use super::language::{
    Calls, Field, Gives, Language, common_name, filled, function_name, indented, is_single,
    names_function, own_name,
};
use crate::code::step::Stepped;
use crate::code::{Parameter, ParameterType};
use crate::expr::{CollectVec, Function};
use crate::model::{Declared, Model};

/// Writes the functions of one type as WGSL.
#[derive(Clone, Debug)]
pub struct Wgsl {
    name: String,
    fields: Vec<Field>,
    inputs: Vec<Field>,
    defaults: Option<Vec<f64>>,
}

/// Words that can be no names: keywords, those that may become some, and functions that we call.
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
    virtual volatile wgsl where while with writeonly yield array exp2";

/// Functions that WGSL lacks, made of those that it has; near 0 by series, which lose no digits.
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
    RESERVED.split_whitespace().any(|it| it == word) || names_function(word, common_name)
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
            fields: fields.collect_vec(),
            inputs: inputs.collect_vec(),
            defaults: values.map(|values| values.into_iter().flatten().copied().collect_vec()),
        }
    }

    /// The structs that functions are handed: what is added to the type's name, what they are called, and the fields.
    fn structures(&self) -> Vec<(&'static str, &'static str, &[Field])> {
        let all: [(_, _, &[Field]); 2] =
            [("", "own", &self.fields), ("Inputs", "given", &self.inputs)];
        all.into_iter().filter(|it| !it.2.is_empty()).collect_vec()
    }
}

/// `array(0.0f, -9.81f)`, as the lengths have it.
fn nested(values: &[f64], lengths: &[usize]) -> String {
    let Some((&length, inner)) = lengths.split_first() else {
        return literal(values[0]);
    };
    let parts = values.chunks((values.len() / length).max(1));
    let parts: Vec<String> = parts.map(|part| nested(part, inner)).collect_vec();
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
        let printed = defaults.filter(|it| !it.is_empty() && it.iter().all(|&it| self.holds(it)));
        if let Some(values) = printed {
            let mut rest = &values[..];
            let fields = self.fields.iter().map(|field| {
                let (own, others) = rest.split_at(field.lengths.iter().product());
                rest = others;
                nested(own, &field.lengths)
            });
            let fields = fields.collect_vec().join(", ");
            let (ty, name) = (&self.name, self.function_name("default"));
            text += &format!("const {name} = {ty}({fields});\n\n");
        }
        let lacked = LACKED.iter();
        let called = lacked.filter(|it| functions.contains(&format!("{}(", it.0)));
        called.for_each(|it| text += &format!("{}\n", it.1));
        text
    }

    fn kernel(&self, of: &Stepped) -> Option<String> {
        let (rates, n) = (of.coordinates, of.velocities);
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
{own}  var q: array<f32, {rates}>;
  var v: array<f32, {n}>;
  for (var j = 0u; j < {rates}u; j++) {{ q[j] = {run}_q[j * copies + copy]; }}
  for (var j = 0u; j < {n}u; j++) {{ v[j] = {run}_v[j * copies + copy]; }}
  for (var i = 0u; i < {settings}.steps; i++) {{
    {step}({given}{settings}.t + f32(i) * {settings}.h, {settings}.h, &q, &v);
  }}
  for (var j = 0u; j < {rates}u; j++) {{ {run}_q[j * copies + copy] = q[j]; }}
  for (var j = 0u; j < {n}u; j++) {{ {run}_v[j * copies + copy] = v[j]; }}
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
        is_single(number)
    }

    fn call(&self, function: Function, arguments: &[String]) -> String {
        let mut name = common_name(function).to_owned();
        if self.lacks(function) {
            name = self.function_name(&name);
        }
        format!("{name}({})", arguments.join(", "))
    }

    fn lacks(&self, function: Function) -> bool {
        matches!(function, Function::Erf | Function::Erfc)
    }

    fn mixes_conditions(&self) -> bool {
        false
    }

    fn calls(&self) -> Calls {
        Calls {
            choices: true,
            ..Calls::default()
        }
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

    fn epsilon(&self) -> f64 {
        f32::EPSILON.into()
    }

    fn real(&self, place: String) -> String {
        format!("f32({place})")
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

    fn function_name(&self, function: &str) -> String {
        function_name(&self.name, function)
    }

    fn handed(&self, name: &str) -> String {
        format!("&{name}")
    }

    fn integer(&self, name: &str, value: &str, changes: bool) -> String {
        let word = if changes { "var" } else { "let" };
        format!("{word} {name} = {value}")
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

    fn given(&self, name: &str, function: &str, arguments: &[String], length: usize) -> String {
        let own: String = self
            .structures()
            .iter()
            .map(|it| format!("{}, ", it.1))
            .collect();
        let (function, arguments) = (self.function_name(function), arguments.join(", "));
        format!("var {name}: array<f32, {length}>;\n{function}({own}{arguments}, &{name});")
    }

    fn table(&self, name: &str, lines: &[Vec<usize>]) -> String {
        let [length, width] = [lines.len(), lines.first().map_or(0, Vec::len)];
        let lines = lines.iter().map(|line| {
            let places = line.iter().map(ToString::to_string);
            format!("array({})", places.collect_vec().join(", "))
        });
        let lines = indented(&filled(lines));
        let name = self.function_name(name);
        format!("const {name} = array<array<i32, {width}>, {length}>(\n{lines}\n);\n")
    }

    fn numbers(&self, name: &str, values: &[f64]) -> String {
        let (name, count) = (self.function_name(name), values.len());
        let values = values.iter().map(|&value| self.number(value));
        let values = values.collect_vec().join(", ");
        format!("const {name} = array<f32, {count}>({values});\n")
    }

    fn number_at(&self, name: &str, place: &str) -> String {
        format!("{}[{place}]", self.function_name(name))
    }

    fn line_of(&self, name: &str, (table, _): (&str, &[Vec<usize>]), number: &str) -> String {
        format!("let {name} = {}[{number}];", self.function_name(table))
    }

    fn result_entry(&self, index: usize) -> String {
        format!("(*result)[{index}]")
    }

    fn function(&self, name: &str, parameters: &[Parameter], gives: Gives, body: &str) -> String {
        let vector = |length: usize| format!("ptr<function, array<f32, {length}>>");
        let parameters = parameters.iter().flat_map(|it| match it.kind {
            ParameterType::Own => {
                let own = self.structures().into_iter();
                let own = own.map(|(suffix, name, _)| {
                    format!("{name}: ptr<function, {}{suffix}>", self.name)
                });
                own.collect_vec()
            }
            ParameterType::Vector(length) | ParameterType::Changed(length) => {
                vec![format!("{}: {}", it.name, vector(length))]
            }
            // Functions that are given anything else are left out.
            _ => vec![format!("{}: f32", it.name)],
        });
        let (gives, written) = match gives {
            Gives::Nothing => ("", None),
            Gives::Number => (" -> f32", None),
            Gives::Numbers(length) => ("", Some(format!("result: {}", vector(length)))),
        };
        let parameters = parameters.chain(written).collect_vec().join(", ");
        let (name, body) = (self.function_name(name), indented(body));
        format!("fn {name}({parameters}){gives} {{\n{body}\n}}\n")
    }
}
