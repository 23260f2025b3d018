//! Limbs: parts of a tree that hang on one of its links, the trunk.

use super::tree::{Link, Tree};
use crate::expr::{CollectVec, ExprId, Graph, PushEach};

impl Tree {
    /// The parts that hang on a link, each as the numbers of its links.
    pub fn parts_on(&self, base: usize) -> Vec<Vec<usize>> {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for (i, link) in self.links.iter().enumerate() {
            let part = parts
                .iter()
                .position(|part| link.from.is_some_and(|it| part.contains(&it)));
            match part {
                Some(part) => parts[part].push(i),
                None if link.from == Some(base) => parts.push(vec![i]),
                None => {}
            }
        }
        parts
    }

    /// Some of the links as a tree of their own.
    pub fn part(&self, numbers: &[usize]) -> Tree {
        let mut hangs = false;
        let links = numbers.iter().map(|&number| {
            let mut link = self.links[number].clone();
            let from = link.from;
            link.from = from.and_then(|it| numbers.iter().position(|&number| number == it));
            hangs |= link.from.is_none() && from.is_some();
            link
        });
        Tree {
            links: links.collect_vec(),
            gravity: self.gravity,
            hangs,
        }
    }

    /// All velocities that move links, in the order of their appearance.
    pub fn columns(&self) -> Vec<usize> {
        let mut columns = Vec::new();
        for column in self.links.iter().flat_map(Link::columns) {
            if !columns.contains(&column) {
                columns.push(column);
            }
        }
        columns
    }

    /// All expressions that its equations are made of.
    pub fn expressions_mut(&mut self) -> Vec<&mut ExprId> {
        let links = self.links.iter_mut();
        links.flat_map(Link::expressions_mut).collect_vec()
    }

    /// What it is but for its expressions and the numbers of its velocities: trees of equal words have equal equations, once
    /// they are [alike](make_alike).
    pub fn words(&self) -> Vec<usize> {
        let columns = self.columns();
        let number = |column: &usize| columns.iter().position(|it| it == column);
        let mut words = vec![self.links.len()];
        for link in &self.links {
            words.push(link.from.map_or(0, |it| it + 1));
            words.push(link.turn.word());
            for own in [&link.place_columns, &link.spin_columns] {
                words.push(own.len());
                words.push_each(own.iter().filter_map(|(column, _)| number(column)));
            }
        }
        words
    }
}

/// Lets links have constant rotations where others at their places have some.
pub fn make_alike(graph: &mut Graph, trees: &mut [&mut Tree]) {
    for link in 0..trees.first().map_or(0, |it| it.links.len()) {
        let turn = |tree: &&mut Tree| tree.links[link].turn.is_general();
        if trees.iter().any(turn) {
            for tree in &mut *trees {
                let turn = &mut tree.links[link].turn;
                *turn = turn.clone().generalized(graph);
            }
        }
    }
}

impl Link {
    fn expressions_mut(&mut self) -> Vec<&mut ExprId> {
        let rates = [&mut self.place_rates, &mut self.spin];
        let mut all: Vec<&mut ExprId> = self.place.iter_mut().collect_vec();
        all.push_each(rates.into_iter().flat_map(|it| it.as_flattened_mut()));
        let columns = self.place_columns.iter_mut().chain(&mut self.spin_columns);
        all.push_each(columns.flat_map(|(_, it)| it));
        all.push_each(self.turn.expressions_mut());
        let masses = &mut self.masses;
        all.push(&mut masses.mass);
        all.push_each(masses.first.iter_mut().chain(&mut masses.second.0));
        all
    }
}
