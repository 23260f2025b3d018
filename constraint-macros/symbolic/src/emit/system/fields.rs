//! Fields of the structs of a system, and the places of their numbers in flat vectors.

use crate::expr::CollectVec;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::nested::{Level, Nested, each, from_fn, levels};
use crate::function::leaves::local;
use crate::model::{Around, Declared, Shape};

/// The types of points and of bodies, in the plane and in space.
pub(super) type Types = [[&'static str; 2]; 2];

/// The types of positions.
pub(super) const POINTS: Types = [["Point2", "Point3"], ["Rigid2", "Rigid3"]];
/// The types of velocities.
pub(super) const VECTORS: Types = [["Vector2", "Vector3"], ["Twist2", "Twist3"]];

/// The type of a place or of a velocity.
pub(super) fn vector(types: Types, declared: &Declared) -> Ident {
    let [plane, space] = types[usize::from(declared.body)];
    let name = if declared.shape == Shape::Space {
        space
    } else {
        plane
    };
    Ident::new(name, Span::mixed_site())
}

/// The numbers of one element of a field.
fn element_size(declared: &Declared, types: Types) -> usize {
    if types == POINTS {
        declared.element_scalars()
    } else {
        declared.element_velocities()
    }
}

/// A field and its place in the flat vector.
pub(super) struct Field<'a> {
    pub declared: &'a Declared,
    first: usize,
    /// The number of scalars of one element.
    pub size: usize,
}

impl Nested for Field<'_> {
    fn around(&self) -> &[Around] {
        &self.declared.around
    }

    fn lengths(&self) -> &[usize] {
        &self.declared.lengths
    }

    fn name(&self) -> &Ident {
        &self.declared.name
    }

    fn size(&self) -> usize {
        self.size
    }
}

