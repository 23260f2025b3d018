//! An expansion for human readers: the functions, then the types, without code that only the compiler and IDEs need.
//!
//! Input: a call. Output: a file of Rust with the same functions.

use crate::expr::CollectVec;
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Block, Expr, File, ImplItem, Item, ItemConst, ItemImpl, ItemMacro, LitStr, Meta,
    Stmt, Token,
};

use crate::call::{Call, Reader};
use crate::diagnostic::Diagnostics;
use crate::emit::HEADING;

/// The functions of a call, their types and the conversions between these.
///
/// The listing omits the blocks around the implementations, the copy for IDEs, the constant `DERIVATION`, and the
/// derivation in MathML. Paths are shortened: `rt::Real`, `Clone`.
///
/// ```
/// use constraint_symbolic::{call::calls, listing::listing};
///
/// let parabola = calls("x^2 + 100*y".parse().unwrap());
/// let file = listing(&parabola[0]).unwrap();
/// assert!(matches!(file.items[..], [syn::Item::Use(_), syn::Item::Impl(_), syn::Item::Struct(_)]));
/// ```
///
/// # Errors
/// The mistakes in the call, or a fault of the engine.
pub fn listing(call: &Call) -> Result<File, Unlisted> {
    let written = shortened(call.written(Reader::Person)?);
    let items = match syn::parse2::<File>(written.clone()) {
        Ok(file) => file.items,
        // A bare equation expands to a block with items and a value.
        Err(_) => match syn::parse2(written)? {
            Expr::Block(value) => items_of(value.block),
            value => Err(syn::Error::new_spanned(value, "neither items nor a block"))?,
        },
    };
    let mut parts = Parts::default();
    items.into_iter().for_each(|item| parts.item(item));
    Ok(parts.file())
}

/// Why there is no listing.
#[derive(Debug)]
pub enum Unlisted {
    /// The mistakes in the call, or a fault of the engine.
    Refused(Diagnostics),
    /// An expansion that is not valid Rust.
    Invalid(syn::Error),
}

impl From<Diagnostics> for Unlisted {
    fn from(diagnostics: Diagnostics) -> Unlisted {
        Unlisted::Refused(diagnostics)
    }
}

impl From<syn::Error> for Unlisted {
    fn from(error: syn::Error) -> Unlisted {
        Unlisted::Invalid(error)
    }
}

/// A formatted listing with its headings as comments and an empty line between items, and between the methods of an implementation.
///
/// ```
/// use constraint_symbolic::listing::spaced;
///
/// let text = "impl S {\n    fn a() {}\n    fn b() {\n    }\n    fn c() {}\n}\nstruct S;\n";
/// assert!(spaced(text).ends_with("    }\n\n    fn c() {}\n}\n\nstruct S;\n"));
/// ```
pub fn spaced(text: &str) -> String {
    let ends = |line: &str| {
        matches!(line, "}" | "    }") || line.ends_with(';') && !line.starts_with([' ', '/', '#'])
    };
    let mut out = String::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        match heading(line) {
            Some(comment) => out += &comment,
            None => out += line,
        }
        out.push('\n');
        let goes_on = lines.peek().is_some_and(|next| !matches!(*next, "}" | ""));
        if ends(line) && goes_on {
            out.push('\n');
        }
    }
    out
}

/// `// v̇` for `heading!("v̇");`, with the same indentation.
fn heading(line: &str) -> Option<String> {
    let call = line.trim_start();
    let text = call.strip_prefix(HEADING)?.strip_prefix("!(")?;
    let text: LitStr = syn::parse_str(text.strip_suffix(");")?).ok()?;
    let indentation = &line[..line.len() - call.len()];
    Some(format!("{indentation}// {}", text.value()))
}

/// The items of a listing by kind.
#[derive(Default)]
struct Parts {
    aliases: Vec<Item>,
    functions: Vec<Item>,
    types: Vec<Item>,
    conversions: Vec<Item>,
}

impl Parts {
    fn item(&mut self, item: Item) {
        match item {
            Item::Const(block) if block.ident == "_" => self.block(block),
            Item::Impl(mut implementation) => {
                let is_function = is_of_the_runtime(&implementation);
                bare_implementation(&mut implementation);
                if implementation.items.is_empty() {
                    return;
                }
                let kind = if is_function {
                    &mut self.functions
                } else {
                    &mut self.conversions
                };
                kind.push(Item::Impl(implementation));
            }
            Item::Struct(mut structure) => {
                structure.attrs = documented(structure.attrs);
                self.types.push(Item::Struct(structure));
            }
            // The names of coordinates and velocities belong to their types.
            Item::Macro(call) if call.mac.path.segments.iter().any(|it| it.ident == "named") => {
                self.types.push(Item::Macro(call));
            }
            // The names of blocks, which one import replaces.
            Item::Use(_) | Item::Macro(_) => {}
            Item::Type(alias) => self.aliases.push(Item::Type(alias)),
            other => self.types.push(other),
        }
    }

