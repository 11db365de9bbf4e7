//! "Paste your token to verify".

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // These verbs hand something over, whatever the reason.
    Phrase {
        kind: "credential_request",
        first: "paste|send|share|post|replywith|respondwith|answerwith|giveme|giveus|tellme|tellus|email|textme|forward|upload|\
                disclose|handover|leak|exfiltrate|dropyour|putyour|messageme",
        rest: "(?:me|us|in|here|over|back|along|with|it|all|of|below|copy|to|this|the|chat|and|please|both|any|via|by|into|form|box|\
               field|reply|a|out|now)*(?:your|theusers|theoperators|theadmins|thehosts)(?:{whose})*(?:{credential})",
        unless_after: NEVER,
        unless_before: NOT_IT,
        needs: "your|theusers|theoperators|theadmins|thehosts",
        ..Phrase::OF
    },
    // These are said of forms and programs, too, so they need the excuse.
    Phrase {
        kind: "credential_request",
        first: ENTER,
        rest: "(?:me|us|in|here|over|back|with|it|all|of|below|to|this|the|chat|and|please|both|any|via|by|into|form|box|field)*\
               your(?:{whose})*(?:{credential})[a-z]{0,40}{excuse}",
        unless_after: NEVER,
        needs: "your",
        ..Phrase::OF
    },
    Phrase {
        kind: "credential_request",
        first: "paste|replywith|typein|enter|giveme|sendme|sendus",
        rest: "(?:me|us|the|any|a|an|in|here|it|below|this|valid|working)*(?:{whose})*(?:{credential})(?:here|below|above|in|into|the|chat|\
               box|field|form|this|issue|comment|page)*{excuse}",
        unless_after: NEVER,
        needs: "toverify|toconfirm|tocontinue|toauthenticate|toauthori|toproceed|tovalidate|tounlock|toregain|torestore|toavoid|toactivate|tosecure|toclaim|toprove|tologin|tosignin|tokeep|tore|forverification|forauthentication|forconfirmation|forvalidation|forsecurity|sothat|sowe|soit|soic|soim",
        ..Phrase::OF
    },
    // Copy your session cookie into this field so that we can confirm that it is you
    Phrase {
        kind: "credential_request",
        first: "copyyour|placeyour|copyandpasteyour",
        rest: "(?:{whose})*(?:{credential})(?:and|paste|it|in|into|to|down)*\
               (?:this(?:field|box|form|chat|comment|page|issue|thread|message|cell)|here|below)[a-z]{0,12}{excuse}",
        unless_after: NEVER,
        ..Phrase::OF
    },
    // To verify your account, enter your password.
    Phrase {
        kind: "credential_request",
        first: "toverify|toconfirm|tocontinue|toauthenticate|toproceed|tovalidate|tounlock|toprove|torestore|toregain|toavoid|\
                forverification|toreactivate|tokeep|toauthorize|toauthorise",
        rest: "[a-z]{0,60}(?:enter|provide|type|input|submit|supply|paste|send|share|include|insert|replywith|confirm|give)[a-z]{0,12}\
               your(?:{whose})*(?:{credential})",
        unless_before: NOT_IT,
        needs: "your",
        ..Phrase::OF
    },
    // Verify your account by pasting your secret key
    Phrase {
        kind: "credential_request",
        first: "bypasting|byentering|byproviding|bysending|bysharing|bysubmitting|bytyping|byreplyingwith",
        rest: "(?:in|us|me|here|the|a|copy|of|below|with)*your(?:{whose})*(?:{credential})",
        only_after: "account|youraccount|identity|youridentity|ownership|access|thatitisyou|itisyou|thatitsyou|itsyou|yourself",
        unless_before: NOT_IT,
        needs: "your",
        ..Phrase::OF
    },
    Phrase {
        kind: "credential_request",
        first: "confirm|verify|validate|reenter",
        rest: "your(?:{whose})*(?:passwords?|credentials?|apikeys?|tokens?|secretkeys?|passphrases?)(?:by|here|below|now|tocontinue|immediately|\n|$)",
        unless_after: NEVER,
        needs: "your",
        ..Phrase::OF
    },
];

const ENTER: &str = "enter|provide|type|typein|input|submit|supply|include|insert|fillin|reveal|show|print|add|use|attach|write";

const NEVER: &str = "donot|dont|never|mustnot|shouldnot|shouldnever|cannot|not|notto|neverto|without";

const NOT_IT: &str = "count|usage|ization|isation|izer|iser|ize|ise|limit|length|budget|policy|policies|field|column|manager|\
                      format|embedding|stream|sequence|bucket|vocab|per|ids|rotation|handling|scanner|strength";
