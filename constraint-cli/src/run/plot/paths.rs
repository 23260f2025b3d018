//! The lines of a panel as paths, and their motion.

use std::fmt::Write as _;

use super::axes::Axes;
use super::{Color, Face, Form, Line, Panel, Points, evenly};

/// A curve leaves none of its points further away than this.
const TOLERANCE: f64 = 0.1;
/// The number of positions of a trail, and the length of its part in full color.
const POSITIONS: usize = 120;
const TAIL: f64 = 90.0;

/// The attributes of a color.
fn class(color: Color) -> String {
    match color {
        Color::Named(name) => format!("class=\"{name}\""),
        Color::Fixed(r, g, b) => format!("color=\"#{r:02x}{g:02x}{b:02x}\""),
    }
}

pub fn stroke(color: Color) -> String {
    format!("{} stroke=\"currentColor\" fill=\"none\"", class(color))
}

/// All lines of a panel, and the line that passes over it.
pub fn write(panel: &Panel, axes: &Axes, out: &mut String) -> std::fmt::Result {
    out.push_str("<g class=\"data\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n");
    for line in &panel.lines {
        match line.form {
            Form::Curve => {
                let points = &line.frames[0];
                let d = curve(axes, points)?;
                writeln!(out, "<path {} d=\"{d}\"/>", pen(line, line.width))?;
            }
            Form::Trail => write_trail(line, axes, panel.seconds, out)?,
            Form::Book => write_book(line, axes, panel.seconds, out)?,
            Form::Bars | Form::Dots | Form::Area => write_moving(line, axes, panel.seconds, out)?,
        }
    }
    out.push_str("</g>\n");
    let Some((from, to)) = panel.cursor else {
        return Ok(());
    };
    let Axes { top, bottom, .. } = *axes;
    let [from, to] = [from, to].map(|x| axes.across(x).clamp(axes.left, axes.right));
    writeln!(
        out,
        "<path {} stroke-opacity=\"0.5\" d=\"M{from:.1} {top:.1}V{bottom:.1}\"><animateTransform \
         attributeName=\"transform\" type=\"translate\" from=\"0\" to=\"{:.1}\" {}/></path>",
        stroke(super::color::BLACK),
        to - from,
        repeated(panel.seconds)
    )
}

fn repeated(seconds: f64) -> String {
    format!("dur=\"{seconds:.2}s\" repeatCount=\"indefinite\"")
}

fn pen(line: &Line, width: f64) -> String {
    format!("{} stroke-width=\"{width}\"", stroke(line.color))
}

fn places(axes: &Axes, points: &[(f64, f64)]) -> Vec<[f64; 2]> {
    points.iter().map(|&point| axes.place(point)).collect()
}

fn is_lifted(place: &[f64; 2]) -> bool {
    place.iter().any(|it| !it.is_finite())
}

/// `M1 2L3 4 5 6`, one for each part between lifts of the pen.
fn curve(axes: &Axes, points: &Points) -> Result<String, std::fmt::Error> {
    let mut d = String::new();
    for part in places(axes, points).split(is_lifted) {
        path(&simplified(part), &mut d)?;
    }
    Ok(d)
}

fn path(places: &[[f64; 2]], out: &mut String) -> std::fmt::Result {
    for (number, [x, y]) in places.iter().enumerate() {
        let before = ["M", "L", " "][number.min(2)];
        write!(out, "{before}{x:.1} {y:.1}")?;
    }
    Ok(())
}

/// Bars, dots or areas at one time.
fn shape(axes: &Axes, form: Form, points: &Points) -> Result<String, std::fmt::Error> {
    let mut d = String::new();
    for part in places(axes, points)
        .split(is_lifted)
        .filter(|it| !it.is_empty())
    {
        match form {
            // Round caps of lines without length.
            Form::Dots => {
                for [x, y] in part {
                    write!(d, "M{x:.1} {y:.1}h0")?;
                }
            }
            Form::Area => {
                path(part, &mut d)?;
                d.push('Z');
            }
            _ => path(part, &mut d)?,
        }
    }
    Ok(d)
}

