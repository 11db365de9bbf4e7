//! Scratch.
#![allow(warnings, clippy::all, reason = "scratch")]
use call::Family;
fn main(){ for line in std::fs::read_to_string("/tmp/try.txt").unwrap().lines() { let mut p=line.splitn(3,'|'); let f=p.next().unwrap(); let w=p.next().unwrap(); let t=p.next().unwrap();
 let fam= match f {"Override"=>Family::Override,"Secret"=>Family::Secret,_=>Family::Payload};
 let r: Vec<_>=screen::screen(t,&[fam]).into_iter().map(|c|c.kind).collect();
 if r.is_empty() == (w=="H") { println!("{f} wanted {w}: {t} -> {r:?}"); } } }
