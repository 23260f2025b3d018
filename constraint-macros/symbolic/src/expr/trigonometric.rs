//! Sums in which the squares of a sine and a cosine combine, A sin² u + A cos² u = A, and sines and cosines of two angles:
//! A cos u cos v + A sin u sin v = A cos(u − v). Then squares of differences, A u² − 2 A u v + A v² = A (u − v)².
//!
//! The graph never multiplies out by itself. For places that depend on an angle, only multiplying out shows which terms
//! cancel: l cos u · m l u̇² sin u − l sin u (m l u̇² cos u + m g) becomes −m g l sin u.
//!
//! Two angles are combined into a common factor: the sine or cosine of their difference or sum, or its expansion,
//! which needs no further call.
//!
//! Invariant: the value stays the same, up to rounding; expressions of too many terms are unchanged. One
//! angle at a time is multiplied out, so a sum that does not depend on it stays a factor.

use crate::expr::{CollectVec, MapEach, SortedMap};

use super::function::Function;
use super::graph::{ExprId, Graph, Node};
use super::map::Map;
use super::number::Number;
use super::terms::{Angle, Monomial, Opening, Terms, add, times};

/// Up to this many angles are also multiplied out one at a time.
const MAX_ANGLES: usize = 4;
/// Up to this many angles are examined in pairs: as many as an arm of four links has, each posed relative to the one before.
const MAX_PAIRED: usize = 7;
/// Limit on the nodes of an expression.
const MAX_NODES: usize = 2048;
/// Forms of the sine and cosine of a difference or a sum of angles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Together {
    /// cos(u − v)
    Called,
    /// cos u cos v + sin u sin v
    Parts,
}

impl Together {
    /// Both forms.
    pub const ALL: [Together; 2] = [Together::Called, Together::Parts];
}

impl Graph {
    /// The cheapest form of the value after combining squares of sines and cosines: in all angles, or,
    /// if there are few, in one after the other as long as the price falls.
    ///
    /// The price is `cost`, that of computing an expression, plus its length.
    pub fn joined(&mut self, id: ExprId, cost: impl Fn(&Graph, ExprId) -> u32) -> ExprId {
        let angles = self.angles(id);
        if angles.is_empty() {
            return id;
        }
        let price = |graph: &Graph, form| (cost(graph, form) + graph.length(form) as u32, form);
        let all = angles
            .iter()
            .fold(id, |id, &angle| self.joined_in(id, angle, true));
        let single = if angles.len() > MAX_ANGLES {
            &[]
        } else {
            &angles[..]
        };
        let mut best = price(self, id);
        let mut forms = vec![all];
        loop {
            for (&angle, open) in single.iter().flat_map(|it| [(it, true), (it, false)]) {
                forms.push(self.joined_in(best.1, angle, open));
            }
            match forms.drain(..).map(|form| price(self, form)).min() {
                Some(form) if form.0 < best.0 => best = form,
                _ => return best.1,
            }
        }
    }

    /// Multiplies products of sums out in all angles, and combines squares.
    pub fn joined_everywhere(&mut self, id: ExprId) -> ExprId {
        let angles = self.angles(id).into_iter();
        angles.fold(id, |id, angle| self.joined_in(id, angle, true))
    }

    /// Whether the expressions have so few angles in total that pairs of them are examined.
    pub fn has_few_angles(&self, ids: &[ExprId]) -> bool {
        (1..=MAX_PAIRED).contains(&self.angles_in(ids).len())
    }

    /// The angles of which both sine and cosine occur.
    fn angles(&self, id: ExprId) -> Vec<Angle> {
        self.angles_in(&[id])
    }

    fn angles_in(&self, ids: &[ExprId]) -> Vec<Angle> {
        if !self.turns {
            return Vec::new();
        }
        let nodes = self.reachable(ids.iter().copied());
        if nodes.len() > MAX_NODES {
            return Vec::new();
        }
        let angles = nodes.into_iter().filter_map(|cosine| {
            let Node::Call(Function::Cos, argument) = self.node(cosine) else {
                return None;
            };
            let sine = self.known(&Node::Call(Function::Sin, argument.clone()))?;
            let of = argument[0];
            Some(Angle { sine, cosine, of })
        });
        angles.collect_vec()
    }

    /// Combines squares in one angle; products of sums that depend on it are multiplied out on request.
    fn joined_in(&mut self, id: ExprId, angle: Angle, multiply_out: bool) -> ExprId {
        let Some(mut terms) = self.opened(id, &[angle], multiply_out) else {
            return id;
        };
        join(&mut terms, angle);
        self.closed(terms)
    }

