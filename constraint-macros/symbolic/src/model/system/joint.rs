//! `joint knee: Hinge { a: thigh, b: shank, … }`: the rows of a joint of the library, between two bodies.
//!
//! The text of the joint is lowered in a scope of its own, with its bodies and parameters bound to the user's values.

use crate::expr::CollectVec;
use std::rc::Rc;

use super::super::Shape;
use super::super::names::Names;
use super::super::pose::Pose;
use super::super::value::Value;
use super::statements::SystemBuilder;
use crate::diagnostic::part;
use crate::syntax::ast::{Declaration, name_of};
use crate::syntax::statement::PartUse;
use crate::syntax::{library_joint, library_joints};

impl SystemBuilder<'_> {
    /// A joint; reports mistakes.
    pub fn joint(&mut self, it: &PartUse) {
        let mut values = self.values(it);
        let (Some(indices), Some(shape)) = (
            self.indices_of(&it.declared),
            self.space_of(it, [values.get("a"), values.get("b")]),
        ) else {
            return;
        };
        let (name, range) = (name_of(&it.part), it.part.span());
        let Some(joint) = library_joint(&name, shape == Shape::Plane, range) else {
            let known: Vec<&str> = library_joints(shape == Shape::Plane).collect_vec();
            let space = shape == Shape::Space;
            let diagnostic = part::unknown_joint(range.into(), &name, space, &known);
            self.lowering.report(diagnostic);
            return;
        };
        let Some(header) = &joint.header else {
            return;
        };
        let ground = Value::Pose(Rc::new(Pose::ground(self.lowering.graph(), shape)));
        for body in &header.coordinates {
            let value = values.entry(name_of(&body.name));
            value.or_insert_with(|| ground.clone());
        }
        let inner = Names::of_part(Rc::default());
        let outer = std::mem::replace(&mut self.lowering.names, inner);
        let parameters = header.coordinates.iter().chain(&header.parameters);
        let parameters: Vec<Declaration> = parameters.cloned().collect_vec();
        self.bind_parameters(it, &parameters, values, part::unknown_parameter_of_joint);
        self.rows_of_constraint(&it.declared, indices, &joint.body);
        self.lowering.names = outer;
    }

    /// The dimension of the bodies, one of which may be the ground; reported if there is none.
    fn space_of(&mut self, it: &PartUse, bodies: [Option<&Value>; 2]) -> Option<Shape> {
        let mut given = bodies.into_iter().flatten();
        let body = given
            .clone()
            .find(|body| self.lowering.place_of_body(body).is_some());
        if body.is_none() && !given.any(|body| matches!(body, Value::Poison)) {
            let range = it.part.span().into();
            let diagnostic = part::joint_without_body(range, &name_of(&it.part));
            self.lowering.report(diagnostic);
        }
        body.map(|body| self.shape_of_body(body))
    }
}
