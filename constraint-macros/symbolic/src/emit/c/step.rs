//! A whole step in C: Runge–Kutta of order 4, then projection; and a kernel of CUDA C that does many of many copies.
//!
//! ```text
//! points and coordinates     q̇ = v, v̇ by `acceleration`
//! bodies                     q̇ by `kinematics`, rotations of length one after each change;
//!                            those whose moments differ with Rᵀω for ω in the stages: q̇ and v̇ by `own_slope`
//! ```

use super::C;
use crate::emit::language::{Language, Reason, Rotations, Stepped, indented, on_stack};
use crate::expr::Function;

impl C {
    /// The step, behind what turns and restores bodies, where there are any.
    pub(super) fn whole_step(&self, of: &Stepped) -> Result<String, Reason> {
        let (n, rates) = (of.velocities, of.coordinates);
        let stages = if of.rotations.is_empty() {
            on_stack(9 * n + of.rows)?;
            self.stages_of_points(n)
        } else {
            on_stack(6 * n + 5 * rates + of.rows)?;
            self.stages_of_bodies(of)
        };
        let projection = if of.rows > 0 {
            self.projection(of)
        } else {
            String::new()
        };
        let (scalar, name) = (self.scalar(), self.function_name("step"));
        let parameters = self.handed("").0;
        let arguments =
            format!("{parameters}{scalar} t, {scalar} h, {scalar} q[{rates}], {scalar} v[{n}]");
        let head = format!("{} void {name}({arguments})", self.qualifiers());
        let before = self.turning(of) + &self.restoring(of);
        Ok(format!(
            "{before}{head} {{\n{}\n}}\n",
            indented(&(stages + &projection))
        ))
    }

    fn stages_of_points(&self, n: usize) -> String {
        let (given, scalar, half) = (self.handed("").1, self.scalar(), self.number(0.5));
        let [zero, one, two, six] = [0.0, 1.0, 2.0, 6.0].map(|it| self.number(it));
        let acceleration = self.function_name("acceleration");
        format!(
            "const {scalar} part[4] = {{ {zero}, {half}, {half}, {one} }};
{scalar} x[{n}], s[4][{n}], k[4][{n}];
for (int i = 0; i < 4; i++) {{
  for (int j = 0; j < {n}; j++) {{
    x[j] = i ? q[j] + h * part[i] * s[i - 1][j] : q[j];
    s[i][j] = i ? v[j] + h * part[i] * k[i - 1][j] : v[j];
  }}
  {acceleration}({given}t + h * part[i], x, s[i], k[i]);
}}
for (int j = 0; j < {n}; j++) {{
  q[j] += h / {six} * (s[0][j] + {two} * (s[1][j] + s[2][j]) + s[3][j]);
  v[j] += h / {six} * (k[0][j] + {two} * (k[1][j] + k[2][j]) + k[3][j]);
}}"
        )
    }

    /// The slopes are of coordinates, then of velocities.
    fn stages_of_bodies(&self, of: &Stepped) -> String {
        let (given, scalar, half) = (self.handed("").1, self.scalar(), self.number(0.5));
        let [zero, one, two, six] = [0.0, 1.0, 2.0, 6.0].map(|it| self.number(it));
        let [own_slope, kinematics, acceleration, turn, normalize] = [
            "own_slope",
            "kinematics",
            "acceleration",
            "turn",
            "normalize",
        ]
        .map(|it| self.function_name(it));
        let (rates, n) = (of.coordinates, of.velocities);
        let (at, all) = (format!("{given}t + h * part[i], x, s"), rates + n);
        let (slope, to_own, to_world) = if of.frames.is_empty() {
            let slope =
                format!("{kinematics}({at}, k[i]);\n  {acceleration}({at}, k[i] + {rates});");
            (slope, String::new(), String::new())
        } else {
            let to_own = format!("{turn}(q, v, -{one});\n");
            let to_world = format!("{turn}(q, v, {one});\n");
            (format!("{own_slope}({at}, k[i]);"), to_own, to_world)
        };
        format!(
            "const {scalar} part[4] = {{ {zero}, {half}, {half}, {one} }};
{scalar} x[{rates}], s[{n}], k[4][{all}];
{to_own}for (int i = 0; i < 4; i++) {{
  for (int j = 0; j < {rates}; j++) x[j] = i ? q[j] + h * part[i] * k[i - 1][j] : q[j];
  for (int j = 0; j < {n}; j++) s[j] = i ? v[j] + h * part[i] * k[i - 1][{rates} + j] : v[j];
  {slope}
}}
for (int j = 0; j < {all}; j++) {{
  {scalar} *to = j < {rates} ? &q[j] : &v[j - {rates}];
  *to += h / {six} * (k[0][j] + {two} * (k[1][j] + k[2][j]) + k[3][j]);
}}
{to_world}{normalize}(q);"
        )
    }

