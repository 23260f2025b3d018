//! The rules on the page are those of the parser: it takes what they say, and they say what it takes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use constraint_symbolic::call::{MacroKind, calls};
use constraint_symbolic::diagnostic::Diagnostics;
use constraint_symbolic::syntax::{parse, parse_curve, parse_system};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

const PAGE: &str = include_str!("language.md");

/// The right-hand side of a rule.
#[derive(Clone, Debug)]
enum Rule {
    /// What is typed, token by token.
    Typed(Vec<Token>),
    Called(String),
    /// One after the other.
    All(Vec<Rule>),
    OneOf(Vec<Rule>),
    Perhaps(Box<Rule>),
    Many(Box<Rule>),
    /// With commas between, and perhaps one behind.
    List(Box<Rule>),
}

/// Brackets are signs as others are.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Sign(char),
    Literal(String),
}

fn flat(tokens: TokenStream, list: &mut Vec<Token>) {
    for token in tokens {
        match token {
            TokenTree::Ident(word) => list.push(Token::Word(word.to_string())),
            TokenTree::Punct(sign) => list.push(Token::Sign(sign.as_char())),
            TokenTree::Literal(literal) => list.push(Token::Literal(literal.to_string())),
            TokenTree::Group(group) => {
                let brackets = match group.delimiter() {
                    Delimiter::Parenthesis => Some(('(', ')')),
                    Delimiter::Bracket => Some(('[', ']')),
                    Delimiter::Brace => Some(('{', '}')),
                    Delimiter::None => None,
                };
                list.extend(brackets.map(|it| Token::Sign(it.0)));
                flat(group.stream(), list);
                list.extend(brackets.map(|it| Token::Sign(it.1)));
            }
        }
    }
}

/// Of what stands between quotes on the page.
fn typed(text: &str) -> Vec<Token> {
    if text.starts_with(|c: char| c.is_alphabetic()) {
        return vec![Token::Word(text.to_owned())];
    }
    text.chars().map(Token::Sign).collect()
}

/// What notation is made of: strings, names, signs.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_name = |c: char| c.is_alphabetic() || c == '-';
        let length = match first {
            '"' => 2 + rest[1..].find('"').expect("a closing quote"),
            ',' => ",*".len(),
            _ if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        words.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    words
}

/// `a b | c`, up to a bracket that closes it.
fn alternatives(words: &mut std::iter::Peekable<std::vec::IntoIter<String>>) -> Rule {
    let (mut all, mut one_of) = (Vec::new(), Vec::new());
    while let Some(word) = words.next_if(|word| word != ")") {
        let rule = match word.as_str() {
            "|" => {
                one_of.push(Rule::All(std::mem::take(&mut all)));
                continue;
            }
            "(" => {
                let inside = alternatives(words);
                assert_eq!(words.next().as_deref(), Some(")"));
                inside
            }
            _ => match word.strip_prefix('"') {
                Some(text) => Rule::Typed(typed(text.trim_end_matches('"'))),
                None => Rule::Called(word),
            },
        };
        let follows = words.next_if(|word| matches!(word.as_str(), "?" | "*" | ",*"));
        all.push(match follows.as_deref() {
            Some("?") => Rule::Perhaps(Box::new(rule)),
            Some("*") => Rule::Many(Box::new(rule)),
            Some(_) => Rule::List(Box::new(rule)),
            None => rule,
        });
    }
    one_of.push(Rule::All(all));
    match one_of.len() {
        1 => one_of.remove(0),
        _ => Rule::OneOf(one_of),
    }
}

/// The blocks of rules under each heading of the second level.
fn sections() -> Vec<(&'static str, Vec<String>)> {
    let sections = PAGE.split("\n## ").skip(1);
    let of = |section: &'static str| {
        let blocks = section.split("```text\n").skip(1);
        let blocks = blocks.map(|block| block.split("```").next().expect("the block"));
        let lines = blocks.flat_map(str::lines);
        let mut rules: Vec<String> = Vec::new();
        for line in lines.map(|line| line.split(" //").next().expect("the rule")) {
            match rules.last_mut() {
                Some(rule) if line.starts_with(' ') => rule.push_str(line),
                _ => rules.push(line.trim_end().to_owned()),
            }
        }
        (section.lines().next().expect("a heading"), rules)
    };
    sections.map(of).collect()
}

/// The rules of a macro: those of its section go before those of the sections before it.
#[derive(Debug)]
struct Grammar(BTreeMap<String, Rule>);

