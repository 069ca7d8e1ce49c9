//! Splits a command line by the rules of the C library's `getopt_long`.
//!
//! Letters can share a dash (`-bp`), a value can be attached (`-pmain`, `--graph=main`), words can
//! be cut short as long as they are unambiguous, and operands can stand before options.

use std::ffi::{OsStr, OsString};
use std::fmt;

use super::flags::{Argument, FLAGS, Flag};
use super::words::skip;

/// An item of the command line.
#[derive(Debug)]
pub(super) enum Item {
    /// An option.
    Option {
        /// Its row in the table.
        flag: &'static Flag,
        /// Its value.
        value: Option<OsString>,
    },
    /// Anything else: a file.
    Operand(OsString),
}

/// A word that breaks the rules; its text is that of the C library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Misuse {
    UnknownLetter(char),
    UnknownWord(String),
    Ambiguous(String, Vec<&'static str>),
    LetterNeedsValue(char),
    WordNeedsValue(&'static str),
    WordTakesNoValue(&'static str),
}

/// The command line, as far as it is not read yet.
#[derive(Debug)]
pub(super) struct CommandLine<'a> {
    words: std::slice::Iter<'a, OsString>,
    /// The letters of the current word that are still to be read.
    letters: Option<&'a OsStr>,
    /// After `--` everything is an operand.
    only_operands: bool,
    /// True if the first operand ends the options.
    posix: bool,
}

impl<'a> CommandLine<'a> {
    /// Starts reading `words`. With `posix` the first operand ends the options, as the C library
    /// does when `POSIXLY_CORRECT` is set.
    pub(super) fn new(words: &'a [OsString], posix: bool) -> Self {
        Self { words: words.iter(), letters: None, only_operands: false, posix }
    }

    fn long(&mut self, word: &OsStr) -> Result<Item, Misuse> {
        let (name, value) = split_at_equals(word);
        let flag = find_word(&name, word)?;
        let long = flag.long.unwrap_or_default();
        let value = match (flag.argument, value) {
            (Argument::None, Some(_)) => return Err(Misuse::WordTakesNoValue(long)),
            (Argument::Required(_), None) => {
                let next = self.words.next().ok_or(Misuse::WordNeedsValue(long))?;
                Some(next.clone())
            }
            (_, value) => value,
        };
        Ok(Item::Option { flag, value })
    }

    /// Reads the first of `letters`, which are not empty.
    fn short(&mut self, letters: &'a OsStr) -> Result<Item, Misuse> {
        let (letter, rest) = split_letter(letters);
        let has_rest = !rest.is_empty();
        self.letters = has_rest.then_some(rest);
        let flag = FLAGS
            .iter()
            .find(|flag| flag.short == Some(letter))
            .ok_or(Misuse::UnknownLetter(letter))?;
        let value = match flag.argument {
            Argument::None => None,
            Argument::Optional(_) => self.letters.take().map(OsStr::to_owned),
            Argument::Required(_) => {
                let attached = self.letters.take().map(OsStr::to_owned);
                let value = attached.or_else(|| self.words.next().cloned());
                Some(value.ok_or(Misuse::LetterNeedsValue(letter))?)
            }
        };
        Ok(Item::Option { flag, value })
    }
}

impl Iterator for CommandLine<'_> {
    type Item = Result<Item, Misuse>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(letters) = self.letters.take() {
            return Some(self.short(letters));
        }
        let word = self.words.next()?;
        let dashes = word.as_encoded_bytes().iter().take(2).take_while(|&&b| b == b'-').count();
        // A single dash alone names the standard input.
        if self.only_operands || dashes == 0 || word == "-" {
            self.only_operands |= self.posix;
            return Some(Ok(Item::Operand(word.clone())));
        }
        if word == "--" {
            self.only_operands = true;
            return self.next();
        }
        let rest = skip(word, dashes);
        Some(if dashes == 2 { self.long(rest) } else { self.short(rest) })
    }
}

