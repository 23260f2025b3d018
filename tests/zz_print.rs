#[test]
fn zz() {
    let text = "pub struct SpringBeads { m1: Real = 1, m2: Real = 1, k: Real = 20, rest: Real = 1, g: Real = 9.81 }
    fn wire(s) = [s, s^4 - 2*s^2];
    coordinate x1, x2;
    particle a = wire(x1) { mass: m1 }
    particle b = wire(x2) { mass: m2 }
    potential m1*g*a.y + m2*g*b.y;
    potential k/2 * (norm(b - a) - rest)^2;";
    let out = constraint_symbolic::compile::system(text.parse().unwrap());
    let file = syn::parse2(out).unwrap();
    std::fs::write("/tmp/scratch/spring.rs", prettyplease::unparse(&file)).unwrap();
}
