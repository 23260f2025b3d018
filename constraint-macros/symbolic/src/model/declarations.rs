//! Declarations of a header: coordinates, bodies, time, parameters.

use crate::expr::CollectVec;
use proc_macro2::Ident;

use super::lower::{Lowering, constant};
use super::value::Value;
use super::{Coordinate, Parameter, Role, Shape};
use crate::diagnostic::catalogue;
use crate::syntax::ast::{Annotation, Declaration, Expr, Header, name_of};

impl Lowering<'_> {
    pub fn declare(&mut self, header: &Header) {
        for coordinate in &header.coordinates {
            let value = self.coordinate(coordinate);
            self.bind(&coordinate.name, value);
        }
        for parameter in &header.parameters {
            let value = self.parameter(parameter);
            self.bind(&parameter.name, value);
        }
    }

    /// In the bare form x, y and z are coordinates in this order, so that `y == sin(x)` is a curve over x; later names
    /// are declared as they appear.
    pub fn declare_axes(&mut self, body: &Expr) {
        for axis in ["x", "y", "z"] {
            if let Some(name) = body.first_free(axis) {
                self.declare_free(name);
            }
        }
    }

    /// A free name of the bare form becomes a coordinate.
    pub fn declare_free(&mut self, name: &Ident) -> Value {
        let value = self.new_coordinate(name, Shape::Scalar);
        self.names.declare_lasting(&name_of(name), value.clone());
        value
    }

    /// Binds a value to a user's name, if the name is free.
    pub fn bind(&mut self, ident: &Ident, value: Value) {
        let (name, range) = (name_of(ident), ident.span().into());
        if constant(&name).is_some() {
            self.report(catalogue::reserved_name(range, &name));
            self.names.declare(&name, Value::Poison);
        } else if !self.names.declare(&name, value) {
            let is_time = self.system.is_some() && name == "t";
            self.report(match is_time {
                true => catalogue::name_of_the_time(range),
                false => catalogue::duplicate_name(range, &name),
            });
        }
    }

    /// Like [`Self::bind`], for a name that outlives the current scope; false if it is taken, which is reported.
    pub fn bind_lasting(&mut self, ident: &Ident, value: Value) -> bool {
        let name = name_of(ident);
        let free = constant(&name).is_none() && !self.names.is_taken(&name);
        if free {
            self.names.declare_lasting(&name, value)
        } else {
            self.bind(ident, Value::Poison)
        }
        free
    }

    fn coordinate(&mut self, declaration: &Declaration) -> Value {
        let shape = match &declaration.annotation {
            Annotation::Missing => Shape::Scalar,
            Annotation::Invalid | Annotation::Array(..) => return Value::Poison,
            Annotation::Type(ty) => match ty.to_string().as_str() {
                "Real" => Shape::Scalar,
                "Point2" => Shape::Plane,
                "Point3" => Shape::Space,
                "Time" => return self.time(&declaration.name),
                "Rigid2" => return self.body(&declaration.name, Shape::Plane, ty),
                "Rigid3" => return self.body(&declaration.name, Shape::Space, ty),
                other => {
                    let range = ty.span().into();
                    return self.report(catalogue::unknown_type(range, other, false));
                }
            },
        };
        self.new_coordinate(&declaration.name, shape)
    }

    fn new_coordinate(&mut self, ident: &Ident, shape: Shape) -> Value {
        if !self.model.bodies.is_empty() {
            let name = name_of(ident);
            return self.report(catalogue::coordinate_among_bodies(
                ident.span().into(),
                &name,
            ));
        }
        let first = self.scalars;
        self.scalars += shape.len();
        self.model.coordinates.push(Coordinate {
            name: ident.clone(),
            shape,
        });
        self.symbols(ident, shape, |i| Role::Coordinate(first + i))
    }

    fn time(&mut self, ident: &Ident) -> Value {
        if let Some(first) = &self.model.time {
            let first = first.to_string();
            return self.report(catalogue::second_time(ident.span().into(), &first));
        }
        self.model.time = Some(ident.clone());
        self.symbols(ident, Shape::Scalar, |_| Role::Time)
    }

    fn parameter(&mut self, declaration: &Declaration) -> Value {
        let shape = self.shape_of_parameter(&declaration.annotation);
        let lengths = self.lengths_of_parameter(&declaration.annotation);
        let parameter = self.model.parameters.len();
        // A parameter of a wrong type is a field too.
        self.model.parameters.push(Parameter {
            attributes: declaration.attributes.clone(),
            visibility: declaration.visibility.clone(),
            name: declaration.name.clone(),
            shape: shape.unwrap_or(Shape::Scalar),
            lengths: lengths.clone(),
        });
        let Some(shape) = shape else {
            return Value::Poison;
        };
        let mut first = 0;
        Value::of_elements(&name_of(&declaration.name), &lengths, &mut |name| {
            let element = self.leaves(name, shape, |i| Role::Parameter {
                parameter,
                component: first + i,
            });
            first += shape.len();
            element
        })
    }

    /// The shape of an element, if the type is known; otherwise reported.
    fn shape_of_parameter(&mut self, annotation: &Annotation) -> Option<Shape> {
        let (Annotation::Type(ty) | Annotation::Array(ty, _)) = annotation else {
            return None;
        };
        let range = ty.span().into();
        let diagnostic = match ty.to_string().as_str() {
            "Real" => return Some(Shape::Scalar),
            "Vector2" => return Some(Shape::Plane),
            "Vector3" => return Some(Shape::Space),
            "Time" => catalogue::time_as_parameter(range),
            other => catalogue::unknown_type(range, other, true),
        };
        self.report(diagnostic);
        None
    }

    fn lengths_of_parameter(&mut self, annotation: &Annotation) -> Vec<usize> {
        match annotation {
            Annotation::Array(_, lengths) => self.lengths(lengths),
            _ => Vec::new(),
        }
    }

    /// Adds the leaves of a user's name: `x`, or `a.x`, `a.y`, `a.z`.
    pub fn symbols(&mut self, ident: &Ident, shape: Shape, role: impl Fn(usize) -> Role) -> Value {
        self.leaves(&name_of(ident), shape, role)
    }

    /// Adds leaves: `x`, or `a.x`, `a.y`, `a.z`.
    pub fn leaves(&mut self, name: &str, shape: Shape, role: impl Fn(usize) -> Role) -> Value {
        let leaves = (0..shape.len()).map(|i| {
            let name = match shape {
                Shape::Scalar => name.to_owned(),
                Shape::Plane | Shape::Space => component_name(name, i),
            };
            self.model.add_leaf(role(i), name)
        });
        Value::of_components(leaves.collect_vec())
    }
}

/// `d.x`
pub(super) fn component_name(name: &str, component: usize) -> String {
    let letter = ["x", "y", "z"].get(component).unwrap_or(&"w");
    format!("{name}.{letter}")
}
