//! System calls, whose arguments say what the kernel may do with them.
//!
//! *Context:* any.

use core::ffi::CStr;
use core::marker::PhantomData;

use super::Errno;
use crate::linux::machine;

/// A descriptor of an open file. Whoever made it closes it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Fd(pub(super) i32);

/// A word for the kernel: a number, or the place of something that is lent for the time of the call.
#[derive(Clone, Copy)]
pub(super) struct Argument<'a>(usize, PhantomData<&'a ()>);

impl Argument<'_> {
    fn new(word: usize) -> Self {
        Self(word, PhantomData)
    }

    /// The place of something that may be missing.
    fn place<T>(pointer: Option<*const T>) -> Self {
        Self::new(pointer.map_or(0, |pointer| pointer as usize))
    }
}

impl From<usize> for Argument<'_> {
    fn from(number: usize) -> Self {
        Self::new(number)
    }
}

impl From<i32> for Argument<'_> {
    fn from(number: i32) -> Self {
        Self::new(number as usize)
    }
}

impl From<u32> for Argument<'_> {
    fn from(number: u32) -> Self {
        Self::new(number as usize)
    }
}

impl From<Fd> for Argument<'_> {
    fn from(descriptor: Fd) -> Self {
        Self::from(descriptor.0)
    }
}

impl<'a> From<&'a CStr> for Argument<'a> {
    fn from(text: &'a CStr) -> Self {
        Self::place(Some(text.as_ptr()))
    }
}

/// Memory that the kernel reads.
impl<'a, T> From<Option<&'a T>> for Argument<'a> {
    fn from(value: Option<&'a T>) -> Self {
        Self::place(value.map(core::ptr::from_ref))
    }
}

/// Memory that the kernel writes.
impl<'a, T> From<Option<&'a mut T>> for Argument<'a> {
    fn from(value: Option<&'a mut T>) -> Self {
        Self::place(value.map(|value| core::ptr::from_mut(value).cast_const()))
    }
}

/// Bytes that the kernel reads. Their number is an argument of its own.
impl<'a> From<&'a [u8]> for Argument<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::place(Some(bytes.as_ptr()))
    }
}

/// Bytes that the kernel writes. Their number is an argument of its own.
impl<'a> From<&'a mut [u8]> for Argument<'a> {
    fn from(bytes: &'a mut [u8]) -> Self {
        Self::place(Some(bytes.as_ptr()))
    }
}

/// For what has no other type. The caller answers for the memory.
impl<T> From<*const T> for Argument<'_> {
    fn from(pointer: *const T) -> Self {
        Self::place(Some(pointer))
    }
}

/// For what has no other type. The caller answers for the memory.
impl<T> From<*mut T> for Argument<'_> {
    fn from(pointer: *mut T) -> Self {
        Self::place(Some(pointer.cast_const()))
    }
}

/// Makes a system call, by its number in `libc` and up to six arguments. It leaves `errno` alone.
///
/// # Safety
/// As for [`make`].
macro_rules! call {
    ($number:ident $(, $argument:expr)* $(,)?) => {
        $crate::linux::platform::call::make(
            libc::$number,
            [$($crate::linux::platform::call::Argument::from($argument)),*],
        )
    };
}
pub(super) use call;

/// Work of [`call!`].
///
/// # Safety
/// The arguments must be those that the call takes, and all that it does to memory beside them, to
/// descriptors and to the thread must be allowed.
pub(super) unsafe fn make<const N: usize>(
    number: libc::c_long,
    arguments: [Argument<'_>; N],
) -> Result<usize, Errno> {
    const { assert!(N <= 6) };
    let mut words = [0; 6];
    for (word, argument) in words.iter_mut().zip(arguments) {
        *word = argument.0;
    }
    // SAFETY: the caller has promised what the kernel is to do; what the arguments lend outlives the call.
    check(unsafe { machine::syscall(number, words) })
}

/// The result of a system call.
pub(super) fn check(result: isize) -> Result<usize, Errno> {
    /// Larger results may be addresses, of which half are negative where words have 32 bits.
    const LEAST: isize = -4095;
    if (LEAST..0).contains(&result) { Err(Errno(-result as i32)) } else { Ok(result as usize) }
}
