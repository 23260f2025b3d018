//! Bodies at a point: places, rotations and inertias.

use crate::expr::{CollectVec, MapEach, PushEach};
use std::rc::Rc;

use super::field::Residue;
use super::linear::dot;
use super::point::{Point, Stop};
use super::series::{Series, dot as dot_of_series};
use crate::model::{Model, Shape};

/// The pose of a body.
#[derive(Clone, Debug)]
pub struct Pose {
    place: Vec<Residue>,
    /// re, im or i, j, k, w: a unit number.
    rotation: Vec<Residue>,
}

/// A body that moves.
#[derive(Clone, Debug)]
pub struct Moving {
    /// Its position.
    pub place: Vec<Series>,
    /// The axes of its frame.
    pub axes: Vec<Vec<Series>>,
    /// ω
    pub spin: Vec<Series>,
    /// The frame that it is fixed to; `None` if it moves relative to the frame before it, or is the first.
    fixed_to: Option<Rc<Moving>>,
}

impl Pose {
    /// A random pose: the square of any number or quaternion over its squared norm has norm 1.
    pub fn new(shape: Shape, point: &mut Point) -> Pose {
        let place = point.draws(shape.len());
        let drawn = point.draws(if shape == Shape::Space { 4 } else { 2 });
        let inverse = dot(&drawn, &drawn).recip().unwrap_or(Residue::ONE);
        let (vector, last) = match (shape, &drawn[..]) {
            (Shape::Space, [vector @ .., w]) => (vector, *w),
            (_, [re, ..]) => (&drawn[1..], *re),
            _ => (&drawn[..0], Residue::ONE),
        };
        let real = last * last - dot(vector, vector);
        let twice = last + last;
        let vector = vector.iter().map(|&it| twice * it * inverse);
        let real = real * inverse;
        let rotation = match shape {
            Shape::Space => vector.chain([real]).collect_vec(),
            _ => [real].into_iter().chain(vector).collect_vec(),
        };
        Pose { place, rotation }
    }

    /// Number of velocities.
    pub fn velocities(&self) -> usize {
        self.place.len() + if self.place.len() == 3 { 3 } else { 1 }
    }

