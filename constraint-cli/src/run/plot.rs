//! Figures: a grid of charts in one SVG file, some with moving lines. The examples draw with it, too.

use std::error::Error;
use std::fmt::Write as _;

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Colours that everyone can tell apart, whatever their colour vision.
///
/// Source: M. Okabe, K. Ito, *Color Universal Design*, 2008.
#[allow(dead_code, reason = "each figure takes the colours it needs")]
pub mod color {
    use plotters::style::RGBColor;

    pub const BLACK: RGBColor = RGBColor(0, 0, 0);
    pub const GREY: RGBColor = RGBColor(190, 190, 190);
    pub const VERMILION: RGBColor = RGBColor(213, 94, 0);
    pub const BLUE: RGBColor = RGBColor(0, 114, 178);
    pub const GREEN: RGBColor = RGBColor(0, 158, 115);
    pub const PURPLE: RGBColor = RGBColor(204, 121, 167);
    pub const SKY: RGBColor = RGBColor(86, 180, 233);
    pub const ORANGE: RGBColor = RGBColor(230, 159, 0);
    /// In the order in which lines use them.
    pub const ALL: [RGBColor; 7] = [BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, BLACK];
}

/// The scale of a panel.
#[allow(dead_code, reason = "each figure takes the scales it needs")]
#[derive(Clone, Copy, PartialEq)]
pub enum Scale {
    /// x and y fill the panel, each by itself.
    Linear,
    /// y on a decimal logarithmic scale.
    Log,
    /// x and y to the same scale, as in a drawing; the frame adapts its width or height.
    Equal,
}

/// x and y, one after the other.
pub type Points = Vec<(f64, f64)>;

/// One curve; without a label it has no entry in the legend. A NaN point lifts the pen.
pub struct Line<'a> {
    label: &'a str,
    color: RGBColor,
    width: u32,
    points: Points,
    /// For a moving line: the duration in seconds, and its shape at even times.
    frames: Option<(f64, Vec<Points>)>,
}

impl<'a> Line<'a> {
    /// A curve `width` pixels thick.
    pub fn new(label: &'a str, color: RGBColor, width: u32, points: Vec<(f64, f64)>) -> Self {
        Self {
            label,
            color,
            width,
            points,
            frames: None,
        }
    }

    /// Bars between points that move, in `seconds`, through `frames` of equally many points, repeatedly; with a dot
    /// at every point.
    #[allow(dead_code, reason = "not every figure moves")]
    pub fn moving(color: RGBColor, width: u32, seconds: f64, frames: Vec<Vec<(f64, f64)>>) -> Self {
        Self {
            frames: Some((seconds, frames)),
            ..Self::new("", color, width, Vec::new())
        }
    }
}

/// One chart; the ranges are those of the data as given, also if the scale is logarithmic. They go from left to right
/// and upwards, and may fall.
pub struct Panel<'a> {
    pub title: &'a str,
    pub x_label: &'a str,
    pub y_label: &'a str,
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub scale: Scale,
    pub lines: Vec<Line<'a>>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Outcome<T> = Result<T, Box<dyn Error>>;

/// From the least to the greatest, with some margin, also for a constant.
#[allow(dead_code, reason = "most examples know their ranges")]
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let ends = |(least, most): (f64, f64), x: f64| (least.min(x), most.max(x));
    let (least, most) = values
        .filter(|x| x.is_finite())
        .fold((f64::MAX, f64::MIN), ends);
    if least > most {
        return (-1.0, 1.0);
    }
    let room = match 0.04 * (most - least) {
        0.0 => least.abs().max(1.0) * 0.5,
        room => room,
    };
    (least - room, most + room)
}

/// Sizes in pixels.
const TITLE: u32 = 24;
const TEXT: u32 = 18;
const ROW: u32 = 30;
const MARGIN: u32 = 14;
const LEFT: u32 = 112;
const RIGHT: u32 = 30;
const BELOW: u32 = 62;
/// The length of a line in the legend, and the space before and after its label.
const SAMPLE: u32 = 34;
const GAP: u32 = 10;
/// A curve leaves none of its points further away than this, in pixels.
const TOLERANCE: f64 = 0.1;
const MESH: RGBColor = RGBColor(228, 228, 228);

