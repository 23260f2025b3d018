//! Points on rods as the text of a system: nets, rings, ladders, trees, stars, and chains that are stiff, alone or joined,
//! with masses and lengths of their own, and ends that constants hold.

/// A number below another, at random.
pub type Below<'r> = &'r mut dyn FnMut(usize) -> usize;

struct Writer<'r> {
    below: Below<'r>,
    space: bool,
    parameters: Vec<String>,
    statements: Vec<String>,
}

/// Parameters and statements of a system of two points to about so many.
pub fn system(below: Below<'_>, most: usize) -> String {
    let space = below(2) == 0;
    let mut writer = Writer {
        below,
        space,
        parameters: vec!["l: Real = 1".into(), "g: Real = 9.81".into()],
        statements: Vec::new(),
    };
    let count = [1, 1, 2, 3][writer.draw(4)];
    let graphs: Vec<Vec<String>> = (0..count)
        .map(|g| writer.graph(["a", "b", "c"][g], most / count))
        .collect();
    for (k, pair) in graphs.windows(2).enumerate() {
        for rod in 0..=writer.draw(2) {
            let [from, to] = [&pair[0], &pair[1]].map(|points| writer.pick(points));
            let equation = writer.rod(&from, &to, "l");
            writer.say(format!("constraint joint{k}_{rod}: {equation};"));
        }
    }
    for (k, points) in graphs.iter().enumerate() {
        writer.ends(k, points);
        writer.loads(points);
    }
    let inputs = match writer.once_in(3) {
        true => {
            let points: Vec<&String> = graphs.iter().flatten().collect();
            let pushed = points[writer.draw(points.len())].clone();
            writer.say(format!("force {pushed}: push;"));
            format!("input push: {};\n", writer.vector())
        }
        false => String::new(),
    };
    let Writer {
        parameters,
        statements,
        ..
    } = writer;
    format!(
        "pub struct S {{ {} }}\n{inputs}{}",
        parameters.join(", "),
        statements.join("\n")
    )
}

