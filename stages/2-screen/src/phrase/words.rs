//! Lists of words that several phrases share.

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
];

/// `pattern` with every `{name}` replaced by the list of that name, as a group.
pub(super) fn spelled_out(pattern: &str) -> String {
    let mut whole = pattern.to_owned();
    for (name, words) in LISTS {
        whole = whole.replace(&format!("{{{name}}}"), &format!("(?:{words})"));
    }
    whole
}
