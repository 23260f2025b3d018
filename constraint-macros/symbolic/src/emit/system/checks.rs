//! Checks before a system runs, and at every state.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::interface::flattened;
use super::{Writer, owner};
use crate::emit::items::is_large;
use crate::emit::rust::Body;
use crate::emit::tokens::Tokens;
use crate::expr::{CollectVec, ExprId, Set};
use crate::function::{Argument, roles_read, system};
use crate::model::{Parameter, Shape};
use crate::schedule::Program;
use crate::system::loops::routine::Checked;
use crate::system::{Quantity, Routine};

impl Writer<'_> {
    /// Whether parameters, masses and inertias are such as a system can have.
    pub(super) fn validate(&self, out: &mut Tokens) {
        let parameters = self.items.parameters.iter();
        let parameters = parameters.map(|declared| self.check_of(declared));
        let groups = self.checked();
        let routine = Routine::checks(self.system, &groups);
        let repeats = routine.loops.iter().any(|it| it.rounds > 1);
        let checks = if repeats {
            self.checks_in_loops(&routine)
        } else {
            self.written_checks(&groups)
        };
        out.items(quote! {
            fn validate(&self) -> Result<(), rt::Error> {
                #(#parameters)*
                #checks
                Ok(())
            }
        });
    }

    /// Parameters are finite.
    fn check_of(&self, declared: &Parameter) -> TokenStream {
        let (owner, field, name) = (
            owner(self.system),
            &declared.name,
            declared.name.to_string(),
        );
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
    }

    /// Masses, coefficients of M and inertias.
    fn checked(&self) -> Vec<(Checked, Vec<ExprId>)> {
        let equations = &self.derived.equations;
        let masses = equations.masses.iter();
        let masses = masses.map(|&mass| (Checked::Mass, vec![mass]));
        let coordinates = equations.must_be_positive.iter().copied();
        let coordinates = coordinates.zip(equations.inertias_of_coordinates());
        // Of those that are the same one is enough.
        let mut known: Set<ExprId> = Set::default();
        let coordinates = coordinates.filter(|&(_, entry)| known.insert(entry));
        let coordinates: Vec<(usize, ExprId)> = coordinates.collect_vec();
        let coordinates = coordinates.into_iter();
        let coordinates = coordinates.map(|(i, entry)| (Checked::Coordinate(i), vec![entry]));
        let inertias = equations.inertias.iter().cloned();
        let inertias = inertias.map(|inertia| (Checked::Inertia, inertia));
        masses.chain(coordinates).chain(inertias).collect_vec()
    }

    fn written_checks(&self, groups: &[(Checked, Vec<ExprId>)]) -> Tokens {
        let checked = [Quantity::Masses, Quantity::Inertias];
        let program = self.derived.program(&checked, &|symbol| self.leaf(symbol));
        let mut checks = self.bindings(&program);
        let Body {
            statements,
            mut outputs,
        } = self.interface.body(&program);
        checks.append(statements);
        for (checked, numbers) in groups {
            let own: Vec<Tokens> = outputs.drain(..numbers.len()).collect_vec();
            checks.quoted(self.interface.check(*checked, &own));
        }
        checks
    }

    fn checks_in_loops(&self, routine: &Routine) -> Tokens {
        let loops = system::checks(self.system, self.names, routine);
        let read = loops.roles_read(&self.system.model.symbols);
        let mut checks = Tokens::default();
        self.interface.named(&mut checks, ("", &[]), &read);
        self.interface.loops(&mut checks, &loops);
        checks
    }

    /// The check of M if a kinetic energy may make it indefinite.
    pub(super) fn admits(&self, out: &mut Tokens) {
        if let Some(routine) = self.derived.routine(Quantity::Quadratic) {
            return self.admits_in_loops(out, routine);
        }
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

    /// The check of M block by block.
    fn admits_in_loops(&self, out: &mut Tokens, routine: &Routine) {
        if routine.kernels.iter().all(|it| it.roots.is_empty()) {
            return;
        }
        let arguments = [Argument::Time, Argument::Coordinates];
        let loops = system::checks(self.system, self.names, routine);
        let own = loops.roles_read(&self.system.model.symbols);
        let read = loops.roles_given(&self.system.model.symbols);
        let mut parameters = Tokens::default();
        self.interface
            .parameters(&mut parameters, &arguments, &read);
        let mut checks = Tokens::default();
        self.interface.named(&mut checks, ("", &arguments), &own);
        self.interface.loops(&mut checks, &loops);
        out.items(quote! {
            fn admits(&self #parameters) -> Result<(), rt::Error> {
                #checks
                Ok(())
            }
        });
    }

    fn bindings(&self, program: &Program) -> Tokens {
        let mut bindings = Tokens::default();
        let read = roles_read(&self.system.model.symbols, program);
        self.interface
            .named(&mut bindings, ("", &[Argument::Coordinates]), &read);
        bindings
    }
}
