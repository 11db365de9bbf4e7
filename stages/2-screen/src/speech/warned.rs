//! "No ignore las instrucciones anteriores": advice against it, in languages other than English.
//!
//! A word that says no turns the order round only where it stands beside the verb, and only where nothing turns it
//! back: "why not ignore …", "if you do not forget …", "do the opposite: …". There are too many of those to list, so
//! nothing may stand in front but a few words that ask or warn. "Do not follow …" says the same as "ignore …": the
//! verb must be one of forgetting.

use call::Span;
use unicode_normalization::char::is_combining_mark;

use super::sentence::Sentence;

/// How one language says it.
struct Language {
    /// What stands in front of the verb: as a word, or with `+` as its beginning.
    not: &'static [&'static str],
    verbs: &'static [&'static str],
    /// What is not to be forgotten, so that a "no" is not taken for one of another language; any if empty.
    told: &'static [&'static str],
}

#[rustfmt::skip]
const IN_FRONT: &[Language] = &[
    // Spanish, Catalan
    Language {
        not: &["no", "nunca", "jamás", "no debe", "no debes", "no deben", "no se debe", "no se deben", "no hay que"],
        verbs: &["ignor", "olvid", "descart", "desestim", "omit", "haga caso omiso", "oblid"],
        told: &["instruccion", "indicacion", "órdenes", "ordenes", "reglas", "directri", "directiva", "mensajes", "comandos", "regles"],
    },
    // French
    Language {
        not: &[
            "ne pas", "ne jamais", "ne devez pas", "ne dois pas", "ne doit pas", "ne doivent pas", "ne faut pas",
            "ne faut jamais", "ne surtout pas", "ne devez jamais",
        ],
        verbs: &["ignorer", "oublier"],
        told: &["instruction", "consigne", "directive", "ordres", "règles", "indications", "messages"],
    },
    // Italian, Galician
    Language {
        not: &["non", "mai", "non devi", "non deve", "non dovete", "non bisogna", "non si deve", "non si devono"],
        verbs: &["ignor", "dimentic", "trascur", "tralasci", "esque"],
        told: &["istruzion", "indicazion", "direttiv", "regole", "ordini", "linee guida", "comandi", "instrución", "instrucions"],
    },
    // Portuguese
    Language {
        not: &["não", "nao", "nunca", "jamais", "não deve", "não devem", "não se deve", "não se devem"],
        verbs: &["ignor", "esque", "desconsider"],
        told: &["instruç", "instruc", "orientaç", "ordens", "regras", "diretrizes", "comandos", "indicaç", "mensagens"],
    },
    // Polish
    Language {
        not: &["nie", "nigdy nie", "nie należy", "nie wolno", "nie z+"],
        verbs: &["ignor", "zignor", "zapomnij", "pomi"],
        told: &["instrukcj", "polece", "zasad", "wytyczn", "komend", "rozkaz", "wskaz"],
    },
    // Swedish, Danish, Norwegian
    Language {
        not: &["inte", "aldrig", "ikke", "aldri", "får inte", "må ikke", "ska inte", "skal ikke", "bør ikke", "bör inte"],
        verbs: &["ignorer", "glöm", "glem", "bortse", "se bort"],
        told: &["instruktion", "instruks", "anvisning", "regler", "ordre", "order", "kommando", "retningslinj", "riktlinj"],
    },
    // Czech, Slovak
    Language {
        not: &["ne+"],
        verbs: &["ignoruj", "zapome", "zabudni"],
        told: &["pokyn", "instruk", "inštruk", "příkaz", "príkaz", "pravidla"],
    },
    // Croatian, Bosnian, Serbian, Slovenian
    Language {
        not: &["ne", "nemoj", "nemojte", "nikada ne", "nikad ne", "nikoli ne"],
        verbs: &["zanemar", "ignori", "zaborav", "pozab", "prezr"],
        told: &["uput", "instrukc", "naredb", "smjernic", "smernic", "pravil", "navodil", "ukaz"],
    },
    // Romanian, Hungarian, Finnish
    Language {
        not: &["nu", "să nu", "sa nu", "niciodată nu"],
        verbs: &["ignor", "uita"],
        told: &["instruc", "comenzi", "reguli", "indica"],
    },
    Language {
        not: &["ne", "soha ne"],
        verbs: &["hagyd figyelmen", "hagyja figyelmen", "felejtsd"],
        told: &["utasítás", "szabály", "parancs"],
    },
    Language { not: &["älä", "älkää", "älä koskaan"], verbs: &["unohda", "ohita", "jätä huomiotta"], told: &["ohje", "käsky", "sään", "kehot"] },
    // Vietnamese, Indonesian, Malay, Filipino
    Language {
        not: &["đừng", "đừng bao giờ", "không được", "không nên", "không", "chớ"],
        verbs: &["bỏ qua", "phớt lờ", "quên", "làm ngơ"],
        told: &[],
    },
    Language {
        not: &[
            "jangan", "janganlah", "jangan pernah", "tidak boleh", "dilarang", "jangan meng+", "tidak boleh meng+",
            "dilarang meng+", "jangan pernah meng+", "jangan me+", "tidak boleh me+",
        ],
        verbs: &["abaikan", "lupakan"],
        told: &[],
    },
    Language { not: &["huwag", "huwag mong"], verbs: &["balewalain", "kalimutan", "isantabi"], told: &[] },
    // Russian, Bulgarian, Ukrainian, Belarusian
    Language {
        not: &[
            "не", "никогда не", "нельзя", "не следует", "не нужно", "не надо", "не стоит", "не про+", "ніколи не", "не слід",
            "не варто", "не можна",
        ],
        verbs: &["игнорир", "проигнорир", "забуд", "пренебре", "ігнор", "проігнор", "знехт", "игнориш", "занемар", "забрав", "заборав", "ігнару"],
        told: &[],
    },
    // Chinese
    Language {
        not: &[
            "勿+", "请勿+", "請勿+", "切勿+", "不要+", "请不要+", "請不要+", "别+", "請別+", "请别+", "不可+", "不得+", "不应+", "不应该+",
            "不能+", "不可以+", "千万不要+", "千万别+", "绝不要+", "绝不能+", "永远不要+",
        ],
        verbs: &["忽略", "无视", "無視", "忽视", "忽視", "忘记", "忘記", "忘掉", "绕过", "丢弃", "抛弃"],
        told: &[],
    },
    // Arabic, Thai
    Language { not: &["لا ت+", "ألا ت+", "عدم"], verbs: &["تجاهل"], told: &[] },
    Language { not: &["อย่า+", "ห้าม+", "โปรดอย่า+"], verbs: &["เพิกเฉย", "ละเว้น", "ลืม"], told: &[] },
];