    fn projection(&self, of: &Stepped) -> String {
        let (given, scalar, n, rows) = (self.handed("").1, self.scalar(), of.velocities, of.rows);
        let [constraint, rate, correction, kinematics, normalize] = [
            "constraint",
            "constraint_rate",
            "correction",
            "kinematics",
            "normalize",
        ]
        .map(|it| self.function_name(it));
        let (change, moved) = if of.rotations.is_empty() {
            ("x", format!("for (int j = 0; j < {n}; j++) q[j] -= x[j];"))
        } else {
            let rates = of.coordinates;
            let moved = format!(
                "{kinematics}({given}t + h, q, s, x);
  for (int j = 0; j < {rates}; j++) q[j] -= x[j];
  {normalize}(q);"
            );
            ("s", moved)
        };
        format!(
            "
{scalar} c[{rows}];
for (int i = 0; i < 3; i++) {{
  {constraint}({given}t + h, q, c);
  {correction}({given}t + h, q, c, {change});
  {moved}
}}
{rate}({given}t + h, q, v, c);
{correction}({given}t + h, q, c, {change});
for (int j = 0; j < {n}; j++) v[j] -= {change}[j];"
        )
    }

    /// Rotations of length one.
    fn restoring(&self, of: &Stepped) -> String {
        let (scalar, zero, one) = (self.scalar(), self.number(0.0), self.number(1.0));
        let root = self.call(Function::Sqrt, &["square".to_owned()]);
        let restored = of.rotations.iter().map(|of| {
            let Rotations {
                first,
                length,
                apart,
                count,
            } = of;
            format!(
                "for (int i = 0; i < {count}; i++) {{
  {scalar} *r = q + {first} + {apart} * i, square = {zero};
  for (int j = 0; j < {length}; j++) square += r[j] * r[j];
  const {scalar} inverse = {one} / {root};
  for (int j = 0; j < {length}; j++) r[j] *= inverse;
}}"
            )
        });
        self.of_bodies("normalize", &format!("{scalar} *q"), restored)
    }

    /// ω of the world to Rᵀω for the sign −1, and back for 1, whatever the rotation's length, which stages do not keep.
    fn turning(&self, of: &Stepped) -> String {
        let (scalar, two) = (self.scalar(), self.number(2.0));
        let turned = of.frames.iter().map(|of| {
            format!(
                "for (int n = 0; n < {count}; n++) {{
  const {scalar} *r = q + {turn} + 7 * n, i = r[0], j = r[1], k = r[2], w = sign * r[3];
  {scalar} *u = v + {spin} + 6 * n;
  const {scalar} scale = {two} / (i * i + j * j + k * k + w * w);
  const {scalar} x = j * u[2] - k * u[1], y = k * u[0] - i * u[2], z = i * u[1] - j * u[0];
  u[0] += (x * w + (j * z - k * y)) * scale;
  u[1] += (y * w + (k * x - i * z)) * scale;
  u[2] += (z * w + (i * y - j * x)) * scale;
}}",
                count = of.count,
                turn = of.turn,
                spin = of.spin,
            )
        });
        let parameters = format!("const {scalar} *q, {scalar} *v, {scalar} sign");
        self.of_bodies("turn", &parameters, turned)
    }

    /// A function of such loops; nothing where there is none.
    fn of_bodies(
        &self,
        name: &str,
        parameters: &str,
        loops: impl Iterator<Item = String>,
    ) -> String {
        let body = loops.collect::<Vec<String>>().join("\n");
        if body.is_empty() {
            return body;
        }
        let head = format!(
            "{} void {}({parameters})",
            self.qualifiers(),
            self.function_name(name)
        );
        format!("{head} {{\n{}\n}}\n\n", indented(&body))
    }

    /// So many steps of so many copies, a thread each.
    pub(super) fn kernel_of(&self, of: &Stepped) -> String {
        let (scalar, [rates, n]) = (self.scalar(), [of.coordinates, of.velocities]);
        let (run, step) = (self.function_name("run"), self.function_name("step"));
        let (parameters, given) = self.handed(" + id");
        let copied = |from: [&str; 2], to: [&str; 2]| {
            let copy = |length: usize, to: &str, from: &str| {
                format!("for (int j = 0; j < {length}; j++) {to} = {from};")
            };
            copy(rates, to[0], from[0]) + "\n" + &copy(n, to[1], from[1])
        };
        let (all, own) = (
            ["q[j * copies + id]", "v[j * copies + id]"],
            ["x[j]", "u[j]"],
        );
        let body = format!(
            "const int id = blockIdx.x * blockDim.x + threadIdx.x;
if (id >= copies) return;
{scalar} x[{rates}], u[{n}];
{}
for (int i = 0; i < steps; i++) {step}({given}t + i * h, h, x, u);
{}",
            copied(all, own),
            copied(own, all),
        );
        format!(
            "#ifdef __cplusplus\nextern \"C\"\n#endif\n__global__ void {run}({parameters}{scalar} t, {scalar} h, \
             int steps, int copies, {scalar} *q, {scalar} *v) {{\n{}\n}}\n",
            indented(&body)
        )
    }
}
