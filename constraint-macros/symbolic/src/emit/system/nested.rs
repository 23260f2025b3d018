//! Fields of generated structs, those of parts in structs of their own: `leg: [HexapodLegCoordinates<T>; 6]`.
//!
//! In the flat vectors all elements of one name are adjacent, whatever part they are in: a struct of parts is read
//! from and written to places that grow evenly with each index.

use crate::expr::{CollectVec, SortedSet};

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::super::{heap, items};
use super::fields::letters;
use super::items::Items;
use crate::model::{Around, Named, key};
use crate::syntax::ast::name_of;

/// A field, perhaps in a part.
pub(super) trait Nested {
    /// The parts around it, the outermost first.
    fn around(&self) -> &[Around];

    /// Its name.
    fn name(&self) -> &Ident;

    /// The lengths of arrays, those of the parts before its own.
    fn lengths(&self) -> &[usize];

    /// The number of scalars of one element, as far as arrays of many belong on the heap.
    fn size(&self) -> usize;

    /// Its name among those of all parts.
    fn key(&self) -> String {
        let around = self.around().iter().map(|around| &around.field);
        key(around.chain([self.name()]))
    }

    /// The number of indices before its name.
    fn indices_around(&self) -> usize {
        self.around().iter().map(|around| around.indices).sum()
    }
}

impl Nested for Named {
    fn around(&self) -> &[Around] {
        &self.around
    }

    fn name(&self) -> &Ident {
        &self.name
    }

    fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// Those of large systems have no names.
    fn size(&self) -> usize {
        0
    }
}

/// A field, or a part with its own.
pub(super) enum Node<'a, F> {
    Field(&'a F),
    Part(Part<'a, F>),
}

/// A part in use.
pub(super) struct Part<'a, F> {
    around: &'a Around,
    key: String,
    lengths: &'a [usize],
    /// The number of indices before its name.
    before: usize,
    members: Vec<Node<'a, F>>,
}

/// The fields, those of each part together at the first of them.
pub(super) fn tree<F: Nested>(fields: &[F]) -> Vec<Node<'_, F>> {
    branch(&fields.iter().collect_vec(), 0)
}

fn branch<'a, F: Nested>(fields: &[&'a F], depth: usize) -> Vec<Node<'a, F>> {
    let mut nodes = Vec::new();
    let mut known = SortedSet::new();
    for field in fields {
        let Some(around) = field.around().get(depth) else {
            nodes.push(Node::Field(*field));
            continue;
        };
        if !known.insert(name_of(&around.field)) {
            continue;
        }
        let is_beside = |other: &&&F| {
            let other = other.around().get(depth);
            other.is_some_and(|other| name_of(&other.field) == name_of(&around.field))
        };
        let inside: Vec<&F> = fields.iter().filter(is_beside).copied().collect_vec();
        let before = field.around()[..depth].iter().map(|it| it.indices).sum();
        nodes.push(Node::Part(Part {
            around,
            key: key(field.around()[..=depth].iter().map(|it| &it.field)),
            lengths: &field.lengths()[before..before + around.indices],
            before,
            members: branch(&inside, depth + 1),
        }));
    }
    nodes
}

impl<F: Nested> Node<'_, F> {
    /// The number of scalars.
    fn size(&self) -> usize {
        match self {
            Node::Field(field) => {
                let own = field.lengths()[field.indices_around()..].iter();
                field.size() * own.product::<usize>()
            }
            Node::Part(part) => part.size() * part.lengths.iter().product::<usize>(),
        }
    }

    /// Whether a part of it is on the heap.
    fn is_large(&self) -> bool {
        let inside = match self {
            Node::Field(_) => false,
            Node::Part(part) => part.members.iter().any(Node::is_large),
        };
        inside || heap::is_large(self.size())
    }
}

impl<F: Nested> Part<'_, F> {
    /// The number of scalars of one.
    fn size(&self) -> usize {
        self.members.iter().map(Node::size).sum()
    }

    /// `HexapodLegCoordinates`
    fn name(&self, items: &Items<'_>, suffix: &str) -> Ident {
        items.sibling(&format!("{}{suffix}", name_of(&self.around.part)))
    }

    fn levels(&self) -> Vec<Level> {
        levels(self.before, self.lengths, self.size())
    }
}

/// An index, and whether its array is on the heap.
pub(super) type Level = (Ident, bool);

/// The levels of an array of these lengths behind so many indices of parts.
pub(super) fn levels(before: usize, lengths: &[usize], size: usize) -> Vec<Level> {
    let inner = (0..lengths.len()).map(|k| lengths[k..].iter().product::<usize>());
    let large = inner.map(|elements| heap::is_large(elements * size));
    letters().into_iter().skip(before).zip(large).collect_vec()
}

