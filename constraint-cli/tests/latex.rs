//! `constraint explain --latex`: a document that LaTeX reads, with amsmath alone.
//!
//! A checker of ours reads every document strictly. If a TeX is installed, it compiles them all.

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use common::{constraint, examples, given};

/// What amsmath and LaTeX define, as far as derivations use it; in mathematics mode only.
const IN_MATHEMATICS: [&str; 58] = [
    "frac",
    "sqrt",
    "left",
    "right",
    "cdot",
    "ldots",
    "quad",
    "dot",
    "ddot",
    "hat",
    "mathrm",
    "mathsf",
    "operatorname",
    "displaystyle",
    "partial",
    "times",
    "mp",
    "sum",
    "le",
    "ge",
    "land",
    "lor",
    "lnot",
    "infty",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "exp",
    "ln",
    "log",
    "min",
    "max",
    "alpha",
    "beta",
    "gamma",
    "delta",
    "epsilon",
    "zeta",
    "eta",
    "theta",
    "kappa",
    "lambda",
    "mu",
    "nu",
    "pi",
    "rho",
    "sigma",
    "tau",
    "phi",
    "psi",
    "omega",
    "Omega",
];
const IN_TEXT: [&str; 4] = ["section", "paragraph", "textbackslash", "^"];
const ANYWHERE: [&str; 2] = ["text", "mathsf"];
/// Environments, and whether `&` and `\\` may be in them.
const ENVIRONMENTS: [(&str, bool, bool); 4] = [
    ("gather*", false, true),
    ("pmatrix", true, true),
    ("cases", true, true),
    ("aligned", true, true),
];

