//! Title, legend, frame, mesh and numbers of a panel.

use std::fmt::Write as _;

use super::{Line, Panel, Scale, ends, range};

/// Sizes of text.
pub const TITLE: f64 = 15.0;
pub const TEXT: f64 = 13.0;
/// Assumed width of a letter, because text cannot be measured here.
const LETTER: f64 = 0.53;

const MARGIN: f64 = 10.0;
const ROW: f64 = 20.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 16.0;
const BELOW: f64 = 46.0;
/// The length of a line in the legend, and the space around its label.
const SAMPLE: f64 = 20.0;
const GAP: f64 = 6.0;

/// The area of a panel's curves: ranges, and the positions of their ends.
pub struct Axes {
    x: (f64, f64),
    y: (f64, f64),
    is_log: bool,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    /// The left and the upper edge of the panel.
    start: f64,
    above: f64,
}

/// A drawing of space has no numbers.
fn has_numbers(panel: &Panel) -> bool {
    panel.scale != Scale::Equal || !panel.labels[0].is_empty()
}

fn width_of(text: &str, size: f64) -> f64 {
    LETTER * size * text.chars().count() as f64
}

/// Lines with their positions in the legend: row, and distance from the left of the panel.
fn legend(panel: &Panel, width: f64) -> Vec<(&Line, usize, f64)> {
    let begin = if has_numbers(panel) { LEFT } else { RIGHT };
    let (mut entries, mut row, mut left) = (Vec::new(), 0, begin);
    for line in panel.lines.iter().filter(|line| !line.label.is_empty()) {
        let needed = SAMPLE + GAP + width_of(&line.label, TEXT);
        if left + needed > width && left > begin {
            (row, left) = (row + 1, begin);
        }
        entries.push((line, row, left));
        left += needed + 2.0 * GAP;
    }
    entries
}

pub fn legend_rows(panel: &Panel, width: f64) -> usize {
    legend(panel, width).last().map_or(0, |it| it.1 + 1)
}

/// A panel's ranges: as set, or from its lines.
fn ranges(panel: &Panel) -> [(f64, f64); 2] {
    let all = || panel.lines.iter().flat_map(Line::points);
    let x = || match panel.scale {
        Scale::Equal => range(all().map(|it| it.0)),
        _ => match ends(all().map(|it| it.0)) {
            (least, most) if least < most => (least, most),
            _ => range(all().map(|it| it.0)),
        },
    };
    let y = || match panel.scale {
        Scale::Log => {
            let (least, most) = ends(all().map(|it| it.1).filter(|&y| y > 0.0));
            (
                10.0_f64.powf(least.log10().floor()),
                10.0_f64.powf(most.log10().ceil()),
            )
        }
        _ => range(all().map(|it| it.1)),
    };
    [
        panel.ranges[0].unwrap_or_else(x),
        panel.ranges[1].unwrap_or_else(y),
    ]
}

/// A range widened about its middle by `factor`.
fn widened((from, to): (f64, f64), factor: f64) -> (f64, f64) {
    let more = 0.5 * (factor.max(1.0) - 1.0) * (to - from);
    (from - more, to + more)
}

impl Axes {
    /// For a panel in a box, left, top, width and height, with that many rows of legend.
    pub fn new(panel: &Panel, [left, top, width, height]: [f64; 4], legend: usize) -> Self {
        let (before, below) = match has_numbers(panel) {
            true => (LEFT, BELOW),
            false => (RIGHT, RIGHT),
        };
        let [mut x, mut y] = ranges(panel);
        let mut axes = Self {
            x,
            y,
            is_log: panel.scale == Scale::Log,
            left: left + before,
            right: left + width - RIGHT,
            top: top + MARGIN + ROW * (legend as f64 + 1.0) + 4.0,
            bottom: top + height - below,
            start: left,
            above: top,
        };
        if axes.is_log {
            y = (y.0.log10(), y.1.log10());
        }
        if panel.scale == Scale::Equal {
            // Both axes have the unit of the one that has less room.
            let units = [
                (axes.right - axes.left) / (x.1 - x.0).abs(),
                (axes.bottom - axes.top) / (y.1 - y.0).abs(),
            ];
            (x, y) = (
                widened(x, units[0] / units[1]),
                widened(y, units[1] / units[0]),
            );
        }
        (axes.x, axes.y) = (x, y);
        if has_numbers(panel) {
            // Long numbers push the frame to the right.
            let numbers = axes.numbers_up().map(|it| width_of(&it.1, TEXT));
            axes.left = left + LEFT.max(numbers.fold(0.0, f64::max) + 32.0);
        }
        axes
    }

    /// Where a point is drawn; one above or below the frame, such as zero on a logarithmic scale, is on its edge.
    pub fn place(&self, (x, y): (f64, f64)) -> [f64; 2] {
        let y = if self.is_log { y.log10() } else { y };
        let across = self.across(x);
        [across, self.down(y).clamp(self.top, self.bottom)]
    }

    pub fn across(&self, x: f64) -> f64 {
        self.left + (self.right - self.left) * (x - self.x.0) / (self.x.1 - self.x.0)
    }

    fn down(&self, y: f64) -> f64 {
        self.bottom + (self.top - self.bottom) * (y - self.y.0) / (self.y.1 - self.y.0)
    }