/// `core::array::from_fn(|i| value)`, once for each level.
pub(super) fn from_fn(levels: &[Level], value: TokenStream) -> TokenStream {
    levels.iter().rev().fold(value, |value, (letter, large)| {
        if *large {
            quote!(rt::HeapArray::from_fn(|#letter| #value))
        } else {
            quote!(::core::array::from_fn(|#letter| #value))
        }
    })
}

impl Items<'_> {
    /// A struct of these fields, each written by `field`, and before it those of its parts, each once.
    pub fn structs<F: Nested>(
        &self,
        suffix: &str,
        docs: &str,
        nodes: &[Node<'_, F>],
        field: &dyn Fn(&F) -> TokenStream,
    ) -> TokenStream {
        let mut known = SortedSet::new();
        let name = self.sibling(suffix);
        self.structs_but(&mut known, &name, (suffix, docs), nodes, field)
    }

    /// The nested structs, without those in `known`.
    fn structs_but<F: Nested>(
        &self,
        known: &mut SortedSet<Ident>,
        name: &Ident,
        (suffix, docs): (&str, &str),
        nodes: &[Node<'_, F>],
        field: &dyn Fn(&F) -> TokenStream,
    ) -> TokenStream {
        if !known.insert(name.clone()) {
            return TokenStream::new();
        }
        let rt = quote!(::constraint_runtime::__private);
        let scalar = &self.scalar;
        let derived = items::derived(nodes.iter().any(Node::is_large));
        let visibility = self.system.model.item.as_ref().map(|item| &item.visibility);
        let mut parts = TokenStream::new();
        let mut fields = Vec::new();
        for node in nodes {
            let part = match node {
                Node::Field(it) => {
                    fields.push(field(it));
                    continue;
                }
                Node::Part(part) => part,
            };
            let (name, of) = (&part.around.field, part.name(self, suffix));
            let inner = format!("{docs} Members of a part `{}`.", part.around.part);
            let members = &part.members;
            parts.extend(self.structs_but(known, &of, (suffix, &inner), members, field));
            let ty = heap::array_of(quote!(#of<#scalar>), part.size(), part.lengths, &rt);
            let docs = self.field_docs(&part.key, &format!(" Members of `{name}`."));
            fields.push(quote!(#docs pub #name: #ty));
        }
        // Only a system with mistakes has no names; its stub still has to use its scalar.
        let marker = nodes
            .is_empty()
            .then(|| quote!(marker: ::core::marker::PhantomData<#scalar>));
        quote! {
            #parts
            #[doc = #docs]
            #[derive(#derived)]
            #visibility struct #name<#scalar: #rt::Real = ::core::primitive::f64> { #(#fields),* #marker }
        }
    }

    /// `leg: core::array::from_fn(|i| HexapodLegCoordinates { … })`, each field read by `field`.
    pub fn reads<F: Nested>(
        &self,
        suffix: &str,
        nodes: &[Node<'_, F>],
        field: &dyn Fn(&F) -> TokenStream,
    ) -> Vec<TokenStream> {
        let reads = nodes.iter().map(|node| {
            let part = match node {
                Node::Field(it) => return field(it),
                Node::Part(part) => part,
            };
            let (name, of) = (&part.around.field, part.name(self, suffix));
            let members = self.reads(suffix, &part.members, field);
            let value = from_fn(&part.levels(), quote!(#of { #(#members),* }));
            quote!(#name: #value)
        });
        reads.collect_vec()
    }
}

/// The flat vector written from the fields of `owner`, each by `field`.
pub(super) fn writes<F: Nested>(
    owner: &TokenStream,
    nodes: &[Node<'_, F>],
    field: &dyn Fn(&TokenStream, &F) -> TokenStream,
) -> Vec<TokenStream> {
    let writes = nodes.iter().map(|node| match node {
        Node::Field(it) => field(owner, it),
        Node::Part(part) => {
            let name = &part.around.field;
            let place = match part.lengths {
                [] => quote!(#owner.#name),
                [..] => quote!(element),
            };
            let lines = writes(&place, &part.members, field);
            each(
                &part.levels(),
                true,
                quote!(#owner.#name),
                quote!(#(#lines)*),
            )
        }
    });
    writes.collect_vec()
}

/// `for (i, element) in array.into_iter().enumerate() { … }`, once for each level; a `part` is not copied.
pub(super) fn each(
    levels: &[Level],
    part: bool,
    array: TokenStream,
    lines: TokenStream,
) -> TokenStream {
    let numbered = levels.iter().enumerate().rev();
    numbered.fold(lines, |lines, (k, (letter, large))| {
        let array = match k {
            0 => array.clone(),
            _ => quote!(element),
        };
        let inner_large = levels.get(k + 1).map_or(part, |(_, large)| *large);
        match (large, inner_large) {
            (false, _) => {
                quote!(for (#letter, element) in #array.into_iter().enumerate() { #lines })
            }
            (true, false) => {
                quote!(for (#letter, &element) in #array.iter().enumerate() { #lines })
            }
            (true, true) => {
                quote!(for (#letter, element) in #array.iter().enumerate() { #lines })
            }
        }
    })
}
