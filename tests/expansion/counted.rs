//! An operation count reads the same where the engine documents it and where the runtime prints it.

use constraint_runtime::OperationCount as Printed;
use constraint_symbolic::schedule::OperationCount as Documented;

#[test]
fn counts_are_printed_as_they_are_documented() {
    let texts = [
        ([0, 0, 0, 0, 0, 0], "no operations"),
        ([0, 0, 0, 1, 0, 0], "1 operation: 1 div"),
        ([3, 0, 7, 1, 0, 0], "11 operations: 3 add, 7 mul, 1 div"),
        (
            [1, 2, 3, 4, 5, 6],
            "21 operations: 1 add, 2 sub, 3 mul, 4 div, 5 sqrt, 6 call",
        ),
    ];
    for ([add, sub, mul, div, sqrt, call], text) in texts {
        let documented = Documented {
            add,
            sub,
            mul,
            div,
            sqrt,
            call,
        };
        let printed = Printed {
            add,
            sub,
            mul,
            div,
            sqrt,
            call,
        };
        assert_eq!(documented.to_string(), text);
        assert_eq!(printed.to_string(), text);
    }
}
