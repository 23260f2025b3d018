//! Models from a file, standard input or the command line, and the macro calls in them.

use std::io::Read;
use std::path::Path;
use std::{fs, io};

use constraint_symbolic::call::{Call, Certified, Reader, calls};
use proc_macro2::TokenStream;

use crate::arguments::Input;
use crate::failure::Failure;
use crate::message;

/// A text with its origin.
#[derive(Debug)]
pub struct Source {
    /// For messages: a path, or a description.
    pub origin: String,
    /// The whole text.
    pub text: String,
}

impl Source {
    /// The text of the argument: that of a file, of standard input, or the argument itself.
    pub fn read(model: &str) -> Result<Source, Failure> {
        let unreadable = |error| Failure::Unreadable {
            path: model.to_owned(),
            error,
        };
        if model == "-" {
            let mut text = String::new();
            let read = io::stdin().read_to_string(&mut text);
            read.map_err(unreadable)?;
            return Ok(Source::new("standard input", text));
        }
        if Path::new(model).is_file() || is_path(model) {
            let text = fs::read_to_string(model).map_err(unreadable)?;
            return Ok(Source::new(model, text));
        }
        Ok(Source::new("the command line", model.to_owned()))
    }

    /// A text from a place.
    pub fn new(origin: &str, text: String) -> Source {
        Source {
            origin: origin.to_owned(),
            text,
        }
    }

    /// All calls in the text.
    pub fn calls(&self) -> Result<Vec<Call>, Failure> {
        let tokens: TokenStream = self
            .text
            .parse()
            .map_err(|error: proc_macro2::LexError| message::unreadable(self, error.span()))?;
        let calls = calls(tokens);
        match &calls[..] {
            [call] if is_rust_without_calls(call) => Err(Failure::NoCall {
                origin: self.origin.clone(),
            }),
            _ => Ok(calls),
        }
    }
}

/// Whether a text that was taken for the inside of a call is a Rust file. The inside of a call begins with its
/// struct, or is not a list of items; a single struct is Rust if it has fields and none of them has a type of the
/// language.
fn is_rust_without_calls(call: &Call) -> bool {
    let Ok(file) = syn::parse2::<syn::File>(call.body.clone()) else {
        return false;
    };
    let is_other = |item: &syn::Item| match item {
        syn::Item::Struct(it) => {
            let mut types = it.fields.iter().map(|field| &field.ty);
            !it.fields.is_empty() && !types.any(is_of_the_language)
        }
        _ => true,
    };
    !file.attrs.is_empty() || file.items.iter().any(is_other)
}

/// True if a parameter can have this type.
fn is_of_the_language(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Array(array) => is_of_the_language(&array.elem),
        syn::Type::Path(path) => {
            let known = ["Real", "Vector2", "Vector3", "Matrix2", "Matrix3"];
            known.iter().any(|name| path.path.is_ident(name))
        }
        _ => false,
    }
}

/// Calls `then` with everything derived from a call, once the certificate agrees.
pub fn certified<R>(
    source: &Source,
    call: &Call,
    then: impl FnOnce(Certified<'_>) -> R,
) -> Result<R, Failure> {
    let made = call.certified(Reader::Program, then);
    made.map_err(|mistakes| message::mistakes(source, call, &mistakes))
}

/// The selected calls, with their text.
pub fn read(input: &Input) -> Result<(Source, Vec<Call>), Failure> {
    let source = Source::read(&input.model)?;
    let mut calls = source.calls()?;
    let Some(only) = &input.only else {
        return Ok((source, calls));
    };
    let known = calls.iter().filter_map(|call| call.name.clone()).collect();
    calls.retain(|call| call.name.as_ref() == Some(only));
    if calls.is_empty() {
        return Err(Failure::UnknownType {
            origin: source.origin,
            name: only.clone(),
            known,
        });
    }
    Ok((source, calls))
}

/// True if a text that is not a file was meant to be one: `models/pendulum.rs` is not an equation.
fn is_path(text: &str) -> bool {
    let letters = |text: &str| {
        text.chars()
            .all(|letter| letter.is_alphanumeric() || "._-/\\".contains(letter))
    };
    let extension = Path::new(text).extension().and_then(|it| it.to_str());
    letters(text)
        && extension.is_some_and(|it| matches!(it, "rs" | "txt" | "md" | "constraint" | "model"))
}
