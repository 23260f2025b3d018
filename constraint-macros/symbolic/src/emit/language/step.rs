//! A whole step: Runge–Kutta of order 4, then projection.
//!
//! ```text
//! points and coordinates     q̇ = v, v̇ by `acceleration`
//! bodies                     q̇ by `kinematics`, rotations of length one after each change;
//!                            those whose moments differ with Rᵀω for ω in the stages: q̇ and v̇ by `own_slope`
//! ```

use super::passage::{Passage, parameters};
use super::{Exported, Kind, Language, Reason};
use crate::dynamics::OwnFrames;
use crate::system::Derived;

/// What a step moves.
#[derive(Clone, Debug, Default)]
pub struct Stepped {
    /// The number of coordinates,
    pub coordinates: usize,
    /// that of velocities,
    pub velocities: usize,
    /// and that of constraints.
    pub rows: usize,
    /// The rotations of bodies among the coordinates; where there is none, velocities are the rates of coordinates.
    pub rotations: Vec<Rotations>,
    /// Bodies that stages have in their own frames.
    pub frames: Vec<OwnFrames>,
}

/// Rotations of bodies of one kind among the coordinates.
#[derive(Clone, Copy, Debug)]
pub struct Rotations {
    /// Where the first begins,
    pub first: usize,
    /// how many numbers it has,
    pub length: usize,
    /// how far behind it the next begins,
    pub apart: usize,
    /// and how many there are.
    pub count: usize,
}

impl Stepped {
    /// Of a system.
    pub fn of(derived: &Derived) -> Stepped {
        let system = &derived.system;
        let (mut first, mut rotations) = (0, Vec::new());
        for declared in &system.declared {
            let (apart, place) = (declared.element_scalars(), declared.shape.len());
            if declared.body {
                rotations.push(Rotations {
                    first: first + place,
                    length: apart - place,
                    apart,
                    count: declared.elements(),
                });
            }
            first += declared.scalars();
        }
        Stepped {
            coordinates: system.scalars(),
            velocities: system.coordinates.len(),
            rows: system.rows.len(),
            rotations,
            frames: derived.own_frames(),
        }
    }

    /// The step, behind what turns and restores bodies, where there are any.
    ///
    /// # Errors
    /// A function that it asks for is left out, or its arrays are too large for a stack.
    pub fn told(&self, language: &dyn Language, told: &Exported) -> Result<String, Reason> {
        let step = passage(
            "step",
            [
                ("", Kind::Own),
                ("t", Kind::Number),
                ("h", Kind::Number),
                ("q", Kind::Changed(self.coordinates)),
                ("v", Kind::Changed(self.velocities)),
            ],
            self.stages() + &self.projection(),
        );
        if let Some(reason) = step.missing(told) {
            return Err(reason);
        }
        let before = [self.turning(), self.restoring()];
        let before = before.iter().filter(|it| !it.body.is_empty());
        let passages = before.chain([&step]).map(|it| it.told(language));
        Ok(passages.collect::<Vec<String>>().join("\n"))
    }

