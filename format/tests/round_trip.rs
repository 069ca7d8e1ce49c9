//! What the writer writes, the reader reads, in every encoding.

use gmon_format::{
    Arc, Block, ByteOrder, Encoding, Error, ErrorKind, HistogramHeader, Record, Records, Sink,
    WordSize, Writer,
};

struct File(Vec<u8>);

impl Sink for File {
    type Error = std::convert::Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}

const ENCODINGS: [Encoding; 4] = [
    Encoding { word: WordSize::Four, order: ByteOrder::Little },
    Encoding { word: WordSize::Four, order: ByteOrder::Big },
    Encoding { word: WordSize::Eight, order: ByteOrder::Little },
    Encoding { word: WordSize::Eight, order: ByteOrder::Big },
];

const HEADER: HistogramHeader = HistogramHeader {
    low_pc: 0x1000,
    high_pc: 0x1010,
    bins: 4,
    rate: 100,
    dimension: HistogramHeader::SECONDS,
    abbreviation: b's',
};

fn sample(encoding: Encoding, buffer: usize) -> Vec<u8> {
    let mut buffer = vec![0; buffer];
    let mut writer = Writer::new(File(Vec::new()), encoding, &mut buffer).unwrap();
    writer.histogram(&HEADER, [(0, 1), (2, 140_000), (3, 65_535)].into_iter()).unwrap();
    writer.arc(0x1004, 0x1008, 5).unwrap();
    writer.arc(0x1005, 0x100c, (1 << 33) + 7).unwrap();
    writer
        .blocks([Block { pc: 0x1001, count: 9 }, Block { pc: 0x1002, count: 3 }].into_iter())
        .unwrap();
    writer.finish().unwrap().0
}

#[test]
fn everything_comes_back_in_every_encoding() {
    for encoding in ENCODINGS {
        let bytes = sample(encoding, 4096);
        let (mut bins, mut arcs, mut blocks) = ([0u64; 4], Vec::new(), Vec::new());
        for record in Records::new(&bytes, encoding).unwrap() {
            match record.unwrap() {
                Record::Histogram(histogram) => {
                    assert_eq!(histogram.header, HEADER);
                    for (sum, bin) in bins.iter_mut().zip(histogram.bins.iter()) {
                        *sum += u64::from(bin);
                    }
                }
                Record::Arc(arc) => arcs.push(arc),
                Record::Blocks(pairs) => blocks.extend(pairs.iter()),
            }
        }
        assert_eq!(bins, [1, 0, 140_000, 65_535]);
        assert_eq!(arcs[0], Arc { from_pc: 0x1004, self_pc: 0x1008, count: 5 });
        let wide: u64 = arcs[1..].iter().map(|arc| u64::from(arc.count)).sum();
        assert_eq!((arcs.len(), wide), (4, (1 << 33) + 7));
        assert_eq!(blocks, [Block { pc: 0x1001, count: 9 }, Block { pc: 0x1002, count: 3 }]);
    }
}

#[test]
fn size_of_the_buffer_does_not_change_the_file() {
    for encoding in ENCODINGS {
        let whole = sample(encoding, 4096);
        for size in [1, 3, 64] {
            assert_eq!(sample(encoding, size), whole);
        }
    }
}

#[test]
fn every_truncation_is_an_error_or_ends_between_records() {
    for encoding in ENCODINGS {
        let bytes = sample(encoding, 4096);
        let whole = Records::new(&bytes, encoding).unwrap().count();
        for len in 0..bytes.len() {
            match Records::new(&bytes[..len], encoding) {
                Err(error) => assert_eq!((error.kind, len < 20), (ErrorKind::TooShort, true)),
                Ok(records) => {
                    let read: Vec<_> = records.collect();
                    let good = read.iter().filter(|record| record.is_ok()).count();
                    assert!(good < whole, "{len} bytes read as a whole file");
                    assert!(read.len() - good <= 1, "reading went on after an error");
                }
            }
        }
    }
}

#[test]
fn defects_are_told_with_their_offset() {
    let encoding = ENCODINGS[2];
    let mut bytes = sample(encoding, 4096);
    bytes[20] = 9;
    let error = Records::new(&bytes, encoding).unwrap().next().unwrap().unwrap_err();
    assert_eq!(error, Error { kind: ErrorKind::BadTag(9), offset: 20 });
    bytes[4] = 2;
    let error = Records::new(&bytes, encoding).unwrap_err();
    assert_eq!(error.kind, ErrorKind::UnsupportedVersion(2));
    bytes[0] = b'G';
    assert_eq!(Records::new(&bytes, encoding).unwrap_err().kind, ErrorKind::BadMagic);
}
