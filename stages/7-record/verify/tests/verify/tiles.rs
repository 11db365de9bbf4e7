//! Paths of tiles, and bundles of entries.

use verify::tiles::{Bundle, CutShort, Kind, Tile, TooLong};

type Read = Result<&'static [u8], CutShort>;

#[test]
fn paths_are_those_of_the_specification() {
    let cases = [
        // kind, number, width -> path
        (Kind::Entries, 0, 256, "tile/entries/000"),
        (Kind::Entries, 1_234_067, 256, "tile/entries/x001/x234/067"),
        (Kind::Entries, 999, 255, "tile/entries/999.p/255"),
        (Kind::Entries, 1000, 1, "tile/entries/x001/000.p/1"),
        (Kind::Hashes { level: 0 }, 273, 112, "tile/0/273.p/112"),
        (Kind::Hashes { level: 2 }, 0, 1, "tile/2/000.p/1"),
        (Kind::Hashes { level: 7 }, u64::MAX, 256, "tile/7/x018/x446/x744/x073/x709/x551/615"),
    ];
    for (kind, index, width, want) in cases {
        assert_eq!(Tile::new(kind, index, width).unwrap().to_string(), want);
        // Theirs have the height of a tile in front of the level, and call bundles data.
        let (level, data) = match kind {
            Kind::Entries => (0, true),
            Kind::Hashes { level } => (level, false),
        };
        let theirs = tlog_tiles::Tile::new(8, level, index, u32::try_from(width).unwrap(), data).path();
        assert_eq!(theirs.replace("tile/8/data", "tile/entries").replace("tile/8/", "tile/"), want);
    }
    assert_eq!(Tile::new(Kind::Entries, 0, 0), None);
    assert_eq!(Tile::new(Kind::Entries, 0, 257), None);
}

#[test]
fn a_log_has_the_tiles_that_the_specification_says() {
    let cases = [
        // entries, level -> tiles, width of the last
        (0, 0, 0, None),
        (1, 0, 1, Some(1)),
        (255, 0, 1, Some(255)),
        (256, 0, 1, Some(256)),
        (256, 1, 1, Some(1)),
        (255, 1, 0, None),
        (70_000, 0, 274, Some(112)),
        (70_000, 1, 2, Some(17)),
        (70_000, 2, 1, Some(1)),
        (70_000, 3, 0, None),
        (u64::MAX, 7, 1, Some(255)),
        (u64::MAX, 8, 0, None),
        (u64::MAX, 255, 0, None),
    ];
    for (size, level, count, last) in cases {
        let tiles: Vec<Tile> = Tile::of_log(Kind::Hashes { level }, size).collect();
        assert_eq!((tiles.len(), tiles.last().map(Tile::width)), (count, last), "{size} at level {level}");
    }
}

#[test]
fn tiles_know_their_entries() {
    let tile = |level, index, width| Tile::new(Kind::Hashes { level }, index, width).unwrap();
    assert_eq!(tile(0, 1, 44).entries(), 256..=299);
    assert_eq!(tile(0, 1, 44).entries_below(7), 263..=263);
    assert_eq!(tile(1, 0, 1).entries(), 0..=255);
    assert_eq!(tile(1, 1, 17).entries_below(2), 66_048..=66_303);
    assert_eq!(Tile::new(Kind::Entries, 1, 44).unwrap().entries(), 256..=299);
    // No tile of a real log, and still no overflow.
    assert_eq!(tile(255, u64::MAX, 256).entries_below(u64::MAX), u64::MAX..=u64::MAX);
}

#[test]
fn bundles_are_read_as_they_were_written() {
    let entries: [&[u8]; 4] = [b"one", b"", &[7; 65_535], b"{}"];
    let mut bundle = Vec::new();
    entries.iter().for_each(|entry| Bundle::write(&mut bundle, entry).unwrap());
    let read: Vec<&[u8]> = Bundle::new(&bundle).map(Result::unwrap).collect();
    assert_eq!(read, entries);

    let before = bundle.len();
    assert_eq!(Bundle::write(&mut bundle, &[7; 65_536]), Err(TooLong(65_536)));
    assert_eq!(bundle.len(), before);
}

#[test]
fn a_bundle_that_ends_inside_an_entry_is_refused_there() {
    let cases: [(&[u8], &[Read]); 6] = [
        // bytes -> what is read
        (b"", &[]),
        (b"\0\x01a", &[Ok(b"a")]),
        (b"\0", &[Err(CutShort(0))]),
        (b"\0\x02a", &[Err(CutShort(0))]),
        (b"\0\x01a\0", &[Ok(b"a"), Err(CutShort(1))]),
        (b"\0\x01a\xff\xffb\0\x01c", &[Ok(b"a"), Err(CutShort(1))]),
    ];
    for (bytes, want) in cases {
        assert_eq!(Bundle::new(bytes).collect::<Vec<_>>(), want, "{bytes:?}");
    }
}
