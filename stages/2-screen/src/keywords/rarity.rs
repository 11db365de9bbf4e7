//! Which letters of a word are rarely met together. A guess; a bad one costs time and nothing else.

/// How often these letters are met in prose and in code, roughly.
pub(super) fn commonness(letters: &[u8]) -> usize {
    let one = |&byte: &u8| LETTERS.get(usize::from(byte)).copied().map_or(0, usize::from);
    let is_common = |pair: &&[u8]| match **pair {
        [first, second] => PAIRS.get(usize::from(first)).is_some_and(|&pairs| pairs & bit(second) != 0),
        _ => false,
    };
    letters.iter().map(one).sum::<usize>() + 10 * letters.windows(2).filter(is_common).count()
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
