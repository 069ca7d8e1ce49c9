//! Version of Linux.

use super::call::call;

/// The first two numbers of the kernel's release; zeros if it does not tell.
pub fn kernel_version() -> (u32, u32) {
    /// `struct new_utsname`: six names of equal size, the release third.
    const NAME: usize = 65;
    let mut names = [[0u8; NAME]; 6];
    // SAFETY: uname(2) fills in the six names.
    if unsafe { call!(SYS_uname, Some(&mut names)) }.is_err() {
        return (0, 0);
    }
    let mut numbers = names[2].split(|byte| !byte.is_ascii_digit()).map(|digits| {
        digits.iter().fold(0u32, |number, digit| {
            number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
        })
    });
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    #[test]
    fn version_is_what_the_system_says() {
        let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap();
        let (major, minor) = super::kernel_version();
        assert!(release.starts_with(&std::format!("{major}.{minor}.")), "{release}");
    }
}