/// Writes `panels`, `columns` in a row, to `target/<name>.svg` and returns that path.
#[allow(dead_code, reason = "for examples")]
pub fn write_svg(
    name: &str,
    size: (u32, u32),
    columns: usize,
    panels: &[Panel<'_>],
) -> Outcome<std::path::PathBuf> {
    let folder = std::path::PathBuf::from("target");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.svg"));
    std::fs::write(&path, svg(size, columns, panels)?)?;
    Ok(path)
}

/// `panels`, `columns` in a row, as the text of an SVG file.
///
/// Plotters draws in whole pixels, in which curves are not smooth: it draws axes and text, the lines are written
/// here.
pub fn svg(size: (u32, u32), columns: usize, panels: &[Panel<'_>]) -> Outcome<String> {
    let (mut text, mut lines) = (String::new(), String::new());
    let figure = SVGBackend::with_string(&mut text, size).into_drawing_area();
    figure.fill(&WHITE)?;
    let areas = figure.split_evenly((panels.len().div_ceil(columns), columns));
    for (panel, area) in panels.iter().zip(&areas) {
        draw(panel, area, &mut lines)?;
    }
    figure.present()?;
    drop((areas, figure));
    let lines = format!("<g fill=\"none\" stroke-linejoin=\"round\">\n{lines}</g>\n</svg>");
    Ok(text.replacen("</svg>", &lines, 1))
}

fn draw(panel: &Panel<'_>, area: &Area<'_>, out: &mut String) -> Outcome<()> {
    let entries = legend(panel, area)?;
    let rows = entries.last().map_or(0, |it| it.row + 1);
    let (heading, area) = area.split_vertically(MARGIN + ROW * (rows + 1));
    let (x, y) = heading.get_base_pixel();
    let at = |row: u32| (MARGIN + ROW * row + ROW / 2) as i32;
    let width = heading.dim_in_pixel().0 as i32;
    let centred = font(TITLE).pos(Pos::new(HPos::Center, VPos::Center));
    heading.draw_text(panel.title, &centred, (width / 2, at(0)))?;
    for Entry { line, row, left } in entries {
        let (left, middle) = (left as i32, at(row + 1));
        let style = font(TEXT).pos(Pos::new(HPos::Left, VPos::Center));
        let label = left + (SAMPLE + GAP) as i32;
        heading.draw_text(line.label, &style, (label, middle))?;
        let d = format!("M{} {}h{SAMPLE}", x + left, y + middle);
        writeln!(out, "<path {} d=\"{d}\"/>", stroke(line.color, line.width))?;
    }
    let frame = axes(panel, &area)?;
    for line in &panel.lines {
        match &line.frames {
            None => frame.write(line, out)?,
            Some((seconds, frames)) => frame.write_moving(line, *seconds, frames, out)?,
        }
    }
    Ok(())
}

fn font(size: u32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&color::BLACK)
}

fn stroke(RGBColor(r, g, b): RGBColor, width: u32) -> String {
    format!("stroke=\"#{r:02x}{g:02x}{b:02x}\" stroke-width=\"{width}\"")
}

/// A line with its position in the legend.
struct Entry<'a> {
    line: &'a Line<'a>,
    row: u32,
    left: u32,
}

/// The labels in rows above the frame, where no curve is.
fn legend<'a>(panel: &'a Panel<'_>, area: &Area<'_>) -> Outcome<Vec<Entry<'a>>> {
    let right = area.dim_in_pixel().0.saturating_sub(RIGHT);
    let (mut entries, mut row, mut left) = (Vec::new(), 0, LEFT);
    for line in panel.lines.iter().filter(|line| !line.label.is_empty()) {
        let (label, _) = area.estimate_text_size(line.label, &font(TEXT))?;
        let width = SAMPLE + GAP + label + 2 * GAP;
        if left + width > right && left > LEFT {
            (row, left) = (row + 1, LEFT);
        }
        entries.push(Entry { line, row, left });
        left += width;
    }
    Ok(entries)
}

/// Axes, mesh and numbers; returns the area of the curves.
fn axes(panel: &Panel<'_>, area: &Area<'_>) -> Outcome<Frame> {
    let log = panel.scale == Scale::Log;
    let y = if log {
        (panel.y.0.log10(), panel.y.1.log10())
    } else {
        panel.y
    };
    let [right, below] = spare(panel, area);
    let (number_x, number_y) = (number(panel.x), number(y));
    // Without names there are no numbers either: a view of space.
    let is_view = panel.scale == Scale::Equal && panel.x_label.is_empty();
    let tick_x = |x: &f64| if is_view { String::new() } else { number_x(x) };
    let tick_y = |y: &f64| {
        if is_view {
            String::new()
        } else if log {
            power(*y)
        } else {
            number_y(y)
        }
    };
    let mut chart = ChartBuilder::on(area)
        .margin_left(MARGIN + right / 2)
        .margin_right(RIGHT + right / 2)
        .margin_bottom(MARGIN + below)
        .x_label_area_size(BELOW)
        .y_label_area_size(LEFT)
        .build_cartesian_2d(panel.x.0..panel.x.1, y.0..y.1)?;
    let (across, down) = chart.plotting_area().dim_in_pixel();
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(MESH)
        .x_labels((across / 80).clamp(3, 8) as usize)
        .y_labels((down / 60).clamp(3, 8) as usize)
        .x_desc(panel.x_label)
        .y_desc(panel.y_label)
        .x_label_formatter(&tick_x)
        .y_label_formatter(&tick_y)
        .label_style(("sans-serif", TEXT))
        .axis_desc_style(("sans-serif", TEXT + 2))
        .draw()?;
    let (columns, rows) = chart.plotting_area().get_pixel_range();
    Ok(Frame {
        x: panel.x,
        y,
        log,
        left: columns.start.into(),
        right: columns.end.into(),
        top: rows.start.into(),
        bottom: rows.end.into(),
    })
}

