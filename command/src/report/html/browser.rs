//! Shows a page to the user.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

/// Opens a file in the browser of `$BROWSER`, or else in that of the desktop.
///
/// # Errors
///
/// There is none.
pub(super) fn open(page: &Path) -> Result<()> {
    let path = page.canonicalize().unwrap_or_else(|_| page.to_owned());
    // A list, as sensible-browser and others read it; `%s` stands for the page.
    let named = env::var("BROWSER").unwrap_or_default();
    let named = named.split(':').filter(|words| !words.trim().is_empty());
    let candidates = named.chain(["xdg-open", "sensible-browser", "open"]);
    for candidate in candidates {
        let mut words = candidate.split_whitespace();
        let Some(program) = words.next() else { continue };
        let mut command = Command::new(program);
        let mut has_page = false;
        for word in words {
            has_page |= word == "%s";
            if word == "%s" {
                command.arg(&path)
            } else {
                command.arg(word)
            };
        }
        if !has_page {
            command.arg(&path);
        }
        // It goes on when we have ended, and what it prints is of no interest.
        let streams = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if streams.spawn().is_ok() {
            return Ok(());
        }
    }
    bail!("there is no browser to open it with; set BROWSER, or open it yourself")
}
