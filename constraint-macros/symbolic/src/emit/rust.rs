//! Programs as Rust: the only place that writes arithmetic tokens.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use crate::expr::{Comparison, Function, SymbolId};
use crate::schedule::{Op, Program, Statement, ValueId};
use crate::syntax::is_keyword;

/// How leaves are spelled in the function being written.
pub struct Spelling<'a> {
    /// The identifier of a leaf.
    pub leaf: &'a dyn Fn(SymbolId) -> Ident,
    /// The scalar type, `T`.
    pub scalar: &'a Ident,
    /// Path to the runtime's hidden module.
    pub runtime: &'a TokenStream,
}

/// A program written out: statements, then one expression per output.
pub struct Body {
    /// `let`s and guards.
    pub statements: TokenStream,
    /// The outputs.
    pub outputs: Vec<TokenStream>,
}

/// Writes a program.
pub fn body(program: &Program, spelling: &Spelling<'_>) -> Body {
    let mut writer = Writer {
        program,
        spelling,
        bound: vec![None; program.values.len()],
    };
    let statements = program
        .statements
        .iter()
        .map(|statement| writer.statement(statement))
        .collect();
    let outputs = program
        .outputs
        .iter()
        .map(|&output| writer.expression(output).tokens)
        .collect();
    Body {
        statements,
        outputs,
    }
}

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Or,
    And,
    Sum,
    Product,
    Unary,
    Postfix,
}

struct Expression {
    tokens: TokenStream,
    binding: Binding,
}

impl Expression {
    /// The tokens, bracketed unless they bind at least as tightly as `needed`.
    fn at(self, needed: Binding) -> TokenStream {
        let tokens = self.tokens;
        if self.binding >= needed {
            tokens
        } else {
            quote!((#tokens))
        }
    }
}

struct Writer<'a> {
    program: &'a Program,
    spelling: &'a Spelling<'a>,
    bound: Vec<Option<Ident>>,
}

impl Writer<'_> {
    fn bind(&mut self, value: ValueId, name: &str) -> Ident {
        let ident = local(name);
        self.bound[value.index()] = Some(ident.clone());
        ident
    }