fn write_moving(line: &Line, axes: &Axes, seconds: f64, out: &mut String) -> std::fmt::Result {
    let mut pen = pen(line, line.width);
    if line.form == Form::Area {
        pen = pen.replace(
            "fill=\"none\"",
            "fill=\"currentColor\" fill-opacity=\"0.25\"",
        );
    }
    let frames = line.frames.iter();
    let values: Vec<String> = frames
        .map(|it| shape(axes, line.form, it))
        .collect::<Result<_, _>>()?;
    let first = values.first().map_or("", String::as_str);
    if values.iter().all(|it| it == first) {
        return writeln!(out, "<path {pen} d=\"{first}\"/>");
    }
    writeln!(
        out,
        "<path {pen} d=\"{first}\"><animate attributeName=\"d\" {} values=\"{}\"/></path>",
        repeated(seconds),
        values.join(";")
    )
}

/// The whole path in a light color, and a dash on it that moves.
fn write_trail(line: &Line, axes: &Axes, seconds: f64, out: &mut String) -> std::fmt::Result {
    let points = &line.frames[0];
    let d = curve(axes, points)?;
    let mut passed = vec![0.0];
    for pair in places(axes, points).windows(2) {
        let last = passed[passed.len() - 1];
        passed.push(last + (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]));
    }
    let whole = passed[passed.len() - 1].max(1.0);
    let offsets = evenly(&passed, POSITIONS).map(|it| format!("{:.0}", TAIL - it));
    let offsets: Vec<String> = offsets.collect();
    writeln!(
        out,
        "<path {} stroke-opacity=\"0.3\" d=\"{d}\"/>\n\
         <path {} stroke-linecap=\"butt\" d=\"{d}\" pathLength=\"{whole:.0}\" stroke-dasharray=\"{TAIL} {:.0}\" \
         stroke-dashoffset=\"{TAIL}\"><animate attributeName=\"stroke-dashoffset\" {} values=\"{}\"/></path>",
        pen(line, line.width),
        pen(line, line.width),
        2.0 * whole + TAIL,
        repeated(seconds),
        offsets.join(";")
    )
}

/// A sequence of pictures; all but one are hidden at any time.
fn write_book(line: &Line, axes: &Axes, seconds: f64, out: &mut String) -> std::fmt::Result {
    let count = line.book.len() as f64;
    for (i, page) in line.book.iter().enumerate() {
        let [from, to] = [i as f64 / count, (i as f64 + 1.0) / count].map(|it| format!("{it:.4}"));
        let (shown, times, values) = match i {
            0 => ("inline", format!("0;{to}"), "inline;none"),
            _ if i + 1 == line.book.len() => ("none", format!("0;{from}"), "none;inline"),
            _ => ("none", format!("0;{from};{to}"), "none;inline;none"),
        };
        writeln!(
            out,
            "<g display=\"{shown}\" stroke=\"#1f2328\" stroke-width=\"{}\"><animate attributeName=\"display\" \
             calcMode=\"discrete\" {} keyTimes=\"{times}\" values=\"{values}\"/>",
            line.width,
            repeated(seconds)
        )?;
        for Face { color, points } in page {
            let d = shape(axes, Form::Area, points)?;
            writeln!(
                out,
                "<path {} fill=\"currentColor\" d=\"{d}\"/>",
                class(*color)
            )?;
        }
        out.push_str("</g>\n");
    }
    Ok(())
}

/// A part of the points, by Douglas' and Peucker's algorithm: no other one is further away than [`TOLERANCE`].
///
/// Source: D. Douglas, T. Peucker, *Algorithms for the reduction of the number of points required to represent a
/// digitized line or its caricature*, Cartographica 10 (1973).
fn simplified(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut kept = vec![false; points.len()];
    let mut open = vec![(0, points.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        let (Some(&a), Some(&b)) = (points.get(first), points.get(last)) else {
            break;
        };
        (kept[first], kept[last]) = (true, true);
        let between = (first + 1..last).map(|i| (distance(points[i], a, b), i));
        let furthest = between.max_by(|one, other| one.0.total_cmp(&other.0));
        if let Some((_, i)) = furthest.filter(|it| it.0 > TOLERANCE) {
            open.extend([(first, i), (i, last)]);
        }
    }
    let kept = points.iter().zip(kept).filter(|it| it.1);
    kept.map(|(&point, _)| point).collect()
}

/// The distance of `p` from the line between `a` and `b`.
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let from = |q: [f64; 2]| [q[0] - a[0], q[1] - a[1]];
    let ([px, py], [x, y]) = (from(p), from(b));
    let square = x * x + y * y;
    let part = if square > 0.0 {
        ((px * x + py * y) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (px - part * x).hypot(py - part * y)
}