    /// The coordinates, as generated code receives them.
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
                let crossed_twice = cross(&[i, j, k], &across);
                let twice = |it: Residue| it + it;
                let parts = u.iter().zip(across.iter().zip(&crossed_twice));
                parts
                    .map(|(&u, (&a, &b))| u + twice(w * a + b))
                    .collect_vec()
            }
            _ => u.to_vec(),
        }
    }

    /// The body with velocities v and accelerations a, in a motion that differs by ε w and δ τ w.
    pub fn varied(&self, [v, a, w]: [&[Residue]; 3]) -> Moving {
        let size = self.place.len();
        let place = (0..size).map(|i| Series {
            value: self.place[i],
            rate: v[i],
            half_second: Residue::HALF * a[i],
            along: w[i],
            gaining: [Residue::ZERO, w[i], Residue::ZERO],
            ..Series::default()
        });
        let place = place.collect_vec();
        let [v, a, w] = [v, a, w].map_each(|it| &it[size..]);
        // The rotation by w rotates the angular velocity as well.
        let turned = match (w, v) {
            ([_, _, _], _) => cross(w, v),
            _ => vec![Residue::ZERO],
        };
        let spin = (0..v.len()).map(|i| Series {
            value: v[i],
            rate: a[i],
            along: turned[i],
            gaining: [w[i], turned[i], Residue::ZERO],
            ..Series::default()
        });
        let axis = |k: usize| {
            let fixed: Vec<Residue> = (0..size)
                .map(|i| Residue::of((i == k).into()))
                .collect_vec();
            let arm = self.turned(&fixed);
            let rate = cross(v, &arm);
            let (inward, onward) = (cross(v, &rate), cross(a, &arm));
            let (along, along_rate) = (cross(w, &arm), cross(w, &rate));
            let component = |i: usize| Series {
                value: arm[i],
                rate: rate[i],
                half_second: Residue::HALF * (inward[i] + onward[i]),
                along: along[i],
                along_rate: along_rate[i],
                gaining: [Residue::ZERO, along[i], along_rate[i]],
            };
            (0..size).map(component).collect_vec()
        };
        Moving {
            place,
            axes: (0..size).map(axis).collect_vec(),
            spin: spin.collect_vec(),
            fixed_to: None,
        }
    }

    /// The rate of the coordinates at velocities (v, ω).
    pub fn rates(&self, v: &[Residue]) -> Vec<Residue> {
        let (linear, spin) = v.split_at(self.place.len());
        let turn = match self.rotation[..] {
            [re, im] => vec![-(spin[0] * im), spin[0] * re],
            [i, j, k, w] => {
                // ½ (ω, 0) (q, w)
                let across = cross(spin, &[i, j, k]);
                let vector = spin
                    .iter()
                    .zip(&across)
                    .map(|(&s, &a)| Residue::HALF * (w * s + a));
                let last = -(Residue::HALF * dot(spin, &[i, j, k]));
                vector.chain([last]).collect_vec()
            }
            _ => Vec::new(),
        };
        [linear.to_vec(), turn].concat()
    }

    /// The body with constant velocities v + ε u.
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
            let fixed: Vec<Residue> = (0..size)
                .map(|i| Residue::of((i == k).into()))
                .collect_vec();
            let arm = self.turned(&fixed);
            let rate = cross(&v[size..], &arm);
            let second = cross(&v[size..], &rate);
            let along = cross(&u[size..], &arm);
            let component = |i: usize| Series {
                value: arm[i],
                rate: rate[i],
                along_rate: along[i],
                half_second: Residue::HALF * second[i],
                ..Series::default()
            };
            (0..size).map(component).collect_vec()
        };
        Moving {
            place: place.collect_vec(),
            axes: (0..size).map(axis).collect_vec(),
            spin: spin.collect_vec(),
            fixed_to: None,
        }
    }
}

impl Moving {
    /// A pose with the world's axes, in two or three dimensions.
    pub fn unturned(place: Vec<Series>) -> Moving {
        let (zero, size) = (Series::default(), place.len());
        let one = Series::constant(Residue::ONE);
        let axis = |k| (0..size).map(move |i| if i == k { one } else { zero });
        Moving {
            place,
            axes: (0..size).map(|k| axis(k).collect_vec()).collect_vec(),
            spin: vec![zero; if size == 3 { 3 } else { 1 }],
            fixed_to: None,
        }
    }

    /// A rotation in the plane by an angle with this cosine and sine.
    pub fn turned_in_the_plane(
        place: Vec<Series>,
        angle: Series,
        [cosine, sine]: [Series; 2],
    ) -> Moving {
        Moving {
            place,
            axes: vec![vec![cosine, sine], vec![sine.negative(), cosine]],
            spin: vec![angle.rates()],
            fixed_to: None,
        }
    }

    /// A rotation about an axis a, given with n = a/|a| and 1/|a|², by an angle with this cosine and sine.
    pub fn turned_about(
        place: Vec<Series>,
        [axis, unit]: [Vec<Series>; 2],
        inverse_square: Series,
        (angle, [cosine, sine]): (Series, [Series; 2]),
    ) -> Moving {
        let rate = angle.rates();
        let rest = Series::constant(Residue::ONE).minus(cosine);
        let rest = rest.times(inverse_square);
        // Rodrigues: c eₖ + s n×eₖ + (1 − c) aₖ a/|a|²
        let column = |k: usize| {
            let across = |i: usize| match (i + 3 - k) % 3 {
                1 => unit[3 - i - k],
                2 => unit[3 - i - k].negative(),
                _ => Series::default(),
            };
            let entry = |i: usize| {
                let along = rest.times(axis[i]).times(axis[k]);
                let entry = along.plus(sine.times(across(i)));
                if i == k { entry.plus(cosine) } else { entry }
            };
            (0..3).map(entry).collect_vec()
        };
        Moving {
            place,
            axes: (0..3).map(column).collect_vec(),
            spin: unit.iter().map(|n| n.times(rate)).collect_vec(),
            fixed_to: None,
        }
    }

