//! What is checked before a system runs, and at every state.

use quote::quote;

use super::super::interface::flattened;
use super::{Writer, owner};
use crate::emit::items::is_large;
use crate::emit::rust::Body;
use crate::emit::tokens::Tokens;
use crate::function::{Argument, roles_read};
use crate::model::Shape;
use crate::schedule::Program;
use crate::system::Quantity;

impl Writer<'_> {
    /// Whether parameters, masses and inertias are such as a system can have.
    pub(super) fn validate(&self, out: &mut Tokens) {
        let checked = [Quantity::Masses, Quantity::Inertias];
        let program = self.derived.program(&checked, &|symbol| self.leaf(symbol));
        let bindings = self.bindings(&program);
        let Body {
            statements,
            outputs,
        } = self.interface.body(&program);
        let owner = owner(self.system);
        let parameters = self.items.parameters.iter().map(|declared| {
            let (field, name) = (&declared.name, declared.name.to_string());
            let place = flattened(quote!(#owner.#field), &declared.lengths);
            match (declared.shape, &declared.lengths[..]) {
                (Shape::Scalar, []) => quote!(rt::check_parameter(#name, &[#place])?;),
                (Shape::Scalar, [_]) if is_large(declared) => {
                    quote!(rt::check_parameter(#name, &#place[..])?;)
                }
                (Shape::Scalar, [_]) => quote!(rt::check_parameter(#name, &#place)?;),
                (Shape::Scalar, _) => quote!(rt::check_parameter(#name, #place)?;),
                (_, []) => quote!(rt::check_parameter(#name, #place.as_slice())?;),
                _ => quote! {
                    for element in &#place {
                        rt::check_parameter(#name, element.as_slice())?;
                    }
                },
            }
        });
        let equations = &self.derived.equations;
        let (masses, rest) = outputs.split_at(equations.masses.len());
        let (must_be_positive, mut rest) = rest.split_at(equations.must_be_positive.len());
        let coordinates = equations
            .must_be_positive
            .iter()
            .map(|&i| &self.system.coordinates[i].name);
        let inertias = equations.inertias.iter().map(|inertia| {
            let own = rest.split_off(..inertia.len()).unwrap_or_default();
            match own {
                [moment] => quote!(rt::check_moment(#moment)?;),
                [_, _, _] => quote!(rt::check_moments([#(#own),*])?;),
                _ => quote!(rt::check_lower_triangle([#(#own),*])?;),
            }
        });
        out.items(quote! {
            fn validate(&self) -> Result<(), rt::Error> {
                #(#parameters)*
                #bindings
                #statements
                #(rt::check_mass(#masses)?;)*
                #(rt::check_inertia_of(#coordinates, #must_be_positive)?;)*
                #(#inertias)*
                Ok(())
            }
        });
    }

    /// Where a kinetic energy may make M indefinite: that it does not.
    pub(super) fn admits(&self, out: &mut Tokens) {
        let quadratic = &self.derived.equations.quadratic;
        if quadratic.is_empty() {
            return;
        }
        let program = self
            .derived
            .program(&[Quantity::Quadratic], &|symbol| self.leaf(symbol));
        let bindings = self.bindings(&program);
        let read = roles_read(&self.system.model.symbols, &program);
        let mut parameters = Tokens::default();
        let arguments = [Argument::Time, Argument::Coordinates];
        self.interface
            .parameters(&mut parameters, &arguments, &read);
        let Body {
            statements,
            outputs,
        } = self.interface.body(&program);
        let n = quadratic.len();
        let entry = |i: usize, j: usize| &outputs[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
        let rows = (0..n).map(|i| {
            let row = (0..n).map(|j| entry(i, j));
            quote!([#(#row),*])
        });
        let names = quadratic.iter().map(|&i| &self.system.coordinates[i].name);
        out.items(quote! {
            fn admits(&self #parameters) -> Result<(), rt::Error> {
                #bindings
                #statements
                rt::check_mass_matrix([#(#names),*], [#(#rows),*])
            }
        });
    }

    fn bindings(&self, program: &Program) -> Tokens {
        let mut bindings = Tokens::default();
        let read = roles_read(&self.system.model.symbols, program);
        self.interface
            .bindings(&mut bindings, &[Argument::Coordinates], &read);
        bindings
    }
}
