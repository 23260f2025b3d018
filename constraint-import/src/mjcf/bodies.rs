//! Bodies: their place and their mass.

use roxmltree::Node;

use super::{File, FromGeoms, Place, Site};
use crate::reader::{Reader, start_tag, value_of};
use crate::robot::{Base, Inertial, Link, Resistance, Step, placement};
use crate::spatial::Inertia;

impl<'a, 't> File<'a, 't> {
    /// Everything in the world. Bodies in bodies wait their turn, so that they may be nested as deep as the file likes.
    pub(super) fn bodies(&mut self, reader: &mut Reader<'_>, world: Node<'a, 't>) {
        let place = Place {
            link: 0,
            class: reader.word(world, "childclass"),
            frame: None,
        };
        let mut waiting = vec![(world, place)];
        while let Some((node, place)) = waiting.pop() {
            let inside = match node.tag_name().name() {
                "body" => self.body(reader, node, place),
                "frame" => self.frame(reader, node, place),
                _ => place,
            };
            let mut inner = self.contents(reader, node, inside);
            inner.reverse();
            waiting.extend(inner.into_iter().map(|it| (it, inside)));
        }
    }

    /// What a body has in it, or a frame; bodies and frames remain to be read.
    fn contents(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        place: Place<'a>,
    ) -> Vec<Node<'a, 't>> {
        let mut inner = Vec::new();
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "body" | "frame" => inner.push(child),
                // Read with their body.
                "joint" | "freejoint" | "inertial" if node.has_tag_name("body") => {}
                "geom" if place.link > 0 => {}
                "site" => {
                    let steps = self.placed(reader, child, place.class);
                    let steps = [self.steps_to(place.frame), steps].concat();
                    self.add_site(child, place.link, steps);
                }
                "replicate" | "composite" | "flexcomp" | "attach" => {
                    let tag = child.tag_name().name();
                    let message = format!("`<{tag}>` generates bodies, which are not read");
                    let help = "load the file in MuJoCo and save it by `mj_saveLastXML`";
                    reader.wrong(start_tag(child), message, Some(help));
                }
                _ => reader.ignore(child),
            }
        }
        inner
    }

    fn add_site(&mut self, node: Node<'a, 't>, link: usize, steps: Vec<Step>) {
        if let Some(name) = node.attribute("name") {
            self.site_names.entry(name).or_insert(self.sites.len());
        }
        self.sites.push(Site {
            node,
            link,
            steps,
            is_used: false,
        });
    }

    /// A `<frame>`: the pose of its contents.
    pub(super) fn frame(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        place: Place<'a>,
    ) -> Place<'a> {
        let steps = self.settings.frame(reader, node);
        self.frames.push((place.frame, steps));
        Place {
            class: reader.word(node, "childclass").or(place.class),
            frame: Some(self.frames.len() - 1),
            ..place
        }
    }

    /// From a body to a frame in it.
    pub(super) fn steps_to(&self, frame: Option<usize>) -> Vec<Step> {
        let mut next = frame;
        let mut parts = Vec::new();
        while let Some(frame) = next {
            let (before, steps) = &self.frames[frame];
            parts.push(steps.as_slice());
            next = *before;
        }
        parts.reverse();
        parts.concat()
    }

    /// Adds a body; returns the pose of its contents.
    fn body(&mut self, reader: &mut Reader<'_>, node: Node<'a, 't>, place: Place<'a>) -> Place<'a> {
        let class = reader.word(node, "childclass").or(place.class);
        let own = self.settings.frame(reader, node);
        let mut steps = [self.steps_to(place.frame), own].concat();
        let index = self.robot.links.len();
        let name = self.link_name(reader, node);
        let drawn = self.drawn[place.link].then(&placement(&steps, false));
        self.drawn.push(drawn);
        let placed = (place.link, index);
        let (base, resistance) = self.joints(reader, node, placed, class, &name, &mut steps);
        self.link_names.entry(name.clone()).or_insert(index);
        self.robot.links.push(Link {
            name,
            range: value_of(node, "name"),
            base,
            steps,
            inertial: None,
            resistance,
        });
        self.robot.links[index].inertial = self.inertial(reader, node, class);
        if reader.number(node, "gravcomp").is_some_and(|it| it != 0.0) {
            reader.ignore_part(node, "`gravcomp` of <body>");
        }
        Place {
            link: index,
            class,
            frame: None,
        }
    }

    /// `<inertial>`, or the mass of the geoms.
    fn inertial(
        &mut self,
        reader: &mut Reader<'_>,
        node: Node<'a, 't>,
        class: Option<&'a str>,
    ) -> Option<Inertial> {
        let given = node.children().find(|it| it.has_tag_name("inertial"));
        let from_geoms = match self.settings.from_geoms {
            FromGeoms::Always => true,
            FromGeoms::Never => false,
            FromGeoms::WithoutInertial => given.is_none(),
        };
        let parts = self.geoms(reader, node, class, from_geoms);
        if !from_geoms {
            return written_inertial(reader, given?, &self.settings);
        }
        if let Some(given) = given {
            reader.ignore(given);
        }
        if parts.is_empty() {
            return None;
        }
        let whole = Inertia::lumped(&parts).without_noise();
        Some(Inertial {
            range: start_tag(node),
            mass: whole.mass,
            steps: vec![Step::Place(whole.centre)],
            inertia: whole.about_centre,
        })
    }
}

/// `<inertial>`
fn written_inertial(
    reader: &mut Reader<'_>,
    node: Node<'_, '_>,
    settings: &super::Settings,
) -> Option<Inertial> {
    reader.required(node, "mass")?;
    let mass = reader.number(node, "mass")?;
    if mass < 0.0 {
        reader.wrong(value_of(node, "mass"), "the mass is negative", None);
        return None;
    }
    let mut inertia = [[0.0; 3]; 3];
    let full = reader.numbers(node, "fullinertia");
    let diagonal = reader.numbers::<3>(node, "diaginertia");
    if full.is_some() && diagonal.is_some() {
        let message = "`fullinertia` and `diaginertia` are two inertias of one body";
        reader.flaw(
            value_of(node, "diaginertia"),
            message,
            Some("keep one of them"),
        );
    }
    if let Some([xx, yy, zz, xy, xz, yz]) = full {
        inertia = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    } else if let Some(moments) = diagonal {
        (0..3).for_each(|k| inertia[k][k] = moments[k]);
    }
    let is_nothing = mass == 0.0 && inertia == [[0.0; 3]; 3];
    let steps = settings.frame(reader, node);
    (!is_nothing).then(|| Inertial {
        range: start_tag(node),
        mass,
        steps,
        inertia,
    })
}

/// The base of a body, and what acts on its own coordinates.
pub(super) type Joined = (Base, Resistance);