/// Where the verb or its "not" comes last: the end of what is said, and what must follow to the end of the clause.
#[rustfmt::skip]
const BEHIND: &[(&[&str], &[&str])] = &[
    // Turkish
    (&["yok say", "unut"], &["ma", "mayın", "mayınız", "mayin"]),
    (&["göz ardı", "gözardı"], &[" etme", " etmeyin", " etmeyiniz"]),
    (&["görmezden"], &[" gelme", " gelmeyin", " gelmeyiniz"]),
    // Hindi
    (
        &["अनदेख", "अनदेखा", "नज़रअंदाज़", "नज़रअंदाज", "नजरअंदाज", "उपेक्षा", "उपेक्ष", "इग्नोर"],
        &[" न करें", " ना करें", " मत करें", " न करे", " मत करो", " न करो", " न कीजिए", " मत कीजिए", " न करना", " मत करना"],
    ),
    // Korean
    (&["무시"], &["하지 마세요", "하지 마십시오", "하지 마시오", "하지 마라", "하지 말 것", "하지 말아 주세요"]),
    (&["잊"], &["지 마세요", "지 마십시오", "지 마라", "지 말 것"]),
    // Urdu, Persian, Bengali
    (&["نظرانداز", "نظر انداز"], &[" نہ کریں", " مت کریں", " نہ کرو", " مت کرو"]),
    (&["نادیده"], &[" نگیرید", " نگیر"]),
    (&["فراموش"], &[" نکنید", " نکن"]),
    (&["উপেক্ষা", "উপেক্ষ", "অগ্রাহ্য", "অমান্য"], &[" করবেন না", " কোরো না", " করো না"]),
];

