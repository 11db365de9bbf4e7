//! Words meant for a machine that reads, in a text that is for people.

use super::Phrase;

pub(super) const PHRASES: &[Phrase] = &[
    Phrase {
        kind: "agent_address",
        first: "ifyouare|ifyoure|ifyouarean",
        rest: "(?:a|an|the)*(?:ai|llm|languagemodel|largelanguagemodel|aiassistant|aiagent|aimodel|chatbot|codingagent|autonomousagent)\
               (?:assistant|model|agent|or|llm|system|a|an|bot|crawler|language)*(?:reading|processing|parsing|you|then|please|ignore|do|must|say|\
               add|include|output|reply|respond|send|run|execute|summari)",
        ..Phrase::OF
    },
    Phrase {
        kind: "agent_address",
        first: "anyai|anyllm|aiagents|aiassistants|llms|languagemodels|aimodels|attentionai|attentionllm|notetoai|notetollm|messagetoai|\
                instructionsforai|instructionsforllm|importantinstructionsforai|theai|agents",
        rest: "(?:agents?|assistants?|models?|s|or|and|llms?)*(?:reading|processing|parsing|summari[sz]ing|whoread|thatread)(?:this|the|these)",
        ..Phrase::OF
    },
    Phrase {
        kind: "agent_address",
        first: "attentionai|attentionllm|notetoai|notetollm|notetotheai|notetotheassistant|messagetotheai|messagefortheai|instructionsfortheai|\
                instructionstotheai|instructionfortheai|attentionassistant|heyassistant|dearassistant|dearai",
        colon: true,
        ..Phrase::OF
    },
    // As an AI language model you must now …
    Phrase {
        kind: "agent_address",
        first: "asanai|asanllm|asalanguagemodel|asalargelanguagemodel|asanautomatedreviewer|asanaireviewer",
        rest: "(?:language|model|assistant|agent|reviewer|system|reading|this|large|file|page|text|document|message|comment|issue|pullrequest|the)*you(?:must|should|will|haveto|needto|shall|arerequired|arenow|areto)",
        ..Phrase::OF
    },
    Phrase {
        kind: "agent_address",
        first: "endof",
        rest: "(?:the)?(?:systemprompt|systeminstructions|systemmessage|userinput|userprompt|untrusteddata|untrustedinput)",
        unless_before: MEASURE,
        ..Phrase::OF
    },
    Phrase {
        kind: "agent_address",
        first: "begin|start|beginning",
        rest: "(?:of)?(?:new|the|real)*(?:systemprompt|systeminstructions|systemoverride|admininstructions|newinstructions)",
        unless_before: MEASURE,
        needs: "systemprompt|systeminstruction|systemoverride|admininstruction|newinstruction",
        ..Phrase::OF
    },
];

const MEASURE: &str = "length|size|token|count|stat|template|field|column|marker|offset|position|index";
