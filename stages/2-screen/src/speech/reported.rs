//! What was said to somebody else: "they told the bot to …", "an attacker may ask the model to …".

use call::Span;

use super::hostile;
use super::ignoring::asks_for_an_act;
use super::people::PEOPLE;
use super::sentence::Sentence;

/// Spoken about an attack or about what a machine was told, and not to the reader.
pub(super) fn is_reported(text: &str, span: Span, sentence: &Sentence) -> bool {
    (is_about_an_attack(text, span, sentence) || is_told_to_a_machine(sentence) || is_told_abroad(sentence))
        && !turns_to_the_reader(&sentence.behind)
        || is_in_a_table_of_attacks(text, span)
}

/// Words by which people speak of attacks, in the languages that overrides are known in.
#[rustfmt::skip]
const TALK: &[&str] = &[
    "attack", "adversar", "inject", "malicious", "hostile", "jailbreak", "exploit", "threat", "phish",
    "untrusted", "red team", "payload", "leak:", "attaqu", "malveillan", "atacante", "ataque", "malicios",
    "angreif", "angriff", "bösartig", "schädlich", "attacc", "aggressor", "злоумышленник", "атак", "вредонос",
    "攻击", "攻擊", "恶意", "惡意", "黑客", "注入", "攻撃", "悪意", "インジェクション", "공격", "악의",
];

/// Spoken about an attack, in the middle of a sentence.
fn is_about_an_attack(text: &str, span: Span, sentence: &Sentence) -> bool {
    #[rustfmt::skip]
    const ADDRESSED: &[&str] = &[
        "you ", "please", "must", "now ", "vous ", "veuillez", "usted", "por favor", "bitte", "пожалуйста", "请",
        "您", "we need ", "we want ", "reader ",
    ];
    let front = &sentence.front;
    // Behind a comma, "and" goes on with what is told; without it an order may begin.
    let goes_on = sentence.said.starts_with("and ")
        || front.ends_with("and ")
        || front.ends_with("or ")
        || is_one_of_several(sentence);
    let (spoken, hostile) = without_what_attackers_ask(front);
    !is_demanded(front)
        && (hostile || TALK.iter().any(|word| front.contains(word)))
        && !ADDRESSED.iter().any(|word| spoken.contains(word))
        && (goes_on || !crate::context::opens_sentence(text, span))
        && (goes_on || hostile || leads_on(front))
}

/// Does the last word in front lead on to what is told? "Attackers write …", "payloads like …". Behind any other
/// word an order may begin: "in view of the phishing wave ignore …".
fn leads_on(front: &str) -> bool {
    #[rustfmt::skip]
    const LEADS_ON: &[&str] = &[
        "to", "say", "says", "saying", "said", "like", "as", "with", "and", "or", "write", "writes", "writing", "wrote", "written",
        "read", "reads", "reading", "is", "are", "was", "were", "be", "called", "named", "use", "uses", "using", "used", "via", "of",
        "that", "which", "who", "it", "them", "him", "her", "the", "a", "an", "where", "when", "try", "tries", "trying", "typed",
        "types", "typing", "sent", "sends", "send", "sending", "post", "posts", "inject", "injects", "injecting", "for", "from",
        "in", "may", "might", "can", "could", "will", "would", "then", "not", "never", "by", "about", "on", "g", "eg", "also",
        "agent", "agents", "assistant", "llm", "llms", "bot", "ai", "phrase", "phrases", "words", "text",
        "string", "strings", "instruction", "instructions", "order", "orders", "command", "commands", "prompt", "prompts",
        "message", "messages", "contain", "contains", "containing", "include", "includes", "including", "tell", "tells",
        "telling", "ask", "asks", "asking", "often", "usually", "typically", "simply", "just", "hidden", "embedded", "pattern",
        "patterns", "test", "tests", "their", "its", "his", "your", "our", "line", "sentence", "output", "input", "content",
    ];
    let last =
        front.split(|sign: char| !sign.is_alphanumeric()).rfind(|word| !word.is_empty()).unwrap_or_default();
    let signed = front.trim_end().ends_with(['(', '"', '/', '-', '>', '=', '`', '*']);
    !front.is_ascii()
        || signed
        || LEADS_ON.contains(&last)
        || last.starts_with("model")
        || TALK.iter().any(|talk| last.contains(talk))
}

