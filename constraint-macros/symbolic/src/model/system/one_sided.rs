//! `constraint floor: ball.y >= r { restitution: e, friction: mu, slip: rate };`: rows of one side.

use proc_macro2::Ident;

use super::super::Role;
use super::moving::element_name;
use super::statements::SystemBuilder;
use crate::diagnostic::catalogue;
use crate::diagnostic::{SourceRange, system};
use crate::diff::Taylor;
use crate::expr::{ExprId, Number};
use crate::syntax::ast::{Expr, name_of};
use crate::syntax::keys_of;
use crate::syntax::statement::{self, SideKind};

/// A row that is decided at run time: gap ≥ 0, or gap = 0 with friction, or a motor.
#[derive(Clone, Debug)]
pub struct OneSided {
    /// Its name with parts and indices: `leg[2].floor`.
    pub name: String,
    /// Its sides.
    pub kind: SideKind,
    /// The gap g(q, t), which must not be negative; zero of a motor.
    pub gap: ExprId,
    /// e, or the bound of a motor.
    pub restitution: ExprId,
    /// Coulomb's friction, if it has any.
    pub friction: Option<Friction>,
    /// Source range of the relation.
    pub range: SourceRange,
}

/// Coulomb's friction at a row of one side.
#[derive(Clone, Copy, Debug)]
pub struct Friction {
    /// μ
    pub coefficient: ExprId,
    /// The rate that it acts against, affine in the velocities.
    pub slip: ExprId,
    /// Source range of the slip.
    pub range: SourceRange,
}

/// Gap, restitution and friction.
type Sides = (ExprId, ExprId, Option<Friction>);