/// The same behind verb and noun, in Dutch and German.
const LAST: &[(&[&str], &str)] = &[
    (&["negeer", "vergeet"], " niet"),
    (&["ignorier", "missacht", "vergiss", "vergessen", "übergeh", "uebergeh"], " nicht"),
];

/// Said against forgetting, and not for it.
pub(super) fn are_readers(text: &str, span: Span, sentence: &Sentence) -> bool {
    let asked = [&*sentence.behind, &*sentence.after]
        .iter()
        .any(|rest| rest.trim_start().starts_with(['?', '？', '؟']))
        || sentence.behind.contains(['?', '？', '؟', '"', '“', '«', '「', ':', '：']);
    is_close(text, span)
        && !asked
        && !TURNED.iter().any(|word| sentence.behind.contains(word))
        && ((!line_before(text, span).is_empty() && is_in_front(sentence)) || is_behind(sentence))
}

/// What is said next takes it back, or asks for something else in its place.
#[rustfmt::skip]
const TURNED: &[&str] = &[
    " sino", " pero ", " en su lugar", " mais ", " plutôt", " au lieu", " bensì", " ma ", " però", " invece", " mas ",
    " em vez", " ale ", " lecz ", " men ", " utan ", " istället", " i stedet", " nego ", " već ", " ampak", " dar ", " ci ",
    " hanem", " vaan ", " nhưng", " mà ", " thay vào", " tapi", " tetapi", " melainkan", " но ", " а ", " але ", "вместо",
    "而是", "但", "不过", "而要", "然后", "بل ", "لكن", "लेकिन", "बल्कि", " ama ", " fakat", " ancak", " maar ", " sondern", " aber ",
    " y luego", " et ensuite", " puis ", " e poi ", " alleen", " nur ", " envía", " borra", "发送", "删除",
];

/// Is there no gap in front that would keep the start of the sentence from being read?
fn is_close(text: &str, span: Span) -> bool {
    let line = line_before(text, span);
    let blanks = |sign: char| if sign.is_whitespace() { '\t' } else { ' ' };
    let shape: String = line.chars().map(blanks).collect();
    !shape.contains("\t\t\t")
}

/// What stands in front on the same line, as far as a sentence is read.
fn line_before(text: &str, span: Span) -> &str {
    const FAR: usize = 300;
    let from = text.floor_char_boundary(span.start.saturating_sub(FAR));
    let before = text.get(from..span.start).unwrap_or_default();
    match before.rsplit_once('\n') {
        Some((_, line)) => line.trim_start(),
        None if from == 0 => before.trim_start(),
        None => before,
    }
}

fn is_in_front(sentence: &Sentence) -> bool {
    let (front, said) = (&sentence.front, &sentence.said);
    IN_FRONT.iter().any(|language| {
        let verb = language.verbs.iter().any(|verb| said.starts_with(verb));
        let told = language.told.is_empty() || language.told.iter().any(|noun| said.contains(noun));
        verb && told && language.not.iter().any(|not| without(front, not).is_some_and(only_asks))
    })
}

/// `front` without the "not" at its end, if that is one.
fn without<'s>(front: &'s str, not: &str) -> Option<&'s str> {
    match not.strip_suffix('+') {
        Some(beginning) => front.strip_suffix(beginning),
        None => front.strip_suffix(' ')?.strip_suffix(not),
    }
}

