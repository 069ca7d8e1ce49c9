//! Guessing the encoding of a file.

use gmon_format::{Arc, BsdHeader, DataFile, Encoding, FilePc};

use crate::{bsd, file, gnu};

fn encodings(bytes: &[u8]) -> Vec<Encoding> {
    DataFile::encodings(bytes).collect()
}

#[test]
fn a_file_makes_sense_only_in_its_own_encoding() {
    for encoding in Encoding::ALL {
        let arcs = |writer: &mut gmon_format::Writer<'_, _>| {
            (0..9).try_for_each(|n| writer.arc(Arc::new(0x40_1000 + 5 * n, 0x40_2000 + 16 * n, n)))
        };
        for (what, bytes) in [
            ("gnu", gnu::sample(encoding)),
            ("gnu, only arcs", file::gnu(encoding, 64, arcs)),
            ("bsd", bsd::sample(encoding, false)),
            ("4.4bsd", bsd::sample(encoding, true)),
        ] {
            assert_eq!(encodings(&bytes), [encoding], "{what}");
        }
    }
}

#[test]
fn a_damaged_file_makes_no_sense() {
    let good = gnu::sample(Encoding::NATIVE);
    assert_eq!(encodings(&good[..good.len() - 1]), []);
    assert_eq!(encodings(b"some text, long enough to be a data file by its size"), []);
    assert_eq!(encodings(b""), []);
    let mut odd = bsd::sample(Encoding::NATIVE, false);
    odd.push(0);
    assert_eq!(encodings(&odd), []);
    let no_bins =
        BsdHeader { low_pc: FilePc(0x1000), high_pc: FilePc(0x2000), bins: 0, rate: None };
    assert_eq!(encodings(&file::bsd(Encoding::NATIVE, &no_bins, &[], &[(1, 2, 3)])), []);
}

#[test]
fn a_file_without_records_tells_only_its_byte_order() {
    for encoding in Encoding::ALL {
        let found = encodings(&file::gnu(encoding, 64, |_| Ok(())));
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|found| found.order == encoding.order));
    }
}

#[test]
fn the_start_of_a_damaged_file_tells_its_encoding() {
    for encoding in Encoding::ALL {
        let good = gnu::sample(encoding);
        let cut = &good[..good.len() - 1];
        assert_eq!(DataFile::encoding_of_start(cut), Some(encoding));
    }
    assert_eq!(DataFile::encoding_of_start(b"some text, long enough to be a data file"), None);
}
