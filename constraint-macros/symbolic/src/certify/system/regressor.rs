//! Regressors: virtual works of single parameters, and inertias moved from bodies to links.
//!
//! ```text
//! a mass at r = R c from the origin p of a link's frame, δr = δp + Σ cₖ δeₖ with the columns eₖ of R:
//!   m       (p̈ − g)·δp
//!   m cₖ    (p̈ − g)·δeₖ + ëₖ·δp
//!   S       Σ Sᵢⱼ ëᵢ·δeⱼ, S = Σ m c cᵀ = ½ tr I − I
//! K       w·Y = w·Y_base K along a random w, at a random state
//! ```
//! No angular velocity occurs, and no link before this one.

use super::At;
use super::statements::Posed;
use crate::certify::bodies::Moving;
use crate::certify::checked::Facts;
use crate::certify::field::Residue;
use crate::certify::linear::dot;
use crate::certify::point::Stop;
use crate::certify::series::Series;
use crate::expr::{CollectVec, MapEach, PushEach};

/// The entries of I above and on the diagonal.
const ENTRIES: [(usize, usize); 6] = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];

impl At<'_> {
    /// w·Y
    pub fn shown(&self) -> Result<Vec<Residue>, Stop> {
        let links = self.links()?.into_iter();
        Ok(links
            .flat_map(|link| works(link, &self.free.gravity))
            .collect_vec())
    }

    /// θ
    pub fn parameters(&self) -> Result<Vec<Residue>, Stop> {
        let mut all = Vec::new();
        for link in self.links()? {
            let bodies = self.free.posed.iter();
            let own = bodies.filter(|it| it.frame.link().is_some_and(|own| is_same(own, link)));
            let parameters = own.map(|body| moved(body, link));
            let sum = parameters.reduce(|sum, it| {
                let pairs = sum.iter().zip(&it);
                pairs.map(|(&a, &b)| a + b).collect_vec()
            });
            all.push_each(sum.ok_or(Stop::UNREAD)?);
        }
        Ok(all)
    }

    /// K
    pub fn base(&self) -> Result<Facts, Stop> {
        let shown = self.shown()?;
        let base = self.arguments.system.inertial.base.iter();
        let base = base.map(|&column| shown.get(column).copied());
        let base: Option<Vec<Residue>> = base.collect();
        Ok(Facts::Across(base.ok_or(Stop::UNREAD)?, shown))
    }

    /// The links with parameters, in order.
    fn links(&self) -> Result<Vec<&Moving>, Stop> {
        let names = self.arguments.system.inertial.names.iter();
        let links = names.filter_map(|name| name.strip_suffix(".m"));
        let link = |name: &str| {
            let body = self.free.posed.iter().find(|it| it.name == name);
            body.and_then(|it| it.frame.link()).ok_or(Stop::UNREAD)
        };
        links.map(link).collect()
    }
}

/// The virtual work of each parameter that is 1 while the others are 0.
fn works(link: &Moving, gravity: &[Residue]) -> Vec<Residue> {
    let acceleration = |of: &[Series]| -> Vec<Residue> {
        of.iter()
            .map(|it| it.half_second + it.half_second)
            .collect_vec()
    };
    let along = |of: &[Series]| -> Vec<Residue> { of.iter().map(|it| it.along).collect_vec() };
    let mut pull = acceleration(&link.place);
    let pairs = pull.iter_mut().zip(gravity);
    pairs.for_each(|(pull, &gravity)| *pull = *pull - gravity);
    let way = along(&link.place);
    let second = |i: usize, j: usize| dot(&acceleration(&link.axes[i]), &along(&link.axes[j]));
    let first = link.axes.iter();
    let first = first.map(|axis| dot(&pull, &along(axis)) + dot(&acceleration(axis), &way));
    let mut works = vec![dot(&pull, &way)];
    works.push_each(first);
    let size = link.axes.len();
    let trace = (0..size).fold(Residue::ZERO, |sum, i| sum + second(i, i));
    let half = Residue::HALF * trace;
    if size == 2 {
        works.push(half);
    } else {
        works.push_each(ENTRIES.map_each(|(i, j)| match i == j {
            true => half - second(i, i),
            false => -(second(i, j) + second(j, i)),
        }));
    }
    works
}

/// m, m c and I of a body, in the frame of its link.
fn moved(body: &Posed, link: &Moving) -> Vec<Residue> {
    let values = |of: &[Series]| -> Vec<Residue> { of.iter().map(|it| it.value).collect_vec() };
    let pairs = body.frame.place.iter().zip(&link.place);
    let from: Vec<Residue> = pairs
        .map(|(own, link)| own.value - link.value)
        .collect_vec();
    let c = link.own(&from);
    let mass = body.mass;
    let mut all = vec![mass];
    all.push_each(c.iter().map(|&it| mass * it));
    let square = dot(&c, &c);
    if c.len() == 2 {
        all.push(body.inertia[0][0] + mass * square);
        return all;
    }
    let axes: Vec<Vec<Residue>> = body
        .frame
        .axes
        .iter()
        .map(|it| link.own(&values(it)))
        .collect_vec();
    all.push_each(ENTRIES.map_each(|(i, j)| {
        let row = |i: usize| -> Vec<Residue> { axes.iter().map(|axis| axis[i]).collect_vec() };
        let turned: Vec<Residue> = body.inertia.iter().map(|it| dot(it, &row(j))).collect_vec();
        let about = if i == j { square } else { Residue::ZERO } - c[i] * c[j];
        dot(&row(i), &turned) + mass * about
    }));
    all
}

fn is_same(a: &Moving, b: &Moving) -> bool {
    let values = |of: &Moving| -> Vec<Residue> {
        let all = of.place.iter().chain(of.axes.iter().flatten());
        all.map(|it| it.value).collect_vec()
    };
    values(a) == values(b)
}
