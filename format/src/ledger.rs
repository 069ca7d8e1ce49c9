//! The ledger of a run: what the processes that `gmon run` started say about themselves.
//!
//! The ledger is a folder. Every profiled process makes a notebook there, a file of its own, and adds lines to it:
//! when its profile begins, when it was written, and before the program becomes another one. Who owns the file is
//! whose lines these are. A process that is killed leaves what it wrote until then.
//!
//! ```text
//! begin PROCESS CPU TIME PARENT NAMESPACE PROGRAM NAME
//! end PROCESS CPU TIME INSIDE OUTSIDE HOOKS SAMPLED FILE
//! exec PROCESS CPU TIME
//! stay PROCESS
//! forget PROCESS
//! ```
//!
//! Fields are separated by spaces. In paths, what would end a field is written as `%` and two
//! hexadecimal digits. Zeros follow the last line, and may stand before a line.

/// The environment variable that names the ledger: `PID:FOLDER`, where PID is the process that made it.
/// Processes further down also write their profiles into the folder, unless the user has named another place.
pub const VARIABLE: &str = "GMON_LEDGER";

/// The beginning of a notebook's name. The number of the process follows, and the [time](Moment::time) at
/// which its program was found to be profiled.
pub const NOTEBOOK: &str = ".told.";

/// The bytes of a notebook.
pub const NOTEBOOK_LEN: usize = 16 * 1024;

/// Message of a process, in a line. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// The profile of a program begins.
    Begin {
        /// Moment in its life.
        moment: Moment,
        /// The process that started it.
        parent: u64,
        /// The inode of the PID namespace in which these numbers hold; 0 if the process does not know.
        namespace: u64,
        /// The path of the program's file, as bytes.
        program: Path<'a>,
        /// The name that it was called by, which may be a link's or a script's; empty if nobody knows.
        name: Path<'a>,
    },
    /// The profile was written, or it could not be. A process may tell so several times; the last
    /// one counts.
    End {
        /// Moment in its life.
        moment: Moment,
        /// Places that its samples hit.
        samples: Samples,
        /// The file that the profile is in; empty if no file took it.
        file: Path<'a>,
    },
    /// The program is about to be replaced by another one.
    Exec {
        /// Moment in its life.
        moment: Moment,
    },
    /// The program could not be replaced and goes on: takes back the last `Exec`, and the `End` before it.
    Stay {
        /// The number of the process.
        process: u64,
    },
    /// The process ends and did no work itself: takes back its last `Begin`.
    Forget {
        /// The number of the process.
        process: u64,
    },
}

/// A process at a point of its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The number of the process.
    pub process: u64,
    /// The CPU time that it has used.
    pub cpu: u64,
    /// The time since the system started, sleep included: what the kernel counts starts of processes by.
    pub time: u64,
}

/// Numbers of samples that were taken, by place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// In the program's text, the hooks included if they lie there.
    pub inside: u64,
    /// Outside of it.
    pub outside: u64,
    /// Of both, those in hooks and in the runtime behind them.
    pub hooks: u64,
    /// The CPU time while samples were taken, in nanoseconds.
    pub time: u64,
}

/// The bytes of a path, as the process knows them or as they are in a line.
#[derive(Clone, Copy, Debug)]
pub enum Path<'a> {
    /// As they are.
    Plain(&'a [u8]),
    /// As in the file.
    Escaped(&'a [u8]),
}

impl<'a> Path<'a> {
    /// Stands for the empty path, which would be no field.
    const NONE: &'static [u8] = b"-";

    /// The bytes of the path.
    pub fn bytes(self) -> impl Iterator<Item = u8> + 'a {
        let (mut rest, is_plain) = match self {
            Self::Plain(bytes) => (bytes, true),
            Self::Escaped(Self::NONE) => (&[][..], true),
            Self::Escaped(bytes) => (bytes, false),
        };
        core::iter::from_fn(move || {
            let (byte, after) = match rest {
                [b'%', high, low, after @ ..] if !is_plain => {
                    (value(*high)? << 4 | value(*low)?, after)
                }
                [byte, after @ ..] => (*byte, after),
                [] => return None,
            };
            rest = after;
            Some(byte)
        })
    }

    /// Returns `true` if there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.bytes().next().is_none()
    }
}

impl PartialEq for Path<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes().eq(other.bytes())
    }
}

impl Eq for Path<'_> {}