    fn stages(&self) -> String {
        let (rates, n) = (self.coordinates, self.velocities);
        let all = rates + n;
        // Slopes of coordinates, and of velocities, as they are where the last stage stood.
        let (slopes, rate, slope) = if !self.frames.is_empty() {
            let slopes = format!("double k[{all}] = own_slope(t + h * part, x, u);");
            (slopes, "k[j]".to_owned(), format!("k[{rates} + j]"))
        } else {
            let slopes = format!("double slope[{n}] = acceleration(t + h * part, x, u);");
            let kinematics = format!("double rate[{rates}] = kinematics(t + h * part, x, u);");
            let (slopes, rate) = if self.rotations.is_empty() {
                (slopes, "u[j]")
            } else {
                (format!("{kinematics}\n  {slopes}"), "rate[j]")
            };
            (slopes, rate.to_owned(), "slope[j]".to_owned())
        };
        let [to_own, to_world] = ["-1.0", "1.0"].map(|way| match self.frames[..] {
            [] => String::new(),
            _ => format!("turn(q, v, {way});\n"),
        });
        let round = |length: usize, first: &str, moved: [&str; 3]| {
            let [stage, from, slope] = moved;
            format!(
                "for (int j = 0; j < {length}; j++) {{
    if (i == 0) {{ sum[{first}j] = {slope}; }}
    if (i == 1) {{ middle[{first}j] = {slope}; }}
    if (i == 2) {{ sum[{first}j] += 2.0 * (middle[{first}j] + {slope}); }}
    if (i == 3) {{ sum[{first}j] += {slope}; }}
    {stage}[j] = {from}[j] + h * part * {slope};
  }}"
            )
        };
        let behind = format!("{rates} + ");
        let (places, motion) = (
            round(rates, "", ["x", "q", &rate]),
            round(n, &behind, ["u", "v", &slope]),
        );
        let restored = match self.rotations[..] {
            [] => "",
            _ => "normalize(q);\n",
        };
        format!(
            "double x[{rates}];
double u[{n}];
double sum[{all}];
double middle[{all}];
{to_own}for (int j = 0; j < {rates}; j++) {{ x[j] = q[j]; }}
for (int j = 0; j < {n}; j++) {{ u[j] = v[j]; }}
double part = 0.0;
for (int i = 0; i < 4; i++) {{
  {slopes}
  part = 0.5;
  if (i == 2) {{ part = 1.0; }}
  {places}
  {motion}
}}
for (int j = 0; j < {rates}; j++) {{ q[j] += h / 6.0 * sum[j]; }}
for (int j = 0; j < {n}; j++) {{ v[j] += h / 6.0 * sum[{rates} + j]; }}
{to_world}{restored}"
        )
    }

    fn projection(&self) -> String {
        let (rates, n, rows) = (self.coordinates, self.velocities, self.rows);
        if rows == 0 {
            return String::new();
        }
        let moved = if self.rotations.is_empty() {
            format!("for (int j = 0; j < {n}; j++) {{ q[j] -= change[j]; }}")
        } else {
            format!(
                "double way[{rates}] = kinematics(t + h, q, change);
  for (int j = 0; j < {rates}; j++) {{ q[j] -= way[j]; }}
  normalize(q);"
            )
        };
        format!(
            "for (int i = 0; i < 3; i++) {{
  double c[{rows}] = constraint(t + h, q);
  double change[{n}] = correction(t + h, q, c);
  {moved}
}}
double c[{rows}] = constraint_rate(t + h, q, v);
double change[{n}] = correction(t + h, q, c);
for (int j = 0; j < {n}; j++) {{ v[j] -= change[j]; }}"
        )
    }

    /// Rotations of length one.
    fn restoring(&self) -> Passage<'static> {
        let restored = self.rotations.iter().map(|of| {
            let Rotations {
                first,
                length,
                apart,
                count,
            } = of;
            format!(
                "for (int i = 0; i < {count}; i++) {{
  const int r = {first} + {apart} * i;
  double square = 0.0;
  for (int j = 0; j < {length}; j++) {{ square += q[r + j] * q[r + j]; }}
  const double inverse = 1.0 / sqrt(square);
  for (int j = 0; j < {length}; j++) {{ q[r + j] *= inverse; }}
}}\n"
            )
        });
        let places = Kind::Changed(self.coordinates);
        passage("normalize", [("q", places)], restored.collect())
    }

    /// ω of the world to Rᵀω for the way −1, and back for 1, whatever the rotation's length, which stages do not keep.
    fn turning(&self) -> Passage<'static> {
        let turned = self.frames.iter().map(|of| {
            format!(
                "for (int n = 0; n < {count}; n++) {{
  const int r = {turn} + 7 * n;
  const int s = {spin} + 6 * n;
  const double i = q[r];
  const double j = q[r + 1];
  const double k = q[r + 2];
  const double w = way * q[r + 3];
  const double scale = 2.0 / (i * i + j * j + k * k + w * w);
  const double x = j * v[s + 2] - k * v[s + 1];
  const double y = k * v[s] - i * v[s + 2];
  const double z = i * v[s + 1] - j * v[s];
  v[s] += (x * w + (j * z - k * y)) * scale;
  v[s + 1] += (y * w + (k * x - i * z)) * scale;
  v[s + 2] += (z * w + (i * y - j * x)) * scale;
}}\n",
                count = of.count,
                turn = of.turn,
                spin = of.spin,
            )
        });
        let parameters = [
            ("q", Kind::Vector(self.coordinates)),
            ("v", Kind::Changed(self.velocities)),
            ("way", Kind::Number),
        ];
        passage("turn", parameters, turned.collect())
    }
}

fn passage<const N: usize>(
    name: &'static str,
    given: [(&str, Kind); N],
    body: String,
) -> Passage<'static> {
    Passage {
        name,
        parameters: parameters(given),
        body,
        tables: Vec::new(),
        gives: None,
    }
}
