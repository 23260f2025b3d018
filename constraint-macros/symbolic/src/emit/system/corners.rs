//! Corners of forces and rows, at which derivatives are refused.

use proc_macro2::Literal;
use quote::quote;

use super::Writer;
use crate::emit::method::listed;
use crate::emit::tokens::Tokens;
use crate::expr::{CollectVec, ExprId, Function, Node};
use crate::formula::Equation;
use crate::function::{Argument, Shape, Signature, roles_read};
use crate::system::Quantity;

const SIGNATURE: Signature = Signature {
    name: "check_smooth",
    arguments: &[Argument::Time, Argument::Coordinates, Argument::Velocities],
    result: Shape::Tuple(&[]),
    fails: true,
};

impl Writer<'_> {
    /// `fn check_smooth(…) -> Result<(), rt::Error> { rt::check_corner(x, 1.0, "x = 0 is a corner of the forces")?; Ok(()) }`,
    /// where there are corners.
    pub(super) fn corners(&self, out: &mut Tokens) {
        if !self.interface.has_corners {
            return;
        }
        let leaf = |symbol| self.leaf(symbol);
        let program = self.derived.program(&[Quantity::Corners], &leaf);
        let (interface, symbols) = (&self.interface, self.interface.symbols);
        let read = roles_read(symbols, &program);
        let corners = self.derived.expressions(Quantity::Corners);
        interface.signature(out, &SIGNATURE, &read);
        out.braces(|out| {
            interface.named(out, (SIGNATURE.name, SIGNATURE.arguments), &read);
            let body = interface.body(&program);
            out.append(body.statements);
            for (pair, corner) in body.outputs.chunks(2).zip(corners.chunks(2)) {
                out.runtime("check_corner").parentheses(|out| {
                    listed(out, pair);
                    let place = self.place_of_corner(corner[0]);
                    out.punct(',').literal(Literal::string(&place));
                });
                out.punct('?').punct(';');
            }
            out.quoted(quote!(Ok(())));
        });
    }

    /// `x - 1 = 0 is a corner of constraint `rope``
    fn place_of_corner(&self, at: ExprId) -> String {
        let text = Equation::new(String::new(), self.list(&[at]).results, 0).formula;
        let rows = self.derived.equations.rows.iter().zip(&self.system.rows);
        let named = rows.filter(|(row, _)| self.turns_at(&[row.value, row.rate], at));
        let named: Vec<String> = named.map(|(_, name)| format!("`{name}`")).collect_vec();
        let of = match &named[..] {
            [] => "the forces".to_owned(),
            [only] => format!("constraint {only}"),
            several => format!("constraints {}", several.join(", ")),
        };
        format!("{text} = 0 is a corner of {of}")
    }

    /// Whether what expressions are made of has a corner where `at` is zero.
    fn turns_at(&self, roots: &[ExprId], at: ExprId) -> bool {
        let graph = &self.system.model.graph;
        let mut nodes = graph.reachable(roots.iter().copied()).into_iter();
        nodes.any(|node| match graph.node(node) {
            Node::Call(Function::Abs | Function::Signum, arguments) => arguments[0] == at,
            _ => false,
        })
    }
}
