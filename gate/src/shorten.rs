//! Data of at most so many characters of JSON, still of the shape that it had.
//!
//! Long texts are cut first, each once and with a mark that says by how much, so that a program that printed
//! too much still has its exit code and the beginning of what it printed. Of data that is many short things,
//! the end of the longest list is left out. Secrets are out of it before: a cut could hide half of one.

use serde_json::Value;

/// What was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Nothing.
    Nothing,
    /// The end of a list, of which so many are left.
    ListAfter(usize),
    /// Something else, or more than that.
    Parts,
}

/// The data, and what of it was left out.
pub(crate) fn shortened(mut data: Value, most: usize) -> (Value, Cut) {
    let size = characters(&data);
    if size <= most {
        return (data, Cut::Nothing);
    }
    let before = lengths(&data);
    if let Value::Object(fields) = &mut data {
        fields.insert("truncated".to_owned(), Value::Bool(true));
    }
    let (fair, enough) = (most / 4, longest_that_fits(&data, most));
    let mut short = data.clone();
    cut(&mut short, enough.max(fair));
    leave_out(&mut short, most);
    if characters(&short) > most {
        // Too many texts, and in no list.
        short = data;
        cut(&mut short, enough);
        leave_out(&mut short, most);
    }
    if characters(&short) > most {
        return (Value::String(format!("[truncated {size} chars]")), Cut::Parts);
    }
    let after = lengths(&short);
    let mut shorter = before.iter().zip(&after).filter(|(before, after)| before != after);
    let cut = match (shorter.next(), shorter.next()) {
        (Some((_, left)), None) => Cut::ListAfter(*left),
        (None, _) | (Some(_), Some(_)) => Cut::Parts,
    };
    (short, cut)
}

