//! `output momentum;`: sums over everything that has a mass.

use super::moving::resistance;
use super::{Reading, Row};
use crate::certify::field::Residue;
use crate::certify::point::Stop;
use crate::certify::series::Series;
use crate::certify::tree::Found;
use crate::expr::CollectVec;
use crate::syntax::statement::TOTALS;

impl Reading<'_> {
    /// The values of those outputs that have none yet.
    pub(super) fn totals(&mut self) -> Found<()> {
        for i in 0..self.found.outputs.len() {
            let (name, values) = &self.found.outputs[i];
            if !values.is_empty() {
                continue;
            }
            let [center, momentum, _] = TOTALS;
            let total = match name {
                name if name == center => self.center()?,
                name if name == momentum => self.momentum(),
                _ => self.angular_momentum()?,
            };
            let rows = total.iter().map(|it| (it.value, Row::new(it)));
            self.found.outputs[i].1 = rows.collect_vec();
        }
        Ok(())
    }

    /// Σ m x of some components.
    fn weighted(&self, of: impl Fn(&Series) -> Series) -> Vec<Series> {
        let size = self.heavy.first().map_or(0, |it| it.1.len());
        let component = |i: usize| {
            let terms = self.heavy.iter().map(|(m, place)| of(&place[i]).scaled(*m));
            terms.fold(Series::default(), Series::plus)
        };
        (0..size).map(component).collect_vec()
    }

    /// Σ m r / Σ m
    fn center(&self) -> Found<Vec<Series>> {
        let mass = self.heavy.iter().fold(Residue::ZERO, |sum, it| sum + it.0);
        let inverse = mass.recip().ok_or(Stop::Zero)?;
        let sum = self.weighted(|it| *it).into_iter();
        Ok(sum.map(|it| it.scaled(inverse)).collect_vec())
    }

    /// Σ m ṙ
    fn momentum(&self) -> Vec<Series> {
        self.weighted(|it| it.rates())
    }

    /// Σ m (r − c)×(ṙ − ċ) + Σ R I Rᵀ ω
    fn angular_momentum(&self) -> Found<Vec<Series>> {
        let center = self.center()?;
        let mut total = vec![Series::default(); if center.len() == 3 { 3 } else { 1 }];
        let mut add = |parts: Vec<Series>| {
            for (sum, part) in total.iter_mut().zip(parts) {
                *sum = sum.plus(part);
            }
        };
        for (mass, place) in &self.heavy {
            let arm = place.iter().zip(&center).map(|(r, c)| r.minus(*c));
            let arm: Vec<Series> = arm.collect_vec();
            let cross = |i: usize, k: usize| {
                let ahead = arm[i].times(arm[k].rates());
                ahead.minus(arm[k].times(arm[i].rates())).scaled(*mass)
            };
            add(match arm.len() {
                3 => vec![cross(1, 2), cross(2, 0), cross(0, 1)],
                _ => vec![cross(0, 1)],
            });
        }
        for (inertia, body) in &self.turning {
            add(body.turned_by_own(|spin| resistance(inertia, spin)));
        }
        Ok(total)
    }
}
