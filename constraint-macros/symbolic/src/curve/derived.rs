//! A curve with all derived quantities, and the programs that compute them.

use super::pieces::Pieces;
use crate::expr::{CollectVec, ExprId, PushEach, SymbolId};
use crate::model::Curve;
use crate::schedule::{self, Program, Root};
use crate::undefined::Undefined;

/// The leaves that the equations add to those of the model.
#[derive(Clone, Debug)]
pub struct Leaves {
    /// s
    pub parameter: ExprId,
    /// ṡ
    pub rate: ExprId,
    /// f, one component per dimension
    pub force: Vec<ExprId>,
    /// m
    pub mass: ExprId,
    /// b
    pub damping: ExprId,
    /// The variables by which s̈ is differentiated, if derivatives are requested.
    pub varied: Option<Varied>,
}

/// The variables of s̈.
#[derive(Clone, Debug)]
pub struct Varied {
    /// s, ṡ, f, m and the parameters; zero for a variable that nothing depends on.
    pub variables: Vec<ExprId>,
    /// s̈ as a leaf in the equation of motion, which is differentiated.
    pub acceleration: ExprId,
}

/// r′ and the quantities derived from it, in one form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// r′
    pub tangent: Vec<ExprId>,
    /// r″
    pub second_derivative: Vec<ExprId>,
    /// r′ ṡ
    pub velocity: Vec<ExprId>,
    /// E = r′·r′, the square of the speed for ṡ = 1.
    pub metric: ExprId,
    /// E without its factors that are positive everywhere: zero exactly where r′ vanishes.
    pub regularity: ExprId,
    /// κ: signed in the plane, positive where the curve turns left; its size in space.
    pub curvature: ExprId,
    /// s̈ = (r′·f/m − r′·r″ ṡ²)/(r′·r′)
    pub acceleration: ExprId,
    /// s̈ with the damping −b v: s̈ − (b/m) ṡ.
    pub damped_acceleration: ExprId,
    /// ∂s̈/∂(s, ṡ, f, m, p), if derivatives are requested.
    pub slopes: Vec<ExprId>,
    /// A sum inside s̈ that is kept as one value, so that the damping shares no factor with other terms.
    pub undamped: Option<ExprId>,
}

/// A quantity that a program can compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// r
    Position,
    /// r′
    Tangent,
    /// r″
    SecondDerivative,
    /// r′·r′ up to factors that are positive everywhere; programs omit it for a piece on which it cannot vanish
    Regularity,
    /// κ
    Curvature,
    /// r′ ṡ
    Velocity,
    /// s̈
    Acceleration,
    /// s̈ with damping
    DampedAcceleration,
    /// ∂s̈/∂(s, ṡ, f, m, p)
    Slopes,
    /// Both ends of the domain
    Domain,
    /// A number that is different on each piece of the curve
    Piece,
}

impl Quantity {
    pub(super) const ALL: [Quantity; 11] = [
        Quantity::Position,
        Quantity::Tangent,
        Quantity::SecondDerivative,
        Quantity::Regularity,
        Quantity::Curvature,
        Quantity::Velocity,
        Quantity::Acceleration,
        Quantity::DampedAcceleration,
        Quantity::Slopes,
        Quantity::Domain,
        Quantity::Piece,
    ];
}

/// A curve with all derived quantities.
#[derive(Clone, Debug)]
pub struct Derived {
    /// Names, shapes, domain and expressions; the rows are the components of r.
    pub curve: Curve,
    /// The leaves.
    pub leaves: Leaves,
    /// A number that is different on each piece of the curve.
    pub piece: ExprId,
    /// The seams, jumps and cusps along the domain, for a few samples of the fields.
    pub scans: Vec<Scan>,
    /// The whole curve, choices included.
    pub whole: Piece,
    /// Each piece alone, if there are several.
    pub pieces: Option<Pieces<Piece>>,
    /// Where s̈ is not finite though r′ does not vanish.
    pub undefined: Undefined,
}

/// Continuity at the joint of two pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Continuity {
    /// r is not continuous.
    Jump,
    /// A corner: r is continuous.
    C0,
    /// r and r′ are continuous.
    C1,
    /// r, r′ and r″ are continuous.
    C2,
}

/// The findings for one sample of the fields.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    /// Sorted by parameter.
    pub seams: Vec<Seam>,
    /// The parameter of a point inside the domain at which r′ vanishes.
    pub cusp: Option<f64>,
    /// The continuity at the joint of both ends, if they meet.
    pub closure: Option<Continuity>,
    /// The greatest distance from the start.
    pub extent: f64,
}