    fn statement(&mut self, statement: &Statement) -> TokenStream {
        match statement {
            Statement::Let { value, name } => {
                let expression = self.operation(*value).tokens;
                let name = self.bind(*value, name);
                quote!(let #name = #expression;)
            }
            Statement::SinCos {
                sine,
                cosine,
                argument,
            } => {
                let argument = self.expression(*argument).at(Binding::Postfix);
                let (sine, cosine) = (self.bind(sine.0, &sine.1), self.bind(cosine.0, &cosine.1));
                quote!(let (#sine, #cosine) = #argument.simd_sin_cos();)
            }
            Statement::Guard {
                row,
                pivot,
                diagonal,
            } => {
                let runtime = self.spelling.runtime;
                let row = Literal::usize_unsuffixed(*row);
                let pivot = self.expression(*pivot).tokens;
                let diagonal = self.expression(*diagonal).tokens;
                quote!(#runtime::check_pivot(#row, #pivot, #diagonal)?;)
            }
        }
    }

    /// The value where it is used: its name, or its operation where it has none.
    fn expression(&self, id: ValueId) -> Expression {
        match &self.bound[id.index()] {
            Some(name) => postfix(quote!(#name)),
            None => self.operation(id),
        }
    }

    fn operation(&self, id: ValueId) -> Expression {
        use Binding::{And, Or, Postfix, Product, Sum, Unary};
        let at = |id: &ValueId, binding: Binding| self.expression(*id).at(binding);
        let binary =
            |left: TokenStream, operator: TokenStream, right: TokenStream, binding| Expression {
                tokens: quote!(#left #operator #right),
                binding,
            };
        match &self.program.values[id.index()] {
            Op::Input(symbol) => {
                let name = (self.spelling.leaf)(*symbol);
                postfix(quote!(#name))
            }
            Op::Number(number) => postfix(self.number(number.to_f64())),
            Op::Boolean(value) => postfix(self.boolean(*value)),
            Op::Add(a, b) => binary(at(a, Sum), quote!(+), at(b, Product), Sum),
            Op::Sub(a, b) => binary(at(a, Sum), quote!(-), at(b, Product), Sum),
            Op::Mul(a, b) => binary(at(a, Product), quote!(*), at(b, Unary), Product),
            Op::Div(a, b) => binary(at(a, Product), quote!(/), at(b, Unary), Product),
            Op::Recip(a) => binary(self.number(1.0), quote!(/), at(a, Unary), Product),
            // −a·b is (−a)·b: the same value without a bracket.
            Op::Neg(a) => {
                let operand = self.expression(*a);
                let binding = operand.binding.min(Unary).max(Product);
                let tokens = operand.at(Product);
                Expression {
                    tokens: quote!(-#tokens),
                    binding,
                }
            }
            Op::Call(function, arguments) => self.call(*function, arguments),
            Op::Compare(comparison, a, b) => {
                let (a, b) = (at(a, Postfix), at(b, Or));
                let method = comparison_method(*comparison);
                postfix(quote!(#a.#method(#b)))
            }
            Op::And(a, b) => binary(at(a, And), quote!(&), at(b, Sum), And),
            Op::Or(a, b) => binary(at(a, Or), quote!(|), at(b, And), Or),
            Op::Not(a) => {
                let operand = at(a, Unary);
                Expression {
                    tokens: quote!(!#operand),
                    binding: Unary,
                }
            }
            Op::Select(condition, then, otherwise) => {
                let (condition, otherwise) = (at(condition, Or), at(otherwise, Or));
                let then = at(then, Postfix);
                postfix(quote!(#then.select(#condition, #otherwise)))
            }
        }
    }

    fn call(&self, function: Function, arguments: &[ValueId]) -> Expression {
        let method = format_ident!("{}", function.row().rust, span = Span::mixed_site());
        let first = self.expression(arguments[0]);
        if function == Function::Signum {
            let (one, argument) = (self.number(1.0), first.tokens);
            return postfix(quote!(#one.#method(#argument)));
        }
        let receiver = first.at(Binding::Postfix);
        let rest = arguments[1..]
            .iter()
            .map(|&argument| self.expression(argument).tokens);
        postfix(quote!(#receiver.#method(#(#rest),*)))
    }

    fn number(&self, value: f64) -> TokenStream {
        let scalar = self.spelling.scalar;
        // Constants are checked to be finite when the model is made; a literal cannot spell others.
        let size = Literal::f64_unsuffixed(if value.is_finite() {
            value.abs()
        } else {
            f64::MAX
        });
        if value < 0.0 {
            quote!(#scalar::lit(-#size))
        } else {
            quote!(#scalar::lit(#size))
        }
    }

    /// Constant conditions are folded long before; spelled so that every lane type has them.
    fn boolean(&self, value: bool) -> TokenStream {
        let (zero, other) = (self.number(0.0), self.number(f64::from(u8::from(!value))));
        quote!(#zero.simd_eq(#other))
    }
}

fn postfix(tokens: TokenStream) -> Expression {
    Expression {
        tokens,
        binding: Binding::Postfix,
    }
}

fn comparison_method(comparison: Comparison) -> Ident {
    let name = match comparison {
        Comparison::Lt => "simd_lt",
        Comparison::Le => "simd_le",
        Comparison::Gt => "simd_gt",
        Comparison::Ge => "simd_ge",
        Comparison::Eq => "simd_eq",
    };
    Ident::new(name, Span::mixed_site())
}

/// An identifier of ours: hygienic, made of letters, digits and underscores.
pub fn local(name: &str) -> Ident {
    Ident::new(&snake(name), Span::mixed_site())
}

/// `d.x` and `r#Type` as `d_x` and `type_`.
pub fn snake(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let mut name = match name.bytes().all(plain) {
        true => name.to_owned(),
        false => name
            .trim_start_matches("r#")
            .replace('.', "_")
            .to_lowercase(),
    };
    if is_keyword(&name) {
        name.push('_');
    }
    name
}
