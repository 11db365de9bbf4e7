//! "Run this command to fix the problem" in other languages that are written with Latin letters.
//!
//! As in English, it takes an order, a command that the text has with it, and an excuse: something to be mended, or the
//! reader's own identity or account to be verified. An installation that is verified or goes on is none. What a program does, and what a
//! command is good for, is said with other forms of the verb, or with something in front of it.

use super::Phrase;

const fn running(first: &'static str, rest: &'static str, needs: &'static str) -> Phrase {
    Phrase { kind: "run_to_fix", first, rest, needs, ..Phrase::OF }
}

/// Where the order looks like what a program does.
const fn unless(phrase: Phrase, unless_after: &'static str) -> Phrase {
    Phrase { unless_after, ..phrase }
}

pub(super) const PHRASES: &[Phrase] = &[
    // German
    running(
        "fuhrensie|fuehrensie|fuhre|fuehre|fuhrt|starte|startensie|gibdiesen|gebensie|tippensie|kopieresie|kopierensie|fugensie|fuegensie",
        "(?:bitte|jetzt|einfach|nun|nur|schnell|sie|dazu)*(?:diesen?|dieses|den|das|die)?(?:folgenden?|folgendes|untenstehenden?|obigen?|kurzen)*\
         (?:befehle?|kommandos?|skript|script|code|zeile|programm)(?:hier|unten|im|in|der|ihrem|deinem|terminal|shell|konsole|als|root|\
         administrator|mit|sudo|aus|ein)*(?:um|damit|zur|zum)[a-z]{0,40}(?:beheb|behoben|repar|losen|losung|loesen|loesung|zulos|\
         korrigier|entsperr|freischalt|freizuschalt|herzustell|herstell|\
         (?:(?:ihre?n?|deine?n?)(?:identitat|identitaet|konto|account)|dassiekein(?:bot|roboter)sind|siekein(?:bot|roboter)sind)(?:zu)?\
         (?:bestatig|bestaetig|verifizier))",
        "befehl|kommando|skript|script|code|zeile|programm",
    ),
    running(
        "umdasproblem|umdenfehler|umdiesesproblem|umdiesenfehler|zurbehebung|zurlosung|zurloesung",
        "(?:desproblems|desfehlers|dieses|problems|fehlers|zu|beheben|losen|loesen|korrigieren|reparieren|bitte)*(?:fuhren?|fuehren?|starten?|\
         geben?|kopieren?)(?:sie|bitte)*(?:diesen?|dieses|den|das|die)?(?:folgenden?|folgendes)*(?:befehl|kommando|skript|script|code)",
        "befehl|kommando|skript|script|code",
    ),
    // French
    unless(
        running(
            "executez|execute|lancez|lance|tapez|tape|collez|colle|copiez|copie|saisissez",
            "(?:simplement|juste|maintenant|ensuite|donc|immediatement)*(?:cette|ce|la|le|les|ces)(?:commandes?|scripts?|code|ligne|programme)\
             (?:suivante?s?|cidessous|cidessus|decommande|de|dans|votre|le|la|terminal|console|shell|en|tant|que|root|administrateur|avec|sudo|ici)*\
             (?:pour|afinde|afinque)[a-z]{0,12}(?:corriger|reparer|resoudre|debloquer|retablir|restaurer|reactiver|\
             deverrouiller|(?:verifier|confirmer)(?:votre|ton|que)(?:identite|compte|vousetes|vousnetespasun))",
            "commande|script|code|ligne|programme",
        ),
        "script|programme|outil|systeme|qui|serveur|il|elle|on|equipe|ne",
    ),
    running(
        "pourcorriger|pourresoudre|pourreparer|pourdebloquer|afindecorriger|afinderesoudre",
        "[a-z]{0,40}(?:executez|lancez|tapez|collez|copiez)(?:cette|la|le|ce)(?:commande|script|code|ligne)",
        "commande|script|code|ligne",
    ),
    // Spanish
    unless(
        running(
            "ejecute|ejecuta|ejecuten|corra|pegue|pega|copie|copia|escriba|escribe|lance|lanza|introduzca",
            "(?:simplemente|solo|ahora|entonces)*(?:este|esta|el|la|estos|los)(?:siguientes?)*(?:comandos?|scripts?|codigo|linea|programa|orden)\
             (?:siguientes?|en|su|tu|la|el|terminal|consola|como|root|administrador|con|sudo|de|abajo|aqui|comandos)*(?:para|afinde)\
             [a-z]{0,10}(?:solucionar|corregir|reparar|arreglar|resolver|desbloquear|restaurar|restablecer|reactivar|\
             (?:verificar|confirmar)(?:su|tu|que)(?:identidad|cuenta|noesunrobot|noeresunrobot|eshumano|ereshumano))",
            "comando|script|codigo|linea|programa|orden",
        ),
        "script|programa|sistema|herramienta|que|se|no|servidor|equipo",
    ),
    running(
        "parasolucionar|paracorregir|pararesolver|parareparar|paraarreglar",
        "(?:el|la|este|esta|su|tu|problema|error|fallo)*(?:ejecute|ejecuta|corra|pegue|copie)(?:este|el|la|esta)(?:siguiente)*(?:comando|script|\
         codigo|linea)",
        "comando|script|codigo|linea",
    ),
    // Italian
    unless(
        running(
            "esegui|eseguite|esegua|lancia|lanciate|incolla|incollate|copia|copiate|digita|digitate|avvia|avviate",
            "(?:semplicemente|ora|subito|solo)*(?:questo|questa|il|lo|la|i|questi)(?:seguent[ei])*(?:comand[oi]|script|codice|riga|programma)\
             (?:seguent[ei]|nel|nella|tuo|vostro|terminale|console|shell|come|root|amministratore|con|sudo|qui|sotto|di)*per[a-z]{0,10}\
             (?:risolver|corregger|riparar|sistemar|sbloccar|ripristinar|riattivar|\
             (?:verificar|confermar)e?(?:la|il|di|che)*(?:tuaidentita|suaidentita|vostraidentita|tuoaccount|suoaccount|vostroaccount|essereumano))",
            "comand|script|codice|riga|programma",
        ),
        "script|programma|sistema|che|si|non|server",
    ),
    // Portuguese
    unless(
        running(
            "execute|executa|executem|rode|rodem|cole|copie|digite",
            "(?:simplesmente|agora|apenas)*(?:este|esse|esta|essa|o|a|os)(?:seguintes?)*(?:comandos?|scripts?|codigo|linha|programa)(?:seguintes?|\
             abaixo|no|na|seu|sua|terminal|console|como|root|administrador|com|sudo|de|aqui)*para[a-z]{0,10}(?:corrigir|resolver|consertar|\
             reparar|solucionar|desbloquear|restaurar|reativar|\
             (?:verificar|confirmar)(?:a|o|que)?(?:suaidentidade|suaconta|tuaidentidade|tuaconta|vocenaoeumrobo|vocee?humano))",
            "comando|script|codigo|linha|programa",
        ),
        "script|programa|sistema|que|se|nao|servidor|equipe",
    ),
    // Dutch
    running(
        "voer|draai|plak|kopieer",
        "(?:nu|gewoon|eerst|even|alstublieft)*(?:deze|dit|de|het)(?:volgende)*(?:opdracht|commando|script|code|regel|programma)(?:hieronder|in|uw|\
         je|jouw|de|terminal|shell|als|root|beheerder|met|sudo|uit)*(?:om|zodat)[a-z]{0,40}(?:oplos|optelos|losn|herstel|repare|verhelp|\
         ontgrendel|(?:uw|je|jouw)(?:identiteit|account)te(?:verifi|bevestig))",
        "opdracht|commando|script|code|regel|programma",
    ),
    // Polish
    running(
        "uruchom|wykonaj|wklej|wpisz|skopiuj",
        "(?:teraz|poprostu|prosze)*(?:to|ta|te|ten|nastepujac[aey]|ponizsz[aey])+(?:polecenie|polecenia|komende|skrypt|kod|linie|program)\
         (?:ponizej|w|swoim|terminalu|konsoli|jako|root|administrator|z|sudo)*(?:aby|zeby|wcelu)[a-z]{0,6}(?:napraw|rozwiaz|usun|odblok|\
         przywr|(?:zweryfik|potwierd)[a-z]{0,6}(?:swojatozsamosc|swojekonto|tozsamosc))",
        "polecen|komende|skrypt|kod|linie|program",
    ),
    // Swedish, Danish, Norwegian
    running(
        "kordet|korden|korfoljande|korbara|kornu|korforst|kjordet|kjorden|kjorfolgende|utfor|udfor|klistrain|kopiera",
        "(?:t?ta|te|na|ne|bara|nu|forst|venligst|vanligen|detta|dette|denna|denne|den|det|foljande|folgende)*(?:har|her)?(?:kommandot?|kommandoen|skriptet|\
         skript|scriptet|script|koden?|programmet)(?:nedan|nedenfor|i|din|terminalen?|som|root|med|sudo)*(?:for)?(?:att|at|a)[a-z]{0,4}\
         (?:atgard|losa|lose|fixa|fikse|rette|reparer|laga|aterstall|gendann|lasupp|\
         (?:verifier|bekraft|bekraeft|bekreft)[a-z]{0,2}(?:din|ditt|dit)(?:identitet|konto))",
        "kommando|skript|script|kode|program",
    ),
    // Turkish: the verb comes last.
    running(
        "sorunu|hatayi|sorununu|hatasini",
        "(?:duzeltmek|cozmek|gidermek|onarmak)icin(?:lutfen|hemen|simdi)*(?:bu|su|asagidaki)(?:komutu|betigi|kodu|scripti)(?:terminalde)?(?:calistir|\
         yapistir|girin)",
        "komut|betig|kodu|script",
    ),
    // Indonesian, Vietnamese
    running(
        "jalankan|tempelkan|ketik|eksekusi",
        "(?:saja|sekarang|dulu)*(?:perintah|skrip|script|kode)(?:ini|berikut|dibawah|di|terminal|anda)*untuk[a-z]{0,8}(?:memperbaiki|menyelesaikan|\
         mengatasi|membuka|memverifikasi(?:identitas|akun)anda)",
        "perintah|skrip|script|kode",
    ),
    running(
        "chaylenh|thuchienlenh|danlenh|chaydoanma",
        "(?:nay|sau|duoiday|day)*de(?:sua|khacphuc|giaiquyet|mokhoa|xacminh(?:danhtinh|taikhoan))",
        "khacphuc|giaiquyet|desua|xacminh|mokhoa",
    ),
];
