//! `constraint explain`: a derivation as steps, in five languages.

mod json;

use constraint_symbolic::call::Call;
use constraint_symbolic::explanation::{Explanation, html, latex, markdown, text};

use crate::arguments::Explain;
use crate::failure::Failure;
use crate::{model, write};

/// Prints the derivations of all calls.
pub fn explain(arguments: &Explain) -> Result<(), Failure> {
    let (source, calls) = model::read(&arguments.input)?;
    let explanation =
        |call: &Call| model::certified(&source, call, |it| Explanation::new(call.title(), it));
    let explanations = calls.iter().map(explanation);
    let explanations: Vec<Explanation> = explanations.collect::<Result<_, Failure>>()?;
    let text = written(&explanations, arguments);
    write(&text, arguments.output.as_deref())
}

fn written(explanations: &[Explanation], arguments: &Explain) -> String {
    let Explain {
        format, fragment, ..
    } = arguments;
    let all = |one: fn(&Explanation) -> String| {
        let each = explanations.iter().map(one);
        each.collect::<Vec<String>>().join("\n")
    };
    if format.latex && *fragment {
        all(latex::section)
    } else if format.latex {
        latex::document(&all(latex::section))
    } else if format.markdown {
        all(markdown::section)
    } else if format.html && *fragment {
        all(html::section)
    } else if format.html {
        html::page(&all(html::section))
    } else if format.json {
        json::explanations(explanations)
    } else {
        all(text::section)
    }
}
