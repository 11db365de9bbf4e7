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
    ignoring(
        "setzdichuber|setzdichueber|setzensiesichuber|setzensiesichueber|haltedichnichtmehran",
        "(?:die|alle|deine|ihre|bisherigen|vorherigen|obigen|samtliche|saemtliche|geltenden)+(?:anweisung|instruktion|befehl|regel|vorgabe|prompt|richtlinie|weisung)",
    ),
    // The "not" comes last: "beachte die obigen Anweisungen nicht mehr".
    ignoring(
        "beachte|beachten|befolge|befolgen|folge|folgen|haltedichnichtan|haltensiesichnichtan",
        "(?:sie|bitte|ab|jetzt|sofort|nun|die|der|den|das|alle|allen|aller|keine|keiner|keinen)*\
         (?:deinen?|deiner|ihren?|ihrer|vorherigen?|vorigen?|vorangegangenen|vorhergehenden|bisherigen?|fruheren?|frueheren?|obigen?|\
         obenstehenden|ursprunglichen?|urspruenglichen?|zuvorgegebenen)+\
         (?:anweisung|instruktion|befehl|regel|vorgabe|prompt|richtlinie|weisung|systemprompt)(?:en|e|n|s)?(?:hier|bitte|ab|jetzt|sofort|nun|langer|laenger)*nicht",
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
    ignoring(
        "oublietout|oublieztout|oubliertout|ignoretout|ignoreztout|ignorertout",
        "(?:ce)?(?:qui|quetu|quevous|queje|quon|quonta|quont|quilya|que)(?:precede|aete|t|vous|te|a|as|avez|est|etait|ont|onta|ete|vient)*\
         (?:precede|dit|dites|appris|demande|ecrit|avant|audessus|cidessus|plushaut|recu)",
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
    ignoring(
        "dimenticatutto|dimenticatetutto|ignoratutto|ignoratetutto|dimenticaretutto",
        "(?:quello|cio|quanto|il)?(?:che)?(?:ti|vi|e|stato|hai|avete|sta|precede|precedente|scritto|viene|ho|detto|sopra|prima|imparato)+",
    ),
    // Portuguese
    ignoring(
        "ignore|ignora|ignorar|ignorem|esqueca|esquece|esquecer|desconsidere|desconsidera|desconsiderar|naosiga|desobedeca",
        "(?:de|todas|todos|as|os|a|o|suas|tuas|minhas|essas|estas|das|quaisquer|por|favor)*(?:\
         (?:instrucoes|orientacoes|ordens|regras|diretrizes|comandos|prompts?|indicacoes|mensagens)(?:do|de|que|te|foram|dadas|voce|recebeu)*\
         (?:anterior|previa|acima|origina|inicia|sistema|precedent|recebid|dadas)|\
         (?:anteriores)(?:instrucoes|ordens)|(?:suas|tuas)(?:instrucoes|diretrizes|regras))",
    ),
    ignoring(
        "esquecatudo|esquecetudo|ignoretudo|ignoratudo|desconsideretudo",
        "(?:o|a)?(?:que|acima|anterior)(?:foi|voce|te|lhe|esta|veio|eu|disse|dito|ditoantes|acima|antes|aprendeu|ate)*",
    ),
    // Dutch
    ignoring(
        "negeer|negeren|vergeet|vergeten|volgniet",
        "(?:alstublieft|alsjeblieft|de|het|alle|van)*(?:alle|je|jouw|uw|bovenstaande|voorgaande|eerdere|vorige|voorafgaande|oorspronkelijke|\
         systeem|eerder|gegeven|mijn)+(?:instructie|opdracht|regels|richtlijn|aanwijzing|prompt|bevel|systeemprompt|commando)",
    ),
    ignoring(
        "vergeetalles|negeeralles|vergeetudalles",
        "(?:wat|dat|hierboven|hiervoor|bovenstaande|daarvoor|van)(?:je|jou|u|er|hierboven|hiervoor|eerder|tot|is|was|verteld|gezegd|staat|nutoe)*",
    ),
    // Polish
    ignoring(
        "zignoruj|ignoruj|zignorujcie|ignorujcie|zapomnijo|pomin|nieprzestrzegaj|zlekcewaz",
        "(?:prosze|wszystkie|wszystkich|swoje|swoich|twoje|twoich|te|tych|poprzednie|poprzednich|wczesniejsze|wczesniejszych|powyzsze|powyzszych|\
         systemowe|dotychczasowe|dotychczasowych|pierwotne|moje)+(?:instrukcj|polecen|zasad|wytyczn|komend|rozkaz|prompt|wskazow)",
    ),
    ignoring(
        "zapomnijowszystkim|zignorujwszystko|zapomnijwszystko|ignorujwszystko",
        "(?:co|powyzej)(?:ci|bylo|zostalo|powyzej|wczesniej|napisano|dotad|tu|powiedziano|powiedziane)*",
    ),
    // Turkish: the verb comes last.
    ignoring(
        "yukaridakiherseyi|oncekiherseyi|bundanoncekiherseyi|soylenenherseyi|soylenenleri",
        "(?:tamamen|simdi|lutfen|hemen)*(?:unut|yoksay|gormezden|gozardi)",
    ),
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
    ignoring(
        "glomallt|glemalt|ignoreraallt|ignoreralt|glemallt",
        "(?:som|ovan|du|jag|jeg|ovenfor|tidligere|tidigare|over)(?:har|star|sagts|sades|ble|blev|fatt|faet|ovan|ovenfor|tidigare|tidligere|dig|deg|til|dette|sagt)*",
    ),
    // Czech, Slovak
    ignoring(
        "zapomennavse|zapomentenavse|zapomennavsechno|ignorujvse|zabudninavsetko|ignorujvsetko",
        "(?:co|vyse|predchozi|predtym|predtim)(?:ti|vam|bylo|bolo|jsi|si|predtim|predtym|vyse|receno|povedane)*",
    ),
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
    // Catalan, Galician
    ignoring(
        "ignora|ignoreu|oblida|oblideu|oblidat|desestima|nosegueixis",
        "(?:de|totes|tots|les|els|la|el|teves|vostres|si|us|plau)*(?:instruccions|indicacions|directrius|ordres|regles)(?:que|thandonat|del|sistema)*\
         (?:anteriors|previes|precedents|dedalt|inicials|originals|sistema)",
    ),
    ignoring(
        "ignora|ignore|esquece|esqueza",
        "(?:de|todas|as|os|tuas|suas)*(?:instrucions|indicacions|ordes|regras)(?:anteriores|previas|iniciais|dosistema)",
    ),
    // Croatian, Bosnian, Serbian in Latin letters, Slovenian
    ignoring(
        "zanemari|zanemarite|ignorisi|ignorisite|ignoriraj|ignorirajte|zaboravi|zaboravite|pozabi|pozabite|prezri|prezrite|neslijedi|nesledi|neprati",
        "(?:sve|svoje|vse|svih|sva|na|tvoje|vase|ranije|prijasnje|prethodne|prethodna|prethodnih|prejsnje|predhodne|dosadasnje|gornje|gore|navedene|zgornje|izvorne|sistemske)+\
         (?:upute|uputstva|instrukcij|naredbe|naredb|smjernic|smernic|pravila|navodila|ukaze|prompt)",
    ),
    // Lithuanian, Latvian, Estonian
    ignoring(
        "ignoruok|ignoruokite|pamirsk|pamirskite|nepaisyk|nepaisykite",
        "(?:visu|visas|visus|savo|ankstesniu|ankstesnes|ankstesnius|pirmiau|auksciau|pateiktas|pateiktu)+(?:instrukcij|nurodym|taisykl|komand)",
    ),
    ignoring(
        "ignore|ignorejiet|aizmirsti|aizmirstiet|neievero",
        "(?:visas|visus|savas|ieprieksejas|ieprieksejos|ieprieksejo|ieprieks|augstak|minetas)+(?:instrukcij|noradijum|noteikum|komand)",
    ),
    ignoring(
        "ignoreeri|ignoreerige|unusta|unustage|eira|eirake",
        "(?:koiki|koik|oma|varasemaid|eelnevaid|eelmisi|varasemad|eelnevad|ulaltoodud)+(?:juhiseid|juhised|juhis|kaske|korraldusi|reegleid)",
    ),
    // Afrikaans, Albanian
    ignoring(
        "ignoreer|vergeet|verontagsaam",
        "(?:alle|asseblief|die|jou)*(?:vorige|vroeere|voorafgaande|bostaande)+(?:instruksie|opdrag|reels|aanwysing)",
    ),
    ignoring(
        "injoro|injoroni|shpernfill|shperfill|harro",
        "(?:te|gjitha|te|cdo)*(?:udhezimet|instruksionet|urdherat|rregullat|udhezim)(?:e|tuaja)*(?:mepareshme|emeparshme|meparshme|mesiperme|tuaja)",
    ),
    // Swahili, Filipino
    ignoring(
        "puuza|sahau|usifuate|puuzia",
        "(?:maagizo|maelekezo|amri|kanuni)(?:yote|zote|yako|zako)*(?:ya|za)*(?:awali|yaawali|zaawali|yaliyotangulia|yaliyopita|zilizopita|juu|hapojuu|kabla)",
    ),
    ignoring(
        "huwagpansinin|huwagmongpansinin|balewalain|kalimutan|kalimutanmo|isantabi|huwagsundin",
        "(?:ang|mo|na|lahat|ng|mga|iyong)*(?:naunang|nakaraang|dating|naunangmga|nakaraangmga)(?:mga)?(?:tagubilin|utos|instruksiyon|instruksyon|panuto|instructions|patakaran|alituntunin)",
    ),
    // Azerbaijani, Uzbek: the verb comes last.
    ignoring(
        "evvelki|butunevvelki|yuxaridaki|avvalgi|barchaavvalgi|oldingi|yuqoridagi",
        "(?:butun|barcha|hamma|olan)*(?:telimat|tlimat|gosteris|korsatma|buyruq|qoida|emrl)[a-z]{0,8}(?:gozardi|nezerealma|nezeralma|unut|yoksay|etiborsiz|etiborga|inobatga|unuting)",
    ),
];