/// The margins that remain if both axes have one scale.
fn spare(panel: &Panel<'_>, area: &Area<'_>) -> [u32; 2] {
    if panel.scale != Scale::Equal {
        return [0, 0];
    }
    let (width, height) = area.dim_in_pixel();
    let [width, height] = [
        f64::from(width.saturating_sub(LEFT + MARGIN + RIGHT)),
        f64::from(height.saturating_sub(BELOW + MARGIN)),
    ];
    let [across, up] = [panel.x, panel.y].map(|(from, to)| (to - from).abs());
    let unit = (width / across).min(height / up);
    [width - unit * across, height - unit * up].map(|it| it as u32)
}

/// Numbers of a range with as many digits as distinguish its ticks.
fn number((least, most): (f64, f64)) -> impl Fn(&f64) -> String {
    let size = (most - least).abs();
    let exponent = size < 1e-3 || most.abs().max(least.abs()) >= 1e6;
    move |x: &f64| {
        // Ticks at zero are seldom exactly there.
        if x.abs() < size * 1e-9 {
            return "0".to_owned();
        }
        let text = if exponent {
            let text = format!("{x:.1e}");
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            format!("{digits}·10{}", superscript(exponent))
        } else {
            format!("{}", (x * 1e6).round() / 1e6)
        };
        text.replace('-', "−")
    }
}

/// A power of ten; empty between integer exponents.
fn power(exponent: f64) -> String {
    if (exponent - exponent.round()).abs() > 1e-9 {
        return String::new();
    }
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

/// The area of a panel's curves: ranges, and the pixels of their ends.
struct Frame {
    x: (f64, f64),
    y: (f64, f64),
    log: bool,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    /// The pixel of a point; a point above or below the frame, such as zero on a logarithmic scale, is on its edge.
    fn pixel(&self, (x, y): (f64, f64)) -> [f64; 2] {
        let y = if self.log { y.log10() } else { y };
        let part = |x: f64, (least, most): (f64, f64)| (x - least) / (most - least);
        let down = self.bottom + (self.top - self.bottom) * part(y, self.y);
        let across = self.left + (self.right - self.left) * part(x, self.x);
        [across, down.clamp(self.top, self.bottom)]
    }

    fn write(&self, line: &Line<'_>, out: &mut String) -> std::fmt::Result {
        write!(out, "<path {} d=\"", stroke(line.color, line.width))?;
        let pixels = self.pixels(&line.points);
        for part in pixels.split(is_lifted) {
            path(&simplified(part), out)?;
        }
        writeln!(out, "\"/>")
    }

    fn pixels(&self, points: &[(f64, f64)]) -> Vec<[f64; 2]> {
        points.iter().map(|&point| self.pixel(point)).collect()
    }

    /// Bars, and the dots at their ends.
    fn write_moving(
        &self,
        line: &Line<'_>,
        seconds: f64,
        frames: &[Points],
        out: &mut String,
    ) -> std::fmt::Result {
        for (width, form) in [(line.width, path as Form), (3 * line.width, dots)] {
            let mut values = Vec::new();
            for frame in frames {
                let mut text = String::new();
                for part in self.pixels(frame).split(is_lifted) {
                    form(part, &mut text)?;
                }
                values.push(text);
            }
            let first = values.first().map_or("", String::as_str);
            writeln!(
                out,
                "<path {} stroke-linecap=\"round\" d=\"{first}\"><animate attributeName=\"d\" dur=\"{seconds:.2}s\" \
                 repeatCount=\"indefinite\" values=\"{}\"/></path>",
                stroke(line.color, width),
                values.join(";")
            )?;
        }
        Ok(())
    }
}

/// A function that writes pixels as a path.
type Form = fn(&[[f64; 2]], &mut String) -> std::fmt::Result;

/// Round caps of lines without length.
fn dots(pixels: &[[f64; 2]], out: &mut String) -> std::fmt::Result {
    let mut pixels = pixels.iter();
    pixels.try_for_each(|[x, y]| write!(out, "M{x:.1} {y:.1}h0"))
}

fn is_lifted(pixel: &[f64; 2]) -> bool {
    pixel.iter().any(|it| !it.is_finite())
}

/// `M1 2L3 4 5 6`
fn path(pixels: &[[f64; 2]], out: &mut String) -> std::fmt::Result {
    for (number, [x, y]) in pixels.iter().enumerate() {
        let before = ["M", "L", " "][number.min(2)];
        write!(out, "{before}{x:.1} {y:.1}")?;
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

/// How far `p` is from the line between `a` and `b`.
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