    /// Multiplies out in all angles, collects like terms, combines and completes squares, and replaces products of two angles
    /// by a common factor.
    pub fn joined_in_pairs(&mut self, id: ExprId, together: Together) -> ExprId {
        let angles = self.angles(id);
        if !(1..=MAX_PAIRED).contains(&angles.len()) {
            return id;
        }
        let Some(mut terms) = self.opened(id, &angles, true) else {
            return id;
        };
        for (i, &a) in angles.iter().enumerate() {
            for &b in &angles[..i] {
                self.join_pair(&mut terms, a, b, together);
            }
        }
        for &angle in &angles {
            join(&mut terms, angle);
        }
        self.complete_squares(&mut terms);
        self.summed(terms)
    }

    /// A u² ± 2 A u v + A v² as A (u ± v)².
    fn complete_squares(&mut self, terms: &mut Terms) {
        while let Some((first, second, middle)) = square(terms) {
            let sign = if terms[&middle].is_negative() == terms[&first].is_negative() {
                Number::ONE
            } else {
                Number::MINUS_ONE
            };
            let common = shared(&first, &second);
            let inverse: Monomial = common.iter().map(|&(base, e)| (base, -e)).collect_vec();
            let [u, v] = [&first, &second].map_each(|it| {
                let root = times(it, &inverse)
                    .into_iter()
                    .map(|(base, e)| (base, e / 2));
                self.product(&root.collect::<Monomial>())
            });
            let base = self.sum(&[(u, Number::ONE), (v, sign)]);
            let coefficient = terms[&first];
            for gone in [&first, &second, &middle] {
                terms.remove(gone);
            }
            add(terms, times(&common, &[(base, 2)]), coefficient);
        }
    }

    /// A cos a cos b ± A sin a sin b and A sin a cos b ± A cos a sin b, each as A times one factor.
    fn join_pair(&mut self, terms: &mut Terms, a: Angle, b: Angle, together: Together) {
        let cosines = [[a.cosine, b.cosine], [a.sine, b.sine]];
        let sines = [[a.sine, b.cosine], [a.cosine, b.sine]];
        for [first, second] in [cosines, sines] {
            while let Some((rest, coefficient, alike)) = paired(terms, first, second) {
                let factor = self.pair(a, b, (first, second), alike, together);
                for both in [first, second] {
                    terms.remove(&times(&rest, &both.map_each(|it| (it, 1))));
                }
                let (number, factor) = match self.as_number(factor) {
                    Some(number) => (number, None),
                    None => {
                        let (sign, factor) = self.split_coefficient(factor);
                        (sign, Some((factor, 1)))
                    }
                };
                let monomial = times(&rest, factor.as_slice());
                add(terms, monomial, coefficient * number);
            }
        }
    }

    /// The first product plus the second if `alike`, otherwise minus the second.
    fn pair(
        &mut self,
        a: Angle,
        b: Angle,
        (first, second): ([ExprId; 2], [ExprId; 2]),
        alike: bool,
        together: Together,
    ) -> ExprId {
        let sign = if alike {
            Number::ONE
        } else {
            Number::MINUS_ONE
        };
        if together == Together::Parts {
            let [first, second] = [first, second].map_each(|[x, y]| self.mul(x, y));
            return self.sum(&[(first, Number::ONE), (second, sign)]);
        }
        let of_cosines = first[0] == a.cosine;
        // cos a cos b + sin a sin b = cos(a − b), but sin a cos b + cos a sin b = sin(a + b).
        let function = if of_cosines {
            Function::Cos
        } else {
            Function::Sin
        };
        let other = if alike == of_cosines {
            Number::MINUS_ONE
        } else {
            Number::ONE
        };
        let of = self.sum(&[(a.of, Number::ONE), (b.of, other)]);
        self.call(function, &[of])
    }

    fn opened(&mut self, id: ExprId, angles: &[Angle], multiply_out: bool) -> Option<Terms> {
        let mut opening = Opening {
            graph: self,
            angles,
            multiply_out,
            depends: Map::default(),
            letters: self.joining,
        };
        let opened = opening.terms(id);
        self.joining = opening.letters;
        opened
    }

    /// The sum of terms, with their common factors in front.
    fn closed(&mut self, terms: Terms) -> ExprId {
        let sum = self.summed(terms);
        let factors = self.extracted(sum);
        self.multiplied(&factors)
    }

