//! Random systems whose rows differ only in their operands: another component, another element, one of another kind, or
//! one element twice. Places, velocities and differences of points, coordinates and bodies, in any order.

use crate::random::Random;

/// What a row may be of.
struct Element {
    /// Its place, unless it is a coordinate.
    place: Option<String>,
    scalars: Vec<String>,
    body: Option<String>,
}

struct Writer<'r> {
    random: &'r mut Random,
    space: bool,
    parameters: Vec<String>,
    declarations: Vec<String>,
    loads: Vec<String>,
    rows: Vec<String>,
    elements: Vec<Element>,
    /// Numbers of elements that no row has begun with, so that few rows follow from others.
    free: Vec<usize>,
    inputs: usize,
}

/// The statements of a system, its options and parameters before them.
pub fn system(random: &mut Random) -> String {
    let space = random.once_in(3);
    let mut writer = Writer {
        space,
        parameters: vec!["l: Real".into(), "g: Real".into()],
        declarations: Vec::new(),
        loads: Vec::new(),
        rows: Vec::new(),
        elements: Vec::new(),
        free: Vec::new(),
        inputs: 0,
        random,
    };
    writer.groups();
    writer.rows();
    writer.loads();
    writer.text()
}

impl Writer<'_> {
    fn text(self) -> String {
        let random = self.random;
        let mut rows = self.rows;
        shuffle(&mut rows, random);
        let options = match random.below(6) {
            0 | 1 => "#[derivatives] ",
            2 => "#[task_space] ",
            _ => "",
        };
        let inputs = match self.inputs {
            0 => String::new(),
            n => format!("input push[{n}];\n"),
        };
        // Outputs of another element than the first, which has no rows of its own at times.
        let last = &self.elements[self.elements.len() - 1].scalars;
        let output = format!(
            "output told = {}*l + velocity({});",
            last[0],
            last[last.len() - 1]
        );
        let output = if random.once_in(2) || options == "#[task_space] " {
            output.replace(" + velocity", " - velocity")
        } else {
            String::new()
        };
        let output = match options {
            "#[task_space] " => format!("output told = {}*l;", last[0]),
            _ => output,
        };
        format!(
            "{options}pub struct S {{ {} }}\n{inputs}{}\n{}\n{}\n{output}",
            self.parameters.join(", "),
            self.declarations.join("\n"),
            rows.join("\n"),
            self.loads.join("\n"),
        )
    }

    /// One to three kinds of elements, so that rows are of several kinds in a system.
    fn groups(&mut self) {
        let count = 1 + self.random.below(3);
        let bodies = self.random.once_in(3);
        for name in ["a", "b", "c"].into_iter().take(count) {
            match self.random.below(4) {
                0 => self.coordinates(name),
                1 if bodies => self.bodies(name),
                _ => self.points(name),
            }
        }
        if self.elements.len() == 1 {
            self.points("d");
        }
        let mut free: Vec<usize> = (0..self.elements.len()).collect();
        shuffle(&mut free, self.random);
        self.free = free;
    }

    fn components(&self) -> &'static [&'static str] {
        if self.space {
            &["x", "y", "z"]
        } else {
            &["x", "y"]
        }
    }

    fn mass(&mut self, name: &str, n: usize) -> String {
        match self.random.below(4) {
            0 => "2".into(),
            1 => "(1 + 0.3*i)".into(),
            2 => "l".into(),
            _ => {
                self.parameters.push(format!("mass_{name}: [Real; {n}]"));
                format!("mass_{name}[i]")
            }
        }
    }

    fn points(&mut self, name: &str) {
        let n = 2 + self.random.below(3);
        let mass = self.mass(name, n);
        let kind = if self.space { "Point3" } else { "Point2" };
        self.declarations.push(format!(
            "for i in 0..{n} {{ particle {name}[i]: {kind} {{ mass: {mass} }} }}"
        ));
        for i in 0..n {
            let place = format!("{name}[{i}]");
            let scalars = self.components().iter().map(|c| format!("{place}.{c}"));
            let scalars = scalars.collect();
            self.elements.push(Element {
                place: Some(place),
                scalars,
                body: None,
            });
        }
    }

    /// Each alone, coupled to the next, or with a mass that depends on it.
    fn coordinates(&mut self, name: &str) {
        let n = 1 + self.random.below(3);
        let mass = self.mass(name, n);
        self.declarations.push(format!("coordinate {name}[{n}];"));
        let kinetic = match self.random.below(5) {
            0 => format!("({mass} + {name}[i]^2)*velocity({name}[i])^2"),
            _ => format!("{mass}*velocity({name}[i])^2"),
        };
        self.declarations
            .push(format!("for i in 0..{n} {{ kinetic {kinetic}; }}"));
        if n > 1 && self.random.once_in(4) {
            self.declarations.push(format!(
                "kinetic velocity({name}[0])*velocity({name}[1])/4;"
            ));
        }
        for i in 0..n {
            self.elements.push(Element {
                place: None,
                scalars: vec![format!("{name}[{i}]")],
                body: None,
            });
        }
    }

    fn bodies(&mut self, name: &str) {
        let n = 1 + self.random.below(3);
        let mass = self.mass(name, n);
        for i in 0..n {
            let (kind, inertia, arms) = if self.space {
                let moments = ["[0.3, 0.3, 0.3]", "[0.2, 0.3, 0.3]", "[0.2, 0.3, 0.4]"];
                let arms = ["[0, 0, 0]", "[l, 0, 0]", "[0.1, -l, 0.3]"];
                ("Rigid3", *self.random.pick(&moments), arms)
            } else {
                ("Rigid2", "0.3", ["[0, 0]", "[l, 0]", "[0.1, -l]"])
            };
            let mass = mass.replace("[i]", &format!("[{i}]"));
            let mass = mass.replace("*i", &format!("*{i}"));
            self.declarations.push(format!(
                "body {name}{i}: {kind} {{ mass: {mass}, inertia: {inertia} }}"
            ));
            let body = format!("{name}{i}");
            let place = format!("at({body}, {})", self.random.pick(&arms));
            let scalars = self.components().iter().map(|c| format!("{place}.{c}"));
            let scalars = scalars.collect();
            self.elements.push(Element {
                place: Some(place),
                scalars,
                body: Some(body),
            });
        }
    }

    // ---- rows ---------------------------------------------------------------------------------

    /// Several rows of one to three forms.
    fn rows(&mut self) {
        let forms: Vec<usize> = (0..1 + self.random.below(3))
            .map(|_| self.random.below(19))
            .collect();
        let values: Vec<usize> = forms.iter().map(|_| self.random.below(6)).collect();
        let wanted = 2 + self.random.below(2 * self.elements.len());
        let scalars = self.elements.iter().map(|it| it.scalars.len());
        let mut left = scalars.sum::<usize>() - 1;
        for k in 0..wanted {
            let form = self.random.below(forms.len());
            // Some motion remains; bodies can always rotate.
            let size = if forms[form] < 10 || (15..18).contains(&forms[form]) {
                1
            } else {
                self.components().len()
            };
            if size > left {
                continue;
            }
            if let Some(row) = self.row(forms[form], values[form], k) {
                self.rows.push(format!("constraint c{k}: {row};"));
                left -= size;
            }
        }
        if self.rows.is_empty() {
            let first = self.elements[0].scalars[0].clone();
            self.rows.push(format!("constraint c0: {first} == l;"));
        }
    }

    /// What a row is equated to.
    fn value(&mut self, kind: usize, k: usize) -> String {
        match kind {
            0 => "0".into(),
            1 => "1".into(),
            2 => "l".into(),
            3 => format!("(2 + 0.1*{k})"),
            4 => "sin(t)".into(),
            _ => format!("({k} - l/3)"),
        }
    }

    fn vector(&mut self, value: &str) -> String {
        let rest = match self.random.below(3) {
            0 => value.to_owned(),
            1 => "0".to_owned(),
            _ => format!("{value}/2"),
        };
        let parts = self.components().iter().enumerate();
        let parts = parts.map(|(k, _)| if k == 0 { value } else { &rest });
        format!("[{}]", parts.collect::<Vec<_>>().join(", "))
    }

    /// The first operand of a row, which no other row begins with; of an element with a position if required.
    fn first(&mut self, has_place: bool) -> Option<usize> {
        let fits = |&e: &usize| !has_place || self.elements[e].place.is_some();
        let found = self.free.iter().position(fits)?;
        Some(self.free.swap_remove(found))
    }

    /// Any component or coordinate but these, unless there are no others.
    fn scalar(&mut self, but: &[&String]) -> String {
        let all = self.elements.iter().flat_map(|it| &it.scalars);
        let others: Vec<&String> = all.filter(|it| !but.contains(it)).collect();
        let first = &self.elements[0].scalars[0];
        let count = others.len().max(1);
        let found = others.get(self.random.below(count));
        found.map_or(first, |it| *it).clone()
    }

    /// Any place but that of an element, if there is one.
    fn place(&mut self, but: usize) -> Option<String> {
        let others = self.elements.iter().enumerate();
        let others = others.filter(|(e, _)| *e != but);
        let places: Vec<&String> = others.filter_map(|(_, it)| it.place.as_ref()).collect();
        (!places.is_empty()).then(|| places[self.random.below(places.len())].clone())
    }

    fn row(&mut self, form: usize, value: usize, k: usize) -> Option<String> {
        let value = self.value(value, k);
        if form < 10 {
            return Some(self.row_of_scalars(form, &value));
        }
        self.row_of_places(form, &value)
    }

    fn row_of_scalars(&mut self, form: usize, value: &str) -> String {
        let u = match self.first(false) {
            Some(e) => self.random.pick(&self.elements[e].scalars).clone(),
            None => self.scalar(&[]),
        };
        let v = self.scalar(&[&u]);
        let w = self.scalar(&[&u, &v]);
        let [x, y] = [(); 2].map(|()| self.scalar(&[&u]));
        match form {
            0 | 1 => format!("{u} == {value}"),
            2 => format!("{u} - {v} == {value}"),
            3 => format!("{u} + l*{v} == {value}"),
            4 => format!("{u}*{v} + {w} == {value}"),
            5 => format!("{u}^2 + {u} == {value}"),
            6 => format!("{u} + {v}*{w} + {x}*{y} == {value}"),
            7 => format!("velocity({u}) == {value}"),
            8 => format!("velocity({u}) == velocity({v})*{w}"),
            _ => format!("sin({u}) + {v} == {value}"),
        }
    }

    fn row_of_places(&mut self, form: usize, value: &str) -> Option<String> {
        let e = self.first(true)?;
        let p = self.elements[e].place.clone()?;
        let there = self.vector(value);
        if form < 13 {
            return Some(match form {
                10 | 11 => format!("{p} == {there}"),
                _ => format!("velocity({p}) == {there}"),
            });
        }
        let (q, r) = (self.place(e)?, self.place(e)?);
        let (body, axis) = (self.elements[e].body.clone(), self.vector("1"));
        Some(match (form, body) {
            (13, _) => format!("{p} == {q}"),
            (14, _) => format!("velocity({p} - {q}) == {there}"),
            (15, _) => format!("norm({p} - {q}) == 1 + {value}"),
            (16, _) => format!("dot({p} - {q}, {r}) == {value}"),
            (17, Some(body)) if self.space => {
                let of = self.random.pick(&["x", "y", "z"]);
                format!("angular_velocity({body}).{of} == {value}")
            }
            (17, Some(body)) => format!("angular_velocity({body}) == {value}"),
            (17, None) => format!("dot(velocity({p}), {q} - {r}) == {value}"),
            (_, Some(body)) => format!("dot(dir({body}, {axis}), {q}) == {value}"),
            _ => format!("{p} - {q} == {there}"),
        })
    }

    // ---- loads --------------------------------------------------------------------------------

    fn loads(&mut self) {
        for e in 0..self.elements.len() {
            let scalar = self.random.pick(&self.elements[e].scalars).clone();
            let other = self.scalar(&[&scalar]);
            match self.random.below(8) {
                0 => self.loads.push(format!("potential g*{scalar}^2*{other};")),
                1 => self.loads.push(format!("force {scalar}: g*{other};")),
                2 => self
                    .loads
                    .push(format!("dissipation l*velocity({scalar})^2;")),
                3 => {
                    self.loads
                        .push(format!("force {scalar}: push[{}];", self.inputs));
                    self.inputs += 1;
                }
                _ => (),
            }
        }
        let has_places = self.elements.iter().any(|it| it.place.is_some());
        if has_places && self.random.once_in(2) {
            let down = self.vector("-g");
            self.loads.push(format!("gravity {down};"));
        }
    }
}

/// In any order.
pub fn shuffle<T>(list: &mut [T], random: &mut Random) {
    for k in (1..list.len()).rev() {
        list.swap(k, random.below(k + 1));
    }
}
