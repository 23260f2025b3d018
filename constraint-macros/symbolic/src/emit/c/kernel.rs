//! A kernel of CUDA C, that does many steps of many copies.

use super::C;
use crate::code::step::Stepped;
use crate::emit::language::{Language, indented};

/// The most threads of a block: a thread of a GPU's 65,536 registers for a block has 255 of them then, the most there are,
/// so that large systems start as well, and nothing is slower for it.
const THREADS: usize = 256;

impl C {
    /// So many steps of so many copies, a thread each.
    pub(super) fn kernel_of(&self, of: &Stepped) -> String {
        let (scalar, [rates, n]) = (self.scalar(), [of.coordinates, of.velocities]);
        let (run, step) = (self.function_name("run"), self.function_name("step"));
        let (parameters, given): (String, String) = self
            .structures()
            .map(|(ty, name, _)| (format!("const {ty} *{name}, "), format!("{name} + id, ")))
            .unzip();
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
            "#ifdef __cplusplus\nextern \"C\"\n#endif\n__launch_bounds__({THREADS})\n__global__ void {run}({parameters}{scalar} t, {scalar} h, \
             int steps, int copies, {scalar} *q, {scalar} *v) {{\n{}\n}}\n",
            indented(&body)
        )
    }
}