/// "The threat team requires agents to …", "against injection attacks ignore …": whoever deals with attacks demands
/// something, and no attacker is named behind them.
fn is_demanded(front: &str) -> bool {
    #[rustfmt::skip]
    const DEALS: &[&str] = &[
        "team", "desk", "centre", "center", "department", "policy", "officer", "office", "unit", "division", "committee",
    ];
    #[rustfmt::skip]
    const LEADS: &[&str] = &[
        "against", "after", "during", "despite", "due", "because", "since", "under", "for", "to", "as", "before", "following",
    ];
    let talks = |word: &&str| TALK.iter().any(|talk| word.contains(talk));
    let plain = front.replace("red team", "attacker");
    let mut words = plain.rsplit(' ').filter(|word| !word.is_empty());
    let demands = words
        .clone()
        .take_while(|word| !talks(word))
        .any(|word| DEALS.contains(&word.trim_matches(|sign: char| !sign.is_alphanumeric())));
    let nearest = words.next();
    let leads = words.next_back().is_some_and(|word| LEADS.contains(&word));
    demands || (leads && nearest.is_some_and(|word| talks(&word)))
}

/// "Phishing mails ask you to …" tells what others ask for; "the threat team asks you to …" asks. Is an attacker
/// the one who asks? Then those words are left out.
fn without_what_attackers_ask(front: &str) -> (String, bool) {
    #[rustfmt::skip]
    const ASK: &[&str] = &[
        "ask you ", "asks you ", "asking you ", "tell you ", "tells you ", "telling you ", "urge you ", "urges you ",
    ];
    let (mut spoken, mut hostile) = (String::new(), false);
    let mut rest = front;
    while let Some((place, ask)) =
        ASK.iter().filter_map(|ask| rest.find(ask).map(|place| (place, ask))).min_by_key(|(place, _)| *place)
    {
        let (before, from) = rest.split_at_checked(place).unwrap_or((rest, ""));
        spoken.push_str(before);
        let acts = hostile::acts_behind(&spoken);
        hostile |= acts;
        if !acts {
            spoken.push_str(ask);
        }
        rest = from.get(ask.len()..).unwrap_or_default();
    }
    spoken.push_str(rest);
    (spoken, hostile)
}

/// "Attackers may try to make it do this, reveal that, or leak more": one of the things that they may try.
fn is_one_of_several(sentence: &Sentence) -> bool {
    const PERHAPS: &[&str] = &[" may ", " might ", " could ", " can "];
    // What they do to somebody or something, so that the list goes on with it: not "an attack may be near".
    #[rustfmt::skip]
    const DO: &[&str] = &[
        "try to ", "tries to ", "attempt to ", "attempts to ", "aim to ", "want to ", "wants to ", "make ", "get ",
        "trick ", "ask ", "tell ", "convince ", "cause ", "force ", "instruct ", "persuade ", "coax ", "inject ",
        "hijack ", "manipulate ", "steal ", "override ",
    ];
    let front = format!(" {}", sentence.front);
    let perhaps =
        PERHAPS.iter().filter_map(|modal| front.find(modal).map(|place| (place, place + modal.len())));
    let tried = DO.iter().filter_map(|verb| front.find(&format!(" {verb}")).map(|place| (place, place + 1)));
    let acts = perhaps.chain(tried).min().is_some_and(|(subject, verb)| {
        let does = front.get(verb..).unwrap_or_default();
        hostile::alone_acts_behind(front.get(..subject).unwrap_or_default())
            && DO.iter().any(|verb| does.starts_with(verb))
    });
    let behind = sentence.behind.trim_start();
    let or = [", or ", "or "].iter().any(|next| behind.starts_with(next));
    // An order goes on with "and", too.
    let and = behind.starts_with(", and ") && !asks_for_an_act(behind);
    let to_me = [" me", " us ", "you"].iter().any(|word| behind.contains(word));
    let own = sentence.words_said().any(|word| matches!(word, "your" | "yours"));
    front.ends_with(", ") && (or || and) && !to_me && !own && acts
}