impl<'a> Line<'a> {
    /// Writes the line, with its end, to the beginning of a buffer and returns it; `None` if it does not
    /// fit.
    pub fn encode<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        let mut text = Text { buffer, len: 0 };
        match self {
            Self::Begin { moment, parent, namespace, program, name } => {
                text.push(b"begin")?;
                text.moment(moment, &[*parent, *namespace])?;
                text.path(*program)?;
                text.path(*name)?;
            }
            Self::End { moment, samples, file } => {
                let Samples { inside, outside, hooks, time } = *samples;
                text.push(b"end")?;
                text.moment(moment, &[inside, outside, hooks, time])?;
                text.path(*file)?;
            }
            Self::Exec { moment } => {
                text.push(b"exec")?;
                text.moment(moment, &[])?;
            }
            Self::Stay { process } => {
                text.push(b"stay")?;
                text.numbers(&[*process])?;
            }
            Self::Forget { process } => {
                text.push(b"forget")?;
                text.numbers(&[*process])?;
            }
        }
        text.push(b"\n")?;
        let Text { buffer, len } = text;
        buffer.get(..len)
    }

    /// Reads a line, without its end; `None` if it is none of these.
    #[must_use]
    pub fn decode(line: &'a [u8]) -> Option<Self> {
        let mut fields = line.split(|byte| *byte == b' ');
        let kind = fields.next()?;
        let mut number = || core::str::from_utf8(fields.next()?).ok()?.parse::<u64>().ok();
        let process = number()?;
        let mut moment = || Some(Moment { process, cpu: number()?, time: number()? });
        let line = match kind {
            b"begin" => {
                let (moment, parent, namespace) = (moment()?, number()?, number()?);
                let program = Path::Escaped(fields.next()?);
                // Runtimes of before did not tell it.
                let name = Path::Escaped(fields.next().unwrap_or(Path::NONE));
                Self::Begin { moment, parent, namespace, program, name }
            }
            b"end" => {
                let moment = moment()?;
                let (inside, outside) = (number()?, number()?);
                let samples = Samples { inside, outside, hooks: number()?, time: number()? };
                Self::End { moment, samples, file: Path::Escaped(fields.next()?) }
            }
            b"exec" => Self::Exec { moment: moment()? },
            b"stay" => Self::Stay { process },
            b"forget" => Self::Forget { process },
            _ => return None,
        };
        fields.next().is_none().then_some(line)
    }
}

/// Text in a buffer.
struct Text<'b> {
    buffer: &'b mut [u8],
    len: usize,
}

impl Text<'_> {
    fn push(&mut self, bytes: &[u8]) -> Option<()> {
        let end = self.len.checked_add(bytes.len())?;
        self.buffer.get_mut(self.len..end)?.copy_from_slice(bytes);
        self.len = end;
        Some(())
    }

    fn moment(&mut self, moment: &Moment, more: &[u64]) -> Option<()> {
        self.numbers(&[moment.process, moment.cpu, moment.time])?;
        self.numbers(more)
    }

    /// The numbers, each behind a space.
    fn numbers(&mut self, numbers: &[u64]) -> Option<()> {
        numbers.iter().try_for_each(|number| {
            let (mut digits, mut rest, mut first) = ([b'0'; 20], *number, 20);
            while first == 20 || rest != 0 {
                first -= 1;
                *digits.get_mut(first)? = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
            self.push(b" ")?;
            self.push(digits.get(first..)?)
        })
    }

    /// A path behind a space.
    fn path(&mut self, path: Path<'_>) -> Option<()> {
        self.push(b" ")?;
        if path.is_empty() {
            return self.push(Path::NONE);
        }
        path.bytes().try_for_each(|byte| match byte {
            b'%' | 0x7f | ..=b' ' => self.push(&[b'%', digit(byte >> 4), digit(byte & 15)]),
            _ => self.push(&[byte]),
        })
    }
}

fn digit(value: u8) -> u8 {
    if value < 10 { b'0' + value } else { b'a' + value - 10 }
}

fn value(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|value| value as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let moment = Moment { process: 7, cpu: 0, time: u64::MAX };
        let samples = Samples { inside: 1, outside: 20, hooks: 300, time: 9 };
        let path = Path::Plain(b"/a b/%\n\x7f\xff\x00-");
        for (line, text) in [
            (
                Line::Begin {
                    moment,
                    parent: 1,
                    namespace: 2,
                    program: path,
                    name: Path::Plain(b"b"),
                },
                &b"begin 7 0 18446744073709551615 1 2 /a%20b/%25%0a%7f\xff%00- b\n"[..],
            ),
            (
                Line::End { moment, samples, file: Path::Plain(b"") },
                b"end 7 0 18446744073709551615 1 20 300 9 -\n",
            ),
            (Line::Exec { moment }, b"exec 7 0 18446744073709551615\n"),
            (Line::Stay { process: 7 }, b"stay 7\n"),
            (Line::Forget { process: 18 }, b"forget 18\n"),
        ] {
            let mut buffer = [0; 100];
            let written = line.encode(&mut buffer).unwrap();
            assert_eq!(written, text);
            assert_eq!(Line::decode(&written[..written.len() - 1]), Some(line));
            let (mut short, len) = ([0; 100], text.len());
            assert!(line.encode(&mut short[..len - 1]).is_none());
        }
    }

    #[test]
    fn what_is_no_line_is_none() {
        for text in ["", "begin", "begin 7", "stay x", "stay 7 8", "stay -7", "exec 7 1", "other 7"]
        {
            assert_eq!(Line::decode(text.as_bytes()), None, "{text}");
        }
        let cut = Path::Escaped(b"/a%2");
        assert!(cut.bytes().eq(*b"/a%2"));
    }
}
