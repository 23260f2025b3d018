//! Positions of the declared names of a system among its coordinates and velocities.

use crate::expr::{MapEach, PushEach, SortedMap, sort_by_key};

use crate::model::{Declared, Shape, System};
use crate::syntax::ast::name_of;

/// The declarations of a system by their names without indices.
#[derive(Debug)]
pub struct Layout {
    fields: SortedMap<String, Field>,
}

/// The positions of the elements of a name.
#[derive(Debug)]
struct Field {
    first: [usize; 2],
    each: [usize; 2],
    lengths: Vec<usize>,
    shape: Shape,
    body: bool,
}

/// An element.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its first coordinate,
    pub coordinate: usize,
    /// its first velocity.
    pub velocity: usize,
    pub shape: Shape,
    pub body: bool,
}

impl Layout {
    /// The declarations in order.
    pub fn new(system: &System) -> Layout {
        let (mut fields, mut first) = (SortedMap::new(), [0, 0]);
        for declared in &system.declared {
            let field = Field {
                first,
                each: [declared.element_scalars(), declared.element_velocities()],
                lengths: declared.lengths.clone(),
                shape: declared.shape,
                body: declared.body,
            };
            first = [
                first[0] + declared.scalars(),
                first[1] + declared.velocities(),
            ];
            fields.insert(key(declared), field);
        }
        Layout { fields }
    }

    /// The element with this name and these indices; indices of surrounding parts come first.
    pub fn place(&self, name: &str, indices: &[usize]) -> Option<Place> {
        let field = self.fields.get(name)?;
        let mut number = 0;
        for (index, length) in indices.iter().zip(&field.lengths) {
            number = number * length + index;
        }
        let [coordinate, velocity] = [0, 1].map_each(|k| field.first[k] + number * field.each[k]);
        Some(Place {
            coordinate,
            velocity,
            shape: field.shape,
            body: field.body,
        })
    }

    /// All elements, in order.
    pub fn bodies(&self) -> Vec<Place> {
        let mut places = Vec::new();
        for field in self.fields.values().filter(|it| it.body) {
            let count: usize = field.lengths.iter().product();
            places.push_each((0..count).map(|number| {
                let [coordinate, velocity] =
                    [0, 1].map_each(|k| field.first[k] + number * field.each[k]);
                Place {
                    coordinate,
                    velocity,
                    shape: field.shape,
                    body: true,
                }
            }));
        }
        sort_by_key(&mut places, |it| it.coordinate);
        places
    }
}

/// `leg.thigh` of `leg[2].thigh`
fn key(declared: &Declared) -> String {
    let around = declared.around.iter().map(|it| name_of(&it.field) + ".");
    around.chain([name_of(&declared.name)]).collect()
}
