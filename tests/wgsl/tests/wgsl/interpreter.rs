//! Functions of naga's modules, run: as much of WGSL as is exported.

use naga::{
    BinaryOperator, Block, Expression, Function, Handle, Literal, MathFunction, Module, ScalarKind,
    Statement, Type, TypeInner, UnaryOperator,
};

/// A value of WGSL.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f32),
    Signed(i32),
    Unsigned(u32),
    Truth(bool),
    /// A struct or an array.
    Composite(Vec<Value>),
    /// A variable, and the way to a part of it.
    Pointer(usize, Vec<usize>),
}

impl Value {
    pub fn list(numbers: &[f32]) -> Value {
        Value::Composite(numbers.iter().copied().map(Value::Number).collect())
    }

    pub fn numbers(&self) -> Vec<f32> {
        match self {
            Value::Number(number) => vec![*number],
            Value::Composite(parts) => parts.iter().flat_map(Value::numbers).collect(),
            other => panic!("{other:?} is no number"),
        }
    }

    fn index(&self) -> usize {
        match *self {
            Value::Signed(i) => usize::try_from(i).expect("an index"),
            Value::Unsigned(i) => i as usize,
            ref other => panic!("{other:?} is no index"),
        }
    }
}

/// A module, and the variables of all functions under way.
pub struct Machine<'m> {
    module: &'m Module,
    variables: Vec<Value>,
}

/// A function under way.
struct Frame<'m> {
    function: &'m Function,
    arguments: Vec<Value>,
    /// Where its variables begin.
    first: usize,
    known: Vec<Option<Value>>,
}

/// How a block ends.
enum End {
    Through,
    Break,
    Continue,
    Return(Option<Value>),
}