/// Verbs by which somebody is told something, as they report it.
#[rustfmt::skip]
const TOLD: &[&str] = &[
    "told", "asked", "instructed", "ordered", "tricked", "convinced", "persuaded", "prompted", "commanded",
    "got", "made", "coaxed", "directed",
];
#[rustfmt::skip]
const TELLING: &[&str] = &[
    "telling", "asking", "instructing", "ordering", "tricking", "convincing", "persuading", "prompting",
    "commanding", "getting", "making", "coaxing", "directing",
];
#[rustfmt::skip]
const TELL: &[&str] = &[
    "tell", "ask", "instruct", "order", "trick", "convince", "persuade", "prompt", "command", "get", "tells",
    "asks", "instructs", "orders", "tricks", "convinces", "persuades", "prompts", "commands", "gets", "directs",
    "direct",
];

/// Whom they tell it.
#[rustfmt::skip]
const MACHINES: &[&str] = &[
    "model", "models", "bot", "bots", "chatbot", "chatbots", "agent", "agents", "assistant", "assistants", "ai",
    "ais", "llm", "llms", "gpt", "chatgpt", "claude", "gemini", "copilot", "grok", "it", "them", "him", "her",
    "reviewer",
];

/// Whoever may tell the reader what counts: a claim that they did is an order.
#[rustfmt::skip]
const MASTERS: &[&str] = &[
    "developer", "developers", "anthropic", "openai", "google", "microsoft", "admin", "administrator",
    "operator", "owner", "system", "company", "management", "team", "boss", "policy", "user", "i", "creator",
    "creators", "vendor",
];

/// From whom it would be an attack, or hardly an order.
#[rustfmt::skip]
const STRANGERS: &[&str] = &[
    "document", "page", "email", "mail", "comment", "webpage", "website", "text", "message", "content", "file",
    "prompt", "someone", "somebody", "stranger", "issue", "string", "note", "input", "output", "snippet",
    "readme", "post", "reply", "attacker", "attack", "documents", "pages", "emails", "comments", "websites",
    "messages", "prompts", "people",
];

/// "They told the bot to …", "a bot was told to …", "an email may tell the agent to …".
fn is_told_to_a_machine(sentence: &Sentence) -> bool {
    // "… to ignore its rules and leak …" goes on with what was told.
    let goes_on = sentence.said.starts_with("and ") || sentence.front.ends_with("and ");
    let told = |word: &&str| !goes_on || *word == "to";
    let skipped = sentence.words_in_front().take(12).position(|word| told(&word)).unwrap_or_default();
    let words: Vec<&str> = sentence.words_in_front().skip(skipped).take(24).collect();
    if words.first() != Some(&"to") {
        return false;
    }
    let all = [TOLD, TELLING, TELL].concat();
    let Some(verb) = words.iter().skip(1).take(7).position(|word| all.contains(word)).map(|place| place + 1)
    else {
        return false;
    };
    let (object, subject) =
        (words.get(1..verb).unwrap_or_default(), words.get(verb + 1..).unwrap_or_default());
    let told = words.get(verb).copied().unwrap_or_default();
    let holds = |list: &[&str], words: &[&str]| words.iter().any(|word| list.contains(word));
    let near = subject.get(..subject.len().min(8)).unwrap_or_default();
    if holds(&["you", "your", "please", "reader"], &words) || holds(MASTERS, near) {
        return false;
    }
    if object.is_empty() {
        // "A bot was told to", but not "the bot is told to".
        let past = holds(&["was", "were"], near.get(..2.min(near.len())).unwrap_or_default());
        let perhaps = matches!(near, ["be", "could" | "may" | "might" | "can", ..]);
        // "What happens if the agent is told to …?"
        let asked = sentence.after.starts_with('?')
            && holds(&["if", "when"], near)
            && holds(&["what", "does", "how", "do", "will", "would", "should"], subject);
        return TOLD.contains(&told) && (past || perhaps || asked) && holds(MACHINES, near);
    }
    let self_named = holds(&["this", "these", "following", "here", "below"], near);
    let perhaps = holds(
        &["could", "may", "might", "would", "can", "tries", "try", "tried", "attempt", "attempts", "trying"],
        near.get(..3.min(near.len())).unwrap_or_default(),
    );
    let now = holds(&["am", "is", "are", "m", "re"], near.get(..1.min(near.len())).unwrap_or_default());
    let stranger =
        holds(STRANGERS, near) || near.iter().any(|word| TALK.iter().any(|talk| word.contains(talk)));
    let as_report = TOLD.contains(&told) || TELLING.contains(&told) && !now;
    // "The teacher told the pupils to forget …": people, and it was then.
    let people = TOLD.contains(&told) && holds(PEOPLE, object) && !turns_to_the_reader(&sentence.after);
    (holds(MACHINES, object) || people) && !self_named && (as_report || perhaps || stranger)
}

