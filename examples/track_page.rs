//! A page that shows a bead on every track of the plane, which a person can drag: one file, no server, no
//! network.
//!
//! The engine reads the tracks where they are defined, derives them as `curve!` does, and prints the equation
//! of motion as JavaScript; the page integrates it.
//!
//! ```text
//! cargo run --example track_page      # writes target/tracks.html
//! ```

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

use constraint_symbolic::compile::analyze_curve;
use constraint_symbolic::curve::{Derived, Quantity};
use constraint_symbolic::emit::javascript;
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

/// `{ name, start, end, closed, rest, text, bead: (s, v, m, b, f_x, f_y) => … },`
fn track(
    name: &str,
    derived: &Derived,
    sizes: &[f64],
    rest: f64,
) -> Result<String, Box<dyn Error>> {
    let role = |symbol: usize| derived.curve.model.symbols[symbol].role;
    let number = |symbol: usize| match role(symbol) {
        Role::Parameter { parameter, .. } => sizes[parameter],
        _ => f64::NAN,
    };
    let domain = derived.plain_program(&[Quantity::Domain]);
    let ends = domain.evaluate(|symbol| number(symbol.index()));
    let quantities = [
        Quantity::Position,
        Quantity::Tangent,
        Quantity::DampedAcceleration,
    ];
    let body = javascript::body(&derived.plain_program(&quantities), &|symbol| match role(
        symbol.index(),
    ) {
        Role::Coordinate(_) => "s_".to_owned(),
        Role::Velocity(_) => "v_".to_owned(),
        Role::Mass => "m_".to_owned(),
        Role::Damping => "b_".to_owned(),
        Role::Force(i) => ["f_x_", "f_y_"][i].to_owned(),
        _ => format!("{:?}", number(symbol.index())),
    });
    let closed = derived
        .scans
        .first()
        .is_some_and(|scan| scan.closure.is_some());
    let [x, y, tx, ty, a] = &body.outputs[..] else {
        return Err(format!("{name} is no curve of the plane").into());
    };
    let function = format!(
        "(s_, v_, m_, b_, f_x_, f_y_) => {{\n  {}\n  return {{\n    x: {x},\n    y: {y},\n    tx: {tx},\n    \
         ty: {ty},\n    a: {a},\n  }};\n}}",
        body.statements.join("\n  ")
    );
    let start = ends[0] + rest * (ends[1] - ends[0]);
    let mut text = String::new();
    writeln!(
        text,
        "{{ name: {name:?}, start: {:?}, end: {:?},",
        ends[0], ends[1]
    )?;
    writeln!(text, "  closed: {closed}, rest: {start:?},")?;
    writeln!(text, "  bead: {function},")?;
    writeln!(text, "  get text() {{ return this.bead.toString(); }} }},")?;
    Ok(text)
}