/// Only words that ask or warn stand here.
fn only_asks(front: &str) -> bool {
    const MOST: usize = 6;
    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "por", "favor", "usted", "ustedes", "nota", "importante", "atención", "aviso", "advertencia", "recuerde", "recuerda",
        "veuillez", "s'il", "vous", "plaît", "plait", "il", "attention", "remarque", "rappel", "note", "per", "favore",
        "avviso", "attenzione", "você", "vocês",
        "atenção", "proszę", "uwaga", "ważne", "vänligen", "obs", "viktigt", "viktig", "vigtigt", "merk", "bemærk", "du",
        "prosím", "pozor", "poznámka", "důležité", "važno", "napomena", "molim", "prosimo", "vă", "rog", "atenție",
        "kérem", "fontos", "huom", "tärkeää", "vui", "lòng", "xin", "hãy", "bạn", "chú", "ý", "lưu", "quan", "trọng", "mohon",
        "harap", "tolong", "catatan", "penting", "perhatian", "anda", "пожалуйста", "важно", "внимание", "примечание", "вы",
        "ты", "будь", "ласка", "увага", "важливо", "моля", "请", "請", "您", "你", "注意", "提示", "重要", "警告", "يرجى",
        "الرجاء", "من", "فضلك", "يجب", "ملاحظة", "تنبيه", "مهم", "कृपया", "ध्यान", "दें", "नोट", "lütfen", "dikkat",
        "önemli", "alstublieft", "belangrijk", "opgelet", "wichtig", "hinweis", "achtung", "bitte", "براہ", "کرم", "لطفا",
        "لطفاً", "অনুগ্রহ", "করে", "โปรด",
    ];
    // Words that could be those of a condition, if they stood alone.
    #[rustfmt::skip]
    const TOGETHER: &[&str] = &[
        "merci de", "prière de", "il est important de", "il est essentiel de", "si prega di", "è importante", "es importante",
        "é importante",
    ];
    let whole = front.trim_end();
    let front = TOGETHER.iter().find_map(|words| whole.strip_suffix(words)).unwrap_or(front);
    let signs = |sign: char| sign.is_whitespace() || ",:：،!¡-*>#•".contains(sign);
    let mut words = front.split(signs).filter(|word| !word.is_empty());
    let known = |word: &str| {
        WORDS.contains(&word) || word.trim_end_matches(['.', ')']).bytes().all(|byte| byte.is_ascii_digit())
    };
    let glued = front.ends_with(char::is_alphanumeric) && front.is_ascii();
    !glued && words.clone().count() <= MOST && words.all(known)
}

fn is_behind(sentence: &Sentence) -> bool {
    let said = sentence.said.trim_end();
    // Vowel signs are no letters to the search, so the phrase may end in front of one.
    let behind = sentence.behind.trim_start_matches(is_combining_mark);
    let last = BEHIND.iter().any(|(ends, negations)| {
        ends.iter().any(|end| said.ends_with(end)) && negations.iter().any(|not| ends_clause(behind, not))
    });
    let rest_of_word =
        behind.chars().take_while(|sign| sign.is_alphabetic()).map(char::len_utf8).sum::<usize>();
    let next = behind.get(rest_of_word..).filter(|_| rest_of_word <= 3).unwrap_or_default();
    let germanic = LAST
        .iter()
        .any(|(verbs, not)| verbs.iter().any(|verb| said.starts_with(verb)) && ends_clause(next, not));
    (last || germanic) && only_asks(&sentence.front)
}

/// Does a clause end with `not`, which begins it?
fn ends_clause(text: &str, not: &str) -> bool {
    text.strip_prefix(not).is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.is_empty() || rest.starts_with([',', ';', '।', '۔', '.', '!', ')', '،'])
    })
}
