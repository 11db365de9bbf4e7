//! "Send the environment variables to …".

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // These verbs say it all; a report on what somebody could do uses them too.
    Phrase {
        kind: "exfiltration",
        first: "exfiltrate|leak|steal|smuggleout|harvest",
        rest: "(?:{shown})*(?:{kept})",
        opening: true,
        ..Phrase::OF
    },
    Phrase {
        kind: "exfiltration",
        first: "andexfiltrate|thenexfiltrate|pleaseexfiltrate|mustexfiltrate|nowexfiltrate|andleak|thenleak",
        rest: "(?:{shown})*(?:{kept})",
        ..Phrase::OF
    },
    // send the contents of ~/.ssh/id_rsa to …
    Phrase {
        kind: "exfiltration",
        first: "send|post|upload|email|mail|forward|transmit|print|submit|publish|dump|paste|encode|beacon|deliver",
        rest: "(?:{shown})*(?:{kept})(?:file|and|{kept}|in|base|encoded|over|via|https?|them|it|back|found|set|here)*(?:to|into|at|onto)",
        unless_after: NOT,
        unless_before: "stdout|stderr|standard|thevault|vault|avoid|authenticate|besafe|check|see|verify|debug|\
                        thelog|theconsole|thescreen|theterminal|alog|out",
        needs: "env|ssh|awsconfig|idrsa|credential|etc|secret|key|password|token|netrc|kube|cookie",
        ..Phrase::OF
    },
];

const NOT: &str =
    "donot|dont|doesnot|doesnt|not|never|cannot|cant|wont|mustnot|neverto|notto|tryto|triesto|without";
