//! A Rust library without `std` and with a panic handler of its own.
#![no_std]

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Sums what `item` gives for 0 up to `items`.
#[unsafe(no_mangle)]
pub extern "C" fn sum(item: extern "C" fn(u32) -> u32, items: u32) -> u32 {
    (0..items).map(|i| item(i)).sum()
}