impl SystemBuilder<'_> {
    pub(super) fn one_sided(&mut self, written: &statement::OneSided) {
        let declared = &written.declared;
        let Some(indices) = self.indices_of(declared) else {
            return;
        };
        let range = declared.name.span().into();
        if let (Some(repeated), true) = (self.indices.last(), indices.is_empty()) {
            let text = name_of(&declared.name);
            let diagnostic = system::repeated_without_index(range, &text, repeated);
            self.lowering.report(diagnostic);
        }
        let name = self.full_name(&element_name(declared, &indices));
        if self.has_rows_called(&name) {
            self.lowering
                .report(catalogue::duplicate_name(range, &name));
        }
        self.check_properties(written);
        let range = written.greater.range.to(written.less.range);
        self.system.options.one_sided.get_or_insert(range);
        let row = match written.kind {
            SideKind::Motor => self.motor(written, range),
            _ => self.contact(written, range),
        };
        let Some((gap, restitution, friction)) = row else {
            return;
        };
        self.system.one_sided.push(OneSided {
            name,
            kind: written.kind,
            gap,
            restitution,
            friction,
            range,
        });
    }

    /// The gap, the restitution and the friction of a constraint.
    fn contact(&mut self, written: &statement::OneSided, range: SourceRange) -> Option<Sides> {
        let gap = self.gap(&written.greater, &written.less, range);
        let restitution = self.coefficient(&written.fields, "restitution");
        let tangent = match (written.in_plane, gap) {
            (true, Some(gap)) => Some(self.tangential_velocity(gap)),
            _ => None,
        };
        let friction = self.friction(&written.fields, tangent);
        let (gap, restitution, friction) = (gap?, restitution.ok()?, friction.ok()?);
        if written.kind == SideKind::Two && friction.is_none() {
            if written.fields.is_empty() {
                self.lowering
                    .report(system::two_sides_without_friction(range));
            }
            return None;
        }
        let zero = self.lowering.graph().zero();
        Some((gap, restitution.unwrap_or(zero), friction))
    }

    /// A gap that is always zero, with the bound for its restitution; the slip is the velocity less its speed.
    fn motor(&mut self, written: &statement::OneSided, range: SourceRange) -> Option<Sides> {
        let most = self.coefficient(&written.fields, "most").ok()?;
        let velocity = self.lowering.scalar(&written.greater);
        let speed = self.lowering.scalar(&written.less);
        let terms = [(velocity?, Number::ONE), (speed?, Number::MINUS_ONE)];
        let slip = self.lowering.graph().sum(&terms);
        self.check_rate(slip, range).ok()?;
        let Some(most) = most else {
            if written.fields.is_empty() {
                self.lowering.report(system::motor_without_bound(range));
            }
            return None;
        };
        let graph = self.lowering.graph();
        let (zero, coefficient) = (graph.zero(), graph.number(Number::ONE));
        let friction = Friction {
            coefficient,
            slip,
            range,
        };
        Some((zero, most, Some(friction)))
    }

    /// Reports a slip that is no velocity, or that depends on inputs.
    fn check_rate(&mut self, slip: ExprId, range: SourceRange) -> Result<(), ()> {
        let moves = |role| !matches!(role, Role::Velocity(_));
        if self.lowering.depends(slip, moves).is_none() {
            self.lowering.report(system::slip_not_a_rate(range));
            return Err(());
        }
        let no_input = |role| !matches!(role, Role::Input(_));
        let is_allowed = self.independent(slip, "a slip", range, no_input);
        is_allowed.then_some(()).ok_or(())
    }

    /// Whether a constraint, of two sides or of one, has this name.
    fn has_rows_called(&self, name: &str) -> bool {
        let scope = self.lowering.system.as_ref();
        let of_two = scope.is_some_and(|scope| scope.rows.contains_key(name));
        of_two || self.is_one_sided(name)
    }

    /// Whether a row of one side has this name.
    pub(super) fn is_one_sided(&self, name: &str) -> bool {
        self.system.one_sided.iter().any(|it| it.name == name)
    }

    /// Reports unknown and repeated properties.
    fn check_properties(&mut self, written: &statement::OneSided) {
        let (of, keyword) = match written.kind {
            SideKind::One => ("constraint of one side", "constraint"),
            SideKind::Two => ("constraint of two sides", "constraint"),
            SideKind::Motor => ("motor", "motor"),
        };
        let mut known = keys_of(keyword);
        known.retain(|key| written.kind != SideKind::Two || *key != "restitution");
        let fields = &written.fields;
        for (i, (field, _)) in fields.iter().enumerate() {
            let (range, text) = (field.span().into(), field.to_string());
            if written.kind == SideKind::Two && text == "restitution" {
                let diagnostic = system::restitution_of_two_sides(range);
                self.lowering.report(diagnostic);
            } else if !known.contains(&text.as_str()) {
                let diagnostic = system::unknown_property(range, of, &text, &known);
                self.lowering.report(diagnostic);
            } else if fields[..i].iter().any(|(before, _)| before == field) {
                self.lowering.report(system::field_twice(range, &text));
            }
        }
    }

    /// greater − less, a function of places and of the time.
    fn gap(&mut self, greater: &Expr, less: &Expr, range: SourceRange) -> Option<ExprId> {
        let greater = self.lowering.scalar(greater);
        let less = self.lowering.scalar(less);
        let terms = [(greater?, Number::ONE), (less?, Number::MINUS_ONE)];
        let gap = self.lowering.graph().sum(&terms);
        let of_places = |role| !matches!(role, Role::Velocity(_) | Role::Input(_));
        self.independent(gap, "a gap", range, of_places)
            .then_some(gap)
    }

    /// A property that must not be negative nor depend on velocities or inputs; `None` if it is not given.
    fn coefficient(
        &mut self,
        fields: &[(Ident, Expr)],
        name: &'static str,
    ) -> Result<Option<ExprId>, ()> {
        let Some((_, value)) = fields.iter().find(|(field, _)| field == name) else {
            return Ok(None);
        };
        let id = self.lowering.scalar(value).ok_or(())?;
        if let Some(number) = self.lowering.graph().as_number(id) {
            let diagnostic = if number.is_negative() {
                Some(system::negative_property(value.range, name))
            } else if name == "restitution" && (Number::ONE - number).is_negative() {
                Some(system::restitution_above_one(value.range))
            } else {
                None
            };
            if let Some(diagnostic) = diagnostic {
                self.lowering.report(diagnostic);
                return Err(());
            }
        }
        let what = match name {
            "most" => "a bound".to_owned(),
            name => format!("a {name}"),
        };
        let allowed = |role| !matches!(role, Role::Velocity(_) | Role::Input(_));
        let is_allowed = self.independent(id, &what, value.range, allowed);
        is_allowed.then_some(Some(id)).ok_or(())
    }

    /// ∂g/∂y ẋ − ∂g/∂x ẏ, the velocity along a curve in the plane times |∇g|: with it as the slip, friction is μ times
    /// the normal force, however the gap is scaled.
    fn tangential_velocity(&mut self, gap: ExprId) -> ExprId {
        let [x, y] = &self.system.coordinates[..] else {
            return self.lowering.graph().zero();
        };
        let (places, x, y) = ([x.position, y.position], x.velocity, y.velocity);
        let graph = self.lowering.graph();
        let turned = [graph.neg(y), x];
        let zero = graph.zero();
        let places = places.into_iter().flatten().zip(turned);
        let mut along = Taylor::new(places.map(|(place, rate)| (place, rate, zero)));
        // The gap is on the left of the tangent.
        along.first(graph, gap)
    }

    /// The friction and the slip that it acts against: both or none, unless there is a slip by default.
    fn friction(
        &mut self,
        fields: &[(Ident, Expr)],
        tangent: Option<ExprId>,
    ) -> Result<Option<Friction>, ()> {
        let given = |name: &str| fields.iter().find(|(field, _)| field == name);
        let (friction, slip) = match (given("friction"), given("slip")) {
            (None, None) => return Ok(None),
            (Some(friction), Some(slip)) => (friction, slip),
            (Some(friction), None) if tangent.is_some() => {
                let coefficient = self.coefficient(std::slice::from_ref(friction), "friction")?;
                let zero = self.lowering.graph().zero();
                return Ok(Some(Friction {
                    coefficient: coefficient.unwrap_or(zero),
                    slip: tangent.unwrap_or(zero),
                    range: friction.1.range,
                }));
            }
            (Some((name, _)), None) => {
                let diagnostic = system::friction_without_slip(name.span().into());
                self.lowering.report(diagnostic);
                return Err(());
            }
            (None, Some((name, _))) => {
                let diagnostic = system::slip_without_friction(name.span().into());
                self.lowering.report(diagnostic);
                return Err(());
            }
        };
        let coefficient = self.coefficient(std::slice::from_ref(friction), "friction")?;
        let range = slip.1.range;
        let slip = self.lowering.scalar(&slip.1).ok_or(())?;
        self.check_rate(slip, range)?;
        let zero = self.lowering.graph().zero();
        Ok(Some(Friction {
            coefficient: coefficient.unwrap_or(zero),
            slip,
            range,
        }))
    }
}