impl Grammar {
    fn of(kind: MacroKind) -> Grammar {
        let last = format!("`{}!`", kind.word());
        let mut grammar = BTreeMap::new();
        for (heading, rules) in sections() {
            let mut own: BTreeMap<String, Vec<Rule>> = BTreeMap::new();
            for text in rules {
                let (name, right) = text.split_once(" = ").expect("a rule");
                let rule = alternatives(&mut words(right).into_iter().peekable());
                own.entry(name.to_owned()).or_default().push(rule);
            }
            grammar.extend(
                own.into_iter()
                    .map(|(name, rules)| (name, Rule::OneOf(rules))),
            );
            if heading == last {
                break;
            }
        }
        Grammar(grammar)
    }
}

fn is_name(word: &str) -> bool {
    !matches!(word, "PI" | "TAU" | "E") && syn::parse_str::<syn::Ident>(word).is_ok()
}

/// Tokens read by rules.
struct Reading<'a> {
    grammar: &'a Grammar,
    tokens: Vec<Token>,
    /// Where a rule may end that begins at a token.
    known: RefCell<HashMap<(&'a str, usize), BTreeSet<usize>>>,
}

impl<'a> Reading<'a> {
    fn ends(&self, rule: &'a Rule, start: usize) -> BTreeSet<usize> {
        let from = |rule, starts: BTreeSet<usize>| -> BTreeSet<usize> {
            starts
                .into_iter()
                .flat_map(|at| self.ends(rule, at))
                .collect()
        };
        match rule {
            Rule::Typed(tokens) => {
                let found = self.tokens[start..].starts_with(tokens);
                found.then_some(start + tokens.len()).into_iter().collect()
            }
            Rule::Called(name) => self.called(name, start),
            Rule::All(rules) => rules
                .iter()
                .fold(BTreeSet::from([start]), |starts, rule| from(rule, starts)),
            Rule::OneOf(rules) => rules
                .iter()
                .flat_map(|rule| self.ends(rule, start))
                .collect(),
            Rule::Perhaps(rule) => {
                let mut ends = self.ends(rule, start);
                ends.insert(start);
                ends
            }
            Rule::Many(rule) => self.repeated(start, |at| self.ends(rule, at)),
            Rule::List(rule) => {
                let comma = |at: &usize| self.tokens.get(*at) == Some(&Token::Sign(','));
                let behind = |at: usize| comma(&at).then_some(at + 1);
                let next = |at: usize| {
                    if at == start {
                        return self.ends(rule, at);
                    }
                    let behind = behind(at).into_iter();
                    behind.flat_map(|at| self.ends(rule, at)).collect()
                };
                let mut ends = self.repeated(start, next);
                let commas: Vec<usize> = ends.iter().copied().filter_map(behind).collect();
                ends.extend(commas);
                ends
            }
        }
    }

