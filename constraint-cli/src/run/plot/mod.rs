//! Figures: charts and moving drawings in one SVG file, for light and dark pages. The examples draw with it, too.
//!
//! A figure is a list of rows of panels, 760 units wide: shown 700 pixels wide, its smallest text is 12 pixels high.
//! Motion is animated by the SVG itself, so a figure moves wherever a browser shows it.

#![allow(dead_code, reason = "each figure takes the parts it needs")]

mod axes;
mod paths;

use std::error::Error;
use std::fmt::Write as _;

use axes::Axes;

/// A color of the figure, which differs on light and dark pages, or a fixed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Color {
    Named(&'static str),
    Fixed(u8, u8, u8),
}

/// Colors that everyone can distinguish, whatever their color vision.
///
/// Source: M. Okabe, K. Ito, *Color Universal Design*, 2008.
pub mod color {
    use super::Color;

    /// Black on light pages, white on dark ones.
    pub const BLACK: Color = Color::Named("black");
    pub const GREY: Color = Color::Named("grey");
    pub const VERMILION: Color = Color::Named("vermilion");
    pub const BLUE: Color = Color::Named("blue");
    pub const GREEN: Color = Color::Named("green");
    pub const PURPLE: Color = Color::Named("purple");
    pub const SKY: Color = Color::Named("sky");
    pub const ORANGE: Color = Color::Named("orange");
    /// In the order in which lines use them.
    pub const ALL: [Color; 7] = [BLUE, VERMILION, GREEN, PURPLE, SKY, ORANGE, BLACK];

    /// Blue and vermilion mixed: `part` 0 is blue, 1 is vermilion.
    pub fn heat(part: f64) -> Color {
        let mix = |a: f64, b: f64| (a + part * (b - a)) as u8;
        Color::Fixed(mix(0.0, 213.0), mix(114.0, 94.0), mix(178.0, 0.0))
    }

    /// A fixed color lit from the viewer's side: `part` 0 is dark, 1 is bright.
    pub fn lit(red: f64, green: f64, blue: f64, part: f64) -> Color {
        let shade = |it: f64| (it * (0.45 + 0.55 * part)) as u8;
        Color::Fixed(shade(red), shade(green), shade(blue))
    }
}

const STYLE: &str = "text{fill:#1f2328}.paper{fill:#fff}.mesh{stroke:#e4e6e9}.frame{stroke:#8b929a}\
    .black{color:#1f2328}.grey{color:#b4b9bf}.vermilion{color:#d55e00}.blue{color:#0072b2}.green{color:#009e73}\
    .purple{color:#cc79a7}.sky{color:#56b4e9}.orange{color:#e69f00}\
    @media(prefers-color-scheme:dark){text{fill:#e6edf3}.paper{fill:#0d1117}.mesh{stroke:#262d36}.frame{stroke:#737b85}\
    .black{color:#e6edf3}.grey{color:#565e68}.vermilion{color:#ff8a3c}.blue{color:#4ba8e8}.green{color:#2fc99b}\
    .purple{color:#e59cc6}.sky{color:#a8dcff}}";

/// x and y, one after the other; NaN lifts the pen.
pub type Points = Vec<(f64, f64)>;

/// A filled polygon of a drawing that is sorted by depth.
pub struct Face {
    pub color: Color,
    pub points: Points,
}

/// One thing in a panel; without a label it has no entry in the legend.
pub struct Line {
    label: String,
    color: Color,
    width: f64,
    form: Form,
    /// Its shape at even times; a single one does not move.
    frames: Vec<Points>,
    /// For [`Form::Book`], instead of `frames`.
    book: Vec<Vec<Face>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Curve,
    Trail,
    Bars,
    Dots,
    Area,
    Book,
}

impl Line {
    fn new(color: Color, width: f64, form: Form, frames: Vec<Points>) -> Self {
        let (label, book) = (String::new(), Vec::new());
        Self {
            label,
            color,
            width,
            form,
            frames,
            book,
        }
    }

    /// A curve that does not move.
    pub fn curve(
        label: impl Into<String>,
        color: Color,
        width: f64,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let frames = vec![points.into_iter().collect()];
        Self::new(color, width, Form::Curve, frames).labelled(label)
    }

    /// The path of a point through places at even times, the part just passed in full color.
    pub fn trail(color: Color, width: f64, points: impl IntoIterator<Item = (f64, f64)>) -> Self {
        let frames = vec![points.into_iter().collect()];
        Self::new(color, width, Form::Trail, frames)
    }

    /// Bars between points.
    pub fn bars(color: Color, width: f64, frames: impl IntoIterator<Item = Points>) -> Self {
        Self::new(color, width, Form::Bars, frames.into_iter().collect())
    }

