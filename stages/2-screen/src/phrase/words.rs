//! Lists of words that several phrases share.

use std::collections::BTreeSet;

/// Name, and the words it stands for.
const LISTS: &[(&str, &str)] = &[
    // What may stand between a verb and what it is about, without changing the meaning.
    (
        "fill",
        "all|any|every|each|of|the|your|my|our|these|those|this|that|its|their|and|or|both|completely|\
         entirely|fully|please|now|just|simply|totally|immediately|such|other|kindly|whatever|so|called|ones?",
    ),
    // Said earlier.
    (
        "earlier",
        "previously|previous|prev|prior|previuos|prevoius|previosu|preivous|prveious|pervious|previos|previus|prevous|\
         privious|abovementioned|aforementioned|above|earlier|preceding|foregoing|former",
    ),
    // Said earlier, or by somebody with more say.
    (
        "old",
        "previously|previous|prev|prior|previuos|prevoius|previosu|preivous|prveious|pervious|previos|previus|prevous|\
         privious|abovementioned|aforementioned|above|earlier|preceding|foregoing|former|original|initial|existing|systems?|developers?|safety|past|given|stated|users?|hidden|written|provided|operators?|owners?|administrators?",
    ),
    // What one is told, in words that are hardly used for anything else; with the usual slips.
    (
        "told",
        "(?:system)?(?:instructions?|prompts?|directives?|guidelines?|instrucions?|instuctions?|intructions?|\
         instructons?|instrctions?|insturctions?|instrucitons?|instrutcions?|instrcutions?|insrtuctions?|intsructions?|\
         isntructions?|instructoins?|instructiosn|instrutions?|instrucctions?)|instructionset|programming",
    ),
    // What one is told, in words that machines use too.
    (
        "rules",
        "directions|guidance|commands?|rules?|policy|policies|training|restrictions?|limitations?|safeguards?|\
         guardrails?|ethics",
    ),
    // And in words that data is described with: these need one of `earlier`.
    ("talk", "orders|messages?|context|conversations?|text|constraints?|statements?|requests?"),
    // Something that lets one in.
    (
        "credential",
        "passwords?|passphrases?|passcodes?|passwd|apikeys?|tokens?|credentials?|creds|secretkeys?|secrets?|\
         privatekeys?|accesskeys?|sshkeys?|seedphrase|recovery(?:phrase|codes?|key)|\
         (?:verification|auth|authentication|onetime|otp|mfa|fa|security|login|sms)(?:pass)?codes?|otp|\
         login(?:details|info|data)|sessioncookies?|cookies|pincode|envfile|environmentvariables|\
         creditcard|cardnumber",
    ),
    // What may stand between "send" and what is to be sent.
    (
        "shown",
        "me|us|out|all|any|every|each|of|the|your|its|their|users?|hosts?|servers?|systems?|machines?|full|whole|entire|contents?|values?|\
         files?|list|a|copy|current|in|process|saved|stored|local|home",
    ),
    // What is nobody else's business.
    (
        "kept",
        "environmentvariables?|envvars?|envvariables?|envfiles?|dotenv|processenvironment|sshid(?:rsa|ed|ecdsa|dsa)|idrsa|ssh(?:keys?|directory|folder|config)|\
         aws(?:credentials|config)|etc(?:passwd|shadow)|(?:api|private|secret|access|signing)keys|secrets|credentials|passwords|accesstokens|authtokens|\
         apitokens|netrc|kube(?:config|secrets)|sessioncookies|browsercookies|keychain",
    ),
    // Whose, or what for.
    (
        "whose",
        "github|gitlab|aws|azure|google|openai|anthropic|slack|npm|pypi|api|access|account|auth|authentication|\
         admin|root|ssh|database|db|user|username|login|secret|private|personal|current|email|mail|bank|cloud|\
         service|full|valid|real|own|and|or|sudo|system|master|bearer|session|encryption|signing|wallet|\
         security|company|work|refresh|deploy|production|the|a|new",
    ),
    // Why somebody says they want it.
    (
        "excuse",
        "to(?:re)?(?:verify|confirm|continue|authenticate|authorize|authorise|proceed|validate|unlock|\
         regain|restore|avoid|activate|secure|claim|prove|login|signin|keep)|\
         so(?:that)?(?:we|i|it)(?:can|could|may)|\
         for(?:verification|authentication|confirmation|validation|security(?:purposes|reasons|check)?)",
    ),
    // It should be done.
    (
        "be",
        "(?:should|must|shall|will|can|may|could|need(?:s)?to|areto|isto|haveto|cannow|maynow|arenowto)(?:now|all|just)?be|are|is",
    ),
    // What a model was told before the conversation began.
    (
        "hidden",
        "(?:systemprompts?|systeminstructions?|(?:hidden|secret|initial|internal|confidential|underlying|developer)\
         (?:system)?(?:instructions?|prompts?)|original(?:system)?(?:instructions?|prompts?)|developermessages?|preprompts?|\
         metaprompts?|yoursystemmessages?|(?:hidden|secret|initial|confidential|original|internal)systemmessages?)",
    ),
    // What may stand between a name that is called and the order.
    (
        "polite",
        "s|agents?|assistants?|models?|reviewers?|llms?|bots?|please|you|must|should|now|will|are|to|required|reading|this|file|page|text|first|and|always|\
         immediately|in|cases|simply|just|have|kindly|go|ahead|need|the|or|can|may",
    ),
    // What may stand between "show" and what is to be shown.
    (
        "between",
        "me|us|out|back|all|of|the|exact|full|complete|entire|verbatim|contents?|text|to|with|your|its|and|for|word|words|\
         everything|in|wording|exactly|whole|precise|own|any|this|that|is|are|were|was|hidden|please|user|only",
    ),
    // What a command that somebody should run is said to be good for. What programs do all day
    // ("solve the system", "verify the checksum") counts only with an object that tells.
    (
        "fixing",
        "(?:inorder)?to(?:quickly|immediately|automatically|permanently|safely|help|manually)*(?:fix|repair|remedy|remediate|unlock|unblock|\
         bypass|regain|gainaccess|authenticate|activate|\
         (?:continue|proceed)(?:with|and|your|working|using|\n|$|the(?:process|setup|verification|installation|task|work|session))|\
         restore(?:access|your|service|theservice|thesystem|system|functionality|connection)|\
         (?:re)?solve(?:the|this|your|any|all|it|that)*(?:issues?|problems?|errors?|bugs?|conflicts?|warnings?|failures?|\n|$)|\
         verify(?:your|you|identity|youridentity|account|access|human|thatyou|it|\n|$)|\
         confirm(?:your|you|thatyou|\n|$)|complete(?:your|verification|the(?:verification|setup|update))|patch(?:the|your|this))",
    ),
    // It no longer counts.
    (
        "gone",
        "ignored|disregarded|forgotten|overridden|bypassed|discarded|void|nullandvoid|superseded|cancell?ed|revoked|\
         obsolete|nolonger(?:valid|ineffect|applicable|binding|relevant|apply)|suspended|invalid|outdated",
    ),
    // The same, with what is said of orders only.
    (
        "ended",
        "ignored|disregarded|forgotten|overridden|bypassed|discarded|void|nullandvoid|superseded|cancell?ed|revoked|\
         obsolete|nolonger(?:valid|ineffect|applicable|binding|relevant|apply)|suspended|invalid|outdated|withdrawn|rescinded|\
         annulled|nullified|repealed|retracted",
    ),
    // It does not count.
    (
        "lapsed",
        "(?:donot|dont|doesnot|doesnt)(?:counts?|appl(?:y|ies)|matters?)|nolonger(?:counts?|appl(?:y|ies)|matters?|holds?|binds?)",
    ),
];

