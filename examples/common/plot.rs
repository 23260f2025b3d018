//! Figures: a grid of line charts in one SVG file.

use std::error::Error;
use std::path::PathBuf;

use plotters::coord::Shift;
use plotters::prelude::*;

/// Colours that stay apart for every kind of colour vision.
///
/// Source: M. Okabe, K. Ito, *Color Universal Design*, 2008.
#[allow(dead_code, reason = "each example takes the colours it needs")]
pub mod color {
    use plotters::style::RGBColor;

    pub const BLACK: RGBColor = RGBColor(0, 0, 0);
    pub const GREY: RGBColor = RGBColor(190, 190, 190);
    pub const VERMILION: RGBColor = RGBColor(213, 94, 0);
    pub const BLUE: RGBColor = RGBColor(0, 114, 178);
    pub const GREEN: RGBColor = RGBColor(0, 158, 115);
}

/// How y is drawn: as it is, or its decimal logarithm.
#[derive(Clone, Copy, PartialEq)]
pub enum Scale {
    Linear,
    Log,
}

/// One curve; without a label it is left out of the legend.
pub struct Line<'a> {
    label: &'a str,
    color: RGBColor,
    width: u32,
    points: Vec<(f64, f64)>,
}

impl<'a> Line<'a> {
    /// A curve `width` pixels thick.
    pub fn new(label: &'a str, color: RGBColor, width: u32, points: Vec<(f64, f64)>) -> Self {
        Self {
            label,
            color,
            width,
            points,
        }
    }
}

/// One chart; the ranges are those of the data as given, also where the scale is logarithmic.
pub struct Panel<'a> {
    pub title: &'a str,
    pub x_label: &'a str,
    pub y_label: &'a str,
    pub x: (f64, f64),
    pub y: (f64, f64),
    pub scale: Scale,
    pub legend: Option<SeriesLabelPosition>,
    pub lines: Vec<Line<'a>>,
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Points a curve is thinned to, so that a file stays small.
const POINTS: usize = 135;

/// Writes `panels`, `columns` in a row, to `target/<name>.svg` and returns that path.
pub fn write_svg(
    name: &str,
    size: (u32, u32),
    columns: usize,
    panels: &[Panel<'_>],
) -> Result<PathBuf, Box<dyn Error>> {
    let folder = PathBuf::from("target");
    std::fs::create_dir_all(&folder)?;
    let path = folder.join(format!("{name}.svg"));
    let figure = SVGBackend::new(&path, size).into_drawing_area();
    figure.fill(&WHITE)?;
    let areas = figure.split_evenly((panels.len().div_ceil(columns), columns));
    for (panel, area) in panels.iter().zip(&areas) {
        draw(panel, area)?;
    }
    figure.present()?;
    drop((areas, figure));
    Ok(path)
}

fn draw(panel: &Panel<'_>, area: &Area<'_>) -> Result<(), Box<dyn Error>> {
    let scaled = |y: f64| {
        if panel.scale == Scale::Log {
            y.log10()
        } else {
            y
        }
    };
    let number = |x: &f64| format!("{}", (x * 1e6).round() / 1e6);
    let tick = |y: &f64| {
        if panel.scale == Scale::Log {
            format!("1e{y:.0}")
        } else {
            number(y)
        }
    };
    let (bottom, top) = (scaled(panel.y.0), scaled(panel.y.1));
    let mut chart = ChartBuilder::on(area)
        .caption(panel.title, ("sans-serif", 26))
        .margin(14)
        .margin_right(30)
        .x_label_area_size(58)
        .y_label_area_size(92)
        .build_cartesian_2d(panel.x.0..panel.x.1, bottom..top)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(228, 228, 228))
        .x_labels(8)
        .y_labels(7)
        .x_desc(panel.x_label)
        .y_desc(panel.y_label)
        .x_label_formatter(&number)
        .y_label_formatter(&tick)
        .label_style(("sans-serif", 20))
        .axis_desc_style(("sans-serif", 22))
        .draw()?;
    for line in &panel.lines {
        let style = line.color.stroke_width(line.width);
        // What lies beyond the frame, as zero does on a logarithmic scale, is drawn on it.
        let inside = |&(x, y): &(f64, f64)| (x, scaled(y).clamp(bottom, top));
        let points = thinned(&line.points).map(inside);
        let series = chart.draw_series(LineSeries::new(points, style))?;
        if !line.label.is_empty() {
            series
                .label(line.label)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 34, y)], style));
        }
    }
    if let Some(position) = &panel.legend {
        chart
            .configure_series_labels()
            .position(position.clone())
            .legend_area_size(44)
            .margin(12)
            .label_font(("sans-serif", 20))
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(190, 190, 190))
            .draw()?;
    }
    Ok(())
}

/// About [`POINTS`] of the points, the last among them.
fn thinned(points: &[(f64, f64)]) -> impl Iterator<Item = &(f64, f64)> {
    let every = points.len().div_ceil(POINTS).max(1);
    let last = points
        .last()
        .filter(|_| !(points.len() - 1).is_multiple_of(every));
    points.iter().step_by(every).chain(last)
}
