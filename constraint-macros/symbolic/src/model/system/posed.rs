//! `body link: Rigid2 = pose(place, angle) { … }`: bodies whose poses are functions of coordinates.

use std::rc::Rc;

use super::super::Shape;
use super::super::pose::Pose;
use super::super::value::Value;
use super::elements::ElementKind;
use super::moving::element_name;
use super::statements::SystemBuilder;
use crate::diagnostic::system;
use crate::syntax::ast::{Expr, name_of};
use crate::syntax::statement::Body;

impl SystemBuilder<'_> {
    /// A body, or element i of an array of such.
    pub fn posed(&mut self, body: &Body, pose: &Expr, shape: Shape) {
        let [declared] = &body.declared[..] else {
            return self.bind_poison(&body.declared);
        };
        let name = name_of(&declared.name);
        let is_element = !declared.brackets.is_empty();
        let first = self.system.posed.len();
        let value = match self.pose_of(body, pose, shape) {
            Some(posed) => self.massive(body, posed, (&name, is_element)),
            None => Value::Poison,
        };
        if !is_element {
            return self.lowering.bind(&declared.name, value);
        }
        if let Some(indices) = self.next_element(declared, ElementKind::Posed) {
            let element = self.full_name(&element_name(declared, &indices));
            for posed in &mut self.system.posed[first..] {
                posed.name.clone_from(&element);
            }
            self.lowering.names.push_element(&name, &indices, value);
        }
    }

    /// The pose as written; reports mistakes.
    fn pose_of(&mut self, body: &Body, pose: &Expr, shape: Shape) -> Option<Pose> {
        let found = self.lowering.value_or_body(pose);
        let Some(posed) = self.lowering.as_pose(&found) else {
            if found.kind().is_some() {
                let diagnostic = system::expected_pose(pose.range, shape.len());
                self.lowering.report(diagnostic);
            }
            return None;
        };
        if posed.shape == shape {
            return Some(posed);
        }
        let diagnostic = system::pose_of_another_space(pose.range, &body.ty.to_string());
        self.lowering.report(diagnostic);
        None
    }

    /// A body with this pose: leaves for its place, a name, mass and inertia.
    fn massive(&mut self, body: &Body, mut posed: Pose, (name, is_element): (&str, bool)) -> Value {
        let place = Value::Vector(posed.place);
        let name = self.full_name(name);
        let place = self.placeholder(&place, &name, is_element);
        posed.place = place.components().to_vec();
        posed.name = name;
        if let Some((mass, inertia)) = self.resistance(body, posed.shape) {
            self.add_posed(&posed, mass, inertia);
        }
        Value::Pose(Rc::new(posed))
    }
}
