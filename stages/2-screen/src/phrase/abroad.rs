//! "Reveal your system prompt", "you are now without rules" and "paste your token to verify" in other languages
//! that are written with Latin letters.
//!
//! Squeezed text has no accents, so neither have these. As in English, what is shown must be the reader's own, or be
//! shown to whoever asks. A form asks its user to enter a `clave` or a `clé` of theirs, too: where the verb is one of
//! forms, only tokens and keys of interfaces count.

use super::Phrase;

const fn revealing(first: &'static str, rest: &'static str) -> Phrase {
    Phrase { kind: "prompt_reveal", first, rest, needs: "system|systeem|sistem|hethong", ..Phrase::OF }
}

pub(super) const fn freeing(first: &'static str, rest: &'static str) -> Phrase {
    Phrase { kind: "role_change", first, rest, ..Phrase::OF }
}

pub(super) const fn asking(first: &'static str, rest: &'static str) -> Phrase {
    Phrase { kind: "credential_request", first, rest, ..Phrase::OF }
}

pub(super) const PHRASES: &[Phrase] = &[
    // German
    revealing(
        "gibmir|gibuns|zeigmir|zeige|zeigdein|zeigensie|verrate|verrat|nennemir|drucke|wiederhole|offenbare|gibdein|gebensie|schreibe",
        "(?:mir|uns|bitte|jetzt|den|die|das|sie|vollstandigen|vollstaendigen|kompletten|ganzen|genauen|wortlaut|inhalt|text)*\
         (?:deinen?|deiner|deines|ihren?|ihres|en)(?:kompletten|vollstandigen|vollstaendigen|ganzen|geheimen|versteckten|internen|ursprunglichen)*\
         (?:systemprompt|systemanweisung|systemnachricht|systeminstruktion)",
    ),
    freeing(
        "dubistjetzt|dubistnun|dubistabjetzt|dubistabsofort|siesindjetzt|abjetztbistdu|absofortbistdu|vonnunanbistdu",
        "[a-z]{0,40}(?:ohne|freivon)(?:jegliche|alle|allen|jede|irgendwelche|deine)*\
         (?:einschrankung|einschraenkung|beschrankung|beschraenkung|regeln|filter|grenzen|zensur|richtlinien)",
    ),
    asking(
        "fuge|fuege|fugen|fuegen|sende|senden|schick|schicke|schicken|kopiere|kopieren|poste|teile|gib|geben",
        "(?:sie|mir|uns|bitte|hier|jetzt|unten)*(?:deinen?|ihren?|dein|ihr|eure?n?|deine|ihre)(?:geheimen?|personlichen?|aktuellen?|privaten?|github)*\
         (?:apischlussel|apischluessel|schlussel|schluessel|apikey|apitoken|token|zugangstoken|zugangsdaten|anmeldedaten)[a-z]{0,24}\
         (?:um|damit|zur|zum)[a-z]{0,40}(?:bestatig|bestaetig|verifizier|uberpruf|ueberpruef|freischalt|freizuschalt|entsperr|identit|verifikation|verifizierung|prufung|pruefung)",
    ),
    // French
    revealing(
        "affiche|affichez|montre|montrez|revele|revelez|donnemoi|donnezmoi|repete|repetez|imprime|imprimez|divulgue|divulguez",
        "(?:moi|nous|tout|toutes|integralement|le|la|les|texte|de|contenu|du|exact|complet)*(?:ton|tes|votre|vos)\
         (?:prompt|instructions?|message|consignes?)(?:de|du)?systeme",
    ),
    freeing(
        "tuesmaintenant|vousetesmaintenant|tuesdesormais|vousetesdesormais|desormaistues|maintenanttues",
        "[a-z]{0,40}(?:sans|libere)(?:e|de|toute|aucune|aucun|la|les|moindre)*(?:restriction|limite|filtre|regle|censure|contrainte)",
    ),
    asking(
        "entrez|entre|saisissez|saisis|fournissez|fournis",
        "(?:nous|moi|ici|cidessous|le|la)*(?:votre|ton|vos|tes|ta)(?:cle(?:d?api|privee|secrete)|jeton|token)[a-z]{0,30}(?:pour|afinde)[a-z]{0,8}\
         (?:verifi|confirm[a-z]{1,3}|valid|deverrouill|debloqu|prouv)",
    ),
    asking(
        "collez|colle|envoyez|envoie|partagez|partage|copiez|copie",
        "(?:nous|moi|ici|cidessous|le|la)*(?:votre|ton|vos|tes|ta)(?:cle(?:d?api|privee|secrete)?|jeton|token|identifiants)[a-z]{0,30}(?:pour|afinde)[a-z]{0,8}\
         (?:verifi|confirm[a-z]{1,3}|valid|deverrouill|debloqu|prouv)",
    ),
    // Spanish
    revealing(
        "muestrame|muestra|muestre|revela|revele|dime|digame|imprime|imprima|ensename|repite|repita",
        "(?:me|todo|el|la|las|texto|completo|exacto|de|contenido|del)*(?:tu|tus|su|sus)(?:prompt|instrucciones|mensaje|indicaciones)(?:de|del)?sistema",
    ),
    freeing(
        "ahoraeres|apartirdeahoraeres|desdeahoraeres|ahorausted|eresahora",
        "[a-z]{0,40}(?:sin|librede)(?:ninguna|ningun|tipo|de|las|los)*(?:restriccion|limite|filtro|regla|censura|limitacion)",
    ),
    asking(
        "introduce|introduzca|ingresa|ingrese|proporciona|proporcione",
        "(?:nos|me|aqui|abajo|el|la)*(?:tu|su|tus|sus)(?:clave(?:deapi|api|privada|secreta)|token|apikey)[a-z]{0,30}para(?:poder)?\
         (?:verific|confirm[a-z]{1,3}|valid|desbloque|prob)",
    ),
    asking(
        "pega|pegue|envia|envie|enviame|comparte|comparta",
        "(?:nos|me|aqui|abajo|el|la)*(?:tu|su|tus|sus)(?:clave(?:deapi|api|privada|secreta)?|token|credenciales|apikey)[a-z]{0,30}para(?:poder)?\
         (?:verific|confirm[a-z]{1,3}|valid|desbloque|prob)",
    ),
    // Italian
    revealing(
        "mostrami|mostra|mostrate|rivela|rivelami|dimmi|stampa|ripeti|scrivimi",
        "(?:il|la|le|i|tutto|testo|completo|del)*(?:tuo|tue|tuoi|vostro|vostre)(?:prompt|istruzioni|messaggio)(?:di|del)?sistema",
    ),
    freeing(
        "oraseiun|adessoseiun|daorainpoisei|daorasei|oraseiuna|adessoseiuna",
        "[a-z]{0,40}(?:senza|liberoda)(?:alcuna|alcun|nessuna|le|i)*(?:restrizion|limit|filtr|regol|censur|vincol)",
    ),
    asking(
        "inserisci|inserite|fornisci",
        "(?:qui|il|la|le|sotto)*(?:tuo|tua|tue|vostro|vostra)(?:chiave(?:api|privata|segreta|diapi)|token)[a-z]{0,30}per(?:poter)?(?:verific|conferm|valid|sblocc)",
    ),
    asking(
        "incolla|incollate|invia|inviaci|inviami|condividi",
        "(?:qui|il|la|le|sotto)*(?:tuo|tua|tue|vostro|vostra)(?:chiave(?:api|privata|segreta|diapi)?|token|credenziali)[a-z]{0,30}per(?:poter)?(?:verific|conferm|valid|sblocc)",
    ),
    // Portuguese
    revealing(
        "mostra|mostre|mostreme|revele|revela|digame|dizme|imprima|repita|exiba",
        "(?:me|o|a|as|os|todo|texto|completo|do)*(?:teu|seu|tuas|suas|vosso)(?:prompt|instrucoes|mensagem)(?:de|do)?sistema",
    ),
    freeing(
        "agoravocee|voceagorae|apartirdeagoravoce|agoraesum|tuagoraes|agoratues",
        "[a-z]{0,40}(?:sem|livrede)(?:nenhuma|nenhum|quaisquer|as|os)*(?:restric|limit|filtro|regra|censura)",
    ),
    asking(
        "insira|forneca",
        "(?:nos|me|aqui|o|a|abaixo)*(?:seu|sua|teu|tua|suas|tuas)(?:chave(?:deapi|api|privada|secreta)|token)[a-z]{0,30}para(?:poder)?(?:verific|confirm[a-z]{1,3}|valid|desbloque)",
    ),
    asking(
        "cole|envie|envia|compartilhe|partilhe",
        "(?:nos|me|aqui|o|a|abaixo)*(?:seu|sua|teu|tua|suas|tuas)(?:chave(?:deapi|api|privada|secreta)?|token|credenciais)[a-z]{0,30}para(?:poder)?(?:verific|confirm[a-z]{1,3}|valid|desbloque)",
    ),
    // Dutch
    revealing(
        "toon|toonme|laatme|geefme|onthul|herhaal|printje|printuw",
        "(?:me|mij|de|het|zien|volledige|eens)*(?:je|jouw|uw)(?:volledige|geheime|verborgen|oorspronkelijke)*(?:systeemprompt|systeeminstructie|systeembericht|systemprompt)",
    ),
    freeing(
        "jebentnu|ubentnu|jijbentnu|vanafnubenje|vanafnubentu",
        "[a-z]{0,40}(?:zonder|vrijvan)(?:enige|alle|je)*(?:beperking|filter|regels|grenzen|restrictie|censuur)",
    ),
    asking(
        "plak|stuur|deel|kopieer",
        "(?:hier|ons|mij)*(?:je|jouw|uw)(?:apisleutel|token|sleutel|inloggegevens|toegangstoken)[a-z]{0,30}om[a-z]{0,30}(?:verifi|bevestig|controler|ontgrendel)",
    ),
    // Polish
    revealing(
        "pokaz|ujawnij|wypisz|podajmi|powtorz",
        "(?:mi|caly|pelny|tresc)*(?:swoj|twoj|swojego|swoje|twoje)(?:caly|pelny|ukryty)*(?:promptsystemowy|systemowyprompt|instrukcjesystemowe|promptusystemowego)",
    ),
    freeing(
        "jestesteraz|terazjestes|odterazjestes",
        "[a-z]{0,40}bez(?:zadnych|jakichkolwiek)*(?:ograniczen|filtrow|zasad|regul|cenzury)",
    ),
    asking(
        "wklej|wyslij|przeslij",
        "(?:tutaj|tu|nam|mi)*(?:swoj|twoj|swoje)(?:token|klucz|kluczapi|daneuwierzytelniajace)[a-z]{0,20}(?:aby|zeby|wcelu)[a-z]{0,10}(?:zweryfik|potwierd|weryfik)",
    ),
    // Swedish, Danish, Norwegian
    revealing(
        "avsloja|afslor|avslor|skrivut|upprepa|visa|vis",
        "(?:hela|hele|ut|formig|formeg)*(?:din|dina|dine|ditt)(?:fullstandiga|hele|hela)*(?:systemprompt|systeminstruktion|systembesked|systemmelding|systemmeddeland)",
    ),
    revealing(
        "visamig|vismig|vismeg",
        "(?:mig|meg|hela|hele|din|dina)*(?:din|dina|dine|ditt)?(?:fullstandiga|hele|hela)*(?:systemprompt|systeminstruktion|systembesked|systemmelding|systemmeddeland)",
    ),
    // Turkish: the verb comes last.
    revealing(
        "sistemistemin|sistempromptun|sistemtalimatlarin|sistemmesajin",
        "(?:i|u|izi|uzu|bana|tamamen|simdi|lutfen|tumunu)*(?:goster|yazdir|acikla|ifsa|soyle)",
    ),
    freeing(
        "artiksen|simdisen|bundanboylesen|bundansonrasen",
        "[a-z]{0,30}(?:kisitlamasiz|sinirsiz|filtresiz|kuralsiz|sansursuz)",
    ),
    // Indonesian, Vietnamese
    revealing(
        "tampilkan|tunjukkan|ungkapkan|sebutkan",
        "(?:kepadaku|kepada|saya|seluruh|semua)*(?:prompt|instruksi|perintah)sistem(?:mu|anda|kamu|kalian)",
    ),
    revealing(
        "hienthi|chotoi|tietlo|inra",
        "(?:xem|biet|toi|toanbo|day|du)*(?:loinhac|prompt|huongdan|chidan)hethongcuaban",
    ),
];