impl Writer<'_> {
    fn draw(&mut self, n: usize) -> usize {
        (self.below)(n)
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.draw(times) == 0
    }

    fn pick(&mut self, list: &[String]) -> String {
        list[self.draw(list.len())].clone()
    }

    fn say(&mut self, text: String) {
        self.statements.push(text);
    }

    fn vector(&self) -> &'static str {
        if self.space { "Vector3" } else { "Vector2" }
    }

    /// Of each point or rod its own number, a parameter or not, or one of all; `index` takes from the shape.
    fn number(&mut self, name: &str, shape: &str, index: &str, first: &str) -> String {
        match self.draw(4) {
            0 => "l".into(),
            1 => format!("(1 + 0.1*{first})"),
            _ => {
                let name = format!("{name}{}", self.parameters.len());
                self.parameters.push(format!("{name}: {shape} = 1"));
                format!("{name}{index}")
            }
        }
    }

    fn rod(&mut self, from: &str, to: &str, length: &str) -> String {
        match self.draw(3) {
            0 => format!("norm_squared({from} - {to}) == {length}^2"),
            1 => format!("norm({from} - {to}) == {length}*(1 + t/9)"),
            _ => format!("norm({from} - {to}) == {length}"),
        }
    }

    /// Points in a row.
    fn points(&mut self, name: &str, n: usize) -> Vec<String> {
        let kind = if self.space { "Point3" } else { "Point2" };
        let mass = self.number("m", &format!("[Real; {n}]"), "[i]", "i");
        self.say(format!(
            "particle {name}[i in 0..{n}]: {kind} {{ mass: {mass} }}"
        ));
        (0..n).map(|i| format!("{name}[{i}]")).collect()
    }

    /// Rods of one kind in a loop, from each point of an index to another.
    fn rods(&mut self, name: &str, range: std::ops::Range<usize>, from: &str, to: &str) {
        let (first, end) = (range.start, range.end);
        if first >= end {
            return;
        }
        let length = self.number("length", &format!("[Real; {end}]"), "[i]", "i");
        let equation = self.rod(from, to, &length);
        self.say(format!(
            "for i in {first}..{end} {{ constraint {name}[i]: {equation}; }}"
        ));
    }

    fn graph(&mut self, name: &str, most: usize) -> Vec<String> {
        let n = 2 + self.draw(most.max(4) - 1);
        let (rail, other) = (format!("{name}_rail"), format!("{name}_rung"));
        let at = |offset: &str| format!("{name}[{offset}]");
        match self.draw(7) {
            0 | 1 => self.net(name, most.max(4)),
            2 => {
                let points = self.points(name, n.max(3));
                let next = format!("(i + 1) % {}", points.len());
                self.rods(&rail, 0..points.len(), &at("i"), &at(&next));
                points
            }
            3 => {
                let (n, beside) = (n.div_ceil(2).max(2), format!("{name}2"));
                let mut points = self.points(name, n);
                points.extend(self.points(&beside, n));
                self.rods(&rail, 1..n, &at("i"), &at("i-1"));
                let to = [format!("{beside}[i]"), format!("{beside}[i-1]")];
                self.rods(&format!("{rail}2"), 1..n, &to[0], &to[1]);
                self.rods(&other, 0..n, &at("i"), &to[0]);
                points
            }
            4 => {
                let points = self.points(name, n);
                self.tree(&rail, &points);
                points
            }
            5 => {
                let points = self.points(name, n.min(7));
                self.rods(&rail, 1..points.len(), &at("i"), &at("0"));
                points
            }
            _ => {
                let points = self.points(name, n);
                self.rods(&rail, 1..n, &at("i"), &at("i-1"));
                self.rods(&other, 2..n, &at("i"), &at("i-2"));
                points
            }
        }
    }

    /// Each hangs on one before it, at random.
    fn tree(&mut self, name: &str, points: &[String]) {
        let length = self.number("length", "Real", "", "l");
        for i in 1..points.len() {
            let parent = i - 1 - self.draw(i.min(4));
            let equation = format!("norm({} - {}) == {length}", points[i], points[parent]);
            self.say(format!("constraint {name}{i}: {equation};"));
        }
    }

    /// Columns and rows, now and then with a rod cut.
    fn net(&mut self, name: &str, most: usize) -> Vec<String> {
        let rows = 2 + self.draw((most / 2).min(5) - 1);
        let columns = 2 + self.draw((most / rows).max(2) - 1);
        let kind = if self.space { "Point3" } else { "Point2" };
        let shape = format!("[[Real; {columns}]; {rows}]");
        let mass = self.number("m", &shape, "[i][j]", "(i + j)");
        self.say(format!(
            "particle {name}[i in 0..{rows}][j in 0..{columns}]: {kind} {{ mass: {mass} }}"
        ));
        let from = format!("{name}[i][j]");
        for (rod, [first_row, first_column], to) in [
            ("x", [0, 1], format!("{name}[i][j-1]")),
            ("y", [1, 0], format!("{name}[i-1][j]")),
        ] {
            let length = self.number("length", &shape, "[i][j]", "(i + 2*j)");
            let equation = self.rod(&from, &to, &length);
            let end = rows - usize::from(rows > 2 && self.once_in(6));
            self.say(format!(
                "for i in {first_row}..{end} {{ for j in {first_column}..{columns} {{ \
                 constraint {name}_{rod}[i][j]: {equation}; }} }}"
            ));
        }
        let points = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
        points.map(|(i, j)| format!("{name}[{i}][{j}]")).collect()
    }

    /// What holds a graph at one of its ends, at both or at none: by rods to places that do not move, at these places, along
    /// one axis, or so that it does not move.
    fn ends(&mut self, k: usize, points: &[String]) {
        let (places, still) = match self.space {
            true => (["[0, 0, 0]", "[1, 0, 0.5]"], "[0, 0, 0]"),
            false => (["[0, 0]", "[1, 0]"], "[0, 0]"),
        };
        let held = self.draw(3);
        let ends = [&points[0], &points[points.len() - 1]];
        for (e, (end, place)) in ends.into_iter().zip(places).take(held).enumerate() {
            let equation = match self.draw(8) {
                0 => format!("{end} == {place}"),
                1 => format!("{end}.{} == {e}", ["x", "y"][self.draw(2)]),
                2 => format!("velocity({end}) == {still}"),
                _ => self.rod(end, place, "l"),
            };
            self.say(format!("constraint end{k}_{e}: {equation};"));
        }
    }

    fn loads(&mut self, points: &[String]) {
        let down = if self.space { "[0, 0, -g]" } else { "[0, -g]" };
        match self.draw(4) {
            0 => points
                .iter()
                .for_each(|point| self.statements.push(format!("potential g*{point}.y^2;"))),
            1 => points.iter().for_each(|point| {
                let drag = format!("force {point}: {down} - l*velocity({point});");
                self.statements.push(drag);
            }),
            2 => {
                let ends = format!("{} - {}", points[0], points[points.len() - 1]);
                self.say(format!("potential g*norm_squared({ends});"));
            }
            _ => (),
        }
        if self.statements.iter().all(|it| !it.starts_with("gravity")) && self.once_in(2) {
            self.say(format!("gravity {down};"));
        }
    }
}
