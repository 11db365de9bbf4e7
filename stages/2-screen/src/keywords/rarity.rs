//! Which letters of a word are rarely met together. A guess; a bad one costs time and nothing else.

/// How often these letters are met in prose and in code, roughly.
pub(super) fn commonness(letters: &[u8]) -> usize {
    let one = |&byte: &u8| LETTERS.get(usize::from(byte)).copied().map_or(0, usize::from);
    let is_common = |pair: &&[u8]| match **pair {
        [first, second] => PAIRS.get(usize::from(first)).is_some_and(|&pairs| pairs & bit(second) != 0),
        _ => false,
    };
    let triples = letters.windows(3).filter_map(<[u8]>::first_chunk).map(|three| usize::from(weight(*three)));
    letters.iter().map(one).sum::<usize>()
        + 10 * letters.windows(2).filter(is_common).count()
        + 10 * triples.sum::<usize>()
}

/// How much three letters side by side weigh, by how often they are met.
fn weight(three: [u8; 3]) -> u8 {
    if three.iter().all(u8::is_ascii_alphabetic) {
        TRIPLES.get(triple(three)).copied().unwrap_or_default()
    } else {
        0
    }
}

/// The place of three letters in the table. `l` is one with `i`, as in squeezed text.
const fn triple([first, second, third]: [u8; 3]) -> usize {
    const fn number(letter: u8) -> usize {
        let letter = letter & 31;
        (if letter == b'l' & 31 { b'i' & 31 } else { letter }) as usize
    }
    (number(first) << 10) | (number(second) << 5) | number(third)
}

const fn bit(letter: u8) -> u32 {
    if letter.is_ascii_lowercase() { 1 << (letter - b'a') } else { 0 }
}

/// How common each character is. What is not listed is rare.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
static LETTERS: [u8; 256] = {
    let from_rare_to_common = b"zqjxkvbwygfpmu/_-.:dhclrnsoitae ";
    let mut letters = [0; 256];
    let mut rank = 0;
    while rank < from_rare_to_common.len() {
        letters[from_rare_to_common[rank] as usize] = rank as u8 + 4;
        rank += 1;
    }
    letters
};

/// For each letter, those that often follow it; `l` is written as `i`, too, as squeezed text has it.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
static PAIRS: [u32; 256] = {
    let common = b"thheineranreonatenndtiesorteofedisitaialarsttontngsehaasouioieleveco\
        medeiillroicneearacechprus";
    let mut pairs = [0; 256];
    let mut place = 0;
    while place + 1 < common.len() {
        pairs[common[place] as usize] |= bit(common[place + 1]);
        place += 2;
    }
    pairs
};

/// The three letters side by side that are met most often, the commonest first, as counted in documents and
/// programs of many authors.
const FROM_COMMON_TO_RARE: &[u8] =
    b"theioningtioaiientcomateodeithforandintterestaticonseistrgitonsiieereeifhttttptesersectortstause\
          ecoethertresvernodreatpsthaserhernstsinproiteratnotturiinmpitinesssioiesonttedmenthirinisterinth\
          itiiiitriamesthtorbiewitoreerrctiabidinntehataretresnoporfiiietiicpieesederhisediiiberasgiothret\
          asendiuiiainparstoonetatthuchaineinssetiateadrsihubieatairechecdefbcoassubcmaisseiseeindocntadat\
          eiiureacknamptiromcodndeenspsgusteveidevaiiveormedtommhesuithenhannsesteifionichemitompheiageimp\
          edetrarorfrotthefirroendesirepreieasenciisntiitstypiidcaioutninftheatsedireperpatthongtejsssiget\
          seshasieidejncoreneiepreypeyourreincranicaindexteturseoftatttennaingiinietoesadtomatoriaddrefrth\
          iedpacstiiitiiopiincecesemergecandepeforusiocurnneronangentseantchtarwheaisathtimoptouratuienomn\
          enaeenatamnoiceizeisinontemdeceisedatanonftruepatisredmodinaequmanargeprritordiowrmasanianangema\
          cattomscrworesutteastomantomesraicratcoenortoiereneecidthtsttsejsnmetmerimeesodesariiiaovetotded\
          ntrscoetearsgthwhibutcorexpopeheasenrtitexsecemooiijecefaichythiaipenedoepocenonoaiunfiancatcisa\
          nedferotertengsdisveneioiuefinutisreundbugsitometiierforsearpecfiendoetaspaactartnsifixumehemstd\
          antkeyrdedirharounergignappiasachnewecaostsoniogusireqiemuncrstthturiettespbraerosupposttooinges\
          mmiisceoftofdenepuhedernpiaedbgenciaitamintabnumracaveorkngaescissncieusaitreespeorraradebetiora\
          chiashaceriastsuestfoosebuightshonitginsarremebuoduakeobjndafeahinisosimaryiiypuborguieheptictsi\
          wiisfoicorunetrshasignfohicnorhefputoryctesiidreitosouondgrecurrcepuibasittctondsercdonmutfunttr\
          oncncheidatoteiadebytrieffebjedifauicregerfaudetseeupphavberfaiunianyeitciisearibtopsofapitusurc\
          toateampoeainctditcrinretoservsstrcoiffiabrarsuisizewiiecsmaitybeeveiqueermckeuidpritocockystdde\
          ndtinfwinsbeppoebihtheedmmanneriphouedfsdoexaeamedumisibupoickaiftnttemikinsistasooiampoussubssa";

/// What three letters weigh: the more often they are met, the more.
#[expect(clippy::indexing_slicing, reason = "at compile time")]
static TRIPLES: [u8; 1 << 15] = {
    let (all, _) = FROM_COMMON_TO_RARE.as_chunks::<3>();
    let mut triples = [0; 1 << 15];
    let mut rank = 0;
    while rank < all.len() {
        triples[triple(all[rank])] = 1 + (all.len() / (rank + 1)).ilog2() as u8;
        rank += 1;
    }
    triples
};
