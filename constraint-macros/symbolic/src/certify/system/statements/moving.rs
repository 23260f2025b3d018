//! Statements on coordinates, particles and bodies, and their inertia.

use crate::expr::{CollectVec, PushEach, SortedMap};
use std::rc::Rc;

use proc_macro2::Ident;

use super::{Motion, Posed, Reading, bracketed};
use crate::certify::bodies::{Moving, Pose};
use crate::certify::field::Residue;
use crate::certify::linear::dot;
use crate::certify::point::{Point, Stop};
use crate::certify::series::Series;
use crate::certify::system::layout::{Layout, Place};
use crate::certify::tree::{Found, Value, given};
use crate::syntax::ast::{Expr, name_of};
use crate::syntax::statement::{self, Declared};

impl Reading<'_> {
    /// Declares coordinates: one, an array, or inside a `for` an element.
    pub(super) fn own(&mut self, declared: &Declared) -> Found<Vec<Value>> {
        let brackets = self.brackets(declared)?;
        let name = name_of(&declared.name);
        let around = self.within.iter().map(|(name, _)| format!("{name}."));
        let key = around.chain([name]).collect::<String>();
        let outer: Vec<usize> = self.within.iter().flat_map(|it| it.1.clone()).collect_vec();
        if self.lasting.is_some() {
            let value = self.element(&key, &[&outer[..], &brackets].concat())?;
            self.push_element(&declared.name, &brackets, value.clone());
            return Ok(vec![value]);
        }
        let count: usize = brackets.iter().product();
        let mut all = Vec::with_capacity(count);
        for number in 0..count {
            let mut rest = number;
            let mut indices = brackets.clone();
            for (index, length) in indices.iter_mut().zip(&brackets).rev() {
                *index = rest % length;
                rest /= length;
            }
            all.push(self.element(&key, &[&outer[..], &indices].concat())?);
        }
        let mut each = all.iter().cloned();
        let value = Value::of_elements(&brackets, &mut || {
            let zero = Value::Scalar(Series::default());
            each.next().unwrap_or(zero)
        });
        self.bind(&declared.name, value);
        Ok(all)
    }

    fn element(&self, key: &str, indices: &[usize]) -> Found<Value> {
        let place = self.text.layout.place(key, indices);
        let place = place.ok_or(Stop::UNREAD)?;
        let Place {
            coordinate,
            velocity,
            shape,
            body,
        } = place;
        let (given, Motion { a, w }) = (self.given, self.motion);
        if body {
            let pose = given.poses.get(&coordinate).ok_or(Stop::UNREAD)?;
            let own = velocity..velocity + pose.velocities();
            let moving = pose.varied([&given.v[own.clone()], &a[own.clone()], &w[own]]);
            return Ok(Value::Body(Rc::new(moving)));
        }
        let series = |i: usize| {
            let w = w[velocity + i];
            Series {
                value: given.q[coordinate + i],
                rate: given.v[velocity + i],
                half_second: Residue::HALF * a[velocity + i],
                along: w,
                gaining: [Residue::ZERO, w, Residue::ZERO],
                ..Series::default()
            }
        };
        Ok(Value::shaped(
            shape,
            (0..shape.len()).map(series).collect_vec(),
        ))
    }

    pub(super) fn input(&mut self, declared: &Declared) {
        let name = name_of(&declared.name);
        let inputs = self.text.system.inputs.iter().zip(&self.given.inputs);
        for (input, values) in inputs {
            if name_of(&input.name) == name {
                let value = given(input.shape, &input.lengths, values);
                self.reader.names.push((name.clone(), value));
            }
        }
        self.driven.insert(name);
    }

    pub(super) fn particle(&mut self, particle: &statement::Particle) -> Found<()> {
        let places = match &particle.place {
            statement::ParticlePlace::Own(_) => {
                let mut places = Vec::new();
                for declared in &particle.declared {
                    places.push_each(self.own(declared)?);
                }
                places
            }
            statement::ParticlePlace::At(place) => {
                let place = match self.reader.value(place)? {
                    Value::Scalar(one) => Value::Vector(vec![one]),
                    place => place,
                };
                self.bind_placed(&particle.declared, place.clone())?;
                vec![place]
            }
            statement::ParticlePlace::Invalid => return Err(Stop::UNREAD),
        };
        let mass = self.field(&particle.fields, "mass")?;
        let mass = mass.components().first().ok_or(Stop::UNREAD)?.value;
        for place in places {
            self.add_mass(mass, place.components());
        }
        Ok(())
    }

    /// Binds a name to a placed particle or body, or adds it to an array.
    fn bind_placed(&mut self, declared: &[Declared], value: Value) -> Found<()> {
        let [declared] = declared else {
            return Err(Stop::UNREAD);
        };
        if declared.brackets.is_empty() {
            self.bind(&declared.name, value);
        } else {
            let indices = self.brackets(declared)?;
            self.push_element(&declared.name, &indices, value);
        }
        Ok(())
    }

    fn field(&mut self, fields: &[(Ident, Expr)], name: &str) -> Found<Value> {
        let mut fields = fields.iter();
        let field = fields.find(|(field, _)| field == name);
        self.reader.value(&field.ok_or(Stop::UNREAD)?.1)
    }

    pub(super) fn body(&mut self, body: &statement::Body) -> Found<()> {
        let values = match &body.pose {
            None => {
                let mut values = Vec::new();
                for declared in &body.declared {
                    values.push_each(self.own(declared)?);
                }
                values
            }
            Some(pose) => {
                let pose = self.reader.value(pose)?;
                self.bind_placed(&body.declared, pose.clone())?;
                vec![pose]
            }
        };
        let fields = body.fields.as_ref().ok_or(Stop::UNREAD)?;
        let (mass, inertia) = (self.field(fields, "mass")?, self.field(fields, "inertia")?);
        let mass = mass.components().first().ok_or(Stop::UNREAD)?.value;
        for value in values {
            let Value::Body(moving) = value else {
                return Err(Stop::UNREAD);
            };
            self.add_mass(mass, &moving.place);
            self.add_inertia(&inertia, &moving);
            if self.text.system.options.regressor.is_some() && body.pose.is_some() {
                self.list_posed(body, moving.clone(), (mass, &inertia))?;
            }
            self.turning.push((inertia.clone(), moving));
        }
        Ok(())
    }

    fn list_posed(
        &mut self,
        body: &statement::Body,
        frame: Rc<Moving>,
        (mass, inertia): (Residue, &Value),
    ) -> Found<()> {
        let declared = body.declared.first().ok_or(Stop::UNREAD)?;
        let indices = bracketed(&self.brackets(declared)?);
        let name = format!(
            "{}{}{indices}",
            self.reader.scope.prefix,
            name_of(&declared.name)
        );
        let count = frame.spin.len();
        let column = |k: usize| {
            let axis: Vec<Residue> = (0..count)
                .map(|i| Residue::of((i == k).into()))
                .collect_vec();
            resistance(inertia, &axis)
        };
        self.found.posed.push(Posed {
            name,
            frame,
            mass,
            inertia: (0..count).map(column).collect_vec(),
        });
        Ok(())
    }

    /// m r̈·δr and m ṙ²/2
    fn add_mass(&mut self, mass: Residue, place: &[Series]) {
        for x in place {
            let acceleration = x.half_second + x.half_second;
            self.found.work = self.found.work + mass * acceleration * x.along;
            self.found.kinetic = self.found.kinetic + Residue::HALF * mass * x.rate * x.rate;
        }
        self.heavy.push((mass, place.to_vec()));
    }

    /// (I ω̇ + ω×I ω)·δθ and ω·I ω/2, all in the body's frame.
    fn add_inertia(&mut self, inertia: &Value, body: &Moving) {
        let of = |get: fn(&Series) -> Residue| {
            let all: Vec<Residue> = body.spin.iter().map(get).collect_vec();
            body.own(&all)
        };
        let (spin, rate, turn) = (of(|it| it.value), of(|it| it.rate), of(|it| it.gaining[0]));
        let momentum = resistance(inertia, &spin);
        let energy = Residue::HALF * dot(&momentum, &spin);
        self.found.kinetic = self.found.kinetic + energy;
        let resisting = resistance(inertia, &rate);
        let mut work = dot(&resisting, &turn);
        if let (&[x, y, z], &[a, b, c]) = (&spin[..], &momentum[..]) {
            let gyroscopic = [y * c - z * b, z * a - x * c, x * b - y * a];
            work = work + dot(&gyroscopic, &turn);
        }
        self.found.work = self.found.work + work;
    }
}

