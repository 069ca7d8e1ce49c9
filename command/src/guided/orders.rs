//! Orders of functions, as linkers take them.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};

use gmon_analyzer::export::FunctionOrder;

/// An order in the format of a linker.
pub(crate) struct Order {
    /// The format of `gmon export`, and so the ending of its file.
    pub(crate) format: &'static str,
    pub(crate) write: fn(&FunctionOrder, &mut dyn Write) -> io::Result<()>,
    /// Words for the linker, of which the last ends in the file's path.
    words: &'static [&'static str],
}

/// The orders for lld, gold and GNU ld.
pub(crate) const ORDERS: [Order; 3] = [
    Order {
        format: "symbol-order",
        write: FunctionOrder::write_symbols,
        words: &["--no-warn-symbol-ordering", "--symbol-ordering-file="],
    },
    Order {
        format: "section-order",
        write: FunctionOrder::write_sections,
        words: &["--section-ordering-file="],
    },
    Order { format: "script-order", write: FunctionOrder::write_script, words: &["--script="] },
];

impl Order {
    /// The options of compilers for the file of the order, each after `before`. They have no `-Wl,`, which would end paths at
    /// commas.
    pub(crate) fn options(&self, before: &str, file: &OsStr) -> Vec<OsString> {
        let mut options = Vec::new();
        for word in self.words {
            options.extend([[before, "-Xlinker"].concat().into(), [before, word].concat().into()]);
        }
        if let Some(last) = options.last_mut() {
            OsString::push(last, file);
        }
        options
    }
}

#[test]
fn the_path_is_the_end_of_the_last_word() {
    let [lld, _, ld] = ORDERS;
    let options = lld.options("", "a,b".as_ref());
    let words = ["--no-warn-symbol-ordering", "--symbol-ordering-file=a,b"];
    assert_eq!(options, words.map(|word| ["-Xlinker", word]).concat());
    let words = ["-Clink-arg=-Xlinker", "-Clink-arg=--script=file"];
    assert_eq!(ld.options("-Clink-arg=", "file".as_ref()), words);
}
