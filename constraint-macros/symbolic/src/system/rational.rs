//! v̇ = h/M of coordinates that nothing ties to each other, as one fraction of polynomials where that is shorter.
//!
//! A bead at r(u) has M = m r′·r′, which often collapses, and h shares factors with it that only expansion shows: on a
//! lemniscate what is left of both is a third. `curve!` writes its ü so; here any coordinate gets the same choice.

use crate::expr::{CollectVec, ExprId, Graph, MapEach, PushEach};
use crate::schedule::{self, Root};
use crate::solve::{Pivot, guard};

/// v̇ of one coordinate.
#[derive(Clone, Copy, Debug)]
pub struct Quotient {
    /// h/M
    pub quotient: ExprId,
    /// M, or what is positive where M is.
    pub divisor: ExprId,
}

/// The quotients of all coordinates, as fractions where that costs less for each of them, and for all together; with the
/// coordinates whose divisors need a guard, and the masses.
pub fn shorter(
    graph: &mut Graph,
    needs_guard: &[usize],
    masses: &[ExprId],
    quotients: Vec<Quotient>,
) -> Vec<Quotient> {
    let fractions = quotients.iter().enumerate().map(|(i, it)| {
        let fraction = it.fraction(graph, masses)?;
        let [before, after] = [*it, fraction].map_each(|it| cost(graph, needs_guard, [(i, it)]));
        (after < before).then_some(fraction)
    });
    let fractions: Vec<Option<Quotient>> = fractions.collect_vec();
    if fractions.iter().all(Option::is_none) {
        return quotients;
    }
    let fractions = fractions.into_iter().zip(&quotients);
    let fractions: Vec<Quotient> = fractions
        .map(|(it, before)| it.unwrap_or(*before))
        .collect_vec();
    let all =
        |quotients: &[Quotient]| cost(graph, needs_guard, quotients.iter().copied().enumerate());
    if all(&fractions) < all(&quotients) {
        fractions
    } else {
        quotients
    }
}

/// A rough time of computing quotients and checking the divisors of those that are needs_guard.
fn cost(
    graph: &Graph,
    needs_guard: &[usize],
    quotients: impl IntoIterator<Item = (usize, Quotient)>,
) -> u32 {
    let mut roots = Vec::new();
    for (i, it) in quotients {
        if needs_guard.contains(&i) {
            roots.push_each(guard(graph, &Pivot::diagonal(i, it.divisor)));
        }
        roots.push(Root::Output(it.quotient));
    }
    schedule::count(graph, &roots).weight()
}

impl Quotient {
    /// As one fraction of polynomials, if that is shorter to write.
    fn fraction(self, graph: &mut Graph, masses: &[ExprId]) -> Option<Quotient> {
        let quotient = graph.shortest([self.quotient]);
        if quotient == self.quotient {
            return None;
        }
        let divisor = graph.shortest([self.divisor]);
        let divisor = without_positive(graph, divisor, masses);
        Some(Quotient { quotient, divisor })
    }
}

/// An expression without its factors that are positive, whatever the leaves are or as the masses are.
fn without_positive(graph: &mut Graph, id: ExprId, masses: &[ExprId]) -> ExprId {
    let factors = graph.factors(id);
    if factors.number.is_negative() {
        return id;
    }
    let powers = factors.powers().iter().copied();
    let open = powers.filter(|(base, _)| !masses.contains(base) && !graph.is_positive(*base));
    let open: Vec<_> = open.collect_vec();
    graph.product(&open)
}
