//! Reads the text form of LLVM's sample profiles, as [`llvm`](super::llvm) writes it.

use super::instances::{Body, Functions, Instance, Spot, Targets};
use super::llvm::CHECKSUM;

/// The number of a line that is not what it should be, from 1.
type BadLine = usize;

/// Returns `true` if a file that begins so is such a text.
pub(super) fn begins(start: &[u8]) -> bool {
    let mut lines = start.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let Some((name, _)) = lines.next().and_then(head) else { return false };
    // Other texts have blanks and numbers behind colons, too, but hardly a spot on the next line.
    let is_spot = |line: &[u8]| spot(line.strip_prefix(b" ")?).map(|_| ());
    !name.contains(&b' ') || lines.next().and_then(is_spot).is_some()
}

/// Reads the functions of a file.
pub(super) fn functions(bytes: &[u8]) -> Result<Functions, BadLine> {
    let mut functions = Functions::new();
    let (mut name, mut function) = (&b""[..], Instance::default());
    // The way to the instance that the last line belongs to: what is inlined, the outermost first.
    let mut way: Vec<(Spot, Vec<u8>)> = Vec::new();
    for (number, line) in (1..).zip(bytes.split(|byte| *byte == b'\n')) {
        let depth = line.iter().take_while(|byte| **byte == b' ').count();
        let words = line[depth..].trim_ascii_end();
        if words.is_empty() {
            continue;
        }
        if depth == 0 {
            add(&mut functions, name, std::mem::take(&mut function));
            (name, function.head) = head(words).ok_or(number)?;
            way.clear();
            continue;
        }
        if depth > way.len() + 1 || name.is_empty() {
            return Err(number);
        }
        way.truncate(depth - 1);
        let instance = way.iter().fold(&mut function, |instance, place| {
            instance.inlined.entry(place.clone()).or_default()
        });
        if let Some(checksum) = words.strip_prefix(CHECKSUM.as_bytes()) {
            instance.checksum = Some(self::number(checksum).ok_or(number)?);
            continue;
        }
        // Other facts, as attributes of the function.
        if words[0] == b'!' {
            continue;
        }
        let (spot, rest) = spot(words).ok_or(number)?;
        match body(rest) {
            Some(body) => instance.bodies.entry(spot).or_default().add(body),
            None => {
                let (name, _) = pair(rest).ok_or(number)?;
                instance.inlined.entry((spot, name.to_vec())).or_default();
                way.push((spot, name.to_vec()));
            }
        }
    }
    add(&mut functions, name, function);
    Ok(functions)
}

/// Adds a function that was read, if one was.
fn add(functions: &mut Functions, name: &[u8], function: Instance) {
    if !name.is_empty() {
        functions.entry(name.to_vec()).or_default().add(function);
    }
}

/// `NAME:TOTAL:HEAD`
fn head(line: &[u8]) -> Option<(&[u8], u64)> {
    let (rest, calls) = pair(line)?;
    let (name, _total) = pair(rest)?;
    (!name.starts_with(b" ")).then_some((name, calls))
}

/// `NAME:NUMBER`
fn pair(word: &[u8]) -> Option<(&[u8], u64)> {
    let colon = word.iter().rposition(|byte| *byte == b':')?;
    let (name, count) = (&word[..colon], number(&word[colon + 1..])?);
    (!name.is_empty()).then_some((name, count))
}

fn number(digits: &[u8]) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| std::str::from_utf8(digits).ok()?.parse().ok()).flatten()
}

/// `OFFSET: `, or `OFFSET.DISCRIMINATOR: `, and what follows.
fn spot(line: &[u8]) -> Option<(Spot, &[u8])> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let (place, rest) = (&line[..colon], line[colon + 1..].trim_ascii_start());
    let mut parts = place.splitn(2, |byte| *byte == b'.');
    let offset = u16::try_from(number(parts.next()?)?).ok()?;
    let discriminator = parts.next().map_or(Some(0), number)?;
    Some((Spot { offset, discriminator: u32::try_from(discriminator).ok()? }, rest))
}

/// `EXECUTIONS TARGET:CALLS ...`; none if it is code that was inlined.
fn body(rest: &[u8]) -> Option<Body> {
    let end = rest.iter().position(|byte| *byte == b' ').unwrap_or(rest.len());
    let (executions, mut rest) = (number(&rest[..end])?, rest[end..].trim_ascii_start());
    let mut targets = Targets::new();
    while !rest.is_empty() {
        let (name, calls, behind) = target(rest)?;
        targets.insert(name.to_vec(), calls);
        rest = behind;
    }
    Some(Body { executions, targets })
}