    /// Writes a panel without its lines.
    pub fn write(&self, panel: &Panel, out: &mut String) -> std::fmt::Result {
        let Self {
            left,
            right,
            top,
            bottom,
            ..
        } = *self;
        let middle = (left + right) / 2.0;
        writeln!(
            out,
            "<text x=\"{middle:.1}\" y=\"{:.1}\" font-size=\"{TITLE}\" font-weight=\"600\" \
             text-anchor=\"middle\">{}</text>",
            self.above + MARGIN + TITLE - 2.0,
            escaped(&panel.title)
        )?;
        self.write_legend(panel, out)?;
        if has_numbers(panel) {
            self.write_mesh(out)?;
            let [x, y] = panel.labels.each_ref().map(|it| escaped(it));
            writeln!(
                out,
                "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{x}</text>",
                bottom + BELOW - 10.0
            )?;
            let (x, down) = (self.start + 14.0, (top + bottom) / 2.0);
            writeln!(
                out,
                "<text transform=\"translate({x:.1} {down:.1})rotate(-90)\" text-anchor=\"middle\">{y}</text>"
            )?;
        } else if !panel.labels[1].is_empty() {
            let label = escaped(&panel.labels[1]);
            writeln!(
                out,
                "<text x=\"{:.1}\" y=\"{:.1}\">{label}</text>",
                left + 6.0,
                top + 18.0
            )?;
        }
        writeln!(
            out,
            "<rect class=\"frame\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\"/>",
            right - left,
            bottom - top
        )
    }

    fn write_legend(&self, panel: &Panel, out: &mut String) -> std::fmt::Result {
        let width = self.right + RIGHT - self.start;
        for (line, row, left) in legend(panel, width) {
            let x = self.start + left;
            let y = self.above + MARGIN + ROW * (row as f64 + 1.5);
            writeln!(
                out,
                "<path {} stroke-width=\"{}\" d=\"M{x:.1} {y:.1}h{SAMPLE}\"/>\n\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                super::paths::stroke(line.color),
                line.width.clamp(2.0, 6.0),
                x + SAMPLE + GAP,
                y + 4.5,
                escaped(&line.label)
            )?;
        }
        Ok(())
    }

    /// The numbers of the y axis.
    fn numbers_up(&self) -> impl Iterator<Item = (f64, String)> {
        let step = step_of(self.y, (self.bottom - self.top) / 28.0);
        let step = if self.is_log { step.ceil() } else { step };
        ticks(self.y, step).map(move |y| match self.is_log {
            true => (y, power(y)),
            false => (y, number(y, step)),
        })
    }

    fn write_mesh(&self, out: &mut String) -> std::fmt::Result {
        let Self {
            left,
            right,
            top,
            bottom,
            ..
        } = *self;
        let (mut mesh, mut numbers) = (String::new(), String::new());
        let step = step_of(self.x, (right - left) / 52.0);
        for x in ticks(self.x, step) {
            let across = self.across(x);
            write!(mesh, "M{across:.1} {top:.1}V{bottom:.1}")?;
            let (y, text) = (bottom + 17.0, number(x, step));
            writeln!(
                numbers,
                "<text x=\"{across:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{text}</text>"
            )?;
        }
        for (y, text) in self.numbers_up() {
            let down = self.down(y);
            write!(mesh, "M{left:.1} {down:.1}H{right:.1}")?;
            let (x, y) = (left - 6.0, down + 4.5);
            writeln!(
                numbers,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{text}</text>"
            )?;
        }
        write!(out, "<path class=\"mesh\" d=\"{mesh}\"/>\n{numbers}")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

/// 1, 2 or 5 times a power of ten, so that a range has at most about `count` steps.
fn step_of((from, to): (f64, f64), count: f64) -> f64 {
    let least = (to - from).abs() / count.max(1.0);
    let power = 10.0_f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|it| it * power);
    steps
        .into_iter()
        .find(|&it| it >= least * (1.0 - 1e-9))
        .unwrap_or(least)
}

/// The multiples of `step` in a range.
fn ticks((from, to): (f64, f64), step: f64) -> impl Iterator<Item = f64> {
    let (least, most) = (from.min(to) / step, from.max(to) / step);
    let first = (least - 1e-6).ceil() as i64;
    let last = (most + 1e-6).floor() as i64;
    (first..=last).map(move |i| i as f64 * step)
}

/// A multiple of `step` with as many digits as distinguish it from the next.
fn number(x: f64, step: f64) -> String {
    if x.abs() < 1e-9 * step {
        return "0".to_owned();
    }
    let text = if step < 1e-3 || x.abs() >= 1e6 {
        let text = format!("{:.1e}", x);
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let digits = digits.strip_suffix(".0").unwrap_or(digits);
        format!("{digits}·10{}", superscript(exponent))
    } else {
        let digits = (-step.log10().floor()).max(0.0) as usize;
        format!("{x:.digits$}")
    };
    text.replace('-', "−")
}

/// A power of ten.
fn power(exponent: f64) -> String {
    match exponent.round() as i32 {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        it => format!("10{}", superscript(&it.to_string())),
    }
}

fn superscript(number: &str) -> String {
    let high = |c: char| match c {
        '-' => '⁻',
        _ => c.to_digit(10).map_or(c, |digit| {
            ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize]
        }),
    };
    number.chars().map(high).collect()
}