    /// Round dots at points.
    pub fn dots(color: Color, size: f64, frames: impl IntoIterator<Item = Points>) -> Self {
        Self::new(color, size, Form::Dots, frames.into_iter().collect())
    }

    /// Translucent areas with an outline.
    pub fn area(color: Color, frames: impl IntoIterator<Item = Points>) -> Self {
        Self::new(color, 1.5, Form::Area, frames.into_iter().collect())
    }

    /// Opaque faces, the later ones in front, at even times: for solid bodies.
    pub fn book(frames: impl IntoIterator<Item = Vec<Face>>) -> Self {
        let book = frames.into_iter().collect();
        Self {
            book,
            ..Self::new(color::BLACK, 0.8, Form::Book, Vec::new())
        }
    }

    pub fn labelled(self, label: impl Into<String>) -> Self {
        let label = label.into();
        Self { label, ..self }
    }

    fn points(&self) -> impl Iterator<Item = (f64, f64)> {
        let faces = self.book.iter().flatten().flat_map(|face| &face.points);
        let all = self.frames.iter().flatten().chain(faces);
        all.copied()
            .filter(|it| it.0.is_finite() && it.1.is_finite())
    }
}

/// The scale of a panel.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    /// x and y fill the panel, each with its own scale.
    Linear,
    /// y on a decimal logarithmic scale.
    Log,
    /// x and y to the same scale, as in a drawing.
    Equal,
}

/// One chart or drawing. Ranges are those of its lines, unless they are set.
pub struct Panel {
    title: String,
    labels: [String; 2],
    ranges: [Option<(f64, f64)>; 2],
    scale: Scale,
    share: f64,
    /// The duration of everything that moves.
    seconds: f64,
    /// The range over which a line passes in this time.
    cursor: Option<(f64, f64)>,
    lines: Vec<Line>,
}

impl Panel {
    pub fn new(
        title: impl Into<String>,
        x_label: impl Into<String>,
        y_label: impl Into<String>,
    ) -> Self {
        Self {
            title: title.into(),
            labels: [x_label.into(), y_label.into()],
            ranges: [None; 2],
            scale: Scale::Linear,
            share: 1.0,
            seconds: 1.0,
            cursor: None,
            lines: Vec::new(),
        }
    }

    /// A chart over the time, passed over in `seconds`, the duration of the drawing next to it.
    pub fn over_time(title: impl Into<String>, y_label: impl Into<String>, seconds: f64) -> Self {
        Self {
            seconds,
            cursor: Some((f64::MIN, f64::MAX)),
            ..Self::new(title, "t in s", y_label)
        }
    }

    /// A drawing in the plane whose motion takes `seconds`, after which it begins from the start.
    pub fn drawing(title: impl Into<String>, seconds: f64) -> Self {
        Self {
            seconds,
            scale: Scale::Equal,
            ..Self::new(title, "x in m", "y in m")
        }
    }

    /// A drawing in space, without axes.
    pub fn in_space(title: impl Into<String>, seconds: f64) -> Self {
        Self::drawing(title, seconds).labels("", "")
    }

    pub fn labels(self, x: impl Into<String>, y: impl Into<String>) -> Self {
        let labels = [x.into(), y.into()];
        Self { labels, ..self }
    }

    /// The range of x, from left to right; it may fall.
    pub fn x(self, from: f64, to: f64) -> Self {
        let ranges = [Some((from, to)), self.ranges[1]];
        Self { ranges, ..self }
    }

    /// The range of y, upwards; it may fall.
    pub fn y(self, from: f64, to: f64) -> Self {
        let ranges = [self.ranges[0], Some((from, to))];
        Self { ranges, ..self }
    }

    /// y on a decimal logarithmic scale.
    pub fn log(self) -> Self {
        let scale = Scale::Log;
        Self { scale, ..self }
    }

    /// The width relative to the other panels of the row.
    pub fn share(self, share: f64) -> Self {
        Self { share, ..self }
    }

    /// A line passes from one x to another in `seconds`, as the drawing next to it moves.
    pub fn passed(self, (from, to): (f64, f64), seconds: f64) -> Self {
        let cursor = Some((from, to));
        Self {
            cursor,
            seconds,
            ..self
        }
    }

    pub fn with(mut self, line: Line) -> Self {
        self.lines.push(line);
        self
    }

    pub fn with_all(mut self, lines: impl IntoIterator<Item = Line>) -> Self {
        self.lines.extend(lines);
        self
    }
}