/// How long the lists are that a reader sees first.
fn lengths(data: &Value) -> Vec<usize> {
    match data {
        Value::Array(items) => vec![items.len()],
        Value::Object(fields) => fields.values().filter_map(Value::as_array).map(Vec::len).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// Characters that a mark takes at most.
const MARK: usize = 40;

/// The length to which every longer text must be cut for the whole to fit.
fn longest_that_fits(data: &Value, most: usize) -> usize {
    let mut texts = Vec::new();
    sizes(data, &mut texts);
    texts.sort_unstable();
    let mut left = (most + texts.iter().sum::<usize>()).saturating_sub(characters(data));
    let mut longer = texts.len();
    for size in texts {
        let share = left / longer;
        if size > share {
            return share.saturating_sub(MARK);
        }
        left -= size;
        longer -= 1;
    }
    most
}

fn sizes(data: &Value, texts: &mut Vec<usize>) {
    match data {
        Value::String(text) => texts.push(text.chars().map(width).sum()),
        Value::Array(items) => items.iter().for_each(|item| sizes(item, texts)),
        Value::Object(fields) => fields.values().for_each(|value| sizes(value, texts)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Characters that JSON has for one.
const fn width(character: char) -> usize {
    match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    }
}

/// Cuts every text that is longer than this.
fn cut(data: &mut Value, longest: usize) {
    match data {
        Value::String(text) => {
            let mut taken = 0;
            let over = text.char_indices().find(|(_, character)| {
                taken += width(*character);
                taken > longest
            });
            let rest = |at: usize| text.get(at..).map_or(0, |rest| rest.chars().count());
            let whole: usize = text.chars().map(width).sum();
            // A text that is hardly longer than its mark is left as it is.
            if let Some((at, _)) = over.filter(|_| whole > longest + MARK) {
                let mark = format!("\n[truncated {} chars]", rest(at));
                text.truncate(at);
                text.push_str(&mark);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| cut(item, longest)),
        Value::Object(fields) => fields.values_mut().for_each(|value| cut(value, longest)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Leaves out ends of lists until the rest fits, or there is no list left.
fn leave_out(data: &mut Value, most: usize) {
    let mut size = characters(data);
    while size > most {
        let Some(list) = longest_list(data) else { return };
        let over = size - most;
        let mut gone = 0;
        while gone < over
            && let Some(item) = list.pop()
        {
            gone += characters(&item) + 1;
        }
        size = characters(data);
    }
}

/// The list with the most in it; a list in a list, such as a row, only where there is no other.
fn longest_list(data: &mut Value) -> Option<&mut Vec<Value>> {
    match data {
        Value::Array(items) => (!items.is_empty()).then_some(items),
        Value::Object(fields) => {
            let lists = fields.values_mut().filter_map(longest_list);
            lists.max_by_key(|list| list.iter().map(characters).sum::<usize>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn characters(data: &Value) -> usize {
    data.to_string().chars().count()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Cut, characters, shortened};

    #[track_caller]
    fn short(data: Value, most: usize) -> Value {
        let (short, _) = shortened(data, most);
        assert!(characters(&short) <= most, "{} characters: {short}", characters(&short));
        short
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        for data in [json!(null), json!(["a", "b"]), json!({ "stdout": "x".repeat(80) })] {
            assert_eq!(shortened(data.clone(), 100), (data, Cut::Nothing));
        }
    }

    #[test]
    fn a_program_that_prints_too_much_keeps_its_exit_code_and_the_beginning() {
        for (stdout, stderr) in [(10_000, 0), (7_990, 0), (0, 10_000), (9_000, 300), (1_000_000, 50_000)] {
            let all = json!({ "exit_code": 3, "stdout": "o".repeat(stdout), "stderr": "e".repeat(stderr) });
            let short = short(all, 8_000);
            assert_eq!((&short["exit_code"], &short["truncated"]), (&json!(3), &json!(true)));
            for (name, all) in [("stdout", stdout), ("stderr", stderr)] {
                let text = short[name].as_str().unwrap();
                let Some((kept, mark)) = text.split_once("\n[truncated ") else {
                    assert_eq!(text.len(), all);
                    continue;
                };
                assert!(kept.len() > 1_500, "{name} of {all} keeps {}", kept.len());
                assert_eq!(mark, format!("{} chars]", all - kept.len()));
            }
            assert!(characters(&short) > 7_000, "{}", characters(&short));
        }
    }

    #[test]
    fn a_long_cell_is_cut_and_its_row_stays() {
        let table = json!({ "columns": ["name"], "rows": [["a"], ["L".repeat(9_000)]], "truncated": false });
        let short = short(table, 8_000);
        assert_eq!((&short["rows"][0], &short["truncated"]), (&json!(["a"]), &json!(true)));
        let rows: Vec<[&str; 1]> = vec![["a cell"]; 5_000];
        let (few, cut) = shortened(json!({ "columns": ["name"], "rows": rows }), 8_000);
        assert_eq!(cut, Cut::ListAfter(few["rows"].as_array().unwrap().len()));
        assert_eq!(shortened(json!({ "text": "x".repeat(9_000) }), 8_000).1, Cut::Parts);
        assert!(short["rows"][1][0].as_str().unwrap().starts_with(&"L".repeat(7_000)));
    }

    #[test]
    fn of_many_short_things_the_end_is_left_out() {
        let names: Vec<String> = (0..5_000).map(|number| format!("folder/file-{number:04}.txt")).collect();
        let (short, cut) = shortened(json!(names), 8_000);
        assert_eq!(cut, Cut::ListAfter(short.as_array().unwrap().len()));
        let short: Vec<&str> = short.as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
        assert!(short.len() > 300);
        assert_eq!(short, names[..short.len()]);
    }

    #[test]
    fn whatever_it_is_it_fits() {
        let many: serde_json::Map<String, Value> =
            (0..40).map(|number| (format!("n{number}"), json!("\u{1}é\"".repeat(500)))).collect();
        let all = [json!(many), json!({ "a": { "b": ["\0".repeat(9_000)] } }), json!("x".repeat(5_000))];
        for data in all {
            for most in [30, 60, 100, 1_000, 8_000] {
                short(data.clone(), most);
            }
        }
    }
}