impl<'a> Field<'a> {
    /// Those of all that is declared, in order.
    pub fn all(declared: &'a [Declared], types: Types) -> Vec<Field<'a>> {
        let mut first = 0;
        let fields = declared.iter().map(|declared| {
            let size = element_size(declared, types);
            let field = Field {
                declared,
                first,
                size,
            };
            first += size * declared.elements();
            field
        });
        fields.collect_vec()
    }
}

impl Field<'_> {
    /// The field, read from the flat vector.
    pub fn read(&self, types: Types) -> TokenStream {
        let field = &self.declared.name;
        let element = |i: &dyn Fn(usize) -> TokenStream| {
            let components = (0..self.size).map(i);
            match (self.declared.shape, self.declared.body) {
                (Shape::Scalar, _) => quote!(#(flat[#components])*),
                (_, false) => {
                    let ty = vector(types, self.declared);
                    quote!(rt::#ty::new(#(flat[#components]),*))
                }
                (_, true) => quote!(rt::Flat::from_flat([#(flat[#components]),*])),
            }
        };
        let steps = self.steps();
        let value = element(&|k| affine(self.first + k, &steps));
        let value = from_fn(&self.levels(), value);
        quote!(#field: #value)
    }

    /// By how much the place in the flat vector grows with each index.
    fn steps(&self) -> Vec<usize> {
        let lengths = &self.declared.lengths;
        let inner = (0..lengths.len()).map(|k| lengths[k + 1..].iter().product::<usize>());
        inner.map(|elements| self.size * elements).collect_vec()
    }

    /// Its own indices.
    fn levels(&self) -> Vec<Level> {
        let around = self.indices_around();
        levels(around, &self.declared.lengths[around..], self.size)
    }

    /// The flat vector, written from the field.
    pub fn write(&self, owner: &TokenStream) -> TokenStream {
        let (field, size) = (&self.declared.name, self.size);
        let lines = |value: &TokenStream, index: &dyn Fn(usize) -> TokenStream| {
            let index = (0..size).map(index);
            if self.declared.body {
                let (parts, length) = (local("parts"), count(size));
                let numbers = (0..size).map(count);
                return quote! {
                    let #parts: [_; #length] = rt::Flat::into_flat(#value);
                    #(flat[#index] = #parts[#numbers];)*
                };
            }
            let names = ["x", "y", "z"].map(|name| Ident::new(name, Span::call_site()));
            let parts = names
                .iter()
                .take(size)
                .map(|name| match self.declared.shape {
                    Shape::Scalar => value.clone(),
                    _ => quote!(#value.#name),
                });
            quote!(#(flat[#index] = #parts;)*)
        };
        let steps = self.steps();
        let (array, levels) = (quote!(#owner.#field), self.levels());
        let place = match levels[..] {
            [] => array.clone(),
            [..] => quote!(element),
        };
        let lines = lines(&place, &|k| affine(self.first + k, &steps));
        each(&levels, false, array, lines)
    }

    /// The statement that makes a rotation of zeros the identity.
    pub fn unturned(&self) -> Option<TokenStream> {
        let real = match (self.declared.body, self.declared.shape) {
            (true, Shape::Space) => self.first + 6,
            (true, _) => self.first + 2,
            (false, _) => return None,
        };
        Some(match self.declared.lengths[..] {
            [] => {
                let real = count(real);
                quote!(flat[#real] = rt::Real::lit(1.0);)
            }
            [..] => {
                let real = affine(real, &[self.size]);
                let length = count(self.declared.elements());
                quote!(for i in 0..#length { flat[#real] = rt::Real::lit(1.0); })
            }
        })
    }
}

/// `first + step * i + …`
pub(super) fn affine(first: usize, steps: &[usize]) -> TokenStream {
    let offset = (first > 0 || steps.is_empty()).then(|| {
        let offset = count(first);
        quote!(#offset)
    });
    let terms = steps.iter().zip(letters()).map(|(&step, letter)| {
        let by = count(step);
        match step {
            1 => quote!(#letter),
            _ => quote!(#by * #letter),
        }
    });
    let terms = offset.into_iter().chain(terms);
    quote!(#(#terms)+*)
}

/// The indices of arrays.
pub(super) fn letters() -> [Ident; 6] {
    ["i", "j", "k", "l", "m", "n"].map(|name| Ident::new(name, Span::call_site()))
}

/// A number as Rust writes it in a type.
pub(super) fn count(n: usize) -> Literal {
    Literal::usize_unsuffixed(n)
}

/// The names of a declaration in parts: a family for each value of all indices but the last.
pub(super) fn names_in_parts(declared: &Declared, components: &[&str]) -> Vec<TokenStream> {
    let (&length, outer) = match declared.lengths.split_last() {
        Some(lengths) => lengths,
        None => (&1, &[][..]),
    };
    let families = (0..outer.iter().product()).map(|mut number: usize| {
        let mut indices: Vec<usize> = outer
            .iter()
            .rev()
            .map(|length| {
                let index = number % length;
                number /= length;
                index
            })
            .collect_vec();
        indices.reverse();
        let name = declared.spelled(&indices);
        let Some((base, member)) = name.split_once("[]") else {
            return quote!(rt::Names::of(#name, &[#(#components),*]));
        };
        let components = components.iter().map(|it| format!("{member}{it}"));
        let length = count(length);
        quote!(rt::Names::of_array(#base, #length, &[#(#components),*]))
    });
    families.collect_vec()
}

/// The suffixes of a declaration's numbers, such as `.x`.
pub(super) type Places = &'static [&'static str];

/// Those of its coordinates.
pub(super) fn places(declared: &Declared) -> Places {
    match (declared.body, declared.shape.len()) {
        (false, 1) => &[""],
        (false, 2) => &[".x", ".y"],
        (false, _) => &[".x", ".y", ".z"],
        (true, 2) => &[".x", ".y", ".re", ".im"],
        (true, _) => &[".x", ".y", ".z", ".i", ".j", ".k", ".w"],
    }
}

/// Those of its velocities.
pub(super) fn rates(declared: &Declared) -> Places {
    match (declared.body, declared.shape.len()) {
        (false, _) => places(declared),
        (true, 2) => &[".linear.x", ".linear.y", ".angular"],
        (true, _) => &[
            ".linear.x",
            ".linear.y",
            ".linear.z",
            ".angular.x",
            ".angular.y",
            ".angular.z",
        ],
    }
}
