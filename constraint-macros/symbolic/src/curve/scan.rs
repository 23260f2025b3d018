//! Seams between pieces, jumps, cusps and closure of a curve, found at expansion along its domain.
//!
//! The curve is evaluated at samples of its parameter for a few values of its fields, and each finding is located to
//! the last bit. Only findings that occur for every sample of the fields are reported.

use super::derived::{Continuity, Derived, Quantity, Scan, Seam};
use crate::diagnostic::{Diagnostics, catalogue};
use crate::expr::CollectVec;
use crate::model::Role;
use crate::schedule::Program;

/// Number of samples of the domain.
const SAMPLES: usize = 256;

/// Sample values of the fields, used cyclically; all are positive and none is a simple multiple of another.
const FIELDS: [[f64; 4]; 2] = [[1.0, 0.7, 1.9, 0.37], [1.3, 2.3, 0.9, 0.59]];

/// A gap of less than this part of the curve's extent is attributed to rounding, unless the user states a tolerance.
const ROUNDING: f64 = 1e-9;

/// Scans the curve for every sample of the fields; empty if its domain depends on them so that
/// it cannot be sampled.
pub fn scan(derived: &Derived) -> Vec<Scan> {
    let samples = if derived.curve.model.parameters.is_empty() {
        &FIELDS[..1]
    } else {
        &FIELDS[..]
    };
    let scans = samples
        .iter()
        .map(|fields| Sampler::new(derived, fields)?.scan());
    scans.collect::<Option<_>>().unwrap_or_default()
}

/// Reports mistakes at the same parameter for all samples of the fields; those that depend on the fields are left to
/// the run time.
pub fn check(derived: &Derived, scans: &[Scan], diagnostics: &mut Diagnostics) {
    let (range, name) = (derived.curve.range, derived.curve.parameter());
    let Some((first, others)) = scans.split_first() else {
        return;
    };
    let jump = |scan: &Scan| {
        let jumps = |seam: &&Seam| seam.continuity == Continuity::Jump;
        let seam = scan.seams.iter().find(jumps)?;
        Some((seam.parameter, seam.gap / scan.extent, seam.gap))
    };
    if let Some((at, part, gap)) = jump(first) {
        let same = |other: &Scan| {
            jump(other).is_some_and(|it| it.0 == at && (it.1 - part).abs() <= ROUNDING * part)
        };
        if others.iter().all(same) {
            return diagnostics.push(catalogue::jump(range, &name, at, gap, part));
        }
    }
    if let Some(at) = first.cusp
        && others.iter().all(|other| other.cusp == Some(at))
    {
        diagnostics.push(catalogue::cusp(range, &name, at));
    }
}

/// The joints of the pieces and of the ends in words: `open; C¹ at s = 0.5`.
pub fn describe(derived: &Derived) -> String {
    let name = derived.curve.parameter();
    let Some((first, others)) = derived.scans.split_first() else {
        return "depends on the fields".to_owned();
    };
    let alike = |scan: &Scan| {
        let classes = |scan: &Scan| -> Vec<Continuity> {
            scan.seams.iter().map(|seam| seam.continuity).collect_vec()
        };
        scan.closure == first.closure && classes(scan) == classes(first)
    };
    if !others.iter().all(alike) {
        return "depends on the fields".to_owned();
    }
    let mut text = match first.closure {
        None => "open".to_owned(),
        Some(class) => format!("closed, {}", class.symbol()),
    };
    let fixed = |i: usize, at: f64| others.iter().all(|scan| scan.seams[i].parameter == at);
    for (i, seam) in first.seams.iter().enumerate() {
        let class = seam.continuity.symbol();
        text += &if fixed(i, seam.parameter) {
            format!("; {class} at {name} = {}", seam.parameter)
        } else {
            format!("; {class} at seam {}", i + 1)
        };
    }
    if let Some(joined) = derived.curve.joined {
        text += &format!("; to {joined:e} of its extent");
    }
    text
}

impl Continuity {
    fn symbol(self) -> &'static str {
        match self {
            Continuity::Jump => "a jump",
            Continuity::C0 => "C⁰",
            Continuity::C1 => "C¹",
            Continuity::C2 => "C²",
        }
    }
}

/// The curve at one parameter.
#[derive(Clone, Debug)]
struct Place {
    s: f64,
    piece: f64,
    /// r, r′, r″
    jet: [Vec<f64>; 3],
}

impl Place {
    /// r′·r′
    fn metric(&self) -> f64 {
        dot(&self.jet[1], &self.jet[1])
    }

    /// r′·r″
    fn bend(&self) -> f64 {
        dot(&self.jet[1], &self.jet[2])
    }
}

struct Sampler<'a> {
    derived: &'a Derived,
    fields: &'a [f64],
    program: Program,
    start: f64,
    end: f64,
}

