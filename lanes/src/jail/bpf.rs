//! Filters of system calls, as programs that the kernel runs.
//!
//! Calls are found by halving the list: the kernel tries a filter with every call there is when it is put
//! up, and again whenever a call's arguments matter, so that a list that is walked from its beginning
//! costs every run more than all its mounts.

use std::collections::BTreeMap;

/// What the kernel is to do with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Allow,
    /// Answered with this error, or as done where it is 0.
    Errno(i32),
}

impl Verdict {
    const fn number(self) -> u32 {
        match self {
            Self::Allow => 0x7fff_0000,
            Self::Errno(number) => 0x0005_0000 | number.cast_unsigned() & 0xffff,
        }
    }
}

/// What an argument must be like.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Check {
    /// Its lower half is this.
    Is { place: u8, value: u32 },
    /// Its lower half is anything but this.
    IsNot { place: u8, value: u32 },
    /// These bits of its lower half are those.
    Bits { place: u8, mask: u32, value: u32 },
    /// All of it is zero.
    Nothing { place: u8 },
}

/// What is said about one call.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    Always(Verdict),
    /// When all checks of a row hold, and otherwise.
    When {
        rows: Vec<Vec<Check>>,
        then: Verdict,
        otherwise: Verdict,
    },
}

/// Calls by their numbers, and what is said about all others.
#[derive(Clone, Debug)]
pub(crate) struct Filter {
    pub(crate) rules: BTreeMap<u32, Rule>,
    pub(crate) others: Verdict,
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
struct Step {
    code: u16,
    yes: u8,
    no: u8,
    value: u32,
}

const LOAD: u16 = 0x20;
const AND: u16 = 0x54;
const JUMP: u16 = 0x05;
const IF_EQUAL: u16 = 0x15;
const IF_AT_LEAST: u16 = 0x35;
const ANSWER: u16 = 0x06;

/// The kernel takes no more.
const MOST_STEPS: usize = 4_096;

const END_PROCESS: u32 = 0x8000_0000;

/// Where the kernel puts the call's number, the kind of machine, and the arguments.
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The kind of machine that the numbers are for.
const fn machine() -> u32 {
    if cfg!(target_arch = "aarch64") { 0xc000_00b7 } else { 0xc000_003e }
}

impl Filter {
    /// The program, eight bytes for each instruction.
    pub(crate) fn compiled(&self) -> Result<Vec<u8>, String> {
        // Calls next to each other of which the same is said are one.
        let mut spans: Vec<(u32, Leaf<'_>)> = vec![(0, Leaf::Answer(self.others))];
        for (&number, rule) in &self.rules {
            let leaf = match rule {
                Rule::Always(verdict) => Leaf::Answer(*verdict),
                Rule::When { rows, then, otherwise } => Leaf::Rows(rows, *then, *otherwise),
            };
            spans.push((number, leaf));
            spans.push((number.saturating_add(1), Leaf::Answer(self.others)));
        }
        spans.dedup_by(|later, earlier| {
            if later.0 == earlier.0 {
                // What is said about a call comes behind what is said about the numbers from there on.
                earlier.1 = later.1;
            }
            later.0 == earlier.0
        });
        spans.dedup_by(|later, earlier| match (&later.1, &earlier.1) {
            (Leaf::Answer(one), Leaf::Answer(other)) => one == other,
            _ => false,
        });
        let mut steps = vec![
            step(LOAD, MACHINE),
            Step { code: IF_EQUAL, yes: 1, no: 0, value: machine() },
            step(ANSWER, END_PROCESS),
            step(LOAD, NUMBER),
        ];
        steps.extend(halved(&spans)?);
        if steps.len() > MOST_STEPS {
            return Err(format!("a filter of {} steps", steps.len()));
        }
        Ok(steps.iter().flat_map(Step::bytes).collect())
    }
}

#[derive(Clone, Copy)]
enum Leaf<'r> {
    Answer(Verdict),
    Rows(&'r [Vec<Check>], Verdict, Verdict),
}

const fn step(code: u16, value: u32) -> Step {
    Step { code, yes: 0, no: 0, value }
}

impl Step {
    fn bytes(&self) -> [u8; 8] {
        let [low, high] = self.code.to_ne_bytes();
        let [a, b, c, d] = self.value.to_ne_bytes();
        [low, high, self.yes, self.no, a, b, c, d]
    }
}

/// Finds the span that a number lies in.
fn halved(spans: &[(u32, Leaf<'_>)]) -> Result<Vec<Step>, String> {
    let (lower, upper) = spans.split_at(spans.len() / 2);
    let Some((from, leaf)) = upper.first() else { return Err("a filter without calls".to_owned()) };
    if lower.is_empty() {
        return match leaf {
            Leaf::Answer(verdict) => Ok(vec![step(ANSWER, verdict.number())]),
            Leaf::Rows(rows, then, otherwise) => any_row(rows, *then, *otherwise),
        };
    }
    let (lower, upper) = (halved(lower)?, halved(upper)?);
    let over = u32::try_from(lower.len()).map_err(|error| error.to_string())?;
    // How far it can go at once is one byte; beyond that it takes a step of its own.
    let mut steps = match u8::try_from(over) {
        Ok(yes) => vec![Step { code: IF_AT_LEAST, yes, no: 0, value: *from }],
        Err(_) => vec![Step { code: IF_AT_LEAST, yes: 0, no: 1, value: *from }, step(JUMP, over)],
    };
    steps.extend(lower);
    steps.extend(upper);
    Ok(steps)
}

fn any_row(rows: &[Vec<Check>], then: Verdict, otherwise: Verdict) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    for row in rows {
        let mut held: Vec<(Step, Fails)> = row.iter().flat_map(|check| check.steps()).collect();
        held.push((step(ANSWER, then.number()), Fails::Never));
        let length = held.len();
        for (place, (mut one, fails)) in held.into_iter().enumerate() {
            let to_next = u8::try_from(length - place - 1).map_err(|error| error.to_string())?;
            match fails {
                Fails::Never => {}
                Fails::IfNot => one.no = to_next,
                Fails::If => one.yes = to_next,
            }
            steps.push(one);
        }
    }
    steps.push(step(ANSWER, otherwise.number()));
    Ok(steps)
}

/// When a step means that a row does not hold.
#[derive(Clone, Copy)]
enum Fails {
    Never,
    If,
    IfNot,
}

impl Check {
    fn steps(self) -> Vec<(Step, Fails)> {
        let lower = |place: u8| {
            let half = if cfg!(target_endian = "big") { 4 } else { 0 };
            (step(LOAD, ARGUMENTS + 8 * u32::from(place) + half), Fails::Never)
        };
        let upper = |place: u8| {
            let half = if cfg!(target_endian = "big") { 0 } else { 4 };
            (step(LOAD, ARGUMENTS + 8 * u32::from(place) + half), Fails::Never)
        };
        let equals = |value: u32| step(IF_EQUAL, value);
        match self {
            Self::Is { place, value } => vec![lower(place), (equals(value), Fails::IfNot)],
            Self::IsNot { place, value } => vec![lower(place), (equals(value), Fails::If)],
            Self::Bits { place, mask, value } => {
                vec![lower(place), (step(AND, mask), Fails::Never), (equals(value), Fails::IfNot)]
            }
            Self::Nothing { place } => {
                vec![lower(place), (equals(0), Fails::IfNot), upper(place), (equals(0), Fails::IfNot)]
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::{ARGUMENTS, Check, Filter, MACHINE, NUMBER, Rule, Verdict, machine};

    /// What the kernel would answer.
    pub(crate) fn answer(program: &[u8], number: u32, arguments: [u64; 6]) -> u32 {
        let word = |place: u32| match place {
            NUMBER => number,
            MACHINE => machine(),
            _ => {
                let bytes = arguments.map(u64::to_ne_bytes);
                let at = usize::try_from(place - ARGUMENTS).unwrap();
                u32::from_ne_bytes(bytes.as_flattened()[at..at + 4].try_into().unwrap())
            }
        };
        let (steps, rest) = program.as_chunks::<8>();
        assert!(rest.is_empty());
        let (mut at, mut held) = (0, 0_u32);
        loop {
            let [low, high, yes, no, a, b, c, d] = steps[at];
            let (code, value) = (u16::from_ne_bytes([low, high]), u32::from_ne_bytes([a, b, c, d]));
            at += 1;
            let branch = |holds: bool| usize::from(if holds { yes } else { no });
            match code {
                super::LOAD => held = word(value),
                super::AND => held &= value,
                super::JUMP => at += usize::try_from(value).unwrap(),
                super::IF_EQUAL => at += branch(held == value),
                super::IF_AT_LEAST => at += branch(held >= value),
                super::ANSWER => return value,
                other => panic!("{other:#x}"),
            }
        }
    }

    #[test]
    fn every_number_finds_what_is_said_about_it() {
        // More than fit into the jumps of one byte, with gaps of every size.
        let numbers: Vec<u32> = (0..300_u32).map(|number| number * number % 1_009).collect();
        let rules = numbers.iter().map(|&number| {
            let refused = Verdict::Errno(i32::try_from(number % 100).unwrap() + 1);
            let rows = vec![
                vec![Check::Is { place: 0, value: 7 }, Check::IsNot { place: 1, value: 8 }],
                vec![Check::Bits { place: 5, mask: 0xf0, value: 0x30 }],
                vec![Check::Nothing { place: 2 }],
            ];
            let rule = if number % 3 == 0 {
                Rule::When { rows, then: Verdict::Allow, otherwise: refused }
            } else {
                Rule::Always(refused)
            };
            (number, rule)
        });
        let filter = Filter { rules: rules.collect(), others: Verdict::Errno(99) };
        let program = filter.compiled().unwrap();
        let allow = Verdict::Allow.number();
        for number in (0..1_200).chain([u32::MAX, 0x4000_0000]) {
            let refused = 0x0005_0000 + number % 100 + 1;
            let listed = numbers.contains(&number);
            let expected = if listed { refused } else { 0x0005_0000 + 99 };
            // No row, each row, and each row but for one thing.
            let cases = [
                ([0, 0, 1, 0, 0, 0], false),
                ([7, 0, 1, 0, 0, 0], true),
                ([7, 8, 1, 0, 0, 0], false),
                ([0xf_0000_0007, 0, 1, 0, 0, 0], true),
                ([0, 0, 1, 0, 0, 0x3f], true),
                ([0, 0, 1, 0, 0, 0x2f], false),
                ([0, 0, 0, 0, 0, 0], true),
                ([0, 0, 1 << 32, 0, 0, 0], false),
            ];
            for (arguments, holds) in cases {
                let expected = if listed && number % 3 == 0 && holds { allow } else { expected };
                assert_eq!(answer(&program, number, arguments), expected, "{number} {arguments:?}");
            }
        }
    }
}