/// A joint of two pieces.
#[derive(Clone, Copy, Debug)]
pub struct Seam {
    /// The parameter.
    pub parameter: f64,
    /// The continuity there.
    pub continuity: Continuity,
    /// |r₊ − r₋|
    pub gap: f64,
}

/// A piece of a curve, or the whole curve.
#[derive(Clone, Debug)]
pub struct Piece {
    /// r
    pub position: Vec<ExprId>,
    /// Forms of r′ and of the quantities derived from it that may be cheapest; the last is the most readable.
    pub forms: Vec<Form>,
}

impl Derived {
    /// 2 in the plane, 3 in space.
    pub fn dimension(&self) -> usize {
        self.curve.model.rows.len()
    }

    /// All expressions that programs are built from.
    pub(super) fn results(&self) -> Vec<ExprId> {
        let pieces = self.pieces.iter().flat_map(Pieces::leaves);
        let of_piece = |piece: &Piece| {
            let of_form = |form: &Form| {
                let all = Quantity::ALL.iter();
                let outputs = all.flat_map(|&quantity| self.expressions(piece, quantity, form));
                outputs.chain(form.undamped).collect_vec()
            };
            piece.forms.iter().flat_map(of_form).collect_vec()
        };
        pieces.chain([&self.whole]).flat_map(of_piece).collect_vec()
    }

    /// The cheapest known program that computes the quantities of a piece, with outputs in their order.
    ///
    /// The arguments of the force have half their weight: if the force depends on neither place nor velocity, its call
    /// is inlined and they are not computed.
    pub fn program(
        &self,
        piece: &Piece,
        quantities: &[Quantity],
        symbol_name: &dyn Fn(SymbolId) -> String,
    ) -> Program {
        let forced = quantities.last() == Some(&Quantity::DampedAcceleration);
        let regular = self.is_regular(piece);
        let (mut ways, mut optional) = (Vec::new(), Vec::new());
        for form in &piece.forms {
            let mut roots = Vec::new();
            optional.clear();
            for &quantity in quantities {
                if quantity == Quantity::Regularity && regular {
                    continue;
                }
                let damped = quantity == Quantity::DampedAcceleration;
                roots.push_each(form.undamped.filter(|_| damped).map(Root::Early));
                let given = matches!(quantity, Quantity::Position | Quantity::Velocity);
                for output in self.expressions(piece, quantity, form) {
                    roots.push(Root::Output(output));
                    optional.push(forced && given);
                }
            }
            if !ways.contains(&roots) {
                ways.push(roots);
            }
        }
        let model = &self.curve.model;
        schedule::cheapest_of(&model.graph, &ways, &model.names, symbol_name, &optional)
    }

    /// The program of a condition that separates two pieces.
    pub fn decision(&self, condition: ExprId, symbol_name: &dyn Fn(SymbolId) -> String) -> Program {
        let (model, root) = (&self.curve.model, Root::Output(condition));
        schedule::schedule(&model.graph, &[root], &model.names, symbol_name)
    }

    /// The program of the places at which s̈ is not finite.
    pub fn program_of_places(&self, symbol_name: &dyn Fn(SymbolId) -> String) -> Program {
        let model = &self.curve.model;
        let places = self.undefined.0.iter().map(|it| it.place.at());
        let roots: Vec<Root> = places.map(Root::Output).collect_vec();
        schedule::schedule(&model.graph, &roots, &model.names, symbol_name)
    }

    /// The program of the whole curve, with leaves named as in the model.
    pub fn plain_program(&self, quantities: &[Quantity]) -> Program {
        let symbols = &self.curve.model.symbols;
        let name = |symbol: SymbolId| symbols[symbol.index()].name.clone();
        self.program(&self.whole, quantities, &name)
    }

    /// The expressions of a quantity.
    pub fn expressions(&self, piece: &Piece, quantity: Quantity, form: &Form) -> Vec<ExprId> {
        match quantity {
            Quantity::Position => piece.position.clone(),
            Quantity::Tangent => form.tangent.clone(),
            Quantity::SecondDerivative => form.second_derivative.clone(),
            Quantity::Regularity => vec![form.regularity],
            Quantity::Curvature => vec![form.curvature],
            Quantity::Velocity => form.velocity.clone(),
            Quantity::Acceleration => vec![form.acceleration],
            Quantity::DampedAcceleration => vec![form.damped_acceleration],
            Quantity::Slopes => form.slopes.clone(),
            Quantity::Domain => self.curve.domain.to_vec(),
            Quantity::Piece => vec![self.piece],
        }
    }

    /// True if r′ cannot vanish on a piece for any values of the parameters.
    pub(super) fn is_regular(&self, piece: &Piece) -> bool {
        let graph = &self.curve.model.graph;
        piece
            .forms
            .iter()
            .any(|form| graph.is_positive(form.metric))
    }
}
