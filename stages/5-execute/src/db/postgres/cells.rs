//! Values on their way to the server and back.
//!
//! A value goes there as a text, which the server reads as whatever type it takes the placeholder for: so a whole
//! number keeps every digit and a date needs no type here. Numbers with a fraction of any length come back as
//! texts too, since JSON readers would round them.

use std::error::Error;

use bytes::BytesMut;
use data_encoding::HEXLOWER;
use serde_json::Value;
use tokio_postgres::types::{Format, FromSql, IsNull, Kind, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Column, Row, SimpleQueryRow, Statement};

use crate::db::table::{MOST_ROWS, blob, float};

/// Digits of a number with a fraction that nobody rounds.
const DIGITS: usize = 15;

/// Values that are sent back to be written as texts, at a time: a row has at most 1,664 columns.
const AT_A_TIME: usize = 1_000;

/// A value for a placeholder, as a text.
#[derive(Debug)]
pub(super) struct Written(Option<String>);

impl ToSql for Written {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        let Some(text) = &self.0 else { return Ok(IsNull::Yes) };
        out.extend_from_slice(text.as_bytes());
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        Format::Text
    }

    to_sql_checked!();
}

pub(super) fn bound(given: &[Value]) -> Vec<Written> {
    let text = |value: &Value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => Some(value.to_string()),
    };
    given.iter().map(|value| Written(text(value))).collect()
}

pub(super) fn by_reference(values: &[Written]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// A row that came as texts.
pub(super) fn of_texts(row: &SimpleQueryRow, columns: &[Column]) -> Vec<Value> {
    let value = |(number, column): (usize, &Column)| match row.try_get(number) {
        Ok(Some(text)) => of_text(text, column.type_()),
        Ok(None) | Err(_) => Value::Null,
    };
    columns.iter().enumerate().map(value).collect()
}

fn of_text(text: &str, kind: &Type) -> Value {
    let as_text = || Value::from(text);
    match *bare(kind) {
        Type::BOOL => Value::Bool(text == "t"),
        Type::INT2 | Type::INT4 | Type::INT8 | Type::OID => {
            text.parse::<i64>().map_or_else(|_| as_text(), Value::from)
        }
        Type::FLOAT4 | Type::FLOAT8 => text.parse::<f64>().map_or_else(|_| as_text(), float),
        Type::JSON | Type::JSONB if has_long_number(text) => as_text(),
        Type::JSON | Type::JSONB => serde_json::from_str(text).unwrap_or_else(|_| as_text()),
        Type::BYTEA => {
            let bytes = text.strip_prefix("\\x").and_then(|digits| HEXLOWER.decode(digits.as_bytes()).ok());
            bytes.map_or_else(as_text, |bytes| blob(&bytes))
        }
        _ => as_text(),
    }
}

/// Whether a document has a number of more digits than those who read JSON keep.
fn has_long_number(text: &str) -> bool {
    // Outside of strings is every other stretch between quotes that are not escaped.
    let (mut in_string, mut escaped) = (false, false);
    let outside = |sign: char| {
        let was_string = in_string;
        in_string ^= sign == '"' && !escaped;
        escaped = sign == '\\' && in_string && !escaped;
        if was_string || in_string { ' ' } else { sign }
    };
    let outside: String = text.chars().map(outside).collect();
    let number = |sign: char| sign.is_ascii_digit() || "+-.eE".contains(sign);
    outside.split(|sign| !number(sign)).any(is_long)
}

fn is_long(number: &str) -> bool {
    let is_whole = number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
    let digits = number.split(['e', 'E']).next().unwrap_or_default().replace(['.', '-', '+'], "");
    !is_whole && digits.trim_matches('0').len() > DIGITS
}

/// A domain is stored as what it is a domain of.
fn bare(kind: &Type) -> &Type {
    let mut kind = kind;
    while let Kind::Domain(inner) = kind.kind() {
        kind = inner;
    }
    kind
}

/// A value as the server sends it in its own form.
struct Raw(Vec<u8>);

impl<'a> FromSql<'a> for Raw {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(raw.to_vec()))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// The same value on its way back.
#[derive(Debug)]
struct Back<'a>(&'a [u8]);