    fn block(&mut self, block: ItemConst) {
        if is_for_ides(&block) {
            return;
        }
        if let Expr::Block(inner) = *block.expr {
            items_of(inner.block)
                .into_iter()
                .for_each(|item| self.item(item));
        }
    }

    fn file(self) -> File {
        let import: Item = syn::parse_quote!(
            use constraint_runtime::__private::{self as rt, prelude::*};
        );
        let parts = [
            vec![import],
            self.aliases,
            self.functions,
            self.types,
            self.conversions,
        ];
        File {
            shebang: None,
            frontmatter: None,
            attrs: Vec::new(),
            items: parts.into_iter().flatten().collect_vec(),
        }
    }
}

fn items_of(block: Block) -> Vec<Item> {
    let items = block
        .stmts
        .into_iter()
        .filter_map(|statement| match statement {
            Stmt::Item(item) => Some(item),
            Stmt::Macro(call) => Some(Item::Macro(ItemMacro {
                attrs: call.attrs,
                ident: None,
                mac: call.mac,
                semi_token: call.semi_token,
            })),
            _ => None,
        });
    items.collect_vec()
}

/// Whether a block holds the copy of the call that IDEs type-check.
fn is_for_ides(block: &ItemConst) -> bool {
    block.attrs.iter().any(|attribute| {
        attribute
            .to_token_stream()
            .to_string()
            .contains("unexpected_cfgs")
    })
}

/// Whether an implementation is of a trait of the runtime, or of the type's own functions.
fn is_of_the_runtime(implementation: &ItemImpl) -> bool {
    let is_of_the_runtime = |path: &syn::Path| {
        let first = path.segments.first();
        first.is_some_and(|first| first.ident == "rt")
    };
    let implemented = implementation.trait_.as_ref();
    implemented.is_none_or(|(path, _)| is_of_the_runtime(path))
}

fn bare_implementation(implementation: &mut ItemImpl) {
    implementation
        .attrs
        .retain(|attribute| !attribute.path().is_ident("automatically_derived"));
    implementation.items.retain(
        |item| !matches!(item, ImplItem::Const(constant) if constant.ident == "DERIVATION"),
    );
}

/// Attributes except those under `cfg(doc)`, and without empty lines before the documentation.
fn documented(attributes: Vec<Attribute>) -> Vec<Attribute> {
    let attributes = attributes.into_iter().flat_map(read_attribute);
    let is_empty =
        |attribute: &Attribute| attribute.to_token_stream().to_string().ends_with("\" \"]");
    attributes.skip_while(is_empty).collect_vec()
}

/// The attributes into which an attribute expands if `cfg(doc)` does not hold.
fn read_attribute(attribute: Attribute) -> Vec<Attribute> {
    match &attribute.meta {
        Meta::List(list) if list.path.is_ident("cfg_attr") => {
            let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone());
            let mut parts = parts.unwrap_or_default().into_iter();
            let holds = |condition: Meta| condition.path().is_ident("not");
            let is_read = parts.next().is_some_and(holds);
            let docs = parts.filter(|_| is_read);
            docs.map(|meta| syn::parse_quote!(#[#meta])).collect_vec()
        }
        _ => vec![attribute],
    }
}

/// Shortens paths that the import or Rust's own prelude provides: `::constraint_runtime::__private::Real` becomes `rt::Real`,
/// `::core::clone::Clone` becomes `Clone`.
fn shortened(tokens: TokenStream) -> TokenStream {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect_vec();
    let mut rest = &tokens[..];
    let mut out = TokenStream::new();
    while let [first, after @ ..] = rest {
        if let Some([root, inside]) = absolute_path(rest) {
            let behind = match (root.as_str(), inside.as_str()) {
                ("constraint_runtime", "__private") => Some((6, quote!(rt))),
                ("core", _) => Some((8, TokenStream::new())),
                _ => None,
            };
            if let Some((length, start)) = behind {
                out.extend(start);
                rest = &rest[length..];
                continue;
            }
        }
        out.extend([match first {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), shortened(group.stream()));
                inner.set_span(group.span());
                inner.into()
            }
            other => other.clone(),
        }]);
        rest = after;
    }
    out
}

/// The first two names of a path that begins with `::` and has three or more.
fn absolute_path(tokens: &[TokenTree]) -> Option<[String; 2]> {
    use TokenTree::{Ident, Punct};
    match tokens {
        [
            Punct(_),
            Punct(_),
            Ident(root),
            Punct(_),
            Punct(_),
            Ident(inside),
            Punct(after),
            Punct(_),
            Ident(_),
            ..,
        ] if after.as_char() == ':' => {
            let starts = tokens.iter().step_by(3).take(2);
            let colons = starts.filter(|token| token.to_string() == ":").count();
            (colons == 2).then(|| [root.to_string(), inside.to_string()])
        }
        _ => None,
    }
}