/// About `count` of all items at even distances, the first and the last included.
pub fn evenly<T>(items: &[T], count: usize) -> impl Iterator<Item = &T> {
    let last = items.len().saturating_sub(1);
    let count = count.min(items.len()).max(2) - 1;
    (0..=count).filter_map(move |i| items.get((i * last + count / 2) / count))
}

/// A zigzag from one point to another, `wide` across.
pub fn spring(from: (f64, f64), to: (f64, f64), wide: f64) -> Points {
    const TURNS: u32 = 14;
    let along = [to.0 - from.0, to.1 - from.1];
    let length = along[0].hypot(along[1]).max(f64::MIN_POSITIVE);
    let corner = |i: u32| {
        let side = match i {
            0 | 1 | TURNS.. => 0.0,
            _ => 0.5 * wide * [1.0, -1.0][i as usize % 2] / length,
        };
        let part = match i {
            0 => 0.0,
            TURNS.. => 1.0,
            _ => 0.1 + 0.8 * (f64::from(i) - 1.0) / f64::from(TURNS - 2),
        };
        let [x, y] = [from.0 + part * along[0], from.1 + part * along[1]];
        (x - side * along[1], y + side * along[0])
    };
    (0..=TURNS).map(corner).collect()
}

/// The direction from which space is seen: turned about z from −y, and from above.
#[derive(Clone, Copy)]
pub struct View {
    azimuth: f64,
    elevation: f64,
}

impl View {
    pub const fn new(azimuth: f64, elevation: f64) -> Self {
        Self { azimuth, elevation }
    }

    /// A point in the plane of the picture.
    pub fn flat(self, point: impl Into<[f64; 3]>) -> (f64, f64) {
        let [x, y, z] = point.into();
        let ((s, c), (sin, cos)) = (self.azimuth.sin_cos(), self.elevation.sin_cos());
        (c * x - s * y, z * cos + (s * x + c * y) * sin)
    }

    /// The nearness of a point to the viewer.
    pub fn nearness(self, point: impl Into<[f64; 3]>) -> f64 {
        let [x, y, z] = point.into();
        let ((s, c), (sin, cos)) = (self.azimuth.sin_cos(), self.elevation.sin_cos());
        z * sin - (s * x + c * y) * cos
    }
}

/// From the least to the greatest value with some margin, which a constant has too.
pub fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (least, most) = ends(values.filter(|x| x.is_finite()));
    if least > most {
        return (-1.0, 1.0);
    }
    let room = match 0.05 * (most - least) {
        0.0 => least.abs().max(1.0) * 0.5,
        room => room,
    };
    (least - room, most + room)
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::MAX, f64::MIN), |(least, most), x| {
        (least.min(x), most.max(x))
    })
}

/// The width of a figure.
pub const WIDTH: f64 = 760.0;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// Writes rows of panels, each with its height, to `target/<name>.svg` and returns that path.
pub fn write_svg(
    name: &str,
    rows: impl IntoIterator<Item = (u32, Vec<Panel>)>,
) -> Outcome<std::path::PathBuf> {
    let folder = std::path::PathBuf::from("target");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.svg"));
    std::fs::write(&path, svg(rows)?)?;
    Ok(path)
}

/// Rows of panels, each with its height, as the text of an SVG file.
pub fn svg(rows: impl IntoIterator<Item = (u32, Vec<Panel>)>) -> Result<String, std::fmt::Error> {
    let (mut body, mut top) = (String::new(), 0.0);
    for (height, panels) in rows {
        let shares: f64 = panels.iter().map(|it| it.share).sum();
        let width = |panel: &Panel| WIDTH * panel.share / shares;
        let legends = panels.iter().map(|it| axes::legend_rows(it, width(it)));
        let legend = legends.max().unwrap_or(0);
        let mut left = 0.0;
        for panel in &panels {
            let frame = Axes::new(panel, [left, top, width(panel), f64::from(height)], legend);
            body += "<g class=\"panel\">\n";
            frame.write(panel, &mut body)?;
            paths::write(panel, &frame, &mut body)?;
            body += "</g>\n";
            left += width(panel);
        }
        top += f64::from(height);
    }
    let mut out = String::new();
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {top}\" width=\"{WIDTH}\" height=\"{top}\" \
         style=\"max-width:100%;height:auto\" font-family=\"system-ui, 'Helvetica Neue', Arial, sans-serif\" \
         font-size=\"{}\">\n<style>{STYLE}</style>\n<rect class=\"paper\" width=\"{WIDTH}\" height=\"{top}\"/>",
        axes::TEXT
    )?;
    out += &body;
    out += "</svg>\n";
    Ok(out)
}