    /// Where any number of what `next` reads may end.
    fn repeated(&self, start: usize, next: impl Fn(usize) -> BTreeSet<usize>) -> BTreeSet<usize> {
        let (mut ends, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(at) = open.pop() {
            for end in next(at) {
                if ends.insert(end) {
                    open.push(end);
                }
            }
        }
        ends
    }

    fn called(&self, name: &'a str, start: usize) -> BTreeSet<usize> {
        if let Some(known) = self.known.borrow().get(&(name, start)) {
            return known.clone();
        }
        let ends = match self.grammar.0.get(name) {
            // A literal is one token of Rust.
            Some(rule) if name != "number" && name != "documentation" => self.ends(rule, start),
            _ => self.of_rust(name, start).into_iter().collect(),
        };
        let key = (name, start);
        self.known.borrow_mut().insert(key, ends.clone());
        ends
    }

    /// What the page leaves to Rust.
    fn of_rust(&self, name: &str, start: usize) -> Option<usize> {
        let rest = &self.tokens[start..];
        match (name, rest) {
            ("name", [Token::Word(word), ..]) => is_name(word).then_some(start + 1),
            ("number", [Token::Literal(text), ..]) => text
                .starts_with(|c: char| c.is_ascii_digit())
                .then_some(start + 1),
            ("string", [Token::Literal(text), ..]) => text.starts_with('"').then_some(start + 1),
            ("documentation", [_, _, Token::Word(doc), ..]) if doc != "doc" => None,
            ("attribute" | "outer-attribute" | "documentation", [Token::Sign('#'), rest @ ..]) => {
                let mut depth = 0;
                let closes = rest.iter().position(|token| {
                    match token {
                        Token::Sign('(' | '[' | '{') => depth += 1,
                        Token::Sign(')' | ']' | '}') => depth -= 1,
                        _ => {}
                    }
                    depth == 0
                });
                closes.map(|at| start + at + 2)
            }
            ("visibility", [Token::Word(word), rest @ ..]) if word == "pub" => {
                let path = match rest {
                    [Token::Sign('('), ..] => rest.iter().position(|it| *it == Token::Sign(')')),
                    _ => None,
                };
                Some(start + 1 + path.map_or(0, |at| at + 1))
            }
            ("name" | "number" | "string" | "attribute" | "outer-attribute" | "visibility", _) => {
                None
            }
            ("documentation", _) => None,
            _ => panic!("the page has no rule `{name}`"),
        }
    }
}

fn is_right(kind: MacroKind, tokens: TokenStream) -> bool {
    let mut diagnostics = Diagnostics::default();
    match kind {
        MacroKind::Constraint => _ = parse(tokens, &mut diagnostics),
        MacroKind::Curve => _ = parse_curve(tokens, &mut diagnostics),
        MacroKind::System => _ = parse_system(tokens, &mut diagnostics),
    }
    diagnostics.is_empty()
}

/// The project's folder; a packed crate is in none.
fn repository() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Rust below but that of mistakes, and on the page.
fn sources() -> Vec<String> {
    let root = repository();
    let mut open: Vec<_> = ["examples", "tests", "constraint-runtime/src", "benches"]
        .map(|it| root.join(it))
        .into();
    let mut texts: Vec<String> = PAGE
        .split("```rust\n")
        .skip(1)
        .filter_map(|block| Some(block.split("\n```").next()?.replace("\n# ", "\n")))
        .collect();
    while let Some(path) = open.pop() {
        if path.ends_with("tests/ui") {
            continue;
        }
        if let Ok(entries) = path.read_dir() {
            open.extend(entries.flatten().map(|it| it.path()));
        } else if path.extension().is_some_and(|it| it == "rs") {
            texts.extend(std::fs::read_to_string(path));
        }
    }
    texts
}

/// A call that the page's rules do not make, as far as they come.
fn stops(grammar: &Grammar, kind: MacroKind, tokens: TokenStream) -> Option<String> {
    let mut list = Vec::new();
    flat(tokens, &mut list);
    let count = list.len();
    let reading = Reading {
        grammar,
        tokens: list,
        known: RefCell::default(),
    };
    if reading.called(kind.word(), 0).contains(&count) {
        return None;
    }
    let known = reading.known.borrow();
    let last = known.values().flatten().max().copied().unwrap_or(0);
    let near = &reading.tokens[last.saturating_sub(12)..count.min(last + 6)];
    Some(format!("{near:?}"))
}

#[test]
fn all_that_the_parser_takes_follows_from_the_page() {
    let kinds = [MacroKind::Constraint, MacroKind::Curve, MacroKind::System];
    let grammars = kinds.map(Grammar::of);
    let mut read = [0; 3];
    for text in sources() {
        let Ok(tokens) = text.parse::<TokenStream>() else {
            continue;
        };
        for call in calls(tokens) {
            let at = kinds
                .iter()
                .position(|it| *it == call.kind)
                .expect("a kind");
            let is_text = text.contains(&format!("{}!", call.kind.word()));
            if !is_text || !is_right(call.kind, call.body.clone()) {
                continue;
            }
            if let Some(near) = stops(&grammars[at], call.kind, call.body.clone()) {
                panic!("{}: {near}", call.title());
            }
            read[at] += 1;
        }
    }
    // A packed crate has the page alone.
    let least = if repository().join("tests/ui").is_dir() {
        11
    } else {
        1
    };
    assert!(read.iter().all(|&count| count >= least), "{read:?}");
}

/// Sentences of the page, the same for ever.
struct Writing<'a> {
    grammar: &'a Grammar,
    state: u64,
    names: usize,
    text: String,
    /// Between bars, which a bar would end.
    in_bars: bool,
}

impl<'a> Writing<'a> {
    fn below(&mut self, n: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % n
    }

    fn say(&mut self, word: &str) {
        self.text.push(' ');
        self.text.push_str(word);
    }

