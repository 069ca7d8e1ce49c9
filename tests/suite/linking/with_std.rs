//! A Rust library with `std`, which sums in a thread of its own.

/// Sums what `item` gives for 0 up to `items`.
#[unsafe(no_mangle)]
pub extern "C" fn sum(item: extern "C" fn(u32) -> u32, items: u32) -> u32 {
    let numbers: Vec<u32> = (0..items).collect();
    let thread = std::thread::spawn(move || numbers.into_iter().map(|i| item(i)).sum());
    thread.join().expect("a thread that ends")
}
