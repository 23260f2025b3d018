//! Values on the heap: vectors of large systems, and arrays of more than 512 numbers.
//!
//! Input: sizes. Output: types, and the functions that write into a place, `write_acceleration` for `acceleration`,
//! with what gives back a vector of its own.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote};

use super::interface::Interface;
use super::tokens::Tokens;
use crate::expr::{CollectVec, Set, SortedSet};
use crate::function::leaves::local;
use crate::function::loops::Loops;
use crate::function::system::GRADIENT;
use crate::function::{Body, Dimension, Function, Shape, Signature, Trait};
use crate::model::Role;
use crate::solve::{Panels, WIDTH};
use crate::system::loops::routine::{Array, OfSolution};

/// Arrays of more numbers are on the heap: 4 KiB of `f64`.
const MOST_ON_STACK: usize = 512;

/// Whether an array of so many numbers is on the heap.
pub(super) fn is_large(numbers: usize) -> bool {
    numbers > MOST_ON_STACK
}

/// The names of the place of a result, and of the second of two.
pub(super) const OUT: &str = "out";
pub(super) const BESIDE: &str = "beside";

/// A vector of a system: `rt::SVector<T, 4>`, of a large one `rt::HeapArray<T, 1000>`.
pub(super) fn vector(scalar: &Ident, n: &Literal, large: bool) -> TokenStream {
    let kind = kind(large);
    quote!(#kind<#scalar, #n>)
}

/// The vectors of a system that is large or not.
pub(super) fn kind(large: bool) -> TokenStream {
    if large {
        quote!(rt::HeapArray)
    } else {
        quote!(rt::SVector)
    }
}

/// `[[T; 4]; 3]` of the lengths 3 and 4, the large ones of these arrays on the heap; `size` numbers make an element.
pub(super) fn array_of(
    element: TokenStream,
    size: usize,
    lengths: &[usize],
    runtime: &TokenStream,
) -> TokenStream {
    let (element, _) = lengths
        .iter()
        .rev()
        .fold((element, size), |(ty, size), &n| {
            let (size, length) = (size * n, Literal::usize_unsuffixed(n));
            if is_large(size) {
                (quote!(#runtime::HeapArray<#ty, #length>), size)
            } else {
                (quote!([#ty; #length]), size)
            }
        });
    element
}

/// The functions that write into a place where vectors are large: those that steps ask for.
const IN_PLACE: [&str; 7] = [
    "acceleration",
    "acceleration_and_multipliers",
    "kinematics",
    "constraint",
    "constraint_rate",
    "row_sizes",
    "correction",
];

/// Those that do so in loops of any size, which save zeros and copies by it: as much as an eighth of their time. Where
/// they are written out, the compiler sees where each entry goes.
const IN_PLACE_IN_LOOPS: [&str; 2] = ["acceleration", "acceleration_and_multipliers"];

impl Interface<'_> {
    /// Whether a function writes into a place that it is given.
    pub fn is_in_place(&self, signature: &Signature, in_loops: bool) -> bool {
        let name = &signature.name;
        (self.large && IN_PLACE.contains(name)) || (in_loops && IN_PLACE_IN_LOOPS.contains(name))
    }

    /// The places to which a function writes its results.
    pub fn places(&self, signature: &Signature) -> Vec<(Ident, Shape)> {
        let parts = match signature.result {
            Shape::Tuple(parts) => parts,
            _ => std::slice::from_ref(&signature.result),
        };
        let names = [OUT, BESIDE].map(local);
        names.into_iter().zip(parts.iter().copied()).collect_vec()
    }

    /// `rt::HeapArray<T, 1000>`
    pub fn vector(&self, out: &mut Tokens, n: usize) {
        // The rows of a system that has none are the runtime's.
        let is_large = self.large && n > 0;
        let kind = if is_large { "HeapArray" } else { "SVector" };
        self.generic(out, kind, &[n]);
    }

    /// The type of a result.
    fn result_type(&self, signature: &Signature) -> Tokens {
        let mut ty = Tokens::default();
        self.type_of(&mut ty, signature.result);
        ty
    }

    /// `fn write_acceleration(&self, t: T, …, mut room: &mut [T], out: &mut rt::HeapArray<T, 1000>) -> Result<(), rt::Error>`
    pub fn signature_in_place(&self, out: &mut Tokens, signature: &Signature, read: &Set<Role>) {
        let (scalar, error) = (&self.scalar, &self.error);
        let room = local("room");
        out.word("fn").ident(write(signature)).parentheses(|out| {
            out.punct('&').word("self");
            self.parameters(out, signature.arguments, read);
            if signature.fails {
                out.punct(',').word("mut").binding(room).punct(':');
                out.quoted(quote!(&mut [#scalar]));
            }
            for (place, shape) in self.places(signature) {
                out.punct(',').binding(place).punct(':');
                self.type_of(out.punct('&').word("mut"), shape);
            }
        });
        if signature.fails {
            out.joint('-', '>').quoted(quote!(Result<(), #error>));
        }
    }

    /// The function that returns vectors of its own.
    pub fn by_value(&self, out: &mut Tokens, function: &Function<'_>) {
        let signature = &function.signature;
        let (scalar, error, ty) = (&self.scalar, &self.error, self.result_type(signature));
        let (name, write) = (local(signature.name), write(signature));
        let owner = match function.of_trait {
            Trait::Motion => "Dynamics",
            _ => "Constrained",
        };
        let owner = Ident::new(owner, Span::mixed_site());
        let arguments = signature.arguments.iter();
        let given = arguments.filter_map(|it| self.given(*it));
        let (arguments, types): (Vec<&Ident>, Vec<&Tokens>) =
            given.map(|it| (&it.name, &it.ty)).unzip();
        let write = quote!(rt::#owner::<#scalar>::#write);
        let (places, zeros): (Vec<Ident>, Vec<Tokens>) = self
            .places(signature)
            .into_iter()
            .map(|(place, shape)| (place, self.zeros(shape)))
            .unzip();
        let body = if signature.fails {
            let room = if self.large {
                quote!(&mut rt::room(<Self as rt::Dynamics<#scalar>>::PROPERTIES.room))
            } else {
                quote!(&mut [])
            };
            let [places_given, zeros] = [quote!(#(#places),*), quote!(#(#zeros),*)].map(|parts| {
                if places.len() == 1 {
                    parts
                } else {
                    quote!((#parts))
                }
            });
            quote! {
                -> Result<#ty, #error> {
                    rt::written(#zeros, |#places_given| {
                        #write(self #(, #arguments)*, #room #(, #places)*)
                    })
                }
            }
        } else {
            quote! {
                -> #ty {
                    #(let mut #places = #zeros;)*
                    #write(self #(, #arguments)* #(, &mut #places)*);
                    #(#places)*
                }
            }
        };
        let inline = (!self.large).then(|| quote!(#[inline]));
        out.items(quote!(#inline fn #name(&self #(, #arguments: #types)*) #body));
    }

    /// `rt::vector([T::lit(0.0); 4])`: nalgebra's own zeros are set entry by entry, which lanes take as long for as for
    /// the rest.
    pub fn zeros(&self, shape: Shape) -> Tokens {
        let scalar = &self.scalar;
        let length = |dimension| Literal::usize_unsuffixed(self.size(dimension));
        let zeros = match shape {
            Shape::Vector(rows) if !self.large => {
                let rows = length(rows);
                quote!(rt::vector([#scalar::lit(0.0); #rows]))
            }
            Shape::Outputs => {
                let count = Literal::usize_unsuffixed(self.outputs);
                quote!(rt::vector([#scalar::lit(0.0); #count]))
            }
            Shape::Matrix(rows, columns) if !self.large => {
                let [rows, columns] = [rows, columns].map(length);
                quote!(rt::matrix([[#scalar::lit(0.0); #rows]; #columns]))
            }
            Shape::Scalar => quote!(#scalar::lit(0.0)),
            Shape::Tuple(parts) => {
                let parts = parts.iter().map(|&part| self.zeros(part));
                quote!((#(#parts),*))
            }
            _ => {
                let mut ty = Tokens::default();
                self.type_of(&mut ty, shape);
                match shape {
                    Shape::Record(record) if record.name == GRADIENT => quote!(<#ty>::default()),
                    _ => quote!(<#ty>::zeros()),
                }
            }
        };
        zeros.into()
    }

    /// The most numbers of scratch memory that a function takes; nothing where none takes any.
    pub fn room(&self, functions: &[Function<'_>]) -> Option<usize> {
        let taken = functions
            .iter()
            .filter_map(|function| match &function.body {
                Body::Loops(loops) if self.takes_room(&function.signature, true) => {
                    let sizes = self
                        .work_arrays(loops, &loops.arrays())
                        .into_iter()
                        .map(|(_, size)| size);
                    Some(sizes.filter(|&size| is_large(size)).sum())
                }
                _ => None,
            });
        taken.max().filter(|&room| room > 0)
    }

    /// Whether a function is given room.
    pub fn takes_room(&self, signature: &Signature, in_loops: bool) -> bool {
        self.is_in_place(signature, in_loops) && signature.fails
    }

    /// The arrays that loops keep between each other, and how long they are.
    pub fn work_arrays(&self, loops: &Loops<'_>, arrays: &SortedSet<Array>) -> Vec<(Array, usize)> {
        let rows = self.size(Dimension::Rows);
        let sized = arrays.iter().filter_map(|&array| {
            let size = match array {
                // L follows the unknowns.
                Array::Output | Array::Multipliers | Array::Lower => return None,
                Array::Parameter(..) | Array::Input(..) | Array::Numbers => return None,
                Array::Tangent(_) | Array::Gradient(_) => return None,
                Array::MotionBy(_) | Array::MultipliersBy(_) => return None,
                array if array.is_argument() => return None,
                Array::Solution | Array::SolutionBeside | Array::Scales => match loops.panels {
                    Some(panels) => WIDTH * panels.rows.len(),
                    None if array == Array::SolutionBeside => rows,
                    None => rows + loops.lower,
                },
                Array::Blocks => loops.panels.map_or(0, Panels::entries),
                Array::Weight | Array::Motion | Array::Load => self.size(Dimension::Velocities),
                Array::OfSolution(
                    OfSolution::Motion | OfSolution::MotionAlong | OfSolution::MotionCounted,
                ) => self.size(Dimension::Velocities),
                Array::Kept => loops.routine.kept,
                Array::Prepared
                | Array::Moving
                | Array::Diagonal
                | Array::Fill
                | Array::Right
                | Array::RightBeside
                | Array::Shared
                | Array::Sums
                | Array::Slopes
                | Array::Inverse => loops.routine.len_of(array),
                _ => rows,
            };
            Some((array, size))
        });
        sized.collect_vec()
    }

    /// `fn write_kinematics(…)` of velocities that are the rates of the coordinates.
    pub fn plain_kinematics(&self) -> TokenStream {
        let vector = |it| {
            vector(
                &self.scalar,
                &Literal::usize_unsuffixed(self.size(it)),
                true,
            )
        };
        let [q, v] = [Dimension::Coordinates, Dimension::Velocities].map(vector);
        let scalar = &self.scalar;
        quote! {
            fn write_kinematics(&self, _: #scalar, _: &#q, v: &#v, out: &mut #q) {
                out.copy_from_slice(&v[..]);
            }
        }
    }
}

/// `write_acceleration`
fn write(signature: &Signature) -> Ident {
    let name = local(signature.name);
    format_ident!("write_{name}", span = name.span())
}