impl<'a> Sampler<'a> {
    fn new(derived: &'a Derived, fields: &'a [f64]) -> Option<Sampler<'a>> {
        let quantities = [
            Quantity::Piece,
            Quantity::Position,
            Quantity::Tangent,
            Quantity::SecondDerivative,
        ];
        let mut sampler = Sampler {
            derived,
            fields,
            program: derived.plain_program(&[Quantity::Domain]),
            start: 0.0,
            end: 0.0,
        };
        let domain = sampler.evaluate(0.0);
        let &[start, end] = &domain[..] else {
            return None;
        };
        sampler.program = derived.plain_program(&quantities);
        (sampler.start, sampler.end) = (start, end);
        (start < end && start.is_finite() && end.is_finite()).then_some(sampler)
    }

    fn evaluate(&self, s: f64) -> Vec<f64> {
        let symbols = &self.derived.curve.model.symbols;
        self.program
            .evaluate(|symbol| match symbols[symbol.index()].role {
                Role::Coordinate(_) => s,
                Role::Parameter {
                    parameter,
                    component,
                } => self.fields[(parameter + component) % self.fields.len()],
                _ => 1.0,
            })
    }

    fn at(&self, s: f64) -> Place {
        let values = self.evaluate(s);
        let dimension = self.derived.dimension();
        let vector = |i: usize| {
            let first = 1 + i * dimension;
            values[first..first + dimension].to_vec()
        };
        Place {
            s,
            piece: values[0],
            jet: [vector(0), vector(1), vector(2)],
        }
    }

    fn scan(&self) -> Option<Scan> {
        let step = (self.end - self.start) / SAMPLES as f64;
        let place = |i: usize| match i {
            SAMPLES => self.at(self.end),
            _ => self.at(self.start + step * i as f64),
        };
        let places: Vec<Place> = (0..=SAMPLES).map(place).collect_vec();
        let extent = extent(&places);
        let joined = self.derived.curve.joined.unwrap_or(ROUNDING);
        let usual = places.iter().map(Place::metric).fold(0.0, f64::max);
        let mut scan = Scan {
            extent,
            ..Scan::default()
        };
        for pair in places.windows(2) {
            if pair[0].piece != pair[1].piece {
                let (left, right) = self.meeting(pair[0].clone(), pair[1].clone());
                scan.seams.push(seam(&left, &right, extent, joined));
            } else if let Some(at) = self.cusp_between(&pair[0], &pair[1], usual) {
                scan.cusp.get_or_insert(at);
            }
        }
        let closing = seam(places.last()?, places.first()?, extent, joined);
        let closed = closing.continuity > Continuity::Jump;
        scan.closure = closed.then_some(closing.continuity);
        Some(scan)
    }

    /// The two adjacent floats between which the piece changes.
    fn meeting(&self, mut left: Place, mut right: Place) -> (Place, Place) {
        loop {
            let middle = 0.5 * (left.s + right.s);
            if middle <= left.s || middle >= right.s {
                return (left, right);
            }
            let place = self.at(middle);
            if place.piece == left.piece {
                left = place
            } else {
                right = place
            }
        }
    }

    /// The minimum of |r′| between two places, if it is zero and inside the domain.
    fn cusp_between(&self, left: &Place, right: &Place, usual: f64) -> Option<f64> {
        let falling = |place: &Place| place.bend() < 0.0;
        if !falling(left) || falling(right) {
            return None;
        }
        let (mut a, mut b) = (left.s, right.s);
        loop {
            let middle = 0.5 * (a + b);
            if middle <= a || middle >= b {
                break;
            }
            if falling(&self.at(middle)) {
                a = middle
            } else {
                b = middle
            }
        }
        let margin = ROUNDING * (self.end - self.start);
        let inside = b > self.start + margin && b < self.end - margin;
        (inside && self.at(b).metric() <= ROUNDING * ROUNDING * usual).then_some(b)
    }
}

/// The continuity of the curve from one place to the next, with gaps up to a part `joined` of its size ignored.
fn seam(left: &Place, right: &Place, extent: f64, joined: f64) -> Seam {
    let gap = |i: usize| distance(&left.jet[i], &right.jet[i]);
    let usual = |i: usize| norm(&left.jet[i]).max(norm(&right.jet[i]));
    let meets = |i: usize| {
        let rounding = ROUNDING * usual(i).max(usual(1)).max(extent);
        gap(i) <= rounding.max(joined * usual(i))
    };
    let cusp = usual(1) <= ROUNDING * extent;
    let continuity = match () {
        () if gap(0) > joined * extent => Continuity::Jump,
        () if cusp || !meets(1) => Continuity::C0,
        () if !meets(2) => Continuity::C1,
        () => Continuity::C2,
    };
    // Of two adjacent floats, the one with fewer digits is the number in the definition.
    let digits = |s: &f64| s.to_string().len();
    let parameter = [left.s, right.s].into_iter().min_by_key(digits);
    Seam {
        parameter: parameter.unwrap_or(right.s),
        continuity,
        gap: gap(0),
    }
}

/// The greatest distance from the first place.
fn extent(places: &[Place]) -> f64 {
    let far = |place: &Place| distance(&places[0].jet[0], &place.jet[0]);
    places.iter().map(far).fold(0.0, f64::max)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (a - b) * (a - b));
    squares.sum::<f64>().sqrt()
}
