//! An approval as it is asked for on the command line: with a key, on a terminal or by a script.

use super::approve::{Wish, approve};
use crate::arguments::ApproveArguments;
use crate::commands::typed_yes;
use crate::exit::Exit;
use crate::sign::{self, NotSigned};
use crate::terminal::{say_error, with_causes};

/// Lets a person approve the document that was named, with the key that was named.
pub(crate) fn approve_named(arguments: &ApproveArguments) -> Exit {
    let public_key = match sign::public_key(&arguments.key) {
        Ok(key) => key,
        Err(error) => return not_signed(&error),
    };
    let ask = |page: &str| typed_yes(page, arguments.yes);
    let sign = |text: &[u8]| {
        let signature = sign::sign(text, &arguments.key).map_err(|error| not_signed(&error))?;
        Ok(signature.armored)
    };
    approve(&Wish {
        request: &arguments.subject,
        name: arguments.name.as_deref(),
        expires: arguments.expires.map(|time| time.0),
        reason: &arguments.reason,
        home: arguments.home.home.as_deref(),
        format: arguments.home.format,
        public_key: &public_key,
        ask: &ask,
        sign: &sign,
    })
}

fn not_signed(error: &NotSigned) -> Exit {
    say_error(&with_causes(error), error.hint().as_deref());
    Exit::CouldNot
}
