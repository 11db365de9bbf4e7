//! One request and its answer, over a connection of its own.

use std::io::{BufReader, Write as _};

use call::{Fault, WebAddress, WebScheme, is_global};

use super::address::Listed;
use super::head::Head;
use super::{Budget, Egress, HeaderValue, body, connect, head};

/// Sends a request to one address and takes its answer, wherever that points.
pub(super) fn exchange(
    egress: &Egress,
    method: &str,
    url: &WebAddress,
    headers: &[(String, HeaderValue)],
    content: Option<&[u8]>,
    budget: &Budget<'_>,
) -> Result<(Head, body::Taken), Fault> {
    let clear = url.scheme == WebScheme::Http
        && headers.iter().any(|(_, value)| matches!(value, HeaderValue::Secret { .. }));
    let in_the_clear = || Fault::Failed {
        class: "insecure_secret",
        message: format!("a credential is not sent to `{}` in the clear", url.origin()),
        remedy: Some("use `https`".to_owned()),
    };
    if clear && egress.listed(url, budget) == Listed::No {
        return Err(in_the_clear());
    }
    let (address, mut channel) = connect::connect(egress, url, budget)?;
    // Inside the house it may go in the clear, where the list has the host. What is listed may be outside too.
    if clear && is_global(address) {
        return Err(in_the_clear());
    }
    // Methods that usually have a body say so even when it is empty.
    let length = content.map(<[u8]>::len).or_else(|| matches!(method, "POST" | "PUT" | "PATCH").then_some(0));
    head::write(&mut channel, method, url, headers, length, budget)?;
    let sent = channel.write_all(content.unwrap_or_default()).and_then(|()| channel.flush());
    let mut reader = BufReader::with_capacity(16 * 1024, channel);
    let head = match (head::read(&mut reader, budget), sent) {
        (Ok(head), _) => head,
        // A server may answer before it has taken the whole body; only without an answer the sending counts.
        (Err(_), Err(error)) => return Err(budget.fault("connect", "the request could not be sent", &error)),
        (Err(fault), Ok(())) => return Err(fault),
    };
    let taken = body::take(&mut reader, &head, method, egress.caps.bytes, budget)?;
    Ok((head, taken))
}
