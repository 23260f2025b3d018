use constraint_runtime::prelude::*;

system! {
    struct S;

    particle p: Point2 { mass: 1 }
    fn f1(s) = s;
    fn f2(s) = f1(s) + f1(sin(s));
    fn f3(s) = f2(s) + f2(sin(s));
    fn f4(s) = f3(s) + f3(sin(s));
    fn f5(s) = f4(s) + f4(sin(s));
    fn f6(s) = f5(s) + f5(sin(s));
    fn f7(s) = f6(s) + f6(sin(s));
    fn f8(s) = f7(s) + f7(sin(s));
    fn f9(s) = f8(s) + f8(sin(s));
    fn f10(s) = f9(s) + f9(sin(s));
    fn f11(s) = f10(s) + f10(sin(s));
    fn f12(s) = f11(s) + f11(sin(s));
    fn f13(s) = f12(s) + f12(sin(s));
    fn f14(s) = f13(s) + f13(sin(s));
    fn f15(s) = f14(s) + f14(sin(s));
    fn f16(s) = f15(s) + f15(sin(s));
    fn f17(s) = f16(s) + f16(sin(s));
    fn f18(s) = f17(s) + f17(sin(s));
    fn f19(s) = f18(s) + f18(sin(s));
    fn f20(s) = f19(s) + f19(sin(s));
    potential f20(p.x);
}

fn main() {}
