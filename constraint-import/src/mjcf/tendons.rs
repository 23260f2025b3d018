//! `<tendon>`: fixed ones, which are sums of coordinates. Spatial ones, which run through the plane or space, are not taken over.

use roxmltree::Node;

use super::File;
use super::equalities::shifted;
use crate::number::rounded;
use crate::reader::{Reader, start_tag, value_of};
use crate::robot::{Coupling, Tendon};

impl<'a, 't> File<'a, 't> {
    pub(super) fn tendons(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>) {
        for tendon in node.children().filter(Node::is_element) {
            if !tendon.has_tag_name("fixed") {
                let name = tendon.attribute("name").map(str::to_owned);
                self.spatial.extend(name);
                reader.ignore(tendon);
                continue;
            }
            let read = self.fixed(reader, tendon);
            let names = &mut self.tendon_names;
            names
                .entry(read.name.clone())
                .or_insert(self.robot.tendons.len());
            self.robot.tendons.push(read);
        }
    }

    fn fixed(&self, reader: &mut Reader<'_>, node: Node<'a, 't>) -> Tendon {
        let count = self.robot.tendons.len() + 1;
        let name = reader.word(node, "name");
        let friction = self.numbers::<1>(reader, node, None, "frictionloss");
        let terms = self.terms(reader, node);
        let forces = ["actuatorfrcrange", "actuatorfrclimited"];
        Tendon {
            name: name.map_or_else(|| format!("tendon_{count}"), str::to_owned),
            range: start_tag(node),
            offset: 0.0,
            force_range: self.limited(reader, node, None, forces),
            damping: self.polynomial(reader, node, None, "damping"),
            friction: friction.map_or(0.0, |[it]| it),
            spring: self.spring(reader, node, &terms),
            terms,
        }
    }

    /// The coordinates with their coefficients.
    fn terms(&self, reader: &mut Reader<'_>, tendon: Node<'a, 't>) -> Vec<(usize, f64)> {
        let mut terms = Vec::new();
        for node in tendon.children().filter(|it| it.has_tag_name("joint")) {
            let [joint, by] = ["joint", "coef"].map(|it| reader.required(node, it));
            if let (Some(joint), Some(_)) = (joint, by) {
                let coordinate = self.joint(reader, node, "joint", joint);
                terms.extend(coordinate.zip(reader.number(node, "coef")));
            }
        }
        terms
    }

    fn spring(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        terms: &[(usize, f64)],
    ) -> Option<([f64; 3], f64)> {
        let stiffness = self.polynomial(reader, node, None, "stiffness");
        if stiffness == [0.0; 3] {
            return None;
        }
        let given = self.list(reader, node, None, "springlength");
        match given.as_deref() {
            // Without a length it is at rest where the springs of its joints are.
            None | Some([-1.0] | [-1.0, -1.0]) => {
                let rests = terms.iter().map(|(k, by)| by * self.rests[*k]);
                Some((stiffness, rounded(rests.sum())))
            }
            Some(&[rest]) => Some((stiffness, rest)),
            Some(&[low, high]) if low == high => Some((stiffness, low)),
            _ => {
                let what = "`stiffness` of <fixed> with a range without any force";
                reader.ignore_part(node, what);
                None
            }
        }
    }

    /// The tendon that an attribute names; inside, `None` if it is one that is not taken over.
    pub(super) fn tendon(
        &self,
        reader: &mut Reader<'_>,
        node: Node<'_, 't>,
        attribute: &str,
    ) -> Option<Option<usize>> {
        let name = reader.required(node, attribute)?;
        let found = self.tendon_names.get(name).copied();
        if found.is_none() && !self.spatial.contains(name) {
            let known = self.tendon_names.keys().chain(&self.spatial);
            let meant = reader.among(name, known.map(String::as_str));
            let message = format!("there is no tendon `{name}`{meant}");
            reader.wrong(value_of(node, attribute), message, None);
            return None;
        }
        Some(found)
    }

    /// tendon1 − its length as drawn = c₀ + c₁ (tendon2 − its length as drawn) + …
    pub(super) fn coupled_tendons(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        k: usize,
    ) {
        let attributes = ["tendon1", "tendon2"].into_iter();
        let attributes = attributes.filter(|it| *it == "tendon1" || node.has_attribute(*it));
        let tendons: Option<Vec<Option<usize>>> =
            attributes.map(|it| self.tendon(reader, node, it)).collect();
        let Some(tendons) = tendons else {
            return;
        };
        let (tendon, leader) = match tendons[..] {
            [Some(tendon)] => (tendon, None),
            [Some(tendon), Some(leader)] => (tendon, Some(leader)),
            _ => return reader.ignore(node),
        };
        let given = reader.list(node, "polycoef");
        let given = given.unwrap_or_else(|| vec![0.0, 1.0]);
        let drawn = self.robot.coordinates.iter();
        let drawn: Vec<f64> = drawn.map(|it| it.reference.value(true)).collect();
        let mut coefficients = match leader {
            Some(leader) => shifted(&given, self.robot.length(leader, &drawn)),
            None => vec![given.first().copied().unwrap_or(0.0)],
        };
        coefficients[0] += self.robot.length(tendon, &drawn);
        let name = reader.word(node, "name");
        self.robot.couplings.push(Coupling {
            name: name.map_or_else(|| format!("tendons_{}", k + 1), str::to_owned),
            tendon,
            leader,
            coefficients,
        });
    }
}