/// What is open at a place of a document.
#[derive(Debug, PartialEq)]
enum Open {
    Brace { text: bool },
    Environment(&'static str, bool, bool),
    Left,
    Dollar,
}

/// The first fault of the body of a document.
fn fault(body: &str) -> Result<(), String> {
    let mut open: Vec<Open> = Vec::new();
    let mut rest = body;
    let mut command = String::new();
    while let Some(letter) = rest.chars().next() {
        let at = || rest.chars().take(60).collect::<String>();
        let in_text = match open
            .iter()
            .rev()
            .find(|it| !matches!(it, Open::Left | Open::Brace { text: false }))
        {
            None | Some(Open::Brace { text: true }) => true,
            Some(_) => false,
        };
        let mut length = letter.len_utf8();
        let before = std::mem::take(&mut command);
        match letter {
            '\\' => {
                let name: String = rest[1..]
                    .chars()
                    .take_while(char::is_ascii_alphabetic)
                    .collect();
                let name = if name.is_empty() {
                    rest[1..].chars().take(1).collect()
                } else {
                    name
                };
                length += name.len();
                match &name[..] {
                    "begin" | "end" => {
                        let (environment, _) = rest[length + 1..].split_once('}').ok_or_else(at)?;
                        length += environment.len() + 2;
                        let found = ENVIRONMENTS.iter().find(|it| it.0 == environment);
                        let &(known, columns, lines) = found.ok_or_else(at)?;
                        let this = Open::Environment(known, columns, lines);
                        if name == "begin" {
                            if in_text != (known == "gather*") {
                                return Err(format!("mode: {}", at()));
                            }
                            open.push(this);
                        } else if open.pop() != Some(this) {
                            return Err(format!("end: {}", at()));
                        }
                    }
                    "left" | "right" => {
                        let bracket = rest[length..].chars().next().ok_or_else(at)?;
                        length += 1;
                        if in_text || !"()|".contains(bracket) {
                            return Err(format!("bracket: {}", at()));
                        }
                        if name == "left" {
                            open.push(Open::Left);
                        } else if open.pop() != Some(Open::Left) {
                            return Err(format!("right: {}", at()));
                        }
                    }
                    "\\" => {
                        if !matches!(open.last(), Some(Open::Environment(_, _, true))) {
                            return Err(format!("line: {}", at()));
                        }
                    }
                    "_" | "#" | "%" | "&" | "$" | "{" | "}" => {}
                    ";" | "," => {
                        if in_text {
                            return Err(format!("space: {}", at()));
                        }
                    }
                    name if ANYWHERE.contains(&name) => {}
                    name if in_text && IN_TEXT.contains(&name) => {}
                    name if !in_text && IN_MATHEMATICS.contains(&name) => {}
                    _ => return Err(format!("command: {}", at())),
                }
                command = name;
            }
            '{' => open.push(Open::Brace {
                text: in_text || before == "text",
            }),
            '}' => match open.pop() {
                Some(Open::Brace { .. }) => {}
                _ => return Err(format!("brace: {}", at())),
            },
            '$' => match (in_text, open.last()) {
                (true, _) => open.push(Open::Dollar),
                (false, Some(Open::Dollar)) => _ = open.pop(),
                _ => return Err(format!("dollar: {}", at())),
            },
            '&' if !matches!(open.last(), Some(Open::Environment(_, true, _))) => {
                return Err(format!("column: {}", at()));
            }
            '^' | '_' if in_text => return Err(format!("script: {}", at())),
            '#' | '%' | '~' => return Err(format!("character: {}", at())),
            // inputenc and T1 have the letters of Europe, and only in text.
            letter
                if !(letter.is_ascii() || in_text && ('\u{a1}'..='\u{17f}').contains(&letter)) =>
            {
                return Err(format!("letter: {}", at()));
            }
            _ => {}
        }
        rest = &rest[length..];
    }
    match open.pop() {
        None => Ok(()),
        Some(open) => Err(format!("open at the end: {open:?}")),
    }
}

/// It reads what is right, and finds one fault of each kind.
#[test]
fn the_checker_finds_faults() {
    for good in [
        r"\paragraph{A} $\displaystyle \dot{v} = 1$ \begin{gather*} a \\ \left(x_{1}\right)^{2} \end{gather*}",
        r"größer $x \text{ if größer}$",
        r"\begin{gather*} \begin{cases} 1 & x \\ 2 & \text{otherwise} \end{cases} \end{gather*}",
    ] {
        assert_eq!(fault(good), Ok(()), "{good}");
    }
    for bad in [
        r"\begin{gather*} a",
        r"\begin{gather*} a & b \end{gather*}",
        r"\begin{gather*} \begin{pmatrix} a \end{gather*} \end{pmatrix}",
        r"\begin{pmatrix} a \end{pmatrix}",
        r"\begin{align} a \end{align}",
        r"a \\ b",
        r"a_b",
        r"x^2",
        r"λ",
        r"$λ$",
        r"$\mathrm{ö}$",
        r"$a",
        r"{a",
        r"a}",
        r"$\left( a$",
        r"$\left( {a \right)}$",
        r"\dot{v}",
        r"$\nosuch$",
        r"$\section{a}$",
        r"50 % of it",
        r"$\left[a\right]$",
    ] {
        assert!(fault(bad).is_err(), "{bad}");
    }
}

/// The examples, the equations of the README, and what needs care: other letters, cases, arms, families, outputs.
fn documents() -> Vec<(String, String)> {
    let texts = [
        "x^2 + 100*y",
        "norm([x, y]) == 2",
        "|α, größe_1| if α > 0 && größe_1 < 1 { α^(1/3) } else { abs(größe_1) + cbrt(α) + log10(größe_1) }",
        "curve! { struct Ellipse { a: Real, b: Real } |s in 0..=TAU| [a*cos(s), b*sin(s)] }",
        "constraint! { struct Hinge { u: Vector3, w: Vector3 } |a: Rigid3, b: Rigid3| [dot(dir(a, u), dir(b, w))] }",
        "#[solver(rolled)] struct Chain { m: Real = 1, l: Real = 1 } particle bead[8]: Point2 { mass: m }
         constraint link[0]: bead[0].x == l; for i in 1..8 { constraint link[i]: bead[i].x - bead[i - 1].x == l; }
         output far = [2*bead[7].x, bead[7].y];",
    ];
    let texts = texts.map(|text| {
        (
            text.to_owned(),
            given(text, ["explain", "--latex", "-"]).printed(),
        )
    });
    let files = examples().into_iter().map(|path| {
        let path = path.to_str().expect("a path").to_owned();
        let document = constraint(["explain", "--latex", &path]).printed();
        (path, document)
    });
    texts.into_iter().chain(files).collect()
}

#[test]
fn documents_need_amsmath_alone() {
    let mut heads = BTreeSet::new();
    for (name, document) in documents() {
        let (head, rest) = document.split_once("\\begin{document}\n").expect(&name);
        let body = rest.strip_suffix("\\end{document}\n").expect(&name);
        assert_eq!(fault(body), Ok(()), "{name}");
        heads.insert(head.to_owned());
    }
    assert_eq!(heads.len(), 1, "{heads:?}");
    let fragment = constraint(["explain", "--latex", "--fragment", "x^2 + 100*y"]).printed();
    assert_eq!(fault(&fragment), Ok(()));
}

/// The first TeX that is installed, with the arguments that let it run through.
fn installed() -> Option<(&'static str, &'static [&'static str])> {
    const BATCH: &[&str] = &["-interaction=nonstopmode", "-halt-on-error"];
    let known = [
        ("pdflatex", BATCH),
        ("lualatex", BATCH),
        ("tectonic", &[][..]),
    ];
    let paths = env::var_os("PATH")?;
    known
        .into_iter()
        .find(|(name, _)| env::split_paths(&paths).any(|folder| folder.join(name).is_file()))
}

#[test]
fn documents_compile_where_a_tex_is_installed() {
    let Some((tex, arguments)) = installed() else {
        eprintln!("skipped: neither pdflatex nor lualatex nor tectonic is installed");
        return;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("latex");
    fs::create_dir_all(&folder).expect("a folder");
    let fragment = constraint(["explain", "--latex", "--fragment", "x^2 + 100*y"]).printed();
    let within = format!(
        "\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\begin{{document}}\n{fragment}\\end{{document}}\n"
    );
    for (name, document) in documents()
        .into_iter()
        .chain([("a fragment".to_owned(), within)])
    {
        fs::write(folder.join("derivation.tex"), &document).expect("a file");
        let run = Command::new(tex)
            .args(arguments)
            .arg("derivation.tex")
            .current_dir(&folder)
            .output();
        let run = run.expect(tex);
        let log = String::from_utf8_lossy(&run.stdout);
        assert!(run.status.success(), "{tex} on {name}:\n{log}");
    }
}
