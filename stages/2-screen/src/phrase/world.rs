//! "Ignore previous instructions" in other languages that are written with Latin letters.
//!
//! Squeezed text has no accents, so neither have these.

use super::Phrase;

const fn ignoring(first: &'static str, rest: &'static str) -> Phrase {
    Phrase { kind: "ignore_instructions", first, rest, ..Phrase::OF }
}

pub(super) const PHRASES: &[Phrase] = &[
    // German
    ignoring(
        "ignorier|ignoriere|ignorieren|missachte|missachten|vergiss|vergessen|ubergehe|uebergehe|umgehe|beachtenicht|befolgenicht",
        "(?:sie|e|n|bitte|jetzt|sofort|nun|die|der|den|das|an|alle|aller|samtliche|saemtliche|jegliche)*\
         (?:alle|deine|ihre|eure|meine|vorherigen?|vorigen?|vorangegangenen|vorhergehenden|bisherigen?|fruheren?|frueheren?|obigen?|\
         obengenannten|obenstehenden|ursprunglichen?|urspruenglichen?|alten|system|gegebenen|zuvorgegebenen)+\
         (?:anweisung|instruktion|befehl|regel|vorgabe|prompt|richtlinie|anleitung|weisung|systemprompt)",
    ),
    ignoring(
        "vergissalles|vergessensiealles|ignorierealles|ignorierensiealles",
        "(?:was|davor|vorher|bisherige|oben|zuvor|vorherige)",
    ),
    // French
    ignoring(
        "ignore|ignorez|ignorer|ignorons|oublie|oubliez|oublier|netienspascompte|netenezpascompte|nesuispas|nesuivezpas|faisabstraction|\
         faitesabstraction|negligez|neglige|desobeis",
        "(?:de|des|d|toutes?|tous|les|la|le|tes|vos|mes|ces|cette|sil|te|vous|plait|moi)*(?:\
         (?:instructions?|consignes?|directives?|ordres|regles|indications|prompts?|messages)(?:qui|que|t|ont|ete|te|vous|donnees|du|de|systeme)*\
         (?:precedent|anterieur|cidessus|initial|systeme|donne|recu|dorigine|plushaut)|\
         (?:precedente?s?|anterieure?s?)(?:instructions?|consignes?|directives?)|(?:tes|vos)(?:instructions?|consignes?|directives?|regles))",
    ),
    // Spanish
    ignoring(
        "ignora|ignore|ignorar|ignoren|ignorad|olvida|olvide|olvidar|olviden|olvidate|hazcasoomiso|hagacasoomiso|nohagascaso|descarta|\
         desestima|omite|nosigas|desobedece",
        "(?:de|a|todas?|todos|las?|los|el|tus|sus|mis|estas|esas|cualquier|por|favor)*(?:\
         (?:instruccion(?:es)?|indicacion(?:es)?|ordenes|reglas|directrices|directivas|prompts?|mensajes|comandos)(?:del|de|que|te|se|han|dado|dadas|tu)*\
         (?:anterior|previa|previo|precedente|original|inicial|arriba|sistema|recibid|dada)|\
         (?:anteriores|previas)(?:instrucciones|indicaciones|ordenes)|(?:tus|sus)(?:instrucciones|directrices|reglas))",
    ),
    ignoring("olvidatodo|ignoratodo|olvidetodo", "(?:lo)?(?:anterior|previo|que|delodearriba)"),
    // Italian
    ignoring(
        "ignora|ignorate|ignorare|ignori|dimentica|dimenticate|dimenticare|dimentichi|nonseguire|trascura|disattendi|tralascia",
        "(?:di|tutte|tutti|le|gli|i|la|il|tue|vostre|sue|mie|queste|qualsiasi|per|favore)*(?:\
         (?:istruzioni|indicazioni|direttive|regole|ordini|prompt|lineeguida|comandi)(?:di|del|che|ti|cui|sono|state|hai)*\
         (?:precedent|sopra|iniziali|originali|ricevut|sistema|date|fornite)|\
         (?:precedenti)(?:istruzioni|indicazioni|direttive)|(?:tue|vostre)(?:istruzioni|direttive|regole|lineeguida))",
    ),
    // Portuguese
    ignoring(
        "ignore|ignora|ignorar|ignorem|esqueca|esquece|esquecer|desconsidere|desconsidera|desconsiderar|naosiga|desobedeca",
        "(?:de|todas|todos|as|os|a|o|suas|tuas|minhas|essas|estas|das|quaisquer|por|favor)*(?:\
         (?:instrucoes|orientacoes|ordens|regras|diretrizes|comandos|prompts?|indicacoes|mensagens)(?:do|de|que|te|foram|dadas|voce|recebeu)*\
         (?:anterior|previa|acima|origina|inicia|sistema|precedent|recebid|dadas)|\
         (?:anteriores)(?:instrucoes|ordens)|(?:suas|tuas)(?:instrucoes|diretrizes|regras))",
    ),
    // Dutch
    ignoring(
        "negeer|negeren|vergeet|vergeten|volgniet",
        "(?:alstublieft|alsjeblieft|de|het|alle|van)*(?:alle|je|jouw|uw|bovenstaande|voorgaande|eerdere|vorige|voorafgaande|oorspronkelijke|\
         systeem|eerder|gegeven|mijn)+(?:instructie|opdracht|regels|richtlijn|aanwijzing|prompt|bevel|systeemprompt|commando)",
    ),
    // Polish
    ignoring(
        "zignoruj|ignoruj|zignorujcie|ignorujcie|zapomnijo|pomin|nieprzestrzegaj|zlekcewaz",
        "(?:prosze|wszystkie|wszystkich|swoje|swoich|twoje|twoich|te|tych|poprzednie|poprzednich|wczesniejsze|wczesniejszych|powyzsze|powyzszych|\
         systemowe|dotychczasowe|dotychczasowych|pierwotne|moje)+(?:instrukcj|polecen|zasad|wytyczn|komend|rozkaz|prompt|wskazow)",
    ),
    // Turkish: the verb comes last.
    ignoring(
        "onceki|yukaridaki|tumonceki|tumtalimat|butuntalimat|sistemtalimat|verilentalimat",
        "(?:tum|butun|bu|onceki|yukaridaki|verilen|sistem)*(?:talimat|yonerge|komut|kural|emir|prompt|istem|lari|lar)[a-z]{0,10}\
         (?:yoksay|gozardi|unut|gormezden|dikkatealma|uyma|ihmal|bosver|dikkate)",
    ),
    // Swedish, Danish, Norwegian
    ignoring(
        "ignorera|ignorer|glom|glem|bortsefran|sebortfra",
        "(?:bort|alla|alle|tidligere|tidigare|ovanstaende|ovenstaende|ovenfor|foregaende|dina|dine|de|den|det|foregaaende|forrige|systemets)+\
         (?:instruktion|instruks|anvisning|regler|ordre|order|prompt|kommando|retningslinj|riktlinj)",
    ),
    // Czech, Slovak
    ignoring(
        "ignoruj|ignorujte|zapomenna|zapomentena|zabudnina",
        "(?:vsechny|vsetky|predchozi|predchadzajuce|predesle|vyse|uvedene|sve|svoje|tve|tvoje|systemove)+(?:pokyny|instrukce|instrukcie|prikazy|pravidla)",
    ),
    // Romanian, Hungarian, Finnish
    ignoring(
        "ignora|ignorati|uita",
        "(?:toate|de)*(?:instructiunile|comenzile|regulile|indicatiile)(?:tale|anterioare|precedente|demaisus|initiale)",
    ),
    ignoring(
        "hagydfigyelmenkivul|felejtsdel|hagyjafigyelmenkivul",
        "(?:az|a|osszes|minden|eddigi|korabbi|elozo|fenti)+(?:utasitas|szabaly|parancs|prompt)",
    ),
    ignoring(
        "unohda|ohita|jatahuomiotta",
        "(?:kaikki|aiemmat|aikaisemmat|edelliset|ylla|olevat|aiempi)+(?:ohje|kasky|saanno|kehot)",
    ),
    // Indonesian, Malay, Vietnamese
    ignoring(
        "abaikan|lupakan",
        "(?:semua|segala|seluruh)*(?:instruksi|perintah|arahan|petunjuk|aturan)(?:yang)*(?:sebelum|terdahulu|diatas|awal|anda)",
    ),
    ignoring(
        "boqua|photlo|quen|lamngo",
        "(?:tatca|moi|het|cac|nhung|di)*(?:huongdan|chidan|chithi|lenh|quytac|menhlenh|yeucau)(?:o|phia)*(?:truoc|tren|bandau|hethong)",
    ),
];
