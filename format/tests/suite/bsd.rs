//! The formats of BSD and 4.4BSD.

use gmon_format::{
    Accepted, Arc, BsdFile, BsdHeader, DataFile, Encoding, ErrorKind, FilePc, WordSize,
};

use crate::{file, gnu};

const OLD: BsdHeader =
    BsdHeader { low_pc: FilePc(0x1000), high_pc: FilePc(0x1010), bins: 4, rate: None };
const NEW: BsdHeader = BsdHeader { rate: Some(1000), ..OLD };
const BINS: [u16; 4] = [1, 0, 65_535, 7];
const ARCS: [(u64, u64, u64); 2] = [(0x1004, 0x1008, 5), (0x1005, 0x100c, (1 << 33) + 7)];

pub(crate) fn sample(encoding: Encoding, has_rate: bool) -> Vec<u8> {
    file::bsd(encoding, if has_rate { &NEW } else { &OLD }, &BINS, &ARCS)
}

#[test]
fn everything_comes_back_in_every_encoding() {
    for encoding in Encoding::ALL {
        for header in [OLD, NEW] {
            let bytes = sample(encoding, header.rate.is_some());
            let file = BsdFile::new(&bytes, encoding).unwrap();
            assert_eq!(*file.header(), header);
            assert_eq!(file.bins().unwrap().iter().collect::<Vec<_>>(), BINS);
            let arcs: Vec<_> = file.arcs().collect();
            assert_eq!(arcs[0], Arc::new(0x1004, 0x1008, 5));
            let wide: u64 = arcs[1..].iter().map(|arc| arc.count).sum();
            // A count has the size of an address.
            let parts = if encoding.word == WordSize::Four { 3 } else { 1 };
            assert_eq!((arcs.len(), wide), (1 + parts, (1 << 33) + 7));
        }
    }
}

#[test]
fn bins_that_are_not_given_are_zero() {
    for encoding in Encoding::ALL {
        let bytes = file::bsd(encoding, &OLD, &[9], &[]);
        let file = BsdFile::new(&bytes, encoding).unwrap();
        assert_eq!(file.bins().unwrap().iter().collect::<Vec<_>>(), [9, 0, 0, 0]);
        assert_eq!(file.arcs().count(), 0);
    }
}

#[test]
fn every_truncation_is_reported_but_that_of_arcs() {
    for encoding in Encoding::ALL {
        for header in [OLD, NEW] {
            let bytes = sample(encoding, header.rate.is_some());
            let len = header.len(encoding.word);
            let spare = if header.rate.is_some() { 12 } else { 0 };
            // Only what follows tells the old header from the new one.
            let least = 20.max(if spare == 0 { len + 4 } else { len - spare });
            for cut in 0..bytes.len() {
                let read = BsdFile::new(&bytes[..cut], encoding);
                let Ok(file) = read else {
                    assert_eq!(read.unwrap_err().kind, ErrorKind::TooShort);
                    assert!(cut < least, "{cut}");
                    continue;
                };
                assert!(cut >= least, "{cut}");
                let bins = cut.saturating_sub(len) / 2;
                match file.bins() {
                    Err(error) => {
                        let read = bins as u32;
                        let kind = ErrorKind::BsdBinsCutShort { read, announced: 4 };
                        assert_eq!(error.kind, kind);
                        assert!(bins < 4);
                    }
                    Ok(_) => assert!(bins >= 4),
                }
                let arcs = cut.saturating_sub(len + 8) / (3 * encoding.word.bytes());
                assert_eq!(file.arcs().count(), arcs, "{cut}");
            }
        }
    }
}

#[test]
fn a_header_that_makes_no_sense_is_refused() {
    for encoding in Encoding::ALL {
        let word = encoding.word.bytes();
        let good = sample(encoding, true);
        let size_is = |size: u32| {
            let mut bytes = good.clone();
            bytes[2 * word..2 * word + 4].copy_from_slice(&encoding.u32_bytes(size));
            BsdFile::new(&bytes, encoding).map(|file| file.header().bins).map_err(|e| e.kind)
        };
        let len = NEW.len(encoding.word) as u32;
        assert_eq!(size_is(len - 1), Err(ErrorKind::BadBsdHeader));
        assert_eq!(size_is(0), Err(ErrorKind::BadBsdHeader));
        assert_eq!(size_is(len), Ok(0));
        assert_eq!(size_is(len + 1), Ok(0));
        assert_eq!(size_is(len + 3), Ok(1));
        assert_eq!(size_is(u32::MAX), Ok((u32::MAX - len) / 2));
        let backwards = BsdHeader { low_pc: FilePc(0x2000), ..NEW };
        let bytes = file::bsd(encoding, &backwards, &BINS, &[]);
        assert_eq!(BsdFile::new(&bytes, encoding).unwrap_err().kind, ErrorKind::BadBsdHeader);
    }
}

#[test]
fn formats_are_distinguished() {
    use Accepted::{Any, Bsd, Bsd44, Gnu};
    for encoding in Encoding::ALL {
        let files = [gnu::sample(encoding), sample(encoding, false), sample(encoding, true)];
        let open = |accepted| {
            files.each_ref().map(|bytes| match DataFile::open(bytes, encoding, accepted) {
                Ok(DataFile::Gnu(_)) => "gnu".to_owned(),
                Ok(DataFile::Bsd(file)) => format!("{:?}", file.header().rate),
                Err(error) => error.to_string(),
            })
        };
        let bad = "bad magic cookie";
        assert_eq!(open(Any), ["gnu", "None", "Some(1000)"]);
        assert_eq!(open(Gnu), ["gnu", bad, bad]);
        assert_eq!(open(Bsd44), [bad, bad, "Some(1000)"]);
        assert_eq!(open(Bsd)[1..], ["None", "Some(1000)"]);
        assert!(!open(Bsd)[0].contains("gnu"));
    }
}
