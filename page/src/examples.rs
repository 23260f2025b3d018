//! The examples of the page: their texts come from the book, from `examples/` and from the runtime's tracks, their
//! settings from `examples.json`.

use std::error::Error;
use std::fs;
use std::path::Path;

use constraint_symbolic::call::calls;
use proc_macro2::{TokenStream, TokenTree};
use serde_json::{Value, json};

/// Identifier, group, title, note, text and settings of each.
pub fn read(root: &Path) -> Result<Value, Box<dyn Error>> {
    let listed: Vec<Value> =
        serde_json::from_str(&fs::read_to_string(root.join("page/examples.json"))?)?;
    let mut all = Vec::new();
    for example in listed {
        let file = told(&example, "file")?;
        let source = fs::read_to_string(root.join(file));
        let source = source.map_err(|error| format!("`{file}` of `examples.json`: {error}"))?;
        let texts = if file.ends_with(".md") {
            blocks(&source)
        } else {
            vec![source]
        };
        let nth = example.get("nth").and_then(Value::as_u64).unwrap_or(0);
        let text = match (example.get("type"), example.get("text")) {
            (Some(Value::String(name)), _) => typed(&texts, name, nth),
            (_, Some(Value::String(text))) => texts
                .iter()
                .any(|it| it.contains(text))
                .then(|| text.clone()),
            _ => None,
        };
        let text = text.ok_or_else(|| format!("`{file}` has no {example}"))?;
        let named = |name: &str| example.get(name).cloned().unwrap_or(Value::Null);
        let told = json!({
            "id": named("id"), "group": named("group"), "title": named("title"), "note": named("note"), "text": text,
            "settings": named("settings"),
        });
        all.push(told);
    }
    Ok(Value::Array(all))
}

fn told<'a>(example: &'a Value, name: &str) -> Result<&'a str, Box<dyn Error>> {
    let told = example.get(name).and_then(Value::as_str);
    told.ok_or_else(|| format!("an example without `{name}`: {example}").into())
}

/// The Rust code in a Markdown text, without the marks of hidden lines.
fn blocks(markdown: &str) -> Vec<String> {
    let parts = markdown.split("```rust\n").skip(1);
    let blocks = parts.filter_map(|part| part.split("\n```").next());
    let shown = |line: &str| line.strip_prefix("# ").unwrap_or(line).to_owned();
    blocks
        .map(|block| block.lines().map(shown).collect::<Vec<String>>().join("\n"))
        .collect()
}

/// The call that declares a type, as written; the `nth` if there are several.
fn typed(texts: &[String], name: &str, nth: u64) -> Option<String> {
    let mut found = texts.iter().filter_map(|text| {
        let tokens: TokenStream = text.parse().ok()?;
        let mut calls = calls(tokens.clone()).into_iter();
        let call = calls.find(|call| call.name.as_deref() == Some(name))?;
        let start = call.start.byte_range().start;
        let end = end_of(tokens, start)?;
        Some(untested(&unindented(text.get(start..end)?)))
    });
    found.nth(usize::try_from(nth).ok()?)
}

/// The end of the brackets of the call that begins at a byte.
fn end_of(tokens: TokenStream, start: usize) -> Option<usize> {
    let groups = tokens.into_iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group),
        _ => None,
    });
    for group in groups {
        let place = group.span().byte_range();
        if place.start > start {
            return Some(place.end);
        }
        if place.end > start {
            return end_of(group.stream(), start);
        }
    }
    None
}

/// A text whose documentation has no code: the code tests the text and does not explain it.
fn untested(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut is_code = false;
    for line in text.lines() {
        let documentation = line.trim_start().strip_prefix("///").map(str::trim);
        let is_fence = documentation.is_some_and(|it| it.starts_with("```"));
        is_code ^= is_fence;
        // The last line of the documentation is not empty.
        let ends = documentation.is_none() || is_fence;
        while ends && kept.last().is_some_and(|it| it.trim() == "///") {
            kept.pop();
        }
        if !is_code && !is_fence {
            kept.push(line);
        }
    }
    kept.join("\n")
}

/// A text without the common indentation of all lines but the first.
fn unindented(text: &str) -> String {
    let rest = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indent = rest
        .map(|line| line.len() - line.trim_start().len())
        .min()
        .unwrap_or(0);
    let lines = text.lines().enumerate();
    let lines = lines.map(|(i, line)| {
        if i == 0 {
            line
        } else {
            line.get(indent..).unwrap_or("")
        }
    });
    lines.collect::<Vec<&str>>().join("\n")
}
