//! Counts of everything in the repository (not landed).
use constraint_symbolic::compile::*;
use constraint_symbolic::{joint, system};
use std::collections::BTreeSet;

fn bodies(text: &str, open: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(open) {
        rest = &rest[at + open.len()..];
        let (mut depth, mut end) = (1, None);
        for (i, c) in rest.char_indices() {
            match c {
                '{' | '(' => depth += 1,
                '}' | ')' => {
                    depth -= 1;
                    if depth == 0 {
                        end = Some(i);
                        break;
                    }
                }
                _ => {}
            }
        }
        if let Some(end) = end {
            found.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
    }
    found
}
fn files(dir: &std::path::Path, out: &mut Vec<std::path::PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    let mut entries: Vec<_> = entries.flatten().map(|e| e.path()).collect();
    entries.sort();
    for p in entries {
        if p.is_dir() {
            files(&p, out)
        } else if p.extension().is_some_and(|e| e == "rs") {
            out.push(p)
        }
    }
}
fn strings(text: &str) -> Vec<String> {
    // "..." literals
    let mut v = Vec::new();
    let mut it = text.char_indices().peekable();
    while let Some((i, c)) = it.next() {
        if c == '"' {
            let mut s = String::new();
            while let Some((_, c)) = it.next() {
                if c == '\\' {
                    if let Some((_, n)) = it.next() {
                        if n == '\n' {
                            continue;
                        }
                        s.push(n)
                    }
                    continue;
                }
                if c == '"' {
                    break;
                }
                s.push(c);
            }
            let _ = i;
            v.push(s);
        }
    }
    v
}
fn main() {
    let root = std::env::args().nth(1).unwrap();
    let mut list = Vec::new();
    for d in [
        "tests",
        "examples",
        "benches",
        "constraint-runtime/src",
        "constraint-macros",
    ] {
        files(&std::path::Path::new(&root).join(d), &mut list);
    }
    let mut systems = BTreeSet::new();
    let mut constraints = BTreeSet::new();
    for f in list {
        if f.to_string_lossy().contains("/target/") || f.to_string_lossy().contains("/ui/") {
            continue;
        }
        let text = std::fs::read_to_string(&f).unwrap();
        let plain: String = text
            .lines()
            .map(|l| {
                l.trim_start()
                    .trim_start_matches("//!")
                    .trim_start_matches("///")
            })
            .collect::<Vec<_>>()
            .join("\n");
        for t in [&text, &plain] {
            for b in bodies(t, "system! {") {
                systems.insert(b);
            }
            for b in bodies(t, "constraint! {")
                .into_iter()
                .chain(bodies(t, "constraint!("))
            {
                constraints.insert(b);
            }
        }
        for s in strings(&text) {
            if s.len() > 3 && s.len() < 3000 {
                if s.contains("constraint ")
                    || s.contains("particle ")
                    || s.contains("body ")
                    || s.contains("coordinate")
                {
                    systems.insert(s);
                } else {
                    constraints.insert(s);
                }
            }
        }
    }
    let key = |s: &str| {
        let s: String = s.split_whitespace().collect::<Vec<_>>().join(" ");
        s.chars().take(400).collect::<String>()
    };
    for s in &systems {
        let Ok(t) = s.parse() else { continue };
        let Ok(d) = analyze_system(t) else { continue };
        use system::Quantity::*;
        for q in [
            Acceleration,
            OwnSlope,
            Free,
            Impulses,
            Multipliers,
            Force,
            Constraint,
            Rate,
            Jacobian,
            Bias,
            Correction,
            KineticEnergy,
            MassMatrix,
            Delassus,
            NormalEquations,
        ] {
            if d.routine(q).is_some() {
                println!("S\t{}\t{q:?}\trolled", key(s));
                continue;
            }
            let p = d.plain_program(&[q]);
            println!("S\t{}\t{q:?}\t{}\t{}", key(s), p.count.total(), p.weight());
        }
    }
    for s in &constraints {
        let Ok(t) = s.parse::<proc_macro2::TokenStream>() else {
            continue;
        };
        if let Ok(d) = analyze_joint(t.clone()) {
            use joint::Quantity::*;
            for a in [joint::Arms::Given, joint::Arms::Turned] {
                for q in [
                    vec![Value],
                    vec![Jacobian],
                    vec![Rate],
                    vec![Bias],
                    vec![Delassus],
                    vec![Solution],
                    vec![Impulses],
                    vec![Multipliers],
                    vec![FreeMultipliers],
                    vec![Value, Jacobian, Rate, Delassus, Bias, Impulses],
                    vec![Value, Jacobian, Rate, Delassus, Bias, FreeMultipliers],
                ] {
                    let p = d.plain_program(&q, a);
                    println!(
                        "J\t{}\t{q:?} {a:?}\t{}\t{}",
                        key(s),
                        p.count.total(),
                        p.weight()
                    );
                }
            }
        } else if let Ok(d) = analyze(t) {
            use Quantity::*;
            for q in [
                vec![Value],
                vec![Jacobian],
                vec![Rate],
                vec![JacobianDot],
                vec![Bias],
                vec![Multipliers],
                vec![Force],
                vec![ParticleMultipliers],
                vec![ParticleForce],
                vec![Solution],
                vec![
                    Value,
                    Jacobian,
                    JacobianDot,
                    ParticleMultipliers,
                    ParticleForce,
                ],
            ] {
                let p = d.plain_program(&q);
                println!("C\t{}\t{q:?}\t{}\t{}", key(s), p.count.total(), p.weight());
            }
        }
    }
}