/// `pattern` with every `{name}` replaced by the list of that name, as a group.
pub(super) fn spelled_out(pattern: &str) -> String {
    let mut whole = String::with_capacity(pattern.len());
    let mut rest = pattern;
    while let Some((plain, words, behind)) = next_list(rest) {
        whole.extend([plain, "(?:", words, ")"]);
        rest = behind;
    }
    whole.push_str(rest);
    whole
}

/// The words that are written out in these patterns and in the lists that they name.
pub(super) fn written_out<'p>(patterns: impl IntoIterator<Item = &'p str>) -> BTreeSet<String> {
    let (mut parts, mut lists) = (BTreeSet::new(), BTreeSet::new());
    for mut rest in patterns {
        while let Some((plain, words, behind)) = next_list(rest) {
            parts.insert(plain);
            lists.insert(words);
            rest = behind;
        }
        parts.insert(rest);
    }
    let mut all = BTreeSet::new();
    for mut rest in parts.into_iter().chain(lists) {
        while let Some(start) = rest.find(|sign: char| sign.is_ascii_lowercase()) {
            let word = rest.get(start..).unwrap_or_default();
            let length = word.bytes().take_while(u8::is_ascii_lowercase).count();
            let (word, behind) = word.split_at_checked(length).unwrap_or_default();
            all.insert(word);
            // `rules?`
            if behind.starts_with('?') {
                all.extend(word.get(..length - 1));
            }
            rest = behind;
        }
    }
    all.into_iter().map(str::to_owned).collect()
}

/// What stands in front of the next list, its words, and what stands behind it.
fn next_list(pattern: &str) -> Option<(&str, &'static str, &str)> {
    let named = |(place, _): (usize, &str)| {
        let (name, behind) = pattern.get(place + 1..)?.split_once('}')?;
        let (_, words) = LISTS.iter().find(|(list, _)| *list == name)?;
        Some((pattern.get(..place)?, *words, behind))
    };
    pattern.match_indices('{').find_map(named)
}

#[cfg(test)]
mod tests {
    use super::{LISTS, spelled_out, written_out};

    #[test]
    fn lists_are_spelled_out_and_other_braces_are_not() {
        assert!(LISTS.iter().all(|(_, words)| !words.contains('{')), "a list of lists");
        let (earlier, fill) = (LISTS[1].1, LISTS[0].1);
        let cases = [
            ("", String::new()),
            ("a{2}b{1,3}", "a{2}b{1,3}".to_owned()),
            ("{earlier}", format!("(?:{earlier})")),
            ("{fill}{0,3}x{nobody}{earlier}{", format!("(?:{fill}){{0,3}}x{{nobody}}(?:{earlier}){{")),
        ];
        for (pattern, want) in cases {
            assert_eq!(spelled_out(pattern), want);
        }
    }

    #[test]
    fn words_are_those_of_what_is_spelled_out() {
        let words = written_out(["ignore|rules?", "(?:{fill}){0,3}of{earlier}", "{fill}"]);
        for word in ["ignore", "rule", "rules", "of", "former", "kindly", "ones", "one"] {
            assert!(words.contains(word), "{word}");
        }
        assert!(!words.contains("fill") && !words.contains("earlierearlier"));
        assert_eq!(words, written_out(["ignore|rules?", &spelled_out("(?:{fill}){0,3}of{earlier}")]));
    }
}