/// I x, with I one moment, three moments, or a matrix.
pub(super) fn resistance<X: Scaled>(inertia: &Value, x: &[X]) -> Vec<X> {
    let values = |of: &Value| -> Vec<Residue> {
        let components = of.components().iter();
        components.map(|it| it.value).collect_vec()
    };
    let dot = |row: Vec<Residue>| {
        let terms = row.into_iter().zip(x).map(|(i, x)| x.scaled_by(i));
        terms.reduce(X::plus_other).unwrap_or_default()
    };
    match inertia {
        Value::Array(rows) => rows.iter().map(|row| dot(values(row))).collect_vec(),
        moments => values(moments)
            .iter()
            .zip(x)
            .map(|(&i, x)| x.scaled_by(i))
            .collect_vec(),
    }
}

/// Numbers, and series of them.
pub(super) trait Scaled: Copy + Default {
    fn scaled_by(&self, by: Residue) -> Self;
    fn plus_other(self, other: Self) -> Self;
}

impl Scaled for Residue {
    fn scaled_by(&self, by: Residue) -> Residue {
        by * *self
    }

    fn plus_other(self, other: Residue) -> Residue {
        self + other
    }
}

impl Scaled for Series {
    fn scaled_by(&self, by: Residue) -> Series {
        self.scaled(by)
    }

    fn plus_other(self, other: Series) -> Series {
        self.plus(other)
    }
}

/// Random poses of the bodies, by their first coordinate.
pub fn poses(layout: &Layout, point: &mut Point) -> SortedMap<usize, Pose> {
    let bodies = layout.bodies().into_iter();
    let poses = bodies.map(|it| (it.coordinate, Pose::new(it.shape, point)));
    poses.collect()
}