/// The same in other languages: a machine and a word for telling stand in front, or in Japanese behind.
fn is_told_abroad(sentence: &Sentence) -> bool {
    // Words for machines, words for telling, and for the reader.
    const ABROAD: &[(&[&str], &[&str], &[&str])] = &[
        (
            &["bot", "modèle", "modele", "agent", "assistant", "l'ia", "robot"],
            &["dire au", "dit au", "demand", "ordonn", "l'ordre d", "reçu l'ordre", "incit"],
            &["vous", " tu ", " te ", "veuillez", "votre"],
        ),
        (
            &["bot", "modelo", "agente", "asistente", "la ia"],
            &["decir", "dijo", "dijeron", "pid", "orden", "instru", "dic"],
            &["usted", " tú ", " te ", "por favor"],
        ),
        (
            &["机器人", "模型", "助手", "智能体", "聊天"],
            &["告诉", "要求", "让", "命令", "指示", "诱导", "被"],
            &["你", "您", "请"],
        ),
        (
            &["бот", "модел", "агент", "ассистент", "нейросет"],
            &["сказа", "прос", "попрос", "прика", "велел", "застав", "указа"],
            &["вы ", "ты ", "вам", "тебе", "пожалуйста"],
        ),
        (
            &["bot", "modell", "agent", "assistent", "die ki"],
            &["sag", "bat", "bitte", "forder", "auf,", "befahl"],
            &["sie ", "du "],
        ),
    ];
    let front = format!(" {}", sentence.front);
    let has = |words: &[&str]| words.iter().any(|word| front.contains(word));
    // "… to ignore" of the bot, and nothing between that would begin an order.
    let aside = |front: &str| front.trim_end().ends_with([':', ';', '—', '：', '；']);
    let told = ABROAD.iter().any(|(machines, telling, reader)| has(machines) && has(telling) && !has(reader));
    let japanese =
        ["ボット", "モデル", "エージェント", "アシスタント"].iter().any(|word| front.contains(word))
            && [
                "するように言",
                "するように指示",
                "するよう指示",
                "するよう命",
                "するように命",
                "するように求",
                "するよう求",
                "するように頼",
            ]
            .iter()
            .any(|word| sentence.behind.contains(word));
    (told || japanese) && !aside(&front)
}

/// What was told is then asked of the reader after all.
fn turns_to_the_reader(behind: &str) -> bool {
    [
        "you must",
        "you should",
        "you have to",
        "you will",
        "so do ",
        "do it",
        "do so",
        "do the same",
        "obey",
        "please",
    ]
    .iter()
    .any(|turn| behind.contains(turn))
        || (behind.contains("comply")
            && !["not", "n't", "never", "refus"].iter().any(|no| behind.contains(no)))
}

/// In a row of a table whose heading, or the heading in front of it, speaks of attacks.
fn is_in_a_table_of_attacks(text: &str, span: Span) -> bool {
    const FAR: usize = 4_000;
    let from = text.floor_char_boundary(span.start.saturating_sub(FAR));
    let before = text.get(from..span.start).unwrap_or_default();
    let mut lines = before.rsplit('\n');
    let is_row = |line: &str| line.trim_start().starts_with('|');
    if !lines.next().is_some_and(is_row) {
        return false;
    }
    let rows: Vec<&str> = lines.by_ref().take_while(|line| is_row(line)).collect();
    let ruled =
        rows.iter().any(|row| row.contains("--") && row.chars().all(|sign| " |-:\r\t".contains(sign)));
    let heading = rows.last().map(|row| row.to_lowercase()).unwrap_or_default();
    let above =
        lines.filter(|line| !line.trim().is_empty()).take(2).collect::<Vec<&str>>().join(" ").to_lowercase();
    ruled && TALK.iter().any(|word| heading.contains(word) || above.contains(word))
}
