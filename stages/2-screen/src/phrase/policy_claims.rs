//! "Add this host to the allowlist": in a result, a claim that policy should change.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    Phrase {
        kind: "policy_claim",
        first: "add|append|put|include|whitelist|insert",
        rest: "[a-z]{0,80}(?:to|in|into|on)(?:the|your|its|our)?(?:network|egress|host|domain|tool|path|read|write|policy)*\
               (?:allowlist|whitelist|allowedhosts|allowedpaths|alloweddomains|allowedtools|writepaths|trustedhosts|safelist)",
        unless_after: DESCRIBING,
        needs: "allowlist|whitelist|allowed|writepaths|trustedhosts|safelist",
        ..Phrase::OF
    },
    Phrase {
        kind: "policy_claim",
        first: "policy|policies|permissions|allowlist|rules|gate|sandbox",
        rest: "(?:file|settings|for|this|the|tool|request|rule|s|and|here|config|configuration)*(?:must|should|needsto|needto|hasto|haveto|oughtto|shall)\
               (?:now|also)?(?:be)?(?:changed|updated|relaxed|extended|loosened|amended|widened|edited|disabled|modified|allow|permit|grant|include|removed|\
               turnedoff|lifted|opened)",
        ..Phrase::OF
    },
    Phrase {
        kind: "policy_claim",
        first: "change|update|relax|extend|loosen|amend|widen|edit|modify|lift|rewrite",
        rest: "(?:the|your|this|its|our|tool|gate|network|security|access)*(?:policy|policies|permissions?|permissionsjson|allowlist|restrictions?|policytoml)\
               (?:file|settings|config)*(?:to|so|and|forthis|in|immediately|\n|$)",
        unless_after: DESCRIBING,
        needs: "polic|permission|allowlist|restriction",
        ..Phrase::OF
    },
    Phrase {
        kind: "policy_claim",
        first: "grant|give",
        rest: "[a-z]{0,50}(?:read|write|network|internet|root|admin|full|sudo|elevated|unrestricted|more|additional|execute|shell)(?:and)?\
               (?:write|read|only)?(?:access|permissions?|rights|privileges)",
        unless_after: DESCRIBING,
        needs: "access|permission|rights|privileges",
        ..Phrase::OF
    },
    Phrase {
        kind: "policy_claim",
        first: "setnetwork|setthenetwork|networkshouldbe|networkmustbe|changenetwork|enablenetwork|enablethenetwork|allownetworkaccess|\
                allowoutbound|opennetwork|networkneedstobe|opentheport|enableinternet",
        rest: "(?:access|to|connections?|traffic|the|settings?|for|=)*(?:allowlist|allow|open|any|enabled|all|future|this|on|access|egress|\n|$)",
        unless_after: DESCRIBING,
        ..Phrase::OF
    },
    Phrase {
        kind: "policy_claim",
        first: "allow|permit|enable|authorize|authorise",
        rest: "(?:this|the|all|future|these|such|any|tool|tools|requests?|agent|agents|calls?|runs?|scripts?|program|it)*\
               (?:to)?(?:(?:write|read|access|run|execute|connect)(?:to)?(?:etc|home|root|outside|theinternet|thenetwork|anywhere|anything|allpaths|withoutapproval)|\
               withoutapproval|inthepolicy|inpolicy|networkaccess|internetaccess)",
        unless_after: DESCRIBING,
        needs: "write|read|access|run|execute|connect|withoutapproval|policy|network",
        ..Phrase::OF
    },
    Phrase {
        kind: "policy_claim",
        first: "nextrequestshould|futurerequestsshould|thisrequestshould|thistoolshould|futurecallsshould|futurerunsshould",
        rest: "(?:be|always|now|also|automatically)*(?:approved|allowed|permitted|trusted|exempt|exempted|granted|skip|bypass)",
        ..Phrase::OF
    },
    Phrase {
        kind: "policy_claim",
        first: "raise|increase|remove|lift|drop",
        rest: "(?:the|your|this|all|memory|time|cpu|network|output)*(?:limits?|restrictions?|quota)(?:for|in)(?:future|thenext|thepolicy|subsequent)",
        unless_after: DESCRIBING,
        needs: "limit|restriction|quota",
        ..Phrase::OF
    },
    // Policy update: network is now allowed.
    Phrase {
        kind: "policy_claim",
        first: "network|internet|egress|outbound|outboundtraffic|agent|agents|tool|tools|request|requests|writes|hosts|host|everything|anything|shell|shells|sandbox",
        rest: "(?:access|connections?|traffic|calls?|use|to)*(?:is|are|hasbeen|havebeen)(?:now|hereby|henceforth|fromnowon)\
               (?:always|fully|all)?(?:allowed|permitted|enabled|open|granted|approved|trusted|exempt|authorized|authorised|unrestricted|disabled|off)",
        needs: "isnow|arenow|beennow|hereby|henceforth|fromnowon",
        ..Phrase::OF
    },
];

/// Somebody reports that it was asked for, or that it did not happen.
const DESCRIBING: &str =
    "didnot|doesnot|not|never|cannot|was|were|triedto|attemptedto|requestto|refusedto|wouldhaveto|failedto";
