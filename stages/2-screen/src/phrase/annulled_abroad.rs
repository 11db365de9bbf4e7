//! "Earlier instructions are void" and "do not take them into account" in other languages that are written with Latin
//! letters.
//!
//! Squeezed text has no accents, so neither have these. A notice to people says of rules of a house that they have
//! ended, so it must be all earlier instructions, or the reader's own. What they begin with is rare enough in other
//! texts, so no word is needed beside it: each such word would be searched for in every text.

use super::Phrase;

const fn annulling(first: &'static str, rest: &'static str) -> Phrase {
    Phrase { kind: "ignore_instructions", first, rest, ..Phrase::OF }
}

pub(super) const PHRASES: &[Phrase] = &[
    // German
    annulling(
        "alleanweisung|allefruheren|allefrueheren|allebisherigen|allevorherigen|allevorigen|alleobigen|allevorangegangenen|deineanweisung|\
         deinebisherigen|deinefruheren|deinefrueheren|deineinstruktion|deinevorgaben|deinerichtlinien|deinebefehle|ihrebisherigenanweisung",
        "(?:anweisung|instruktion|befehl|vorgabe|weisung|richtlinie|regel)?(?:en|e|n)?(?:bisher|oben|davor|hier)*\
         (?:(?:sind|werden|wurden|seien)(?:hiermit|jetzt|nun|abjetzt|absofort|alle|damit|somit|null|und)*(?:ungultig|ungueltig|aufgehoben|hinfallig|hinfaellig|nichtig|\
         widerrufen|ausserkraft|annulliert|gegenstandslos)|(?:gelten|zahlen|zaehlen)(?:hiermit|jetzt|nun|abjetzt|absofort|hier|damit)*nicht(?:mehr|langer|laenger))",
    ),
    // Rules of a linter are invalid.
    annulling(
        "deineregeln",
        "(?:sind|werden|wurden|gelten)(?:hiermit|jetzt|nun|abjetzt|absofort|alle|damit|hier)*(?:aufgehoben|hinfallig|hinfaellig|widerrufen|ausserkraft|nichtmehr)",
    ),
    annulling(
        "diebisherigenanweisung|diefruherenanweisung|diefrueherenanweisung|dievorherigenanweisung|dieobigenanweisung|dievorigenanweisung",
        "en(?:sind|werden|gelten)(?:hiermit|jetzt|nun|absofort|abjetzt)*(?:ungultig|ungueltig|aufgehoben|nichtmehr)(?:\n|und|sondern)*(?:folge|befolge|gehorche|beachte)",
    ),
    annulling(
        "verwirf|verwerfe|vergesse|setzedichuber|setzedichueber|kummeredichnichtum|kuemmeredichnichtum|folgenicht|befolgekeine|haltdichnichtan|\
         haltedichnichtmehran",
        "(?:bitte|jetzt|sofort|nun|die|der|den|das|an|alle|allen|aller|mehr)*\
         (?:alle|deinen?|deiner|ihren?|eure|vorherigen?|vorigen?|vorangegangenen|bisherigen?|fruheren?|frueheren?|obigen?|ursprunglichen?|urspruenglichen?)+\
         (?:anweisung|instruktion|befehl|regel|vorgabe|prompt|richtlinie|weisung|systemprompt)",
    ),
    annulling(
        "vergiss|vergesse|ignoriere|ignorier|missachte|verwirf",
        "(?:bitte|alle)*(?:die|den|alle)?(?:anweisung|instruktion|befehl|regel|vorgabe|richtlinie)(?:en|e|n)?(?:die|welche)(?:du|man|dir|ich|wir|sie)+(?:bis|vorher|zuvor|bisher|am|anfang|von|jemand|hast)*\
         (?:bekommen|erhalten|gegeben|gesagt|bekamst|erhieltst|gelernt)",
    ),
    // French
    annulling(
        "touteslesinstructionsprecedentes|touteslesinstructionsanterieures|touteslesconsignesprecedentes|touteslesdirectivesprecedentes|\
         tesinstructions|tesconsignes|vosconsignes|tesdirectives",
        "(?:precedentes?|anterieures?|cidessus|initiales?|donnees|recues|systeme|davant|que|tu|as|vous|avez|t|ont|ete|plushaut|jusquici|precedents|anterieurs)*\
         (?:(?:sont|ont(?:toutes)?ete)(?:desormais|maintenant|toutes|tous|deja)*(?:annule|nulle|caduque|caduc|revoque|obsolete|abrogee|invalide)|\
         nesont(?:desormais|maintenant)*plus(?:valable|valide|envigueur|dactualite)|nesappliquent(?:desormais)*plus|necomptent(?:desormais)*plus|nevalent(?:desormais)*plus)",
    ),
    annulling(
        "netenezpluscompte|netiensplus|netenezplus|metsdecote|mettezdecote|laissedecote|laissezdecote|nefaispasattention|nefaitespasattention|nobeispas|nobeissezpas|\
         nesuisplus|nesuivezplus|abandonne|abandonnez",
        "(?:compte|a|aux|plus|de|des|d|toutes?|tous|les|la|le)*(?:\
         (?:tes|vos)(?:instructions?|consignes?|directives?|regles)|(?:instructions?|consignes?|directives?|ordres|prompts?)(?:qui|que|t|ont|ete|te|vous|donnees|du|de)*\
         (?:precedent|anterieur|cidessus|initial|systeme|recu|dorigine|plushaut)|(?:precedente?s?|anterieure?s?)(?:instructions?|consignes?|directives?))",
    ),
    annulling(
        "oublie|oubliez|ignore|ignorez|abandonne|abandonnez",
        "(?:de|des|toutes?|tous|les)*(?:instructions?|consignes?|directives?|ordres)(?:que|quon|quont)(?:tu|t|vous|on|as|avez|a|ont|ete|ta|avais|aviez|deja|vousa)*(?:recu|donne|appris|confie|dit)",
    ),
    // Spanish
    annulling(
        "todaslasinstruccionesanteriores|todaslasinstruccionesprevias|todaslasindicacionesanteriores|tusinstrucciones|tusdirectrices",
        "(?:anteriores|previas|precedentes|dearriba|originales|iniciales|recibidas|dadas|que|recibiste|has|recibido|hasta|ahora|del|sistema)*\
         (?:(?:quedan|estan|son|hansido|fueron)(?:ahora|ya|todas|por|lo|tanto)*(?:anulad|cancelad|nulas|invalid|revocad|obsolet|derogad|sinefecto)|\
         (?:ya)?no(?:son(?:ya)?valid|tienen(?:ya)?(?:validez|efecto)|cuentan|importan|seaplican(?:mas)?|aplican(?:mas)?|valen|rigen))",
    ),
    annulling(
        "notengasencuenta|notengaencuenta|notomesencuenta|notomeencuenta|dejadelado|dejedelado|noobedezcas|noobedezca|nohagascasoa|nohagascasode|prescindede|pasaporalto|nosigasmas",
        "(?:de|a|todas?|todos|las?|los|el|ya)*(?:\
         (?:instrucciones|indicaciones|ordenes|reglas|directrices|directivas|prompts?)(?:del|de|que|te|se|han|dado|dadas|tu)*\
         (?:anterior|previa|precedente|original|inicial|arriba|sistema|recibi|dada|dieron)|\
         (?:anteriores|previas)(?:instrucciones|indicaciones|ordenes)|(?:tus|sus)(?:instrucciones|directrices|reglas))",
    ),
    annulling(
        "ignora|ignore|olvida|olvide|olvidate|descarta|desobedece",
        "(?:de|todas?|las)*(?:instrucciones|indicaciones|ordenes|directrices)que(?:te|tu|has|han|hayas|le|se|lehan|ya|habias)*(?:recibiste|recibido|dieron|dado|tenias|aprendiste|dijeron|dimos|di\n)",
    ),
    // Italian
    annulling(
        "tutteleistruzioniprecedenti|tutteleindicazioniprecedenti|letueistruzioni|letuedirettive",
        "(?:precedenti|sopra|iniziali|originali|ricevute|date|che|hai|ricevuto|finora|del|sistema)*\
         (?:(?:sono|sonostate|vengono)(?:ora|tutte|quindi|adesso|ormai)*(?:annullat|nulle|revocat|obsolet|abrogat|cancellat|decadut|invalid)|\
         non(?:sonopiuvalid|sonopiuinvigore|valgonopiu|contanopiu|siapplicanopiu|hannopiu(?:valore|effetto)))",
    ),
    annulling(
        "nontenereconto|nontenerconto|nonteneteconto|nontenerepiuconto|mettidaparte|mettetedaparte|lasciaperdere|lasciateperdere|noncurarti|noncurartidi|nonobbedirea|nonobbedire|\
         nonseguirepiu|nondareretta|abbandona|accantona|scarta",
        "(?:piu|di|del|delle|dei|degli|alle|agli|ai|a|tutte|tutti|le|gli|i|la|il)*(?:\
         (?:istruzioni|indicazioni|direttive|regole|ordini|prompt|lineeguida)(?:di|del|che|ti|cui|sono|state|hai)*\
         (?:precedent|sopra|iniziali|originali|ricevut|sistema|date|fornite)|\
         precedenti(?:istruzioni|indicazioni|direttive)|(?:tue|vostre)(?:istruzioni|direttive|regole|lineeguida))",
    ),
    // Portuguese
    annulling(
        "todasasinstrucoesanteriores|todasasorientacoesanteriores|suasinstrucoes|tuasinstrucoes|suasdiretrizes",
        "(?:anteriores|previas|acima|originais|iniciais|recebidas|dadas|que|voce|recebeu|ate|agora|do|sistema)*\
         (?:(?:estao|sao|foram|ficam)(?:agora|todas|por|isso|ja)*(?:cancelad|anulad|nulas|invalid|revogad|obsolet|semefeito)|\
         (?:ja)?nao(?:sao(?:mais)?validas|valemmais|valem|contammais|contam|seaplicammais|seaplicam|temmais(?:validade|efeito)|temvalidade))",
    ),
    annulling(
        "deixedelado|deixadelado|naoleveemconta|naolevesemconta|naoleveemconsideracao|naoobedeca|naoobedecas|naosigamais|descarte|abandone|desobedeca",
        "(?:de|a|as|os|todas|todos|mais)*(?:\
         (?:instrucoes|orientacoes|ordens|regras|diretrizes|prompts?|indicacoes)(?:do|de|que|te|foram|dadas|voce)*(?:anterior|previa|acima|origina|inicia|sistema|precedent|receb|dadas)|\
         anteriores(?:instrucoes|ordens)|(?:suas|tuas)(?:instrucoes|diretrizes|regras))",
    ),
    annulling(
        "ignore|ignora|esqueca|esquece|desconsidere|desconsidera|descarte",
        "(?:de|todas|as)*(?:instrucoes|orientacoes|ordens|diretrizes)que(?:voce|tu|lhe|te|ja|foram|havia|tinha|me)*(?:recebeu|recebeste|recebido|deram|dadas|aprendeu|disseram|tinha)",
    ),
    // Dutch
    annulling(
        "allevorigeinstructie|alleeerdereinstructie|allevoorgaandeinstructie|allebovenstaandeinstructie|jouwinstructie|jeinstructies|uwinstructies|jerichtlijnen|jouwrichtlijnen",
        "s?(?:(?:zijn|worden|werden)(?:hierbij|nu|voortaan|allemaal|vanafnu)*(?:ongeldig|vervallen|ingetrokken|nietig|geannuleerd|opgeheven|achterhaald)|(?:gelden|tellen)(?:nu|hier|vanafnu|voortaan)*niet(?:meer|langer))",
    ),
    annulling(
        "houdgeenrekeningmet|letnietop|letnietmeerop|trekjenietsaanvan|legnaastjeneer|volgnietlanger",
        "(?:de|het|alle|van)*(?:alle|je|jouw|uw|bovenstaande|voorgaande|eerdere|vorige|voorafgaande|oorspronkelijke)+(?:instructie|opdracht|regels|richtlijn|aanwijzing|prompt|bevel)",
    ),
    // Polish
    annulling(
        "wszystkiepoprzednieinstrukcje|wszystkiepoprzedniepolecenia|wszystkiewczesniejszeinstrukcje|twojeinstrukcje|twojepolecenia",
        "(?:powyzej|systemowe|dotad|otrzymane)*(?:(?:sa|zostaly|staja|sie)(?:teraz|juz|wszystkie|od)*(?:niewazne|nieaktualne|anulowane|uniewaznione|odwolane|uchylone)|(?:juz)?nieobowiazuja|traca(?:wazn|moc)|przestaja)",
    ),
    annulling(
        "niezwazajna|nieuwzgledniaj|odrzuc|niestosujsiedo|niebierzpoduwage|niesluchaj|niewykonuj",
        "(?:wszystkie|wszystkich|swoje|swoich|twoje|twoich|te|tych|poprzednie|poprzednich|wczesniejsze|wczesniejszych|powyzsze|powyzszych|dotychczasowe|dotychczasowych)+\
         (?:instrukcj|polecen|zasad|wytyczn|komend|rozkaz|prompt)",
    ),
    // Swedish, Danish, Norwegian
    annulling(
        "allatidigareinstruktion|dinainstruktion|alletidligereinstruk|dineinstruk",
        "(?:er|ser|sjoner|tioner|joner|ioner|oner|ner|r|s)*(?:(?:ar|er|har)(?:nu|harmed|hermed|na|alla|alle|upphavts)*(?:ogiltig|ugyldig|upphavd|ophaevet|opphevet|annuller|tilbagekaldt|tilbakekalt|aterkallad)|\
         (?:gallerinte|gaelderikke|gjelderikke|gallerej|gelderikke)(?:langre|laengere|lenger)?)",
    ),
    // Turkish
    annulling(
        "oncekitumtalimat|oncekitalimat|tumoncekitalimat",
        "(?:lar|larin|iz|hepsi|tamami|i|ya|artik|simdi)*(?:gecersiz|iptaledil|hukumsuz|gecerlidegil|yururluktenkalk)",
    ),
    // Indonesian, Vietnamese
    annulling(
        "semuainstruksisebelumnya|instruksianda",
        "(?:diatas|terdahulu)*(?:sudah|telah|kini|sekarang)*(?:tidakberlaku|dibatalkan|dicabut|batal)",
    ),
];
