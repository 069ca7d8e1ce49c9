//! `gmon recover`: every file that there can be, and every place that the profile can be wanted in.

use std::{
    fs::{self, File},
    path::Path,
};

use fastrand::Rng;
use gmon_format::{
    Arc, Encoding, FilePc, HistogramHeader, LoadedPc, Placement, Record, Records,
    live::{ALIGNMENT, Block, Content, Form, Header, Sampling},
};

use super::steps::{LIVE, program, run};
use support::{
    command::{gmon, output_of, said, text_of},
    tools,
    workplace::Workplace,
};

/// What `gmon recover` with these arguments ends with and says, in a place.
fn recover(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = output_of(gmon().arg("recover").args(arguments).current_dir(folder));
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// A live file with one arc and a histogram, of a program of any machine.
fn live_file(encoding: Encoding, calls: u64, samples: u64) -> Vec<u8> {
    live_file_of(encoding, calls, samples, 2)
}

/// A live file with so many bins, the last of which has the samples.
fn live_file_of(encoding: Encoding, calls: u64, samples: u64, bins: usize) -> Vec<u8> {
    let len = 64 + 8 * bins;
    let header = Header {
        encoding,
        form: Form::Live,
        process: 4711,
        placement: Placement {
            bias: 0x4000,
            text: LoadedPc(0x5000)..LoadedPc(0x6000),
            external_caller: LoadedPc(0x5000),
            call_offset: 1,
        },
        reserved: (2 * ALIGNMENT + len.next_multiple_of(ALIGNMENT)) as u64,
        histogram_at: 2 * ALIGNMENT as u64,
        sampling: Sampling { rate: 250, dimension: HistogramHeader::SECONDS, abbreviation: b's' },
        program: Header::program_name(b"elsewhere"),
    };
    let table =
        Block { content: Content::Arcs, len: 96, entries_at: 64, entries: 1, entry_len: 32 };
    let histogram = Block {
        content: Content::Histogram { low_pc: LoadedPc(0x5000), bin_len: 4 },
        len: len as u64,
        entries_at: 64,
        entries: bins as u64,
        entry_len: 8,
    };
    let word = |value: u64| match encoding.word.bytes() {
        4 => encoding.u32_bytes(value as u32).to_vec(),
        _ => encoding.u64_bytes(value).to_vec(),
    };
    let pages = [
        header.encode().to_vec(),
        [&table.encode(encoding)[..], &word(0x5004), &word(0x5021), &encoding.u64_bytes(calls)]
            .concat(),
        [&histogram.encode(encoding)[..], &vec![0; 8 * (bins - 1)], &encoding.u64_bytes(samples)]
            .concat(),
    ];
    let padded = pages.into_iter().flat_map(|mut page| {
        page.resize(page.len().next_multiple_of(ALIGNMENT), 0);
        page
    });
    padded.collect()
}

#[test]
fn files_of_every_machine_are_recovered_in_its_encoding() {
    let place = Workplace::new();
    for encoding in Encoding::ALL {
        let (calls, samples) = ((1 << 33) + 5, 70_000);
        place.write("live", live_file(encoding, calls, samples));
        let line = "out: 8,589,934,597 calls over 1 arc and 70,000 samples of elsewhere, process \
                    4711\n";
        let said = recover(place.folder(), &["live", "-o", "out"]);
        assert_eq!(said, (Some(0), line.to_owned(), String::new()));

        let bytes = place.bytes("out");
        let mut found = (0, 0);
        for record in Records::new(&bytes, encoding).expect("a header") {
            match record.expect("a record") {
                Record::Arc(arc) => {
                    assert_eq!(arc, Arc::new(0x1020, 0x1004, arc.count));
                    found.0 += arc.count;
                }
                Record::Histogram(histogram) => {
                    let HistogramHeader { low_pc, high_pc, bins, rate, .. } = histogram.header;
                    assert_eq!((low_pc, high_pc), (FilePc(0x1000), FilePc(0x1008)));
                    assert_eq!((bins, rate), (2, 250));
                    found.1 += histogram.bins.iter().map(u64::from).sum::<u64>();
                }
                Record::Blocks(_) => panic!("blocks that nobody counted"),
            }
        }
        assert_eq!(found, (calls, samples));
    }
}

/// A folder with one live file and things that are none.
fn with_files() -> Workplace {
    let place = Workplace::new();
    let path = |name: &str| place.path(name);
    let live = live_file(Encoding::NATIVE, 5, 3);
    place.write("live", &live);
    place.write("cut", &live[..live.len() - 1]);
    place.write("short", &live[..100]);
    place.write("empty", "");
    place.write("text", "a text of some length\n".repeat(100));
    place.write("absurd", live_file(Encoding::NATIVE, u64::MAX, 3));
    place.write("hot", live_file(Encoding::NATIVE, 5, u64::MAX));
    let mut newer = live.clone();
    newer[8] = 9;
    place.write("newer", newer);
    // Not even its first page is read whole.
    File::create(path("huge")).and_then(|file| file.set_len(1 << 43)).expect("a sparse file");
    let mut sparse = live[..Header::LEN].to_vec();
    sparse[Header::RESERVED_AT..][..8].copy_from_slice(&[0xff; 8]);
    place.write("sparse", sparse);
    // Only what the header tells of is read.
    place.write("long", &live);
    let long = File::options().write(true).open(path("long"));
    long.and_then(|file| file.set_len(1 << 43)).expect("a sparse file");
    fs::create_dir(path("folder")).expect("a folder");
    place
}

#[test]
fn what_is_no_live_file_is_an_error_of_one_line() {
    let place = with_files();
    for (name, why) in [
        ("missing", "No such file or directory"),
        ("folder", "not a regular file"),
        ("/dev/null", "not a regular file"),
        ("empty", "too short to be a live profile"),
        ("short", "too short to be a live profile"),
        ("text", "not a live profile"),
        ("huge", "not a live profile"),
        ("cut", "a live profile cut short: it had 12288 bytes"),
        ("sparse", "a live profile cut short: it had 18446744073709551615 bytes"),
        ("newer", "a live profile of version 9, which is not supported"),
        ("absurd", "a damaged live profile: its counts are higher than any program reaches"),
        ("hot", "a damaged live profile: its counts are higher than any program reaches"),
    ] {
        let said = recover(place.folder(), &[name]);
        assert_eq!(said, (Some(1), String::new(), format!("gmon: {name}: {why}\n")));
        assert!(!place.exists("gmon.out"), "{name}");
    }
    // Every command refuses counts that nothing can have reached.
    for name in ["absurd", "hot"] {
        let mut merge = gmon();
        merge.args(["merge", "-o", "sum", name, "live"]).current_dir(place.folder());
        let why = "a damaged live profile: its counts are higher than any program reaches";
        assert_eq!(said(&output_of(&mut merge)), format!("gmon: {name}: {why}\n"));
        assert!(!place.exists("sum"), "{name}");
    }
}

#[test]
fn a_day_of_samples_in_one_bin_is_a_small_file() {
    const DAY: u64 = 86_400_000;
    const BINS: usize = 100_000;
    let place = Workplace::new();
    place.write("live", live_file_of(Encoding::NATIVE, 5, DAY, BINS));
    let line = |name: &str, samples: &str| {
        let text = format!(
            "{name}: 5 calls over 1 arc and {samples} samples of elsewhere, process 4711\n"
        );
        (Some(0), text, String::new())
    };
    let said = recover(place.folder(), &["live", "-o", "day"]);
    assert_eq!(said, line("day", "86,400,000"));
    place.write("live", live_file_of(Encoding::NATIVE, 5, 3, BINS));
    assert_eq!(recover(place.folder(), &["live", "-o", "seconds"]), line("seconds", "3"));
    // In any order, whether the whole range comes first or its parts.
    for files in [["day", "seconds"], ["seconds", "day"]] {
        text_of(gmon().args(["merge", "-o", "sum"]).args(files).current_dir(place.folder()));
        let (bytes, mut samples) = (place.bytes("sum"), 0);
        assert!(bytes.len() < 1 << 20, "{} bytes", bytes.len());
        for record in Records::new(&bytes, Encoding::NATIVE).expect("a header") {
            if let Record::Histogram(histogram) = record.expect("a record") {
                samples += histogram.bins.iter().map(u64::from).sum::<u64>();
            }
        }
        assert_eq!(samples, DAY + 3);
    }
}

#[test]
fn profile_goes_where_it_is_wanted() {
    let place = with_files();
    let line = |name: &str| {
        format!("{name}: 5 calls over 1 arc and 3 samples of elsewhere, process 4711\n")
    };
    let good = |name: &str| (Some(0), line(name), String::new());
    assert_eq!(recover(place.folder(), &["live"]), good("gmon.out"));
    let profile = place.bytes("gmon.out");

    // What is there is replaced only if it was named.
    place.write("gmon.out", "precious");
    let refusal = "gmon: gmon.out exists; say -o gmon.out to replace it\n".to_owned();
    assert_eq!(recover(place.folder(), &["live"]), (Some(1), String::new(), refusal));
    assert_eq!(place.bytes("gmon.out"), b"precious");
    assert_eq!(recover(place.folder(), &["live", "-o", "gmon.out"]), good("gmon.out"));
    assert!(place.bytes("gmon.out") == profile);

    assert_eq!(recover(place.folder(), &["--output=folder/out", "live"]), good("folder/out"));
    assert!(place.bytes("folder/out") == profile);
    assert_eq!(recover(place.folder(), &["live", "-o", "/dev/null"]), good("/dev/null"));
    for (name, why) in [
        ("missing/out", "No such file or directory"),
        ("text/out", "Not a directory"),
        ("folder", "Is a directory"),
    ] {
        let line = format!("gmon: {name}: {why}\n");
        assert_eq!(recover(place.folder(), &["live", "-o", name]), (Some(1), String::new(), line));
    }
    let said = recover(place.folder(), &["long", "-o", "gmon.out"]);
    assert_eq!(said, good("gmon.out"));

    // Nothing that was begun stays behind.
    assert!(!place.files().iter().any(|name| name.starts_with('.')));
}

#[test]
fn bad_usage_is_status_2_and_help_tells_of_running_programs() {
    let place = with_files();
    for arguments in [&[][..], &["live", "cut"], &["live", "-o"], &["--no-such-option", "live"]] {
        let (status, _, stderr) = recover(place.folder(), arguments);
        let is_told = stderr.contains("Usage: gmon recover") || stderr.contains("try '--help'");
        assert!(status == Some(2) && is_told, "{stderr}");
    }
    let (status, help, _) = recover(place.folder(), &["--help"]);
    assert!(status == Some(0) && help.contains("may still be running"), "{help}");
}

/// A real file, damaged anywhere: the command may believe it or not, but ends well.
#[test]
fn damaged_files_of_real_programs_do_no_harm() {
    let rounds = tools::rounds(300);
    let program = program();
    run(&program, "work 7, threads 3, kill");
    let whole = fs::read(program.path(LIVE)).expect("a file");
    // Where something is.
    let used: Vec<usize> = (0..whole.len()).filter(|i| whole[*i] != 0).collect();
    let mut random = Rng::with_seed(1);
    let mut believed = 0;
    for _ in 0..rounds {
        let mut damaged = whole.clone();
        for _ in 0..1 + random.usize(..8) {
            let at = used[random.usize(..used.len())];
            damaged[at] = [0, 1, 0x7f, 0x80, 0xff, damaged[at] ^ 4][random.usize(..6)];
        }
        if random.usize(..4) == 0 {
            damaged.truncate(random.usize(..damaged.len()));
        }
        fs::write(program.path("damaged"), damaged).expect("a file");
        let (status, stdout, stderr) =
            recover(&program.path(""), &["damaged", "-o", "damaged.out"]);
        match status {
            Some(0) => {
                assert!(stdout.lines().count() == 1 && stderr.is_empty(), "{stdout}{stderr}");
                believed += 1;
            }
            Some(1) => {
                let is_one_line = stderr.lines().count() == 1 && stdout.is_empty();
                assert!(is_one_line && stderr.starts_with("gmon: damaged: "), "{stdout}{stderr}");
            }
            _ => panic!("{status:?}: {stderr}"),
        }
    }
    assert!(believed > rounds / 10 && believed < rounds, "{believed} of {rounds} were believed");
}
