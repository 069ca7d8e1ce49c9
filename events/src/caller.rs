//! State that this process got from its caller, which Rust's library changes before `main` runs, or we later: programs get it as their
//! caller would have given it to them.

use std::io;
use std::mem::MaybeUninit;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::ptr;
use std::sync::OnceLock;

/// Standard input, output and error stream.
const STANDARD: [i32; 3] = [0, 1, 2];

/// Signals that a process may have been told to ignore, which Rust's library or we do otherwise.
const SIGNALS: [i32; 2] = [libc::SIGPIPE, libc::SIGCHLD];

/// State of a process before anything in it has changed that.
struct Inherited {
    /// Standard streams that are closed. Rust's library opens others in their places.
    closed: [bool; STANDARD.len()],
    /// Signals that are ignored. Rust's library ignores the first.
    ignored: [bool; SIGNALS.len()],
    mask: libc::sigset_t,
    /// The most descriptors.
    descriptors: libc::rlimit,
}

static INHERITED: OnceLock<Inherited> = OnceLock::new();

/// Called by the C library before `main`, and so before Rust's library begins.
#[used]
// SAFETY: the C library calls what stands in this section, each with arguments that it may ignore.
#[unsafe(link_section = ".init_array")]
static NOTE: extern "C" fn() = note;

extern "C" fn note() {
    // SAFETY: it asks for a flag of a descriptor, and fails if that is closed.
    let closed = STANDARD.map(|descriptor| unsafe { libc::fcntl(descriptor, libc::F_GETFD) } < 0);
    let ignored = SIGNALS.map(is_ignored);
    let mut mask = MaybeUninit::zeroed();
    // SAFETY: without a new mask the call does nothing but write the old one. All bits zero are a mask, too.
    let mask = unsafe {
        libc::pthread_sigmask(libc::SIG_SETMASK, ptr::null(), mask.as_mut_ptr());
        mask.assume_init()
    };
    let mut descriptors =
        libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the call writes there.
    unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut descriptors) };
    // Of children of a process that ignores it, nobody learns how they end.
    // SAFETY: a default action runs no code of ours.
    unsafe { libc::signal(libc::SIGCHLD, libc::SIG_DFL) };
    _ = INHERITED.set(Inherited { closed, ignored, mask, descriptors });
}

fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action the call does nothing but write the old one. All bits zero are an action, too.
    let action = unsafe {
        libc::sigaction(signal, ptr::null(), action.as_mut_ptr());
        action.assume_init()
    };
    action.sa_sigaction == libc::SIG_IGN
}

/// Has a command find signals, their mask, standard streams and the limit of descriptors as we found them: closed streams are closed,
/// and ignored signals ignored.
pub fn pass_on_state(command: &mut Command) {
    let Some(inherited) = INHERITED.get() else { return };
    let give = || {
        for (descriptor, is_closed) in STANDARD.into_iter().zip(inherited.closed) {
            if is_closed {
                // SAFETY: what is there was opened for us, and this process is about to become another program.
                unsafe { libc::close(descriptor) };
            }
        }
        for (signal, is_ignored) in SIGNALS.into_iter().zip(inherited.ignored) {
            let action = if is_ignored { libc::SIG_IGN } else { libc::SIG_DFL };
            // SAFETY: neither action runs code of ours.
            unsafe { libc::signal(signal, action) };
        }
        // SAFETY: the call reads the limits, which are the system's.
        unsafe { libc::setrlimit(libc::RLIMIT_NOFILE, &inherited.descriptors) };
        // SAFETY: the mask is one that the system gave us.
        match unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &inherited.mask, ptr::null_mut()) }
        {
            0 => Ok(()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    };
    // SAFETY: between fork and exec it calls only functions that signal handlers may, and takes no lock.
    unsafe { command.pre_exec(give) };
}