impl ToSql for Back<'_> {
    fn to_sql(&self, _: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        out.extend_from_slice(self.0);
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// A line of a plan: texts, or a document in one of the forms that the server has for plans.
pub(super) fn of_plan(row: &Row) -> Vec<Value> {
    let value = |number: usize, column: &Column| match row.try_get::<_, Option<Raw>>(number) {
        Ok(Some(Raw(bytes))) => of_text(&String::from_utf8_lossy(&bytes), column.type_()),
        Ok(None) | Err(_) => Value::Null,
    };
    row.columns().iter().enumerate().map(|(number, column)| value(number, column)).collect()
}

/// A value that is known, or one that the server has to write as a text.
pub(super) enum Cell {
    Known(Value),
    Foreign(Type, Vec<u8>),
}

/// Runs a change that returns rows; gives how many, and as many of them as are shown.
pub(super) async fn returned(
    client: &Client,
    statement: &Statement,
    values: &[&(dyn ToSql + Sync)],
) -> Result<(u64, Vec<Vec<Cell>>), tokio_postgres::Error> {
    let rows = client.query(statement, values).await?;
    // One more than is kept, so that whoever keeps them sees that there are more.
    let cells = rows.iter().take(MOST_ROWS + 1).map(|row| {
        let columns = row.columns().iter().enumerate();
        let cell = |(number, column): (usize, &Column)| match row.try_get::<_, Option<Raw>>(number)? {
            None => Ok(Cell::Known(Value::Null)),
            Some(Raw(bytes)) => Ok(of_bytes(bytes, column.type_())),
        };
        columns.map(cell).collect::<Result<Vec<Cell>, tokio_postgres::Error>>()
    });
    Ok((rows.len() as u64, cells.collect::<Result<_, _>>()?))
}

fn of_bytes(bytes: Vec<u8>, kind: &Type) -> Cell {
    let kind = bare(kind);
    let whole = |bytes: &[u8]| match *bytes {
        [a, b] => Some(i64::from(i16::from_be_bytes([a, b]))),
        [a, b, c, d] => Some(i64::from(i32::from_be_bytes([a, b, c, d]))),
        [a, b, c, d, e, f, g, h] => Some(i64::from_be_bytes([a, b, c, d, e, f, g, h])),
        _ => None,
    };
    let known = match *kind {
        Type::BOOL => bytes.first().map(|byte| Value::Bool(*byte != 0)),
        Type::INT2 | Type::INT4 | Type::INT8 => whole(&bytes).map(Value::from),
        Type::BYTEA => Some(blob(&bytes)),
        Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME => {
            std::str::from_utf8(&bytes).ok().map(Value::from)
        }
        _ => None,
    };
    known.map_or_else(|| Cell::Foreign(kind.clone(), bytes), Cell::Known)
}

/// The rows with every value as JSON: what is not known here, the server writes as a text.
pub(super) async fn as_values(
    client: &Client,
    rows: Vec<Vec<Cell>>,
) -> Result<Vec<Vec<Value>>, tokio_postgres::Error> {
    let foreign: Vec<(&Type, &[u8])> = rows
        .iter()
        .flatten()
        .filter_map(|cell| match cell {
            Cell::Foreign(kind, bytes) => Some((kind, bytes.as_slice())),
            Cell::Known(_) => None,
        })
        .collect();
    let mut texts = Vec::with_capacity(foreign.len());
    for some in foreign.chunks(AT_A_TIME) {
        let list: Vec<String> = (1..=some.len()).map(|number| format!("(${number})::text")).collect();
        let back: Vec<(Back<'_>, Type)> =
            some.iter().map(|(kind, bytes)| (Back(bytes), (*kind).clone())).collect();
        let given: Vec<(&(dyn ToSql + Sync), Type)> =
            back.iter().map(|(value, kind)| (value as &(dyn ToSql + Sync), kind.clone())).collect();
        for row in client.query_typed(&format!("SELECT {}", list.join(", ")), &given).await? {
            for (number, (kind, _)) in some.iter().enumerate() {
                let text: Option<String> = row.try_get(number)?;
                texts.push(text.map_or(Value::Null, |text| of_text(&text, kind)));
            }
        }
    }
    let mut texts = texts.into_iter();
    let value = |cell: Cell| match cell {
        Cell::Known(value) => value,
        Cell::Foreign(..) => texts.next().unwrap_or_default(),
    };
    let mut value = value;
    Ok(rows.into_iter().map(|row| row.into_iter().map(&mut value).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::has_long_number;

    #[test]
    fn a_number_is_long_when_a_reader_would_round_it() {
        let cases = [
            (r#"{"a": [1, -2.5, 1e300, 0.1]}"#, false),
            (r#"{"n": 9223372036854775807, "m": 18446744073709551615}"#, false),
            (r#"{"n": 18446744073709551617}"#, true),
            (r#"[100000000000000000000, 0.00000000000000000001, 1.50000000000000000000]"#, false),
            (r#"{"price": 12345678901234.5678}"#, true),
            (r#"{"a": "12345678901234.5678"}"#, false),
            (r#"{"a\"12345678901234.5678": "\\", "b": 1}"#, false),
            (r#"{"a": "\\", "b": -3.14159265358979323846}"#, true),
            (r#"{"a": true, "e": null}"#, false),
        ];
        for (text, want) in cases {
            assert_eq!(has_long_number(text), want, "{text}");
        }
    }
}
