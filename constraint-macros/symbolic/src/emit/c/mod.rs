//! C99, for programs and machines without Rust, and CUDA C, which is nearly the same.
//!
//! The parameters of a type are a struct, handed by pointer as `self`; inputs, where there are any, another, `given`.
//! A result of several numbers is written to `result`, one after the other: matrices row by row, of several results the
//! first first.

mod kernel;

use super::language::{
    Field, Gives, Language, common_name, filled, function_name, indented, is_single,
    names_function, nested, own_name,
};
use crate::code::step::Stepped;
use crate::code::{Parameter, ParameterType};
use crate::expr::{CollectVec, Function, SortedSet};
use crate::model::{Declared, Model};

/// A kind of C.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dialect {
    /// `float` in the place of `double`.
    pub single: bool,
    /// CUDA C, for a GPU.
    pub cuda: bool,
    /// Functions that other programs link to, in the place of `static inline` ones.
    pub library: bool,
    /// Only the declarations of these.
    pub header: bool,
}

/// Writes the functions of one type as C.
#[derive(Clone, Debug)]
pub struct C {
    name: String,
    dialect: Dialect,
    fields: Vec<Field>,
    inputs: Vec<Field>,
    defaults: Option<Vec<f64>>,
}

/// Before and after declarations that C++ reads, too.
const OPENING: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
const CLOSING: &str = "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";

/// Words that are names in Rust, and in C have a meaning here.
const RESERVED: [&str; 26] = [
    "asm", "auto", "bool", "case", "char", "default", "do", "double", "float", "given", "goto",
    "inline", "int", "long", "register", "restrict", "result", "short", "signed", "sizeof",
    "switch", "typedef", "union", "unsigned", "void", "volatile",
];

/// Words that are names in Rust and in C, and none in CUDA C, which is C++, or in a kernel.
const RESERVED_IN_CUDA: [&str; 32] = [
    "and",
    "bitand",
    "bitor",
    "blockDim",
    "blockIdx",
    "catch",
    "class",
    "compl",
    "copies",
    "delete",
    "explicit",
    "export",
    "friend",
    "id",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "nullptr",
    "operator",
    "or",
    "private",
    "protected",
    "public",
    "template",
    "this",
    "threadIdx",
    "throw",
    "typeid",
    "typename",
    "xor",
];

/// Whether a name is none in C or in CUDA C: one text of an equation reads alike in both.
fn is_taken(name: &str) -> bool {
    RESERVED.contains(&name) || RESERVED_IN_CUDA.contains(&name) || names_function(name, spelled)
}

/// The function of `math.h`, for `double`.
fn spelled(function: Function) -> &'static str {
    match function {
        Function::Abs => "fabs",
        Function::Signum => "copysign",
        Function::Min => "fmin",
        Function::Max => "fmax",
        _ => common_name(function),
    }
}

impl C {
    /// Of a type that is called so, with inputs, and with the values of parameters where all are given.
    pub fn new(
        name: &str,
        model: &Model,
        inputs: &[Declared],
        defaults: &[Option<Vec<f64>>],
        dialect: Dialect,
    ) -> C {
        let fields = model.parameters.iter();
        let fields = fields.map(|it| Field::new(&it.name, it.shape, &it.lengths, is_taken));
        let inputs = inputs.iter();
        let inputs = inputs.map(|it| Field::new(&it.name, it.shape, &it.lengths, is_taken));
        let values: Option<Vec<&Vec<f64>>> = defaults.iter().map(Option::as_ref).collect();
        C {
            name: name.to_owned(),
            dialect,
            fields: fields.collect_vec(),
            inputs: inputs.collect_vec(),
            defaults: values.map(|values| values.into_iter().flatten().copied().collect_vec()),
        }
    }

    /// `CHAIN_H`
    fn guard(&self) -> String {
        format!("{}_H", self.name.trim_start_matches("r#").to_uppercase())
    }