    fn summed(&mut self, mut terms: Terms) -> ExprId {
        let constant = terms.remove(&Monomial::new()).unwrap_or(Number::ZERO);
        let terms = terms.into_iter();
        let terms: Vec<_> = terms
            .map(|(powers, c)| (self.product(&powers), c))
            .collect_vec();
        let sum = self.sum(&terms);
        self.offset(sum, constant)
    }
}

/// Replaces p A cos² + q A sin² by p A + (q − p) A sin² as long as there is any, or the same with sine and cosine exchanged.
fn join(terms: &mut Terms, angle: Angle) {
    while let Some((cosines, sines, common)) = joint(terms, angle) {
        let both = [terms[&cosines], terms[&sines]];
        let [p, q] = both.map_each(Number::abs);
        let taken = both[usize::from(q < p)];
        add(terms, cosines, -taken);
        add(terms, sines, -taken);
        add(terms, common, taken);
    }
}

/// A cos², A sin² and A of two terms of one sign.
fn joint(terms: &Terms, angle: Angle) -> Option<(Monomial, Monomial, Monomial)> {
    terms.iter().find_map(|(monomial, c)| {
        if exponent(monomial, angle.cosine) < 2 {
            return None;
        }
        let common = times(monomial, &[(angle.cosine, -2)]);
        let sines = times(&common, &[(angle.sine, 2)]);
        let other = terms.get(&sines)?;
        let alike = other.is_negative() == c.is_negative();
        alike.then(|| (monomial.clone(), sines, common))
    })
}

/// A, its coefficient and whether the signs are alike, for two terms A · first and ± A · second.
fn paired(
    terms: &Terms,
    first: [ExprId; 2],
    second: [ExprId; 2],
) -> Option<(Monomial, Number, bool)> {
    terms.iter().find_map(|(monomial, &c)| {
        if first.iter().any(|&it| exponent(monomial, it) < 1) {
            return None;
        }
        let rest = times(monomial, &first.map_each(|it| (it, -1)));
        let other = *terms.get(&times(&rest, &second.map_each(|it| (it, 1))))?;
        (other.abs() == c.abs()).then(|| (rest, c, other == c))
    })
}

/// A u², A v² and A u v for three terms that sum to A (u ± v)².
fn square(terms: &Terms) -> Option<(Monomial, Monomial, Monomial)> {
    terms.iter().find_map(|(middle, between)| {
        let mut ends = terms.iter();
        ends.find_map(|(first, &c)| {
            if (c + c).abs() != between.abs() {
                return None;
            }
            let inverse: Monomial = first.iter().map(|&(base, e)| (base, -e)).collect_vec();
            let second = times(&times(middle, middle), &inverse);
            let is_square = terms.get(&second) == Some(&c);
            is_square.then(|| (first.clone(), second, middle.clone()))
        })
    })
}

/// The common factors of two monomials, each to the lower of its powers.
fn shared(a: &Monomial, b: &Monomial) -> Monomial {
    let bases = a.iter().chain(b).map(|&(base, _)| base);
    let least = |base| (base, exponent(a, base).min(exponent(b, base)));
    let all: SortedMap<ExprId, i32> = bases.map(least).collect();
    all.into_iter().filter(|&(_, e)| e != 0).collect_vec()
}

