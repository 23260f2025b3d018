//! The impls of a system: `rt::Dynamics`, `rt::System` or `rt::Unconstrained`, `rt::Outputs`, derivatives.

use crate::expr::CollectVec;
use proc_macro2::TokenStream;
use quote::quote;

use super::fields::count;
use super::items::Items;
use crate::emit::tokens::Tokens;
use crate::syntax::statement::SideKind;

/// The type that a system's traits are implemented for.
struct Implementor {
    /// `<T: rt::Real>`, with the source of inputs if there are any.
    parameters: TokenStream,
    /// `Chain<T>`
    name: TokenStream,
}

impl Implementor {
    /// `impl … for …`, of a trait with these items.
    fn implements(&self, of: &TokenStream, items: &TokenStream) -> TokenStream {
        let (parameters, name) = (&self.parameters, &self.name);
        quote! {
            #[automatically_derived]
            impl #parameters #of for #name {
                #items
            }
        }
    }
}

impl Items<'_> {
    /// All of them, with these methods: of motion, of rows, of outputs, of derivatives, of derivatives of outputs, of
    /// how outputs move, of the descriptor, of the rows of one side, of their derivatives.
    pub(super) fn implementations(
        &self,
        [
            dynamics,
            rows,
            outputs,
            derivatives,
            of_outputs,
            task_space,
            descriptor,
            one_sided_methods,
            one_sided_derivatives,
        ]: [Tokens; 9],
    ) -> TokenStream {
        let scalar = &self.scalar;
        let by = &self.implementor();
        let types = self.types();
        let constrained = if self.system.rows.is_empty() {
            self.unconstrained(by)
        } else {
            self.constrained(by, &rows)
        };
        let observed = (!self.system.outputs.is_empty()).then(|| self.observed(by, &outputs));
        let asked = self.system.options.derivatives;
        // Loops of bodies and vectors on the heap have none.
        let varied = asked.filter(|_| !derivatives.is_empty() && !self.is_large());
        let varied = varied.map(|_| self.varied(by, &derivatives, &of_outputs));
        let moves = self
            .system
            .options
            .task_space
            .filter(|_| observed.is_some() && !self.is_large());
        let moves = moves.map(|_| self.task_space(by, &task_space));
        let linear =
            asked.map(|_| by.implements(&quote!(rt::Descriptor<#scalar>), &quote!(#descriptor)));
        let dynamics = by.implements(&quote!(rt::Dynamics<#scalar>), &quote!(#types #dynamics));
        let one_sided = self.system.options.one_sided.filter(|_| !self.is_large());
        let one_sided = one_sided.map(|_| self.one_sided(by, &one_sided_methods));
        let of_sides = quote!(rt::OneSidedDerivatives<#scalar>);
        let of_sides = (one_sided.is_some() && varied.is_some())
            .then(|| by.implements(&of_sides, &quote!(#one_sided_derivatives)));
        quote! {
            #dynamics

            #[automatically_derived]
            #constrained

            #observed

            #varied

            #moves

            #linear

            #one_sided

            #of_sides
        }
    }

    /// The rows of one side: gaps, then slips.
    fn one_sided(&self, by: &Implementor, items: &Tokens) -> TokenStream {
        let scalar = &self.scalar;
        let sides = &self.system.one_sided;
        let names = sides.iter().map(|it| &it.name);
        let slips = sides.iter().enumerate();
        let slips = slips.filter(|(_, it)| it.friction.is_some());
        let slips: Vec<_> = slips.map(|(i, _)| count(i)).collect_vec();
        let kinds = sides.iter().map(|it| match it.kind {
            SideKind::One => quote!(rt::RowKind::OneSided),
            SideKind::Two => quote!(rt::RowKind::TwoSided),
            SideKind::Motor => quote!(rt::RowKind::Motor),
        });
        let differ = sides.iter().any(|it| it.kind != SideKind::One);
        let kinds = differ.then(|| quote!(const KINDS: &'static [rt::RowKind] = &[#(#kinds),*];));
        let (k, m) = (self.system.sides(), self.system.rows.len());
        let [all, k, m] = [m + k, k, m].map(count);
        let n = self.n();
        let items = quote! {
            type Sides = rt::SVector<#scalar, #k>;
            type AllRows = rt::SVector<#scalar, #all>;
            type SideJacobian = rt::SMatrix<#scalar, #k, #n>;
            type Responses = rt::SMatrix<#scalar, #n, #k>;
            type Reactions = rt::SMatrix<#scalar, #m, #k>;
            const GAPS: &'static [&'static str] = &[#(#names),*];
            const SLIPS: &'static [usize] = &[#(#slips),*];
            #kinds

            #items
        };
        let implemented = by.implements(&quote!(rt::OneSided<#scalar>), &items);
        let points = self.system.options.of_points;
        let points = points.then(|| {
            let of = quote!(rt::OneSidedConstraint<#scalar, #n>);
            by.implements(&of, &TokenStream::new())
        });
        quote!(#implemented #points)
    }

    /// The implementation of a trait with these items.
    pub(super) fn implemented(&self, of: &TokenStream, items: &TokenStream) -> TokenStream {
        self.implementor().implements(of, items)
    }

    fn implementor(&self) -> Implementor {
        let (scalar, own, generic) = (&self.scalar, &self.own, self.generic());
        if self.system.inputs.is_empty() {
            return Implementor {
                parameters: quote!(<#scalar: rt::Real>),
                name: quote!(#own #generic),
            };
        }
        let source = self.source();
        let from = quote!(rt::InputSource<#scalar, #own #generic>);
        Implementor {
            parameters: quote!(<#scalar: rt::Real, #source: #from>),
            name: self.with_inputs(),
        }
    }

    fn unconstrained(&self, by: &Implementor) -> TokenStream {
        let (scalar, name) = (&self.scalar, &by.name);
        let held = !self.system.inputs.is_empty();
        let scalar = self.generic().map(|_| quote!(#scalar: rt::Real,));
        let source = held.then(|| self.source());
        let parameters = (scalar.is_some() || held).then(|| quote!(<#scalar #source>));
        if self.system.options.one_sided.is_some() {
            return quote!(impl #parameters rt::WithoutRows for #name {});
        }
        quote!(impl #parameters rt::Unconstrained for #name {})
    }

    fn constrained(&self, by: &Implementor, rows: &Tokens) -> TokenStream {
        let (scalar, n, m) = (&self.scalar, self.n(), self.m());
        let (parameters, name) = (&by.parameters, &by.name);
        let (vector, multipliers) = (self.vector(&m), self.multipliers());
        let matrix = if self.is_large() {
            quote!(rt::SparseMatrix)
        } else {
            quote!(rt::SMatrix)
        };
        // A `Simulation` does not know rows of one side.
        let runs = self.system.options.one_sided.is_none().then(|| {
            quote! {
                #[automatically_derived]
                impl #parameters rt::System<#scalar> for #name {}
            }
        });
        quote! {
            impl #parameters rt::Constrained<#scalar> for #name {
                type Rows = #vector;
                type Jacobian = #matrix<#scalar, #m, #n>;
                type Multipliers = #multipliers;

                #rows
            }

            #runs
        }
    }

    fn observed(&self, by: &Implementor, outputs: &Tokens) -> TokenStream {
        let (scalar, name) = (&self.scalar, self.sibling("Outputs"));
        let items = quote! {
            type Outputs = #name<#scalar>;

            #outputs
        };
        by.implements(&quote!(rt::Outputs<#scalar>), &items)
    }

    fn task_space(&self, by: &Implementor, items: &Tokens) -> TokenStream {
        let (scalar, n, k) = (&self.scalar, self.n(), count(self.system.observed.len()));
        let items = quote! {
            type OutputJacobian = rt::SMatrix<#scalar, #k, #n>;
            type JointSpaceInertia = rt::SMatrix<#scalar, #n, #n>;

            #items
        };
        by.implements(&quote!(rt::TaskSpace<#scalar>), &items)
    }

    pub(super) fn inertia_by_products(&self) -> TokenStream {
        let (scalar, n) = (&self.scalar, self.n());
        quote! {
            fn joint_space_inertia(&self, t: #scalar, q: &Self::Q) -> rt::SMatrix<#scalar, #n, #n> {
                rt::inertia_by_products(self, t, q)
            }
        }
    }

    /// Derivatives of the motion, and of outputs.
    fn varied(&self, by: &Implementor, derivatives: &Tokens, of_outputs: &Tokens) -> TokenStream {
        let (scalar, m, source) = (&self.scalar, self.m(), self.source());
        let n = self.system.velocities();
        let [n, states, u, p] =
            [n, 2 * n, self.system.given(), self.system.model.varied()].map(count);
        let asks = !self.system.outputs.is_empty() && !of_outputs.is_empty();
        let told = asks.then(|| {
            let k = count(self.system.observed.len());
            let items = quote! {
                type OutputLinearization = rt::Linearization<#scalar, #k, #states, #u, #p>;

                #of_outputs
            };
            by.implements(&quote!(rt::OutputDerivatives<#scalar>), &items)
        });
        let held = !self.system.inputs.is_empty();
        let holds = held.then(|| quote!(const HOLDS_INPUTS: bool = #source::HELD;));
        let items = quote! {
            type Tangent = rt::Tangent<#scalar, #n, #u, #p>;
            type Linearization = rt::Linearization<#scalar, #n, #states, #u, #p>;
            type MultiplierLinearization = rt::Linearization<#scalar, #m, #states, #u, #p>;
            #holds

            #derivatives
        };
        let of_motion = by.implements(&quote!(rt::Derivatives<#scalar>), &items);
        quote! {
            #of_motion

            #told
        }
    }
}