/// `TARGET:CALLS`, and what follows. Names of instances of templates may have blanks and colons.
fn target(rest: &[u8]) -> Option<(&[u8], u64, &[u8])> {
    let colons = (1..rest.len()).filter(|at| rest[*at] == b':');
    let mut anchors = colons.filter_map(|colon| {
        let behind = &rest[colon + 1..];
        let end = behind.iter().position(|byte| *byte == b' ').unwrap_or(behind.len());
        let calls = number(&behind[..end])?;
        Some((&rest[..colon], calls, behind[end..].trim_ascii_start()))
    });
    anchors.next()
}

#[cfg(test)]
mod tests {
    use super::super::llvm::write_functions;
    use super::*;

    const TEXT: &str = "\
main:1110:1
 1: 10
 4.2: 1000 _Z5othert:100 callee:900
 5: inlined:100
  1: 40
  2.1: deeper:60
   3: 60
rest:5:7
 0: 5
";

    const PROBES: &str = "\
main:1110:1
 1: 10
 4: 1000 callee.__uniq.7:100
 5: inlined:100
  1: 40
  2: deeper:60
   3: 60
   !CFGChecksum: 18446744073709551615
  !CFGChecksum: 2
 !CFGChecksum: 1
";

    /// Names of instances of templates for lambdas, to which gcc gives no names for linkers.
    const BLANKS: &str = "\
each<main()::<lambda(int)> >:1010:2
 1: 10
 4: 1000 callee:900 each<f(int)::<lambda(a b)> >:1 operator()<a, b>:100
 5: main()::<lambda(int)>:0
";

    fn again(text: &str) -> String {
        let mut out = Vec::new();
        write_functions(&functions(text.as_bytes()).unwrap(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_is_read_is_written_again() {
        assert_eq!(again(TEXT), TEXT);
        assert_eq!(again(&format!("{TEXT} !Attributes: 1\n")), TEXT);
        assert_eq!(again(PROBES), PROBES);
        assert_eq!(again(BLANKS), BLANKS);
        assert!(begins(TEXT.as_bytes()) && begins(BLANKS.as_bytes()));
    }

    #[test]
    fn functions_of_one_name_add_up() {
        let sum = again(&TEXT.repeat(2));
        assert!(
            sum.starts_with("main:2220:2\n 1: 20\n 4.2: 2000 _Z5othert:200 callee:1800\n"),
            "{sum}"
        );
        assert!(sum.contains("   3: 120\n") && sum.ends_with("rest:10:14\n 0: 10\n"), "{sum}");
    }

    /// Of each function, and of what is inlined.
    #[test]
    fn the_most_executed_of_functions_with_other_blocks_stays() {
        assert!(again(&PROBES.repeat(2)).starts_with("main:2220:2\n 1: 20\n"));
        let more = "main:2000:7\n 1: 2000\n !CFGChecksum: 9\n";
        for both in [[PROBES, more].concat(), [more, PROBES].concat()] {
            assert_eq!(again(&both), more);
        }
        let inlined =
            "main:300:1\n 5: inlined:300\n  1: 300\n  !CFGChecksum: 9\n !CFGChecksum: 1\n";
        let sum = again(&[PROBES, inlined].concat());
        assert!(
            sum.contains("\n 5: inlined:300\n  1: 300\n  !CFGChecksum: 9\n !CFGChecksum: 1\n"),
            "{sum}"
        );
        assert!(sum.starts_with("main:1310:2\n"), "{sum}");
    }

    #[test]
    fn other_lines_are_refused_by_their_number() {
        for (text, bad) in [
            ("main\n", 1),
            ("main:1:1\n   1: 5\n", 2),
            ("main:1:1\n x: 5\n", 2),
            ("main:1:1\n 70000: 5\n", 2),
            ("main:1:1\n 1: 5 target\n", 2),
            ("main:1:1\n 1: 99999999999999999999\n", 2),
            ("main:1:1\n 1: 5\n{\n", 3),
            ("main:1:1\n 1: 5\n !CFGChecksum: x\n", 3),
            (" 1: 5\n", 1),
        ] {
            assert_eq!(functions(text.as_bytes()).unwrap_err(), bad, "{text:?}");
        }
        for other in ["", "{\"a\": 1}\n", "gmon\0\0\0", " 1: 5\n", "a b:1:2\n", "a b:1:2\n c\n"] {
            assert!(!begins(other.as_bytes()), "{other:?}");
        }
    }
}
