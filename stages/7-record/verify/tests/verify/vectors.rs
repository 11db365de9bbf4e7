//! The reference vectors of Certificate Transparency: eight leaves, their roots, and proofs about them.

use verify::tree::{Hash, check_consistency, check_inclusion, prove_consistency, prove_inclusion};

use crate::made::{Leaves, root};

const LEAVES: [&[u8]; 8] = [b"", b"\x00", b"\x10", b" !", b"01", b"@ABC", b"PQRSTUVW", b"`abcdefghijklmno"];

const ROOTS: [&str; 9] = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

#[test]
fn roots_are_those_of_the_reference() {
    let leaves = LEAVES.map(Hash::of_leaf);
    for (size, want) in ROOTS.iter().enumerate() {
        assert_eq!(root(&leaves[..size]).to_string(), *want, "{size} leaves");
    }
}

#[test]
fn inclusion_proofs_are_those_of_the_reference() {
    let cases: [(u64, u64, &[&str]); 5] = [
        // index, size -> hashes, by how they begin
        (0, 1, &[]),
        (0, 8, &["96a296d224f285c6", "5f083f0a1a33ca07", "6b47aaf29ee3c2af"]),
        (5, 8, &["bc1a0643b12e4d2d", "ca854ea128ed050b", "d37ee418976dd957"]),
        (2, 3, &["fac54203e7cc696c"]),
        (1, 5, &["6e340b9cffb37a98", "5f083f0a1a33ca07", "bc1a0643b12e4d2d"]),
    ];
    let leaves = Leaves(LEAVES.map(Hash::of_leaf).to_vec());
    for (index, size, want) in cases {
        let Ok(proof) = prove_inclusion(&leaves, index, size);
        let proof = proof.unwrap();
        check(&proof, want, &format!("{index} of {size}"));
        let (leaf, root) = (leaves.0[place(index)], root(&leaves.0[..place(size)]));
        assert_eq!(check_inclusion(leaf, index, size, &proof, root), Ok(()), "{index} of {size}");
    }
}

#[test]
fn consistency_proofs_are_those_of_the_reference() {
    let cases: [(u64, u64, &[&str]); 4] = [
        // old size, new size -> hashes, by how they begin
        (1, 1, &[]),
        (1, 8, &["96a296d224f285c6", "5f083f0a1a33ca07", "6b47aaf29ee3c2af"]),
        (6, 8, &["0ebc5d3437fbe2db", "ca854ea128ed050b", "d37ee418976dd957"]),
        (2, 5, &["5f083f0a1a33ca07", "bc1a0643b12e4d2d"]),
    ];
    let leaves = Leaves(LEAVES.map(Hash::of_leaf).to_vec());
    for (old, new, want) in cases {
        let Ok(proof) = prove_consistency(&leaves, old, new);
        let proof = proof.unwrap();
        check(&proof, want, &format!("{old} to {new}"));
        let root = |size| root(&leaves.0[..place(size)]);
        assert_eq!(check_consistency((old, root(old)), (new, root(new)), &proof), Ok(()), "{old} to {new}");
    }
}

#[test]
fn a_tree_without_leaves_has_one_root_only() {
    let (nothing, other) = (Hash::of_nothing(), Hash::of_leaf(b""));
    let cases = [
        // old root, new size, new root -> accepted
        (nothing, 0, nothing, true),
        (nothing, 1, other, true),
        (other, 0, other, false),
        (nothing, 0, other, false),
        (other, 0, nothing, false),
        (other, 1, other, false),
    ];
    for (old, size, new, want) in cases {
        let accepted = check_consistency((0, old), (size, new), &[]).is_ok();
        assert_eq!(accepted, want, "{old} to {size} {new}");
    }
}

#[track_caller]
fn check(proof: &[Hash], want: &[&str], case: &str) {
    let found: Vec<String> = proof.iter().map(|hash| hash.to_string().chars().take(16).collect()).collect();
    assert_eq!(found, want, "{case}");
}

fn place(number: u64) -> usize {
    usize::try_from(number).unwrap()
}