/// Finds the option whose word is `name` or alone begins with it; `typed` is for the message.
fn find_word(name: &str, typed: &OsStr) -> Result<&'static Flag, Misuse> {
    let words = || FLAGS.iter().filter_map(|flag| flag.long.map(|long| (flag, long)));
    if let Some((flag, _)) = words().find(|(_, long)| *long == name) {
        return Ok(flag);
    }
    let typed = || typed.to_string_lossy().into_owned();
    let mut candidates = words().filter(|(_, long)| long.starts_with(name));
    match (candidates.next(), candidates.next()) {
        (None, _) => Err(Misuse::UnknownWord(typed())),
        (Some((flag, _)), None) => Ok(flag),
        _ => {
            let all = words().map(|(_, long)| long).filter(|long| long.starts_with(name));
            Err(Misuse::Ambiguous(typed(), all.collect()))
        }
    }
}

fn split_at_equals(word: &OsStr) -> (String, Option<OsString>) {
    let bytes = word.as_encoded_bytes();
    let name_len = bytes.iter().position(|&byte| byte == b'=').unwrap_or(bytes.len());
    let name = String::from_utf8_lossy(&bytes[..name_len]).into_owned();
    let value = (name_len < bytes.len()).then(|| skip(word, name_len + 1).to_owned());
    (name, value)
}

/// The first letter and the rest; a byte that is not ASCII counts as a letter of its own.
fn split_letter(letters: &OsStr) -> (char, &OsStr) {
    let byte = letters.as_encoded_bytes()[0];
    let letter = if byte.is_ascii() { char::from(byte) } else { char::REPLACEMENT_CHARACTER };
    (letter, skip(letters, 1))
}

impl fmt::Display for Misuse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLetter(letter) => write!(f, "invalid option -- '{letter}'"),
            Self::UnknownWord(word) => write!(f, "unrecognized option '--{word}'"),
            Self::Ambiguous(word, possible) => {
                write!(f, "option '--{word}' is ambiguous; possibilities:")?;
                possible.iter().try_for_each(|word| write!(f, " '--{word}'"))
            }
            Self::LetterNeedsValue(letter) => {
                write!(f, "option requires an argument -- '{letter}'")
            }
            Self::WordNeedsValue(word) => write!(f, "option '--{word}' requires an argument"),
            Self::WordTakesNoValue(word) => {
                write!(f, "option '--{word}' doesn't allow an argument")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Renders what the words are read as: options by their letter if they have one, operands as they
    /// are.
    fn read(line: &str, posix: bool) -> String {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let render = |item: Result<Item, Misuse>| match item {
            Ok(Item::Operand(operand)) => operand.into_string().unwrap(),
            Ok(Item::Option { flag, value }) => {
                let letter =
                    flag.short.map_or_else(|| format!("-{}", flag.long.unwrap()), String::from);
                let value = value.map(|value| format!(":{}", value.to_str().unwrap()));
                format!("-{letter}{}", value.unwrap_or_default())
            }
            Err(misuse) => format!("<{misuse}>"),
        };
        CommandLine::new(&words, posix).map(render).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_are_split_as_getopt_long_does() {
        for (line, items) in [
            ("-b -p exe", "-b -p exe"),
            ("-bp exe -q", "-b -p exe -q"),
            ("-bpfoo", "-b -p:foo"),
            ("-p foo", "-p foo"),
            ("-kfoo -k foo/bar", "-k:foo -k:foo/bar"),
            ("--flat-profile=foo --graph", "-p:foo -q"),
            ("--flat --brie", "-p -b"),
            ("--width 40 --width=", "-w:40 -w:"),
            ("--=main", "-e:main"),
            ("exe -- -b", "exe -b"),
            ("- -b", "- -b"),
            ("--no-s --inline", "-a --inline-file-names"),
        ] {
            assert_eq!(read(line, false), items, "{line}");
        }
        assert_eq!(read("-b exe -p", true), "-b exe -p");
        let words = [OsString::from("exe"), OsString::from("-p")];
        assert!(CommandLine::new(&words, true).all(|item| matches!(item, Ok(Item::Operand(_)))));
    }

    #[test]
    fn misuse_has_the_messages_of_the_c_library() {
        for (line, message) in [
            ("-9", "<invalid option -- '9'>"),
            ("-k", "<option requires an argument -- 'k'>"),
            ("--foo=bar", "<unrecognized option '--foo=bar'>"),
            ("--table-length", "<option '--table-length' requires an argument>"),
            ("--lin=3", "<option '--line' doesn't allow an argument>"),
            (
                "--fil=3",
                "<option '--fil=3' is ambiguous; possibilities: '--file-ordering' '--file-info' \
                 '--file-format'>",
            ),
        ] {
            assert_eq!(read(line, false), message, "{line}");
        }
    }
}