fn exponent(monomial: &Monomial, base: ExprId) -> i32 {
    let found = monomial.iter().find(|(other, _)| *other == base);
    found.map_or(0, |&(_, exponent)| exponent)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::SymbolId;

    struct Letters {
        graph: Graph,
        a: ExprId,
        b: ExprId,
        sine: ExprId,
        cosine: ExprId,
    }

    fn letters() -> Letters {
        let mut graph = Graph::new();
        let [a, b, u] = [0, 1, 2].map(|i| graph.symbol(SymbolId::new(i)));
        let [sine, cosine] = [Function::Sin, Function::Cos].map(|f| graph.call(f, &[u]));
        Letters {
            graph,
            a,
            b,
            sine,
            cosine,
        }
    }

    fn joined(graph: &mut Graph, id: ExprId) -> ExprId {
        graph.joined(id, |_, _| 0)
    }

    /// a (sin² − 2 b sin + b²) = a (sin − b)², and with another number of products it is none.
    #[test]
    fn squares_of_differences_are_completed() {
        let Letters {
            mut graph,
            a,
            b,
            sine,
            ..
        } = letters();
        for (between, is_square) in [(-2, true), (2, true), (3, false)] {
            let [first, middle, second] =
                [[(sine, 2), (a, 1)], [(sine, 1), (b, 1)], [(b, 2), (a, 1)]];
            let mut terms = Terms::new();
            for (monomial, c) in [
                (&first[..], 1),
                (&second, 1),
                (&[middle[0], middle[1], (a, 1)], between),
            ] {
                add(&mut terms, times(monomial, &[]), Number::integer(c));
            }
            graph.complete_squares(&mut terms);
            let sign = Number::integer(between.signum());
            let bases = [[sine, b], [b, sine]];
            let bases = bases.map(|[u, v]| graph.sum(&[(u, Number::ONE), (v, sign)]));
            let squares = bases.map(|base| times(&[(a, 1), (base, 2)], &[]));
            let found = squares.iter().any(|square| terms.contains_key(square));
            assert_eq!(found, is_square, "{terms:?}");
            assert_eq!(terms.len(), if is_square { 1 } else { 3 });
        }
    }

    /// a² b sin² + b a² cos² = a² b
    #[test]
    fn a_square_of_the_sine_joins_that_of_the_cosine() {
        let Letters {
            mut graph,
            a,
            b,
            sine,
            cosine,
        } = letters();
        let first = graph.product(&[(a, 2), (b, 1), (sine, 2)]);
        let inner = graph.product(&[(a, 2), (cosine, 2)]);
        let second = graph.mul(b, inner);
        let sum = graph.add(first, second);
        let expected = graph.product(&[(a, 2), (b, 1)]);
        assert_eq!(joined(&mut graph, sum), expected);
    }

    /// a sin (b cos + 1) − a b sin cos = a sin
    #[test]
    fn what_cancels_when_multiplied_out_is_gone() {
        let Letters {
            mut graph,
            a,
            b,
            sine,
            cosine,
        } = letters();
        let inner = graph.mul(b, cosine);
        let inner = graph.offset(inner, Number::ONE);
        let first = graph.product(&[(a, 1), (sine, 1), (inner, 1)]);
        let second = graph.product(&[(a, 1), (b, 1), (sine, 1), (cosine, 1)]);
        let sum = graph.sub(first, second);
        assert_eq!(joined(&mut graph, sum), graph.mul(a, sine));
    }

    /// 3 a sin² + 5 a cos² = a (3 + 2 cos²); of a sin² − a cos² the a is taken out.
    #[test]
    fn what_is_left_over_stays() {
        let Letters {
            mut graph,
            a,
            sine,
            cosine,
            ..
        } = letters();
        let squares = [sine, cosine].map(|it| graph.product(&[(a, 1), (it, 2)]));
        let weighed = [
            (squares[0], Number::integer(3)),
            (squares[1], Number::integer(5)),
        ];
        let sum = graph.sum(&weighed);
        let square = graph.powi(cosine, 2);
        let inner = graph.sum(&[(square, Number::integer(2))]);
        let inner = graph.offset(inner, Number::integer(3));
        assert_eq!(joined(&mut graph, sum), graph.mul(a, inner));
        let difference = graph.sub(squares[0], squares[1]);
        let [sine, cosine] = [sine, cosine].map(|it| graph.powi(it, 2));
        let inner = graph.sub(sine, cosine);
        assert_eq!(joined(&mut graph, difference), graph.mul(a, inner));
    }

    /// (a + b)² sin² + (a + b)² cos² = (a + b)²: a sum without the angle stays one.
    #[test]
    fn sums_without_the_angle_are_factors() {
        let Letters {
            mut graph,
            a,
            b,
            sine,
            cosine,
        } = letters();
        let inner = graph.add(a, b);
        let squares = [sine, cosine].map(|it| graph.product(&[(inner, 2), (it, 2)]));
        let sum = graph.add(squares[0], squares[1]);
        assert_eq!(joined(&mut graph, sum), graph.powi(inner, 2));
    }

    #[test]
    fn what_grows_too_large_is_left_alone() {
        let Letters {
            mut graph,
            a,
            b,
            sine,
            cosine,
        } = letters();
        let [x, y] = [(sine, a), (cosine, b)].map(|(f, c)| {
            let product = graph.mul(f, c);
            graph.offset(product, Number::ONE)
        });
        let sum = graph.add(x, y);
        let power = graph.powi(sum, 40);
        assert_eq!(joined(&mut graph, power), power);
    }
}
