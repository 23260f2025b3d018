//! Curves: r, r′ and r″, κ up to its sign, s̈ and the ends of the domain.

use super::checked::{self, Facts, Subject};
use super::field::Residue;
use super::linear::dot;
use super::point::{Point, Stop};
use super::programs::{Changing, Leaves};
use super::series::Series;
use super::tree::{Reader, Value, declared};
use super::{Certificate, Refuted};
use crate::certify::Gap;
use crate::expr::{CollectVec, Function as Of, SymbolId};
use crate::function::Function;
use crate::model::{Model, Role};
use crate::syntax::ast::{Curve, name_of};

/// Compares the functions of a curve with its points.
///
/// # Errors
/// The first function that differs.
pub fn curve(
    tree: &Curve,
    model: &Model,
    functions: &[Function<'_>],
) -> Result<Certificate, Refuted> {
    checked::examine(model, functions, |point| {
        At::new(tree, (model, functions), point)
    })
}

/// The parameter, its rate and the other arguments of a bead, or a direction of change.
struct Given<'a> {
    model: &'a Model,
    s: Residue,
    rate: Residue,
    force: Vec<Residue>,
    mass: Residue,
    damping: Residue,
    parameters: Vec<Vec<Residue>>,
}

/// A point of the curve, and a bead there.
struct At<'a> {
    functions: &'a [Function<'a>],
    given: Given<'a>,
    /// The components of r, with s as the time.
    r: Vec<Series>,
    /// |κ|
    curvature: Result<Residue, Stop>,
    domain: Result<Vec<Residue>, Stop>,
}

impl<'a> Given<'a> {
    /// Random arguments.
    fn new(model: &'a Model, point: &mut Point) -> Given<'a> {
        let parameters = model.parameters.iter();
        Given {
            model,
            parameters: parameters.map(|it| point.draws(it.scalars())).collect_vec(),
            s: point.draw(),
            rate: point.draw(),
            force: point.draws(model.rows.len()),
            mass: point.draw(),
            damping: point.draw(),
        }
    }

    /// s, ṡ, f, m and p.
    fn varied(&self) -> Vec<Residue> {
        let parameters = self.parameters.concat();
        let [own, mass] = [&[self.s, self.rate][..], &[self.mass]];
        [own, &self.force, mass, &parameters].concat()
    }
}

impl<'a> At<'a> {
    fn new(
        tree: &Curve,
        (model, functions): (&'a Model, &'a [Function<'a>]),
        point: &mut Point,
    ) -> Result<At<'a>, Stop> {
        let mut at = At {
            functions,
            given: Given::new(model, point),
            r: Vec::new(),
            curvature: Err(Stop::UNREAD),
            domain: Err(Stop::UNREAD),
        };
        let mut names = declared(model, &at.given.parameters);
        let own = model.coordinates.first().ok_or(Stop::UNREAD)?;
        let moves = Series {
            value: at.given.s,
            rate: Residue::ONE,
            ..Series::default()
        };
        names.push((name_of(&own.name), Value::Scalar(moves)));
        let mut reader = Reader::new(point, names);
        at.r = reader.rows(&tree.body)?;
        let ends = tree.domain.iter().flat_map(|it| [&it.start, &it.end]);
        let ends: Result<Vec<Series>, Stop> = ends.map(|end| reader.scalar(end)).collect();
        at.domain = ends.map(|it| it.iter().map(|end| end.value).collect_vec());
        at.curvature = at.curvature(point);
        Ok(at)
    }

    fn of(&self, get: fn(&Series) -> Residue) -> Vec<Residue> {
        self.r.iter().map(get).collect_vec()
    }

    /// |r′ × r″|/|r′|³
    fn curvature(&self, point: &mut Point) -> Result<Residue, Stop> {
        let (slope, second) = (self.slope(), self.second());
        let across = match (&slope[..], &second[..]) {
            (&[x, y], &[a, b]) => x * b - y * a,
            (&[x, y, z], &[a, b, c]) => {
                let across = [y * c - z * b, z * a - x * c, x * b - y * a];
                point.value(Of::Sqrt, &[dot(&across, &across)])?
            }
            _ => return Err(Stop::UNREAD),
        };
        let speed = point.value(Of::Sqrt, &[dot(&slope, &slope)])?;
        Ok(across * (speed * speed * speed).recip().ok_or(Stop::Zero)?)
    }

    fn slope(&self) -> Vec<Residue> {
        self.of(|it| it.rate)
    }

    fn second(&self) -> Vec<Residue> {
        self.of(|it| it.half_second + it.half_second)
    }

    /// s̈ of m (r′·r′ s̈ + r′·r″ ṡ²) = r′·f − b r′·r′ ṡ
    fn acceleration(&self, damping: Residue) -> Result<Residue, Stop> {
        let (slope, second) = (self.slope(), self.second());
        let metric = dot(&slope, &slope);
        let bend = self.given.mass * dot(&slope, &second) * self.given.rate * self.given.rate;
        let pushed = dot(&slope, &self.given.force) - damping * metric * self.given.rate;
        let inverse = (self.given.mass * metric).recip().ok_or(Stop::Zero)?;
        Ok((pushed - bend) * inverse)
    }
}

/// Results that are divided by the square of a tangent may be preceded by that square.
fn guarded(facts: Facts) -> Facts {
    Facts::Guarded(Box::new(facts))
}

impl At<'_> {
    /// The derivatives of s̈.
    fn slopes(&self, point: &mut Point) -> Result<Facts, Stop> {
        let along = Given::new(self.given.model, point);
        let changing = Changing(&self.given, &along);
        let found = checked::change((self, self.functions), "acceleration", &changing, point)?;
        let change = *found.last().ok_or(Stop::UNREAD)?;
        Ok(guarded(Facts::Gradient(along.varied(), change)))
    }
}

impl Leaves<Residue> for At<'_> {
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop> {
        self.given.leaf(symbol)
    }
}

impl Leaves<Residue> for Given<'_> {
    fn leaf(&self, symbol: SymbolId) -> Result<Residue, Stop> {
        Ok(match self.model.symbols[symbol.index()].role {
            Role::Coordinate(_) => self.s,
            Role::Velocity(_) => self.rate,
            Role::Force(i) => self.force[i],
            Role::Mass => self.mass,
            Role::Damping => self.damping,
            Role::Parameter {
                parameter,
                component,
            } => self.parameters[parameter][component],
            _ => Residue::ZERO,
        })
    }
}

impl Subject for At<'_> {
    fn facts(&self, name: &str, point: &mut Point) -> Result<Facts, Stop> {
        let place = self.of(|it| it.value);
        let values = match name {
            "position" => place,
            "tangent" => self.slope(),
            "second_derivative" => self.second(),
            "jet" => [place, self.slope(), self.second()].concat(),
            "curvature" => return Ok(Facts::UpToSign(self.curvature?)),
            "acceleration" => vec![self.acceleration(Residue::ZERO)?],
            "acceleration_under" => {
                let velocity = self.slope().into_iter().map(|it| it * self.given.rate);
                let moves = velocity.chain([self.acceleration(self.given.damping)?]);
                place.into_iter().chain(moves).collect_vec()
            }
            "linearize" => return self.slopes(point),
            "domain" => self.domain.clone()?,
            _ => return Err(Stop::Uncovered(Gap::Unknown)),
        };
        Ok(match name {
            "acceleration" | "acceleration_under" => guarded(Facts::Values(values)),
            _ => Facts::Values(values),
        })
    }
}
