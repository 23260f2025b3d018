//! Bodies at a point: where they are, how they turn, and how much they resist.

use super::field::Residue;
use super::linear::dot;
use super::point::{Point, Stop};
use super::series::Series;
use crate::model::{Body, Model, Shape};

/// Where a body is.
pub struct Pose {
    place: Vec<Residue>,
    /// re, im or i, j, k, w: of size 1.
    rotation: Vec<Residue>,
}

/// A body that moves.
#[derive(Clone, Debug)]
pub struct Moving {
    /// Its place.
    pub place: Vec<Series>,
    /// The axes of its frame.
    axes: Vec<Vec<Series>>,
    /// ω
    pub spin: Vec<Series>,
}

impl Pose {
    /// Somewhere: the square of any number or quaternion over the square of its size is of size 1.
    pub fn new(body: &Body, point: &mut Point) -> Pose {
        let place = point.draws(body.shape.len());
        let drawn = point.draws(body.rotation.len());
        let inverse = dot(&drawn, &drawn).recip().unwrap_or(Residue::ONE);
        let (vector, last) = match (body.shape, &drawn[..]) {
            (Shape::Space, [vector @ .., w]) => (vector, *w),
            (_, [re, ..]) => (&drawn[1..], *re),
            _ => (&drawn[..0], Residue::ONE),
        };
        let real = last * last - dot(vector, vector);
        let twice = last + last;
        let vector = vector.iter().map(|&it| twice * it * inverse);
        let real = real * inverse;
        let rotation = match body.shape {
            Shape::Space => vector.chain([real]).collect(),
            _ => [real].into_iter().chain(vector).collect(),
        };
        Pose { place, rotation }
    }

    /// As generated code is given them.
    pub fn coordinates(&self) -> impl Iterator<Item = Residue> {
        self.place.iter().chain(&self.rotation).copied()
    }

    /// R u
    fn turned(&self, u: &[Residue]) -> Vec<Residue> {
        match (&self.rotation[..], u) {
            (&[re, im], &[x, y]) => vec![re * x - im * y, im * x + re * y],
            // u + 2 (w q×u + q×(q×u))
            (&[i, j, k, w], _) => {
                let across = cross(&[i, j, k], u);
                let again = cross(&[i, j, k], &across);
                let twice = |it: Residue| it + it;
                let parts = u.iter().zip(across.iter().zip(&again));
                parts.map(|(&u, (&a, &b))| u + twice(w * a + b)).collect()
            }
            _ => u.to_vec(),
        }
    }

    /// The body with velocities v + ε u that last.
    pub fn moving(&self, v: &[Residue], u: &[Residue]) -> Moving {
        let size = self.place.len();
        let place = (0..size).map(|i| Series {
            value: self.place[i],
            rate: v[i],
            along_rate: u[i],
            ..Series::default()
        });
        let spin = v[size..].iter().zip(&u[size..]);
        let spin = spin.map(|(&value, &along)| Series {
            value,
            along,
            ..Series::default()
        });
        let axis = |k: usize| {
            let fixed: Vec<Residue> = (0..size).map(|i| Residue::of((i == k).into())).collect();
            let arm = self.turned(&fixed);
            let rate = cross(&v[size..], &arm);
            let second = cross(&v[size..], &rate);
            let along = cross(&u[size..], &arm);
            let half = Residue::of(2).recip().unwrap_or_default();
            let component = |i: usize| Series {
                value: arm[i],
                rate: rate[i],
                along_rate: along[i],
                half_second: half * second[i],
                ..Series::default()
            };
            (0..size).map(component).collect()
        };
        Moving {
            place: place.collect(),
            axes: (0..size).map(axis).collect(),
            spin: spin.collect(),
        }
    }
}

impl Moving {
    /// R u
    pub fn turned(&self, u: &[Series]) -> Vec<Series> {
        let component = |i: usize| {
            let parts = self.axes.iter().zip(u).map(|(axis, u)| axis[i].times(*u));
            parts.fold(Series::default(), Series::plus)
        };
        (0..u.len()).map(component).collect()
    }
}

/// ω×r
fn cross(spin: &[Residue], r: &[Residue]) -> Vec<Residue> {
    match (spin, r) {
        (&[w], &[x, y]) => vec![-(w * y), w * x],
        (&[a, b, c], &[x, y, z]) => vec![b * z - c * y, c * x - a * z, a * y - b * x],
        _ => r.to_vec(),
    }
}

/// W = M⁻¹
pub struct Weights {
    /// One for each coordinate or body.
    pub masses: Vec<Residue>,
    /// Entries of the inverse inertias: one for each body in the plane, xx, xy, xz, yy, yz, zz in space.
    pub inertias: Vec<Residue>,
    /// Velocities of a body.
    width: usize,
}

impl Weights {
    /// Any, for so many velocities.
    pub fn new(model: &Model, n: usize, point: &mut Point) -> Weights {
        let bodies = model.bodies.len();
        let width = model.body_velocities();
        let entries = if width == 6 { 6 } else { 1 };
        Weights {
            masses: point.draws(if bodies == 0 { n } else { bodies }),
            inertias: point.draws(bodies * entries),
            width,
        }
    }

    /// Those of one particle.
    pub fn of_particle(n: usize, mass: Residue) -> Result<Weights, Stop> {
        Ok(Weights {
            masses: vec![mass.recip().ok_or(Stop::Zero)?; n],
            inertias: Vec::new(),
            width: 0,
        })
    }

    /// W x
    pub fn times(&self, x: &[Residue]) -> Vec<Residue> {
        if self.width == 0 {
            return x.iter().zip(&self.masses).map(|(x, w)| *x * *w).collect();
        }
        let entries = if self.width == 6 { 6 } else { 1 };
        let bodies = self.masses.iter().zip(self.inertias.chunks(entries));
        let parts = x.chunks(self.width).zip(bodies);
        let part = |(x, (&mass, inertia)): (&[Residue], (&Residue, &[Residue]))| {
            let (linear, turning) = x.split_at(self.width / 2 + self.width % 2);
            let mut part: Vec<Residue> = linear.iter().map(|&it| it * mass).collect();
            match *inertia {
                [xx, xy, xz, yy, yz, zz] => {
                    let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
                    part.extend(rows.map(|row| dot(&row, turning)));
                }
                _ => part.push(inertia[0] * turning[0]),
            }
            part
        };
        parts.flat_map(part).collect()
    }
}