    fn scalar(&self) -> &'static str {
        if self.dialect.single {
            "float"
        } else {
            "double"
        }
    }

    /// The structs that functions are handed: the type of each, what it is called, and its fields.
    fn structures(&self) -> impl Iterator<Item = (String, &'static str, &[Field])> {
        let all: [(_, _, &[Field]); 2] = [
            ("", "self", &self.fields),
            ("Inputs", "given", &self.inputs),
        ];
        let handed = all.into_iter().filter(|it| !it.2.is_empty());
        handed.map(|(suffix, name, fields)| (format!("{}{suffix}", self.name), name, fields))
    }

    fn qualifiers(&self) -> &'static str {
        if self.dialect.cuda {
            "__host__ __device__ static inline"
        } else {
            "static inline"
        }
    }

    /// `static const Chain chain_default = { .m = 1.0 };`
    fn default_values(&self, values: &[f64]) -> String {
        let number = |value: f64| {
            let sign = if value < 0.0 { "-" } else { "" };
            format!("{sign}{}", self.number(value.abs()))
        };
        let mut rest = values;
        let fields = self.fields.iter().map(|field| {
            let (own, others) = rest.split_at(field.lengths.iter().product());
            rest = others;
            let own = nested(own, &field.lengths, ["{ ", " }"], &number);
            format!(".{} = {own}", field.name)
        });
        let fields = indented(&fields.collect_vec().join(",\n"));
        let (ty, name) = (&self.name, self.function_name("default"));
        if self.dialect.header {
            return format!("extern const {ty} {name};\n\n");
        }
        let linkage = if self.dialect.library { "" } else { "static " };
        format!("{linkage}const {ty} {name} = {{\n{fields}\n}};\n\n")
    }

    fn parameter(&self, parameter: &Parameter) -> Vec<String> {
        let (scalar, name) = (self.scalar(), &parameter.name);
        vec![match parameter.kind {
            ParameterType::Own => {
                let own = self
                    .structures()
                    .map(|it| format!("const {} *{}", it.0, it.1));
                return own.collect_vec();
            }
            ParameterType::Number => format!("{scalar} {name}"),
            ParameterType::Vector(length) => format!("const {scalar} {name}[{length}]"),
            ParameterType::Changed(length) => format!("{scalar} {name}[{length}]"),
            // All are numbers in a row here.
            ParameterType::Other => return Vec::new(),
        }]
    }
}

/// `(void)self; (void)t;`, a line for the parameters that a body does not read, which `-Wextra` would warn of: functions
/// of all systems have the same signatures.
fn unread(parameters: &[String], body: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let code = body.lines().filter_map(|line| line.split("//").next());
    let read: SortedSet<&str> = code.flat_map(|code| code.split(|c| !is_part(c))).collect();
    let named = parameters.iter().filter_map(|it| {
        let before = it.split('[').next()?;
        before.rsplit(|c| !is_part(c)).next()
    });
    let unread = named.filter(|it| !read.contains(it));
    let unread: Vec<String> = unread.map(|it| format!("(void){it};")).collect_vec();
    match unread[..] {
        [] => String::new(),
        _ => unread.join(" ") + "\n",
    }
}

/// `double m[4][3];`
fn declaration(field: &Field, scalar: &str) -> String {
    let lengths: String = field.lengths.iter().map(|it| format!("[{it}]")).collect();
    format!("{scalar} {}{lengths};", field.name)
}

/// The smaller type of integers that holds all of a table.
fn integer(table: &[Vec<usize>]) -> &'static str {
    let most = table.iter().flatten().max();
    if most.is_none_or(|&most| most < 0x1_0000) {
        "short"
    } else {
        "int"
    }
}

impl Language for C {
    fn prelude(&self, _: &str) -> String {
        let mut text = String::new();
        if self.dialect.header {
            let guard = self.guard();
            text += &format!("#ifndef {guard}\n#define {guard}\n\n{OPENING}");
        } else if !self.dialect.cuda {
            text += "#include <math.h>\n#include <stdbool.h>\n\n";
        }
        for (ty, _, fields) in self.structures() {
            let fields = fields.iter().map(|it| declaration(it, self.scalar()));
            let fields = indented(&fields.collect_vec().join("\n"));
            text += &format!("typedef struct {{\n{fields}\n}} {ty};\n\n");
        }
        let is_printed = |it: &&Vec<f64>| {
            !self.dialect.cuda && !it.is_empty() && it.iter().all(|&it| self.holds(it))
        };
        if let Some(values) = self.defaults.as_ref().filter(is_printed) {
            text += &self.default_values(values);
        }
        text
    }

