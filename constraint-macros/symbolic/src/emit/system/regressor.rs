//! The implementation of the regressor, and the base parameters in words.

use proc_macro2::TokenStream;
use quote::quote;

use super::Writer;
use super::fields::count;
use crate::emit::tokens::Tokens;
use crate::expr::{CollectVec, ExprId};
use crate::formula::{Equation, text};
use crate::function::Trait;
use crate::model::Inertial;
use crate::system::Quantity;

impl Writer<'_> {
    /// `impl Regressor`, where it is requested.
    pub(super) fn regressor(&self) -> Option<TokenStream> {
        self.system.options.regressor?;
        let Inertial { names, base } = &self.system.inertial;
        let scalar = &self.items.scalar;
        let [n, p, b] = [self.system.velocities(), names.len(), base.len()].map(count);
        let base = base.iter().copied().map(count);
        let (own, generic) = (&self.items.own, self.items.generic_f64());
        let mut functions = Tokens::default();
        self.functions(&mut functions, Trait::Regressor);
        let functions: TokenStream = functions.into();
        let implemented = self.items.implemented(
            &quote!(rt::Regressor<#scalar>),
            &quote! {
                type Regressor = rt::SMatrix<#scalar, #n, #p>;
                type InertialParameters = rt::SVector<#scalar, #p>;
                type BaseMatrix = rt::SMatrix<#scalar, #b, #p>;

                const INERTIAL_PARAMETERS: &'static [&'static str] = &<#own #generic>::INERTIAL_PARAMETERS;
                const BASE_PARAMETERS: &'static [usize] = &<#own #generic>::BASE_PARAMETERS;

                #functions
            },
        );
        Some(quote! {
            impl #own #generic {
                /// The names of the inertial parameters.
                pub const INERTIAL_PARAMETERS: [&'static str; #p] = [#(#names),*];
                /// The inertial parameters whose columns of the regressor are independent.
                pub const BASE_PARAMETERS: [usize; #b] = [#(#base),*];
            }

            #implemented
        })
    }

    /// The base parameters as combinations, one a line; nothing where they are not requested.
    pub(super) fn base_parameters(&self) -> Option<String> {
        self.system.options.regressor?;
        let Inertial { names, base } = &self.system.inertial;
        let matrix = self.derived.expressions(Quantity::BaseMatrix);
        let rows = matrix.chunks(names.len().max(1));
        let lines = rows.map(|row| format!("{}\n", self.combination(row)));
        let lines: String = lines.collect();
        let count = base.len();
        Some(format!(
            "\n{count} base parameters, the combinations of the inertial parameters on which forces depend:\n\n```text\n{lines}```\n"
        ))
    }

    /// `link.izz + 2 tool.m`
    fn combination(&self, row: &[ExprId]) -> String {
        let graph = &self.system.model.graph;
        let names = &self.system.inertial.names;
        let mut words = String::new();
        let terms = row.iter().zip(names).filter(|it| !graph.is_zero(*it.0));
        for (&factor, name) in terms {
            let (is_negative, by) = match graph.as_number(factor) {
                Some(number) if number.abs().is_one() => (number.is_negative(), String::new()),
                Some(number) => (number.is_negative(), format!("{} ", number.abs().to_f64())),
                None => signed(&self.factor(factor)),
            };
            words.push_str(match (words.is_empty(), is_negative) {
                (true, false) => "",
                (true, true) => "−",
                (false, false) => " + ",
                (false, true) => " − ",
            });
            words.push_str(&by);
            words.push_str(name);
        }
        words
    }

    /// `m l²`, or with the names that it contains: `s1², s1 = …`
    fn factor(&self, factor: ExprId) -> String {
        let mut listing = self.list(&[factor]);
        let results = std::mem::take(&mut listing.results);
        let definitions = text::definitions(&listing);
        let formula = Equation::new(String::new(), results, 0).formula;
        [formula]
            .into_iter()
            .chain(definitions)
            .collect_vec()
            .join(", ")
    }
}

/// True for the opposite of a product; sums are in parentheses.
fn signed(factor: &str) -> (bool, String) {
    let product = factor.strip_prefix('−');
    let size = product.unwrap_or(factor);
    if [" + ", " − ", ", "].iter().any(|it| size.contains(it)) {
        return (false, format!("({factor}) "));
    }
    (product.is_some(), format!("{size} "))
}