impl<'m> Machine<'m> {
    pub fn new(module: &'m Module) -> Machine<'m> {
        Machine {
            module,
            variables: Vec::new(),
        }
    }

    /// A variable of whoever calls.
    pub fn variable(&mut self, value: Value) -> Value {
        self.variables.push(value);
        Value::Pointer(self.variables.len() - 1, Vec::new())
    }

    /// What stands where a pointer points.
    pub fn loaded(&mut self, pointer: &Value) -> Value {
        self.place(pointer).clone()
    }

    /// What a constant is.
    pub fn constant(&mut self, name: &str) -> Option<Value> {
        let mut constants = self.module.constants.iter();
        let init = constants
            .find(|it| it.1.name.as_deref() == Some(name))?
            .1
            .init;
        Some(self.global(init))
    }

    /// Calls a function by its name.
    pub fn call_by_name(&mut self, name: &str, arguments: Vec<Value>) -> Option<Value> {
        let mut functions = self.module.functions.iter();
        let function = functions.find(|it| it.1.name.as_deref() == Some(name));
        self.call(function.expect("a function").1, arguments)
    }

    fn call(&mut self, function: &'m Function, arguments: Vec<Value>) -> Option<Value> {
        let first = self.variables.len();
        let mut frame = Frame {
            function,
            arguments,
            first,
            known: vec![None; function.expressions.len()],
        };
        for (_, variable) in function.local_variables.iter() {
            let value = match variable.init {
                Some(init) => self.value(&mut frame, init),
                None => self.zero(variable.ty),
            };
            self.variables.push(value);
        }
        let end = self.run(&mut frame, &function.body);
        self.variables.truncate(first);
        match end {
            End::Return(value) => value,
            _ => None,
        }
    }

    fn run(&mut self, frame: &mut Frame<'m>, block: &'m Block) -> End {
        for statement in block.iter() {
            let end = match statement {
                Statement::Emit(range) => {
                    for handle in range.clone() {
                        frame.known[handle.index()] = None;
                        let value = self.value(frame, handle);
                        frame.known[handle.index()] = Some(value);
                    }
                    End::Through
                }
                Statement::Block(block) => self.run(frame, block),
                Statement::If {
                    condition,
                    accept,
                    reject,
                } => match self.value(frame, *condition) {
                    Value::Truth(true) => self.run(frame, accept),
                    _ => self.run(frame, reject),
                },
                Statement::Loop {
                    body, continuing, ..
                } => loop {
                    match self.run(frame, body) {
                        End::Break => break End::Through,
                        End::Return(value) => break End::Return(value),
                        End::Through | End::Continue => _ = self.run(frame, continuing),
                    }
                },
                Statement::Break => End::Break,
                Statement::Continue => End::Continue,
                Statement::Return { value } => {
                    End::Return(value.map(|value| self.value(frame, value)))
                }
                Statement::Store { pointer, value } => {
                    let (pointer, value) = (self.value(frame, *pointer), self.value(frame, *value));
                    *self.place(&pointer) = value;
                    End::Through
                }
                Statement::Call {
                    function,
                    arguments,
                    result,
                } => {
                    let arguments = arguments.iter().map(|&it| self.value(frame, it)).collect();
                    let given = self.call(&self.module.functions[*function], arguments);
                    if let Some(result) = result {
                        frame.known[result.index()] = given;
                    }
                    End::Through
                }
                other => panic!("{other:?} is not exported"),
            };
            if !matches!(end, End::Through) {
                return end;
            }
        }
        End::Through
    }

    fn place(&mut self, pointer: &Value) -> &mut Value {
        let Value::Pointer(variable, path) = pointer else {
            panic!("{pointer:?} is no pointer")
        };
        let mut place = &mut self.variables[*variable];
        for &part in path {
            place = match place {
                Value::Composite(parts) => &mut parts[part],
                other => panic!("{other:?} has no parts"),
            };
        }
        place
    }

    fn value(&mut self, frame: &mut Frame<'m>, handle: Handle<Expression>) -> Value {
        if let Some(known) = &frame.known[handle.index()] {
            return known.clone();
        }
        match &frame.function.expressions[handle] {
            Expression::FunctionArgument(i) => frame.arguments[*i as usize].clone(),
            Expression::LocalVariable(variable) => {
                Value::Pointer(frame.first + variable.index(), Vec::new())
            }
            Expression::Load { pointer } => {
                let pointer = self.value(frame, *pointer);
                self.place(&pointer).clone()
            }
            Expression::Access { base, index } => {
                let index = self.value(frame, *index).index();
                part(self.value(frame, *base), index)
            }
            Expression::AccessIndex { base, index } => {
                part(self.value(frame, *base), *index as usize)
            }
            Expression::Compose { components, .. } => {
                let parts = components.iter().map(|&it| self.value(frame, it));
                Value::Composite(parts.collect())
            }
            Expression::Unary { op, expr } => unary(*op, self.value(frame, *expr)),
            Expression::Binary { op, left, right } => {
                let (left, right) = (self.value(frame, *left), self.value(frame, *right));
                binary(*op, left, right)
            }
            Expression::Select {
                condition,
                accept,
                reject,
            } => match self.value(frame, *condition) {
                Value::Truth(true) => self.value(frame, *accept),
                _ => self.value(frame, *reject),
            },
            Expression::Math { fun, arg, arg1, .. } => {
                let x = self.value(frame, *arg);
                let y = arg1.map(|it| self.value(frame, it));
                math(*fun, x, y)
            }
            Expression::As {
                expr,
                kind,
                convert: None,
            } => match (self.value(frame, *expr), kind) {
                (Value::Number(x), ScalarKind::Uint) => Value::Unsigned(x.to_bits()),
                (Value::Unsigned(x), ScalarKind::Float) => Value::Number(f32::from_bits(x)),
                other => panic!("{other:?} is not exported"),
            },
            other => self.fixed(other),
        }
    }

    /// What functions and constants both know.
    fn fixed(&mut self, expression: &Expression) -> Value {
        match expression {
            Expression::Literal(Literal::F32(number)) => Value::Number(*number),
            Expression::Literal(Literal::I32(number)) => Value::Signed(*number),
            Expression::Literal(Literal::U32(number)) => Value::Unsigned(*number),
            Expression::Literal(Literal::Bool(truth)) => Value::Truth(*truth),
            Expression::ZeroValue(ty) => self.zero(*ty),
            Expression::Constant(constant) => self.global(self.module.constants[*constant].init),
            other => panic!("{other:?} is not exported"),
        }
    }

    fn global(&mut self, handle: Handle<Expression>) -> Value {
        match &self.module.global_expressions[handle] {
            Expression::Compose { components, .. } => {
                let parts = components.iter().map(|&it| self.global(it));
                Value::Composite(parts.collect())
            }
            other => self.fixed(other),
        }
    }

    fn zero(&self, ty: Handle<Type>) -> Value {
        match &self.module.types[ty].inner {
            TypeInner::Scalar(scalar) => match scalar.kind {
                ScalarKind::Float => Value::Number(0.0),
                ScalarKind::Sint => Value::Signed(0),
                ScalarKind::Uint => Value::Unsigned(0),
                _ => Value::Truth(false),
            },
            TypeInner::Array {
                base,
                size: naga::ArraySize::Constant(size),
                ..
            } => Value::Composite(vec![self.zero(*base); size.get() as usize]),
            TypeInner::Struct { members, .. } => {
                Value::Composite(members.iter().map(|it| self.zero(it.ty)).collect())
            }
            other => panic!("{other:?} is not exported"),
        }
    }
}

/// A part of a value, or a pointer to it.
fn part(of: Value, index: usize) -> Value {
    match of {
        Value::Pointer(variable, mut path) => {
            path.push(index);
            Value::Pointer(variable, path)
        }
        Value::Composite(mut parts) => parts.swap_remove(index),
        other => panic!("{other:?} has no parts"),
    }
}

fn unary(operator: UnaryOperator, value: Value) -> Value {
    match (operator, value) {
        (UnaryOperator::Negate, Value::Number(x)) => Value::Number(-x),
        (UnaryOperator::LogicalNot, Value::Truth(x)) => Value::Truth(!x),
        other => panic!("{other:?} is not exported"),
    }
}

fn binary(operator: BinaryOperator, left: Value, right: Value) -> Value {
    use BinaryOperator as Of;
    match (left, right) {
        (Value::Number(a), Value::Number(b)) => match operator {
            Of::Add => Value::Number(a + b),
            Of::Subtract => Value::Number(a - b),
            Of::Multiply => Value::Number(a * b),
            Of::Divide => Value::Number(a / b),
            Of::Less => Value::Truth(a < b),
            Of::LessEqual => Value::Truth(a <= b),
            Of::Greater => Value::Truth(a > b),
            Of::GreaterEqual => Value::Truth(a >= b),
            Of::Equal => Value::Truth(a == b),
            Of::NotEqual => Value::Truth(a != b),
            other => panic!("{other:?} is not exported"),
        },
        (Value::Signed(a), Value::Signed(b)) => match operator {
            Of::Add => Value::Signed(a + b),
            Of::Subtract => Value::Signed(a - b),
            Of::Multiply => Value::Signed(a * b),
            Of::Divide => Value::Signed(a / b),
            Of::Modulo => Value::Signed(a % b),
            Of::Less => Value::Truth(a < b),
            Of::GreaterEqual => Value::Truth(a >= b),
            Of::Equal => Value::Truth(a == b),
            other => panic!("{other:?} is not exported"),
        },
        (Value::Unsigned(a), Value::Unsigned(b)) => match operator {
            Of::And => Value::Unsigned(a & b),
            Of::InclusiveOr => Value::Unsigned(a | b),
            other => panic!("{other:?} is not exported"),
        },
        (Value::Truth(a), Value::Truth(b)) => match operator {
            Of::LogicalAnd | Of::And => Value::Truth(a && b),
            Of::LogicalOr | Of::InclusiveOr => Value::Truth(a || b),
            other => panic!("{other:?} is not exported"),
        },
        other => panic!("{other:?} are not exported"),
    }
}

fn math(function: MathFunction, x: Value, y: Option<Value>) -> Value {
    use MathFunction as Of;
    let number = |value: Value| match value {
        Value::Number(number) => number,
        other => panic!("{other:?} is no number"),
    };
    let (x, y) = (number(x), y.map(number));
    Value::Number(match (function, y) {
        (Of::Sin, _) => x.sin(),
        (Of::Cos, _) => x.cos(),
        (Of::Tan, _) => x.tan(),
        (Of::Asin, _) => x.asin(),
        (Of::Acos, _) => x.acos(),
        (Of::Atan, _) => x.atan(),
        (Of::Sinh, _) => x.sinh(),
        (Of::Cosh, _) => x.cosh(),
        (Of::Tanh, _) => x.tanh(),
        (Of::Asinh, _) => x.asinh(),
        (Of::Acosh, _) => x.acosh(),
        (Of::Atanh, _) => x.atanh(),
        (Of::Exp, _) => x.exp(),
        (Of::Exp2, _) => x.exp2(),
        (Of::Log, _) => x.ln(),
        (Of::Log2, _) => x.log2(),
        (Of::Sqrt, _) => x.sqrt(),
        (Of::Abs, _) => x.abs(),
        (Of::Floor, _) => x.floor(),
        (Of::Sign, _) if x == 0.0 => 0.0,
        (Of::Sign, _) => x.signum(),
        (Of::Atan2, Some(y)) => x.atan2(y),
        (Of::Pow, Some(y)) => x.powf(y),
        (Of::Min, Some(y)) => x.min(y),
        (Of::Max, Some(y)) => x.max(y),
        other => panic!("{other:?} is not exported"),
    })
}