    /// R f(Rᵀ ω); in the plane f(ω).
    pub fn turned_by_own(&self, of: impl Fn(&[Series]) -> Vec<Series>) -> Vec<Series> {
        if self.spin.len() == 1 {
            return of(&self.spin);
        }
        let own = self.axes.iter().map(|axis| dot_of_series(axis, &self.spin));
        self.turned(&of(&own.collect_vec()))
    }

    /// A pose given relative to this one.
    pub fn followed_by(&self, next: &Moving) -> Moving {
        let sum = |a: &[Series], b: &[Series]| {
            let pairs = a.iter().zip(b);
            pairs.map(|(a, b)| a.plus(*b)).collect_vec()
        };
        let spin = match next.spin.len() {
            1 => next.spin.clone(),
            _ => self.turned(&next.spin),
        };
        // A product in parentheses is one factor.
        let fixed_to = (!next.moves()).then(|| Rc::new(self.clone()));
        Moving {
            place: sum(&self.place, &self.turned(&next.place)),
            axes: next.axes.iter().map(|axis| self.turned(axis)).collect_vec(),
            spin: sum(&self.spin, &spin),
            fixed_to,
        }
    }

    fn moves(&self) -> bool {
        let mut components = self.axes.iter().flatten().chain(&self.place);
        components.any(|it| !it.rate.is_zero())
    }

    /// The frame of the link that it is fixed to, perhaps its own; `None` if that is the world.
    pub fn link(&self) -> Option<&Moving> {
        match &self.fixed_to {
            Some(frame) => frame.link(),
            None => self.moves().then_some(self),
        }
    }

    /// Rᵀ x; one number, an angular velocity in the plane, is unchanged.
    pub fn own(&self, x: &[Residue]) -> Vec<Residue> {
        if x.len() != self.axes.len() {
            return x.to_vec();
        }
        let along = |axis: &Vec<Series>| {
            let axis: Vec<Residue> = axis.iter().map(|it| it.value).collect_vec();
            dot(&axis, x)
        };
        self.axes.iter().map(along).collect_vec()
    }

    /// R u
    pub fn turned(&self, u: &[Series]) -> Vec<Series> {
        let component = |i: usize| {
            let parts = self.axes.iter().zip(u).map(|(axis, u)| axis[i].times(*u));
            parts.fold(Series::default(), Series::plus)
        };
        (0..u.len()).map(component).collect_vec()
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
    /// Random weights for this number of velocities.
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

    /// The weights of coordinates, one each.
    pub fn of_points(masses: Vec<Residue>) -> Weights {
        Weights {
            masses,
            inertias: Vec::new(),
            width: 0,
        }
    }

    /// The weights of one particle.
    pub fn of_particle(n: usize, mass: Residue) -> Result<Weights, Stop> {
        let weight = mass.recip().ok_or(Stop::Zero)?;
        Ok(Weights::of_points(vec![weight; n]))
    }

    /// W x
    pub fn times(&self, x: &[Residue]) -> Vec<Residue> {
        if self.width == 0 {
            return x
                .iter()
                .zip(&self.masses)
                .map(|(x, w)| *x * *w)
                .collect_vec();
        }
        let entries = if self.width == 6 { 6 } else { 1 };
        let bodies = self.masses.iter().zip(self.inertias.chunks(entries));
        let parts = x.chunks(self.width).zip(bodies);
        let part = |(x, (&mass, inertia)): (&[Residue], (&Residue, &[Residue]))| {
            let (linear, turning) = x.split_at(self.width / 2 + self.width % 2);
            let mut part: Vec<Residue> = linear.iter().map(|&it| it * mass).collect_vec();
            match *inertia {
                [xx, xy, xz, yy, yz, zz] => {
                    let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
                    part.push_each(rows.map_each(|row| dot(&row, turning)));
                }
                _ => part.push(inertia[0] * turning[0]),
            }
            part
        };
        parts.flat_map(part).collect_vec()
    }
}
