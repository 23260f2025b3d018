//! Rates of expressions, and what expressions depend on.

use super::super::Role;
use super::super::lower::Lowering;
use super::super::value::Value;
use crate::diagnostic::{SourceRange, catalogue, system};
use crate::expr::{ExprId, Node};

impl Lowering<'_> {
    /// Sets the first and second derivative of a leaf.
    pub fn seed(&mut self, leaf: ExprId, first: ExprId, second: ExprId) {
        if let Some(scope) = &mut self.system {
            scope.motion.seed(leaf, first, second);
        }
    }

    /// d/dt and d²/dt² at v̇ = 0.
    pub fn derivatives(&mut self, id: ExprId) -> (ExprId, ExprId) {
        let graph = &mut self.model.graph;
        match &mut self.system {
            Some(scope) => (
                scope.motion.first(graph, id),
                scope.motion.second(graph, id),
            ),
            None => (id, id),
        }
    }

    /// `velocity(x)` for `x_dot`, `v_x` and the like, if x moves.
    pub fn rate_meant(&self, name: &str) -> Option<String> {
        self.system.as_ref()?;
        let suffixes = ["_dot", "dot", "_d"].iter();
        let prefixes = ["v_", "v", "d_", "d", "dot_", "omega_"].iter();
        let stripped = suffixes.filter_map(|suffix| name.strip_suffix(suffix));
        let mut stripped = stripped.chain(prefixes.filter_map(|prefix| name.strip_prefix(prefix)));
        stripped.find_map(|of| match self.names.get(of)? {
            Value::Body(_) | Value::Pose(_) if name.starts_with("omega") => {
                Some(format!("angular_velocity({of})"))
            }
            body @ (Value::Body(_) | Value::Pose(_)) => {
                let zeros = vec!["0"; self.place_of_body(body)?.len()].join(", ");
                Some(format!("velocity(at({of}, [{zeros}]))"))
            }
            Value::Array(_) => Some(format!("velocity({of}[i])")),
            value => {
                let mut components = value.components().iter();
                let moves = components.any(|&id| self.moves(id));
                moves.then(|| format!("velocity({of})"))
            }
        })
    }

    /// Whether an expression changes with the coordinates.
    fn moves(&self, id: ExprId) -> bool {
        let still = |role| !matches!(role, Role::Coordinate(_) | Role::Arm { .. } | Role::Place);
        self.depends(id, still).is_some()
    }

    pub(super) fn rate_of(&mut self, value: &Value, range: SourceRange) -> Value {
        match value {
            Value::Condition(_) => return self.report(catalogue::condition_as_value(range)),
            Value::Body(_) | Value::Pose(_) => {
                let name = self.name_of_body(value);
                return self.report(catalogue::body_as_value(range, &name));
            }
            _ => {}
        }
        if let Some(found) = self.depends_on_motion(value) {
            let diagnostic = system::no_velocity(range, found.on);
            return self.report(diagnostic);
        }
        let Some(scope) = &mut self.system else {
            return Value::Poison;
        };
        let graph = &mut self.model.graph;
        value.map(|id| scope.motion.first(graph, id))
    }

    /// The first dependence of a value on anything that velocities, inputs or forces determine, if any.
    pub(super) fn depends_on_motion(&self, value: &Value) -> Option<Dependence<'_>> {
        let still = |role| {
            !matches!(
                role,
                Role::Velocity(_) | Role::Input(_) | Role::Acceleration(_) | Role::Reaction(_)
            )
        };
        let mut components = value.components().iter();
        components.find_map(|&id| self.depends(id, still))
    }

    /// The first forbidden dependence of an expression, if any.
    pub fn depends(&self, id: ExprId, allowed: impl Fn(Role) -> bool) -> Option<Dependence<'_>> {
        let graph = &self.model.graph;
        graph.reachable([id]).into_iter().find_map(|id| {
            let Node::Symbol(symbol) = graph.node(id) else {
                return None;
            };
            let symbol = self.model.symbols.get(symbol.index())?;
            (!allowed(symbol.role)).then(|| Dependence {
                on: in_words(symbol.role),
                name: &symbol.name,
            })
        })
    }
}

/// A forbidden dependence of an expression.
pub(in crate::model) struct Dependence<'a> {
    /// `a velocity`, `a coordinate`, `the time`
    pub on: &'static str,
    /// `u[3].x`
    pub name: &'a str,
}

fn in_words(role: Role) -> &'static str {
    match role {
        Role::Time => "the time",
        Role::Velocity(_) => "a velocity",
        Role::Input(_) => "an input",
        Role::Acceleration(_) => "an acceleration",
        Role::Reaction(_) => "a multiplier",
        Role::Parameter { .. } => "a parameter",
        _ => "a coordinate",
    }
}