    /// With less and less of what may be left out.
    fn write(&mut self, rule: &'a Rule, depth: usize) {
        match rule {
            Rule::Typed(tokens) => {
                let sign = |token: &Token| match token {
                    Token::Sign(sign) => sign.to_string(),
                    Token::Word(word) | Token::Literal(word) => word.clone(),
                };
                let word: String = tokens.iter().map(sign).collect();
                self.say(&word);
            }
            Rule::Called(name) => self.called(name, depth + 1),
            Rule::All(rules) => rules.iter().for_each(|rule| self.write(rule, depth)),
            Rule::OneOf(rules) => {
                let chosen = self.below(rules.len() + depth / 8).min(rules.len() - 1);
                self.write(&rules[chosen], depth);
            }
            Rule::Perhaps(rule) => {
                if self.below(2 + depth / 8) == 0 {
                    self.write(rule, depth);
                }
            }
            Rule::Many(rule) => {
                while self.below(3 + depth / 4) == 0 {
                    self.write(rule, depth);
                }
            }
            Rule::List(rule) => {
                self.write(rule, depth);
                if self.below(3) == 0 {
                    self.say(",");
                    self.write(rule, depth);
                }
                if self.below(4) == 0 {
                    self.say(",");
                }
            }
        }
    }

    fn called(&mut self, name: &str, depth: usize) {
        let word = match name {
            "name" => {
                self.names += 1;
                format!("n{}", self.names)
            }
            "number" => ["2", "0.5", "1e3", "2.5e-1"][self.below(4)].to_owned(),
            "documentation" => "#[doc = \"told\"]".to_owned(),
            "attribute" | "outer-attribute" => "#[must_use]".to_owned(),
            "visibility" => ["pub", "pub(crate)"][self.below(2)].to_owned(),
            "disjunction" if self.in_bars => return self.called("conjunction", depth),
            // An end to what calls itself.
            "primary" if depth > 22 => "1".to_owned(),
            _ => {
                let rule = self.grammar.0.get(name);
                let outer = self.in_bars;
                self.in_bars |= name == "domain";
                self.write(rule.unwrap_or_else(|| panic!("a rule `{name}`")), depth);
                self.in_bars = outer;
                return;
            }
        };
        self.say(&word);
    }
}

#[test]
fn the_parser_takes_what_the_page_says() {
    for kind in [MacroKind::Constraint, MacroKind::Curve, MacroKind::System] {
        let grammar = Grammar::of(kind);
        for case in 0..100_u64 {
            let mut writing = Writing {
                grammar: &grammar,
                state: case,
                names: 0,
                text: String::new(),
                in_bars: false,
            };
            writing.called(kind.word(), 0);
            let text = writing.text;
            let tokens: TokenStream = text.parse().unwrap_or_else(|_| panic!("{text}"));
            let mut found = Diagnostics::default();
            match kind {
                MacroKind::Constraint => _ = parse(tokens, &mut found),
                MacroKind::Curve => _ = parse_curve(tokens, &mut found),
                MacroKind::System => _ = parse_system(tokens, &mut found),
            }
            // By the grammar `[x == 1, 5]` has two rows; a reader takes 1,5 for a number.
            let messages = found.iter().map(|it| it.message.as_str());
            let messages = messages.filter(|it| *it != "the decimal mark is a point");
            let messages: Vec<&str> = messages.collect();
            assert!(messages.is_empty(), "{text}\n{messages:#?}");
        }
    }
}

/// A rule without a line of example is not explained.
#[test]
fn what_a_rule_has_one_type_is_typed_in_an_example() {
    let mut shown = Vec::new();
    for block in PAGE.split("```rust\n").skip(1) {
        let code = block.split("\n```").next().expect("the block");
        let code = code.replace("\n# ", "\n");
        flat(code.parse().expect("tokens"), &mut shown);
    }
    for (_, rules) in sections() {
        // Whose words are parts of one token.
        let read_by_rust = |rule: &String| rule.starts_with("number") || rule.starts_with("doc");
        for rule in rules.into_iter().filter(|rule| !read_by_rust(rule)) {
            for word in words(rule.split_once(" = ").expect("a rule").1) {
                let Some(text) = word.strip_prefix('"') else {
                    continue;
                };
                let tokens = typed(text.trim_end_matches('"'));
                let found = shown.windows(tokens.len()).any(|window| window == tokens);
                assert!(found, "{word} of {rule}");
            }
        }
    }
}
