//! Parallel iterators: many threads call the same function at once.

use std::hint::black_box;

use counted::Counter;
use rayon::prelude::*;

static LEAF: Counter = Counter::new("parallel::leaf");

#[inline(never)]
fn leaf(n: u64) -> u64 {
    LEAF.add();
    black_box(n)
}

fn main() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().expect("threads");
    let sum: u64 = pool.install(|| (0..500_000_u64).into_par_iter().map(leaf).sum());
    println!("sum {sum}\n{LEAF}");
}
