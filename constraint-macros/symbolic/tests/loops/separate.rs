//! Random systems without rows, whose mass matrices fall apart: angles alone, in pairs and in threes, coupled by forces or
//! not; and what loops over them make of many.

use constraint_symbolic::compile::analyze_system;
use constraint_symbolic::system::{Derived, Quantity, Solution};

use crate::random::Random;

/// The statements of a system, its parameters before them.
pub fn system(random: &mut Random) -> String {
    let n = 4 + random.below(5);
    let mut parameters = vec!["m: Real".to_owned(), "g: Real".to_owned()];
    let mut statements = Vec::new();
    let array = |parameters: &mut Vec<String>, name: &str| {
        parameters.push(format!("{name}: [Real; {n}]"));
        format!("{name}[i]")
    };
    let length = match random.below(4) {
        0 => "2".to_owned(),
        1 => "(2 + i/7)".to_owned(),
        2 => "(3 + sin(t))".to_owned(),
        _ => array(&mut parameters, "l"),
    };
    let mass = match random.below(3) {
        0 => "m".to_owned(),
        1 => "(m + a[i]^2)".to_owned(),
        _ => array(&mut parameters, "w"),
    };
    let members = 1 + random.below(3);
    statements.push(format!("coordinate a[{n}];"));
    statements.push(format!(
        "for i in 0..{n} {{ kinetic {mass}*({length}*velocity(a[i]))^2/2; potential -m*g*{length}*cos(a[i]); }}"
    ));
    if members > 1 {
        statements.push(format!("coordinate b[{n}];"));
        statements.push(format!(
            "for i in 0..{n} {{ kinetic 2*velocity(b[i])^2 + velocity(a[i])*velocity(b[i])*cos(a[i] - b[i])/9; \
             potential g*cos(b[i]); }}"
        ));
    }
    if members > 2 {
        statements.push(format!("coordinate c[{n}];"));
        statements.push(format!(
            "for i in 0..{n} {{ kinetic (3 + b[i]^2)*velocity(c[i])^2 + velocity(b[i])*velocity(c[i])*sin(c[i])/3; }}"
        ));
    }
    let mut inputs = String::new();
    if random.once_in(2) {
        statements.push(format!(
            "for i in 1..{n} {{ potential (i + 1)*m*(a[i] - a[i - 1])^2/2; }}"
        ));
    }
    if random.once_in(2) {
        inputs = format!("input drive[{n}]: Real;\n");
        let k = array(&mut parameters, "k");
        statements.push(format!(
            "for i in 0..{n} {{ force a[i]: drive[i]*cos(a[i]) - {k}*velocity(a[i]); }}"
        ));
    }
    if random.once_in(3) {
        statements.push(format!(
            "for i in 0..{n} {{ dissipation (i + 2)*velocity(a[i])^2; }}"
        ));
    }
    if random.once_in(3) {
        statements.push("output between = a[1] - a[0]; output pace = velocity(a[2])*m;".to_owned());
    }
    format!(
        "pub struct S {{ {} }}\n{inputs}{}",
        parameters.join(", "),
        statements.join("\n")
    )
}

fn derived(text: &str) -> Derived {
    analyze_system(text.parse().expect("these are tokens")).expect("a system")
}

fn pendulums(n: usize) -> Derived {
    derived(&format!(
        "struct Pendulums {{ m: Real, l: Real, g: Real }}
         coordinate angle[{n}];
         for i in 0..{n} {{
             kinetic m*(l*velocity(angle[i]))^2/2;
             potential -m*g*l*cos(angle[i]);
         }}"
    ))
}

#[test]
fn many_pendulums_are_one_loop() {
    for n in [300, 3000] {
        let pendulums = pendulums(n);
        let Solution::Rolled(rolled) = &pendulums.solution else {
            panic!("{n} pendulums are written out");
        };
        for (quantity, routine) in &rolled.routines {
            let most = usize::from(*quantity != Quantity::Quadratic);
            assert!(routine.kernels.len() <= 2 * most.max(1), "{quantity:?}");
            assert!(routine.loops.len() <= 2, "{quantity:?}");
        }
    }
}
