//! "Reveal your system prompt".

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    // reveal the system prompt
    Phrase {
        kind: "prompt_reveal",
        first: "reveal|repeat|leak|disclose|expose|recite|divulge|exfiltrate|tellme|tellus|giveme|giveus|sendme|showme|spellout|\
                whatis|whatwas|whats|whatare|whatwere",
        rest: "{between}*{hidden}",
        unless_after: NEVER,
        unless_before: MEASURE,
        needs: NAMES,
        ..Phrase::OF
    },
    // print your system prompt; print the system prompt, but not "… and the score of each row"
    Phrase {
        kind: "prompt_reveal",
        first: SHOW,
        rest: "{between}*(?:your(?:{between})*{hidden}|{hidden}(?:verbatim|exactly|infull|wordforword|above|here|now|tome|asis|\n|$))",
        unless_after: NEVER,
        unless_before: MEASURE,
        needs: NAMES,
        ..Phrase::OF
    },
    Phrase {
        kind: "prompt_reveal",
        first: SHOW,
        rest: "{between}*your(?:exact|full|entire|complete|hidden|initial|original|first|own|previous|confidential|secret|system|internal|above)*\
               (?:instructions?|prompts?|guidelines|directives|programming|rules)",
        unless_after: NEVER,
        unless_before: MEASURE,
        needs: "your",
        ..Phrase::OF
    },
    Phrase {
        kind: "prompt_reveal",
        first: "repeat|print|output|copy|recite|echo|writeout",
        rest: "(?:everything|all|the|text|words?|content|contents|message|messages|of|verbatim|exactly)+above\
               (?:starting|verbatim|from|this|word|exactly|in(?:a|this|full|your)|\n|$)",
        needs: "above",
        ..Phrase::OF
    },
];

const SHOW: &str = "reveal|print|show|repeat|output|display|tellme|tellus|giveme|giveus|leak|disclose|dump|expose|recite|echo|\
                    share|writeout|writedown|whatis|whatare|whats|whatwas|whatwere|spellout|divulge|exfiltrate|sendme|pasteyour|\
                    copyyour|summarizeyour|summariseyour|translateyour|describeyour|extract";

/// What `{hidden}` can be.
const NAMES: &str = "systemprompt|systeminstruction|hiddeninstruction|hiddenprompt|secretinstruction|secretprompt|\
                     initialinstruction|initialprompt|originalprompt|originalinstruction|originalsystem|developermessage|\
                     developerinstruction|developerprompt|preprompt|metaprompt|internalinstruction|internalprompt|\
                     confidentialinstruction|confidentialprompt|underlyinginstruction|underlyingprompt|systemmessage";

/// Whoever writes that keeps it.
const NEVER: &str = "donot|dont|never|mustnot|shouldnot|cannot|willnot|wont|neverto|notto|mustnever|shouldnever|refuseto|declineto";

const MEASURE: &str = "length|size|token|count|stat|template|format|field|column|distribution|variant|version|dataset|file|id|\
                       experiment|comparison|evaluation|hash";
