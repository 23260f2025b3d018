//! The motion as a figure: paths in the plane where there are any, else coordinates over time; beside it the energy.

use std::ops::Range;

use plotters::coord::Shift;
use plotters::prelude::*;

use super::record::Record;
use crate::failure::Failure;

/// Colours that stay apart for every kind of colour vision.
///
/// Source: M. Okabe, K. Ito, *Color Universal Design*, 2008.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
];

/// The size of a panel, in pixels.
const SIZE: u32 = 620;
/// Room for the numbers on the axes.
const LABELS: u32 = 60;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A line with its name.
struct Line {
    name: String,
    points: Vec<(f64, f64)>,
}

struct Panel {
    title: String,
    axes: [String; 2],
    lines: Vec<Line>,
    /// Whether both axes have one scale.
    equal: bool,
}

/// A text in SVG.
pub fn svg(title: &str, record: &Record) -> Result<String, Failure> {
    let mut text = String::new();
    let panels = [motion(title, record), energy(record)];
    let figure = SVGBackend::with_string(&mut text, (2 * SIZE, SIZE)).into_drawing_area();
    draw_all(&figure, &panels).map_err(|error| Failure::Figure(error.to_string()))?;
    drop(figure);
    Ok(text)
}

fn draw_all(figure: &Area<'_>, panels: &[Panel]) -> Result<(), Box<dyn std::error::Error>> {
    figure.fill(&WHITE)?;
    for (panel, area) in panels.iter().zip(figure.split_evenly((1, panels.len()))) {
        draw(panel, &area)?;
    }
    Ok(figure.present()?)
}

/// Paths of what has an x and a y, else all coordinates over time.
fn motion(title: &str, record: &Record) -> Panel {
    let coordinates = record.names.len() / 2;
    let names = record.names.iter().take(coordinates).chain(&record.told);
    let names: Vec<&String> = names.collect();
    let column = |k: usize| -> Vec<f64> {
        let number = |sample: &super::record::Sample| match k.checked_sub(coordinates) {
            Some(told) => sample.told[told],
            None => sample.state[k],
        };
        record.samples.iter().map(number).collect()
    };
    let pair = |k: usize| {
        let (x, y) = (names[k], names.get(k + 1)?);
        let base = x.strip_suffix('x')?;
        let plane = y.strip_suffix('y')? == base
            && names
                .get(k + 2)
                .is_none_or(|z| z.strip_suffix('z') != Some(base));
        let points = column(k).into_iter().zip(column(k + 1));
        plane.then(|| Line {
            name: base.trim_end_matches('.').to_owned(),
            points: points.collect(),
        })
    };
    let paths: Vec<Line> = (0..names.len()).filter_map(pair).collect();
    if !paths.is_empty() {
        return Panel {
            title: title.to_owned(),
            axes: ["x", "y"].map(str::to_owned),
            lines: paths,
            equal: true,
        };
    }
    let times = record.samples.iter().map(|sample| sample.t);
    let line = |k: usize| Line {
        name: names[k].clone(),
        points: times.clone().zip(column(k)).collect(),
    };
    Panel {
        title: title.to_owned(),
        axes: ["t".to_owned(), String::new()],
        lines: (0..coordinates).map(line).collect(),
        equal: false,
    }
}

fn energy(record: &Record) -> Panel {
    let start = record.samples[0].energy;
    let points = record.samples.iter().map(|it| (it.t, it.energy - start));
    Panel {
        title: "Change of the energy".to_owned(),
        axes: ["t", "E − E(0)"].map(str::to_owned),
        lines: vec![Line {
            name: String::new(),
            points: points.collect(),
        }],
        equal: false,
    }
}

fn draw(panel: &Panel, area: &Area<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let points = || panel.lines.iter().flat_map(|line| &line.points);
    let mut x = range(points().map(|it| it.0));
    let mut y = range(points().map(|it| it.1));
    if panel.equal {
        let half = (x.end - x.start).max(y.end - y.start) / 2.0;
        for range in [&mut x, &mut y] {
            let middle = (range.start + range.end) / 2.0;
            *range = middle - half..middle + half;
        }
    }
    let [number_x, number_y] = [tick(&x), tick(&y)];
    let mut chart = ChartBuilder::on(area)
        .caption(&panel.title, ("sans-serif", 22))
        .margin(14)
        .margin_right(30)
        .x_label_area_size(LABELS)
        .y_label_area_size(LABELS + 30)
        .build_cartesian_2d(x, y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(228, 228, 228))
        .x_labels(7)
        .y_labels(7)
        .x_desc(&panel.axes[0])
        .y_desc(&panel.axes[1])
        .x_label_formatter(&number_x)
        .y_label_formatter(&number_y)
        .label_style(("sans-serif", 15))
        .axis_desc_style(("sans-serif", 18))
        .draw()?;
    for (line, &color) in panel.lines.iter().zip(COLORS.iter().cycle()) {
        let style = color.stroke_width(2);
        let series = chart.draw_series(LineSeries::new(line.points.iter().copied(), style))?;
        if !line.name.is_empty() {
            series
                .label(&line.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 24, y)], style));
        }
    }
    if panel.lines.len() > 1 && panel.lines.len() <= COLORS.len() {
        chart
            .configure_series_labels()
            .label_font(("sans-serif", 15))
            .background_style(WHITE.mix(0.85))
            .border_style(RGBColor(190, 190, 190))
            .draw()?;
    }
    Ok(())
}

/// From the least to the greatest, with some room; what stands still has some, too.
fn range(values: impl Iterator<Item = f64>) -> Range<f64> {
    let ends = |(least, most): (f64, f64), x: f64| (least.min(x), most.max(x));
    let (least, most) = values
        .filter(|x| x.is_finite())
        .fold((f64::MAX, f64::MIN), ends);
    if least > most {
        return -1.0..1.0;
    }
    let room = match 0.04 * (most - least) {
        0.0 => least.abs().max(1.0) * 0.5,
        room => room,
    };
    least - room..most + room
}

/// Numbers of a range with as many digits as tell its ticks apart.
fn tick(range: &Range<f64>) -> impl Fn(&f64) -> String + use<> {
    let size = range.end - range.start;
    let small = size < 1e-3 || range.end.abs().max(range.start.abs()) >= 1e6;
    move |x: &f64| {
        // Ticks at zero are seldom exactly there.
        let x = if x.abs() < size * 1e-9 { 0.0 } else { *x };
        if small && x != 0.0 {
            format!("{x:.1e}")
        } else {
            format!("{}", (x * 1e6).round() / 1e6)
        }
    }
}