    fn postlude(&self) -> &'static str {
        if self.dialect.header { CLOSING } else { "" }
    }

    fn kernel(&self, of: &Stepped) -> Option<String> {
        self.dialect.cuda.then(|| self.kernel_of(of))
    }

    fn is_reserved(&self, word: &str) -> bool {
        is_taken(word)
    }

    fn number(&self, size: f64) -> String {
        if self.dialect.single {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "single precision is asked for"
            )]
            let size = size as f32;
            format!("{size:?}f")
        } else {
            format!("{size:?}")
        }
    }

    fn holds(&self, number: f64) -> bool {
        !self.dialect.single || is_single(number)
    }

    fn call(&self, function: Function, arguments: &[String]) -> String {
        let suffix = if self.dialect.single { "f" } else { "" };
        let one = self.number(1.0);
        let unit = (function == Function::Signum).then_some(one.as_str());
        let arguments = unit.into_iter().chain(arguments.iter().map(String::as_str));
        let arguments: Vec<&str> = arguments.collect_vec();
        format!("{}{suffix}({})", spelled(function), arguments.join(", "))
    }

    fn inputs(&self, _: &[String]) -> Option<String> {
        None
    }

    fn knows_fields(&self) -> bool {
        false
    }

    fn epsilon(&self) -> f64 {
        if self.dialect.single {
            f32::EPSILON.into()
        } else {
            f64::EPSILON
        }
    }

    fn field(&self, path: &str) -> String {
        let mut parts = path.split('.').map(|part| part.trim_start_matches("r#"));
        let owner = parts.next().unwrap_or_default();
        let parts = parts.map(|part| {
            let (name, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
            format!("{}{indices}", own_name(name, is_taken))
        });
        format!("{owner}->{}", parts.collect_vec().join("."))
    }

    fn function_name(&self, function: &str) -> String {
        function_name(&self.name, function)
    }

    fn integer(&self, name: &str, value: &str, changes: bool) -> String {
        let ty = if changes { "int" } else { "const int" };
        format!("{ty} {name} = {value}")
    }

    fn constant(&self, name: &str, value: &str) -> String {
        format!("const {} {name} = {value};", self.scalar())
    }

    fn variable(&self, name: &str, value: &str) -> String {
        format!("{} {name} = {value};", self.scalar())
    }

    fn array(&self, name: &str, length: usize, zeros: bool) -> String {
        let zero = self.number(0.0);
        let zeros = if zeros {
            format!(" = {{ {zero} }}")
        } else {
            String::new()
        };
        format!("{} {name}[{length}]{zeros};", self.scalar())
    }

    fn begin_result(&self, length: usize, zeros: bool) -> Option<String> {
        let zero = self.number(0.0);
        zeros.then(|| format!("for (int i = 0; i < {length}; i++) result[i] = {zero};"))
    }

    fn given(&self, name: &str, function: &str, arguments: &[String], length: usize) -> String {
        let (scalar, function) = (self.scalar(), self.function_name(function));
        let own: String = self.structures().map(|it| format!("{}, ", it.1)).collect();
        let arguments = arguments.join(", ");
        format!("{scalar} {name}[{length}];\n{function}({own}{arguments}, {name});")
    }

    fn table(&self, name: &str, lines: &[Vec<usize>]) -> String {
        let ty = integer(lines);
        let [length, width] = [lines.len(), lines.first().map_or(0, Vec::len)];
        let lines = lines.iter().map(|line| {
            let places = line.iter().map(ToString::to_string);
            format!("{{ {} }}", places.collect_vec().join(", "))
        });
        let lines = indented(&filled(lines));
        let name = self.function_name(name);
        if self.dialect.header {
            return String::new();
        }
        if self.dialect.cuda {
            // Host and device both read it, so it is in a function of both.
            let places = format!("static const unsigned {ty} places[{length}][{width}]");
            let body = indented(&format!(
                "{places} = {{\n{lines}\n}};\nreturn places[line];"
            ));
            let qualifiers = self.qualifiers();
            return format!("{qualifiers} const unsigned {ty} *{name}(int line) {{\n{body}\n}}\n");
        }
        format!("static const unsigned {ty} {name}[{length}][{width}] = {{\n{lines}\n}};\n")
    }

    fn numbers(&self, name: &str, values: &[f64]) -> String {
        let (scalar, name, count) = (self.scalar(), self.function_name(name), values.len());
        if self.dialect.header {
            return String::new();
        }
        let values = values.iter().map(|&value| self.number(value));
        let values = values.collect_vec().join(", ");
        if self.dialect.cuda {
            // As tables of places.
            let qualifiers = self.qualifiers();
            return format!(
                "{qualifiers} {scalar} {name}(int place) {{\n    static const {scalar} numbers[{count}] = {{ {values} }};\n    return numbers[place];\n}}\n"
            );
        }
        format!("static const {scalar} {name}[{count}] = {{ {values} }};\n")
    }

    fn number_at(&self, name: &str, place: &str) -> String {
        let name = self.function_name(name);
        if self.dialect.cuda {
            return format!("{name}({place})");
        }
        format!("{name}[{place}]")
    }

    fn line_of(&self, name: &str, (table, lines): (&str, &[Vec<usize>]), number: &str) -> String {
        let (ty, table) = (integer(lines), self.function_name(table));
        let line = if self.dialect.cuda {
            format!("{table}({number})")
        } else {
            format!("{table}[{number}]")
        };
        format!("const unsigned {ty} *{name} = {line};")
    }

    fn function(&self, name: &str, parameters: &[Parameter], gives: Gives, body: &str) -> String {
        let scalar = self.scalar();
        let parameters = parameters.iter().flat_map(|it| self.parameter(it));
        let (gives, written) = match gives {
            Gives::Nothing => ("void", None),
            Gives::Number => (scalar, None),
            Gives::Numbers(length) => ("void", Some(format!("{scalar} result[{length}]"))),
        };
        let parameters: Vec<String> = parameters.chain(written).collect_vec();
        if self.dialect.header {
            let (name, parameters) = (self.function_name(name), parameters.join(", "));
            return format!("{gives} {name}({parameters});\n");
        }
        let body = unread(&parameters, body) + body;
        let (name, body) = (self.function_name(name), indented(&body));
        let parameters = parameters.join(", ");
        let qualifiers = match self.dialect.library {
            true => String::new(),
            false => format!("{} ", self.qualifiers()),
        };
        format!("{qualifiers}{gives} {name}({parameters}) {{\n{body}\n}}\n")
    }
}
