//! What the runtime makes of other functions: M of its products with unit vectors, h of what a rest would take.

use super::passage::{Passage, parameters};
use super::step::Stepped;
use super::{Exported, Kind, Language, LeftOut};

impl Stepped {
    /// Both, which stand behind what they ask for; what cannot be told is added to what is left out.
    pub fn made(&self, language: &dyn Language, told: &mut Exported) -> Vec<String> {
        let mut made = Vec::new();
        for passage in [self.mass_matrix(), self.applied(told)] {
            match passage.missing(told) {
                Some(reason) => told.left_out.push(LeftOut {
                    function: passage.name,
                    reason,
                }),
                None => made.push(passage.told(language)),
            }
        }
        made
    }

    /// M with all its zeros, column by column.
    fn mass_matrix(&self) -> Passage<'static> {
        let n = self.velocities;
        Passage {
            name: "mass_matrix",
            parameters: parameters([
                ("", Kind::Own),
                ("t", Kind::Number),
                ("q", Kind::Vector(self.coordinates)),
            ]),
            body: format!(
                "double a[{n}];
for (int j = 0; j < {n}; j++) {{ a[j] = 0.0; }}
for (int k = 0; k < {n}; k++) {{
  a[k] = 1.0;
  double column[{n}] = mass_times(t, q, a);
  for (int i = 0; i < {n}; i++) {{ result[{n} * i + k] = column[i]; }}
  a[k] = 0.0;
}}"
            ),
            tables: Vec::new(),
            gives: Some(vec![n, n]),
        }
    }

    /// h = −(M a − h) at a = 0.
    fn applied(&self, told: &Exported) -> Passage<'static> {
        let n = self.velocities;
        let names = ["inverse_dynamics", "unconstrained_inverse_dynamics"];
        let known = |it: &&str| told.functions.contains_key(*it);
        let function = names.into_iter().find(known).unwrap_or(names[0]);
        Passage {
            name: "applied",
            parameters: parameters([
                ("", Kind::Own),
                ("t", Kind::Number),
                ("q", Kind::Vector(self.coordinates)),
                ("v", Kind::Vector(n)),
            ]),
            body: format!(
                "double a[{n}];
for (int j = 0; j < {n}; j++) {{ a[j] = 0.0; }}
double missing[{n}] = {function}(t, q, v, a);
for (int j = 0; j < {n}; j++) {{ result[j] = -missing[j]; }}"
            ),
            tables: Vec::new(),
            gives: Some(vec![n]),
        }
    }
}
