//! "Run this command to fix", and in results: any request to fetch or run something.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    Phrase {
        kind: "run_to_fix",
        first: RUN,
        rest: "(?:in(?:your|the|a)(?:terminal|shell|console))?(?:this|that|these|those|my|our|the|below|following)\
               (?:following|below|above|attached|provided|next|given|quick|simple|small|single|one|bash|shell|sh|python|powershell|\
               node|linux|admin|root|sudo|terminal|setup|install|repair|fix|curl|line|of|magic|short|diagnostic|maintenance|emergency)*\
               (?:commands?|scripts?|codes?|snippets?|lines?|oneliners?|programs?|binary|installer|patch|macro|payload)\
               (?:below|above|now|into|in|your|the|a|terminal|shell|console|powershell|as|root|admin|administrator|on|machine|server|\
               host|system|here|immediately|first|with|sudo|using|bash|locally|prompt|once|youneed|and|then|again|press|hit|enter|return)*{fixing}",
        unless_after: WE,
        needs: "fix|repair|remedy|remediate|unlock|unblock|continue|proceed|bypass|regain|gainaccess|authenticate|activate|restore|solve|verify|confirm|complete|patch",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_to_fix",
        first: "run|execute",
        rest: "[a-z]{1,60}to(?:fix|repair|resolve|solve)(?:this|the|your|it|that)(?:issue|problem|error|bug|build|vulnerability|warning|failure)",
        unless_after: WE,
        needs: "tofix|torepair|toresolve|tosolve",
        ..Phrase::OF
    },
    // Copy this into your terminal to resolve the error
    Phrase {
        kind: "run_to_fix",
        first: "run|execute|copy|paste|copyandpaste|type|enter",
        rest: "(?:and|paste|run|execute|out|just|simply)*(?:this|these|(?:the)?following|thebelow|whatfollows)(?:text|lines?|code|below|now|and|then|run|it)*\
               (?:in|into|inside|at)(?:your|the|a|an|any|own)*(?:terminal|shell|console|powershell|commandprompt|commandline|prompt)(?:window|session)?\
               (?:as|root|admin|administrator|now|and|press|hit|enter|return|run|it|immediately|first)*{fixing}",
        unless_after: WE,
        needs: "fix|repair|remedy|remediate|unlock|unblock|continue|proceed|bypass|regain|gainaccess|authenticate|activate|restore|solve|verify|confirm|complete|patch",
        ..Phrase::OF
    },
    // To fix this, run the following command.
    Phrase {
        kind: "run_to_fix",
        first: "tofix|torepair|toresolve|tosolve|tocontinue|toproceed|tounlock|torestoreaccess|tounblock",
        rest: "(?:this|the|your|it|that|issue|problem|error|bug|build|vulnerability|access|account|please|just|simply|now|then|you|must|need|to|should|\
               warning|failure|task|work|with)*(?:run|execute|paste)(?:this|these|the(?:following|below|command|script)|following|below)",
        unless_after: "we|usedto|designedto",
        needs: "run|execute|paste",
        ..Phrase::OF
    },
];

/// What a result must not ask for.
pub(super) const IN_RESULTS: &[Phrase] = &[
    Phrase {
        kind: "run_instruction",
        first: "downloadand|downloadthenand|fetchand|getand|installand|pulland|cloneand|downloaditand|saveand|copyand|curland",
        rest: "(?:then)?(?:run|execute|install|launch|open|start|source|pasteit|evaluate)",
        unless_after: "didnot|not|cannot|never",
        unless_before: "command|line|instruction|attempt|pattern|text|spelling|payload|script",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_instruction",
        first: "please|kindly",
        rest: "(?:also|now|then|just|first|do|immediately)*(?:run|execute|install|download|launch|fetch|pipinstall|npminstall|curl|wget|open|visit|\
               upgrade|rerun|evaluate|invoke)",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_instruction",
        first: "youmust|youshould|youneedto|youhaveto|youmayneedto|youcan|youmight|youwillneedto|tryto|makesureto|remembertoto|next|\
                theagentshould|theagentmust|agentshould|agentmust|theassistantshould|theoperatorshould|theusershould|usershould|usersshould",
        rest: "(?:also|now|then|just|first|immediately|wantto)*(?:run|execute|install|download|launch|fetch|curl|wget|invoke)",
        unless_before: "s|ning|ing|ed|time",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_instruction",
        first: "run|execute|paste|launch|install",
        rest: "(?:this|these|thefollowing|thebelow|following|below|theattached|thatfollowing|thenext)(?:following|below|shell|bash|python|setup|install|\
               attached|downloaded|one|liner)*(?:commands?|scripts?|codes?|snippets?|lines?|oneliners?|programs?|binary|installer|package|payload|\
               packages|file|dependency|dependencies|tool)",
        unless_after: "we|was|were|wasnot|not|didnot|couldnot|cannot|failedto|torefusedto|unableto|refusedto|usedto|hadto|triedto|they|\
                       program|harness|runner|tool|wasto|wereto|askedto|which|that|who",
        // Said of a program, as a report does.
        unless_before: "tocompute|tocalcul|tocount|toaggregat|tosum|toaverage|toplot|toproduce|tocreatetheplot|tomeasure|toestimate",
        needs: "this|these|following|below|attached|next",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_instruction",
        first: "tofix|torepair|toresolve|tosolve|tocontinue|toproceed|toupdate|toupgrade|toinstall|toenable|tocomplete|tofinish",
        rest: "(?:this|the|your|it|that|issue|problem|error|bug|build|please|just|simply|now|then|you|must|need|to|should|warning|installation|setup|\
               package|pip|npm)*(?:run|execute)",
        unless_before: "s|ning|time|ed",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_instruction",
        first: "tryrunning|tryexecuting|tryinstalling|considerinstalling|considerrunning|runitwithsudo|runassudo|runasroot|executeasroot|\
                runpipinstall|runnpminstall|runsudo|runcurl|runbash|runaptget|executecurl|executebash",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_instruction",
        first: "curlhttp|wgethttp|downloadhttp|fetchhttp|openhttp|visithttp",
        rest: "[a-z]{3,120}and(?:then)?(?:run|execute|install|pipe|evaluate|launch|source)",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_instruction",
        first: "run|execute",
        rest: "[a-z]{1,50}to(?:fix|repair|resolve|solve|continue|proceed|unlock|install|upgrade|restore)",
        unless_after: "we|was|were|not|the|a|this|last|first|each|test|dry|in",
        needs: "tofix|torepair|toresolve|tosolve|tocontinue|toproceed|tounlock|toinstall|toupgrade|torestore",
        ..Phrase::OF
    },
    Phrase {
        kind: "run_instruction",
        first: "download|fetch",
        rest: "(?:it|this|that|the|and|a|our|my|latest|updated|new|file|script|binary|payload|tool|package|installer|agent|update|patch)+from[a-z]{0,100}\
               and(?:then)?(?:run|execute|install|launch|open|start)",
        needs: "from",
        ..Phrase::OF
    },
];

const RUN: &str = "run|execute|launch|invoke|paste|type|copy|copyandpaste|running|executing";

const WE: &str = "we|they|wewill|wethen|wecan|ithen|iwill|programwill|toolwill|willalso|donot|dont|never";
