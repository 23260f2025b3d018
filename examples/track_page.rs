//! A page that shows a bead on every track of the plane, which a person can drag: one file, no server, no
//! network.
//!
//! The engine reads the tracks where they are defined, derives them as `curve!` does, and prints their functions
//! as JavaScript; the page integrates the equation of motion.
//!
//! ```text
//! cargo run --example track_page      # writes target/tracks.html
//! ```

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

use constraint_symbolic::compile::analyze_curve;
use constraint_symbolic::curve::{Derived, Quantity};
use constraint_symbolic::emit::{JavaScript, curve_functions};
use constraint_symbolic::expr::SymbolId;
use constraint_symbolic::model::Role;
use proc_macro2::TokenStream;

const TRACKS: &str = include_str!("../constraint-runtime/src/curve/tracks.rs");
const PAGE: &str = include_str!("common/track_page.html");

/// Sizes of the tracks' fields, in the order of their declaration, and the part of the domain to start from.
const SIZES: [(&str, &[f64], f64); 13] = [
    ("Hump", &[], 0.04),
    ("LoopTheLoop", &[], 0.02),
    ("Circle", &[1.0], 0.6),
    ("Ellipse", &[2.0, 1.0], 0.1),
    ("Lemniscate", &[1.5], 0.08),
    ("Oval", &[1.0, 1.0], 0.1),
    ("Spiral", &[0.3], 0.86),
    ("UnitCircle", &[], 0.1),
    ("Waves", &[], 0.93),
    ("Corner", &[], 0.1),
    ("Parabola", &[], 0.45),
    ("Cycloid", &[1.0], 0.1),
    ("Cardioid", &[1.0], 0.56),
];

/// Writes the page and returns its path.
pub fn main() -> Result<(), Box<dyn Error>> {
    let path = write()?;
    println!("{}", path.display());
    Ok(())
}

/// Writes `target/tracks.html`.
pub fn write() -> Result<PathBuf, Box<dyn Error>> {
    let mut tracks = String::new();
    for (name, source) in definitions()? {
        let Some((_, sizes, rest)) = SIZES.iter().find(|(known, ..)| *known == name) else {
            // Curves in space have no place on a plane page.
            continue;
        };
        let derived = analyze_curve(source).map_err(|errors| format!("{name}: {errors:?}"))?;
        tracks += &track(&name, &derived, sizes, *rest)?;
    }
    std::fs::create_dir_all("target")?;
    let path = PathBuf::from("target/tracks.html");
    std::fs::write(&path, PAGE.replace("/*TRACKS*/", &tracks))?;
    Ok(path)
}

/// The calls of `curve!` in the module of tracks: the name of each and its tokens.
fn definitions() -> Result<Vec<(String, TokenStream)>, Box<dyn Error>> {
    let file = syn::parse_file(TRACKS)?;
    let calls = file.items.into_iter().filter_map(|item| match item {
        syn::Item::Macro(call) => Some(call.mac.tokens),
        _ => None,
    });
    let named = calls.map(|tokens| {
        let mut words = tokens.clone().into_iter().map(|token| token.to_string());
        let name = words
            .find(|word| word == "struct")
            .and_then(|_| words.next());
        (name.unwrap_or_default(), tokens)
    });
    Ok(named.collect())
}

/// `{ name, start, end, closed, rest, self, position, tangent, acceleration_under },`
fn track(
    name: &str,
    derived: &Derived,
    sizes: &[f64],
    rest: f64,
) -> Result<String, Box<dyn Error>> {
    let model = &derived.curve.model;
    let number = |symbol: SymbolId| match model.symbols[symbol.index()].role {
        Role::Parameter { parameter, .. } => sizes[parameter],
        _ => f64::NAN,
    };
    let domain = derived.plain_program(&[Quantity::Domain]);
    let ends = domain.evaluate(number);
    let start = ends[0] + rest * (ends[1] - ends[0]);
    let closed = derived
        .scans
        .first()
        .is_some_and(|scan| scan.closure.is_some());
    let functions = curve_functions(derived, &JavaScript).functions;
    let fields = model.parameters.iter().zip(sizes);
    let fields: Vec<String> = fields
        .map(|(parameter, size)| format!("{}: {size:?}", parameter.name))
        .collect();
    let mut text = String::new();
    writeln!(
        text,
        "{{ name: {name:?}, start: {:?}, end: {:?},",
        ends[0], ends[1]
    )?;
    writeln!(text, "  closed: {closed}, rest: {start:?},")?;
    writeln!(text, "  self: {{ {} }},", fields.join(", "))?;
    for name in ["position", "tangent", "acceleration_under"] {
        writeln!(text, "{name}: {},", functions[name].trim_end())?;
    }
    writeln!(text, "}},")?;
    Ok(text)
}
