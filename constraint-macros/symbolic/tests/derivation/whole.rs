//! Values that normal forms leave whole.

use constraint_symbolic::diff::{Taylor, gradient};
use constraint_symbolic::expr::{ExprId, Graph, Node, Number, SymbolId};
use constraint_symbolic::schedule::{OperationCount, Root, schedule};

const X: f64 = 1.25;
const Y: f64 = -0.5;

/// x, y and 2·(x + y)
fn doubled_sum(graph: &mut Graph) -> [ExprId; 3] {
    let [x, y] = [0, 1].map(|i| graph.symbol(SymbolId::new(i)));
    let sum = graph.add(x, y);
    [x, y, graph.scale(sum, Number::integer(2))]
}

fn program(graph: &Graph, outputs: &[ExprId]) -> (Vec<f64>, OperationCount) {
    let roots: Vec<Root> = outputs.iter().map(|&id| Root::Output(id)).collect();
    let program = schedule(graph, &roots, &[], &|symbol| format!("x{}", symbol.index()));
    let values = program.evaluate(|symbol| [X, Y][symbol.index()]);
    (values, program.count)
}

#[test]
fn its_number_stays_with_a_whole_value() {
    let mut graph = Graph::new();
    let [x, _, double] = doubled_sum(&mut graph);
    let whole = graph.whole(double);
    assert_eq!(graph.whole(whole), whole);
    let (product, opened) = (graph.mul(x, whole), graph.mul(x, double));
    assert!(matches!(graph.node(product), Node::Product(_)));
    assert_eq!(graph.split_coefficient(opened).0, Number::integer(2));
    let (values, _) = program(&graph, &[product, opened]);
    assert_eq!(values, [X * 2.0 * (X + Y); 2]);
}

#[test]
fn numbers_and_leaves_are_whole() {
    let mut graph = Graph::new();
    let (x, one) = (graph.symbol(SymbolId::new(0)), graph.number(Number::ONE));
    assert_eq!([graph.whole(x), graph.whole(one)], [x, one]);
}

/// ½/(x + y): one addition and one division, where (1/(x + y))/2 takes a product more.
#[test]
fn a_number_over_a_sum_is_one_division() {
    let mut graph = Graph::new();
    let [x, y, double] = doubled_sum(&mut graph);
    let reciprocal = graph.recip(double);
    let reciprocal = graph.whole(reciprocal);
    let products = [x, y].map(|leaf| graph.mul(leaf, reciprocal));
    let (values, count) = program(&graph, &products);
    assert_eq!(values, [X, Y].map(|leaf| leaf * (0.5 / (X + Y))));
    assert_eq!((count.add, count.mul, count.div), (1, 2, 1), "{count}");
}

/// Of w = 2(x² + y) and f = x·w: ∂f/∂x = w + 4x², ∂f/∂y = 2x; along ẋ = ẏ = 1, ḟ = w + x(4x + 2) and
/// f̈ = 2(4x + 2) + 4x.
#[test]
fn whole_values_are_differentiated_like_others() {
    let mut graph = Graph::new();
    let [x, y] = [0, 1].map(|i| graph.symbol(SymbolId::new(i)));
    let square = graph.powi(x, 2);
    let sum = graph.add(square, y);
    let double = graph.scale(sum, Number::integer(2));
    let whole = graph.whole(double);
    let product = graph.mul(x, whole);
    let slopes = gradient(&mut graph, product, &[x, y]);
    let (zero, one) = (graph.zero(), graph.number(Number::ONE));
    let mut motion = Taylor::new([(x, one, zero), (y, one, zero)]);
    let rates = [
        motion.first(&mut graph, product),
        motion.second(&mut graph, product),
    ];
    let (values, _) = program(&graph, &[slopes[0], slopes[1], rates[0], rates[1]]);
    let (w, rate) = (2.0 * (X * X + Y), 4.0 * X + 2.0);
    let expected = [w + 4.0 * X * X, 2.0 * X, w + X * rate, 2.0 * rate + 4.0 * X];
    assert_eq!(values, expected);
}
