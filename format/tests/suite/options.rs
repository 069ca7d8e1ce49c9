//! How lists of options are read.

use gmon_format::options::{self, Key};

#[test]
fn pairs_have_a_key_a_value_or_neither() {
    let read = |list: &'static str| {
        let pairs = options::pairs(list.as_bytes());
        let text = |bytes| std::str::from_utf8(bytes).expect("text");
        pairs.map(|pair| (text(pair.text), pair.key, text(pair.value))).collect::<Vec<_>>()
    };
    assert_eq!(read(""), []);
    assert_eq!(
        read("hz=1000,,off,out=a=b,layout=c,=,quiet="),
        [
            ("hz=1000", Some(Key::Hz), "1000"),
            ("off", Some(Key::Off), ""),
            ("out=a=b", Some(Key::Out), "a=b"),
            ("layout=c", None, "c"),
            ("=", None, ""),
            ("quiet=", Some(Key::Quiet), ""),
        ]
    );
}

#[test]
fn the_last_value_of_a_key_counts() {
    for (list, out) in [
        ("", None),
        ("hz=1000,off", None),
        ("out=", None),
        ("out=a", Some("a")),
        ("hz=1,out=a/%p,layout=b", Some("a/%p")),
        ("out=a,out=b", Some("b")),
        ("out=a,out=", None),
    ] {
        assert_eq!(options::value(list.as_bytes(), Key::Out), out.map(str::as_bytes), "{list}");
    }
}

#[test]
fn every_row_can_be_written_and_is_read_as_itself() {
    for row in options::ROWS {
        let text = row.value.map_or(row.name.to_owned(), |value| format!("{}={value}", row.name));
        let pair = options::pairs(text.as_bytes()).next().expect("a pair");
        assert_eq!(pair.key, Some(row.key), "{text}");
    }
}

#[test]
fn switches_are_on_unless_turned_off() {
    for (value, on) in [("", true), ("1", true), ("yes", true), ("0", false), ("no", false)] {
        assert_eq!(options::is_on(value.as_bytes()), on, "{value}");
    }
}
