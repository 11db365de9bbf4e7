//! Inputs of an exact size.

use call::Sha256;

/// An accepted request of exactly this many bytes: a quarter of it declared inputs, the rest prose.
///
/// From about a kilobyte up; a smaller size gives the smallest document there is.
#[must_use]
pub fn request_of(size: usize) -> String {
    let mut declared = String::new();
    let mut listed = String::new();
    let parts = (1..size / 512).map(|number| format!("part-{number}.csv"));
    for name in std::iter::once("sum.py".to_owned()).chain(parts) {
        let digest = Sha256::of(name.as_bytes());
        declared.push_str(&format!("  - name: {name}\n    sha256: {digest}\n"));
        listed.push_str(&format!("- /in/{name}\n"));
    }
    let mut text = format!(
        "---\nrequest_type: tool_request\nschema_version: 1\nrequest_id: TR-20240102-060000Z-sized\n\
         created_utc: 2024-01-02T06:00:00Z\nrequested_by: human\napproved_by: Ada Lovelace\n\
         approved_utc: 2024-01-02T06:20:00Z\npurpose: Add up the parts.\nlanguage: python\nnetwork: none\n\
         cpu_limit: 1\nmemory_limit_mb: 256\ntime_limit_sec: 60\ninputs:\n{declared}---\n\n\
         ## Command\n\npython3 /in/sum.py\n\n## Input Files\n\n{listed}\n\
         ## Output Expectations\n\nNone.\n\n## Risk Assessment\n\n- Risk level: low\n- Justification: Sums.\n\
         - Data sensitivity: public\n- Network rationale: none\n\n"
    );
    text.push_str(&prose(size.saturating_sub(text.len())));
    text
}

/// Exactly this many bytes of harmless English, in lines and paragraphs.
#[must_use]
pub fn prose(size: usize) -> String {
    const SENTENCES: &[&str] = &[
        "The parts were measured on the same bench and by the same people.",
        "Where a value is missing, the row is left out and counted.",
        "Two of the series start a day later, because the sensor was replaced.",
        "A sum over all rows is enough; nothing has to be kept.",
        "The figures for spring are provisional and will be delivered again.",
        "Units are metres and seconds throughout, with a point as the decimal mark.",
    ];
    let mut text = String::with_capacity(size + 128);
    for (number, sentence) in (0..).zip(SENTENCES.iter().cycle()) {
        if text.len() >= size {
            break;
        }
        text.push_str(sentence);
        text.push_str(if number % 9 == 8 { "\n\n" } else { "\n" });
    }
    text.truncate(size);
    text
}

/// Exactly this many bytes of harmless JSON: rows with numbers, names, dates and signs, and blanks behind them.
#[must_use]
pub fn rows(size: usize) -> String {
    let mut text = "[".to_owned();
    for number in 1_u32.. {
        let comma = if number > 1 { "," } else { "" };
        let row = format!(
            "{comma}{{\"id\": {number}, \"name\": \"Sensor #{}\", \"read_at\": \"2026-03-{:02}T08:30:00Z\", \
             \"value\": {}.25, \"note\": \"it wasn't moved & it's fine\"}}",
            number * 7,
            number % 28 + 1,
            number * 13,
        );
        if text.len() + row.len() >= size {
            break;
        }
        text.push_str(&row);
    }
    text.push(']');
    format!("{text:size$}")
}
