//! Asynchronous tasks on several threads, which pass through the runtime's hands at every `await`.

use std::hint::black_box;

use counted::Counter;
use tokio::task::{self, JoinSet};

static STEP: Counter = Counter::new("tasks::step");

#[inline(never)]
fn step(n: u32) -> u32 {
    STEP.add();
    black_box(n)
}

async fn walk(task: u32) -> u32 {
    let mut sum = 0;
    for n in 0..100 {
        sum += step(task + n);
        task::yield_now().await;
    }
    sum
}

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build();
    let sum = runtime.expect("threads").block_on(async {
        let mut tasks: JoinSet<u32> = (0..200).map(walk).collect();
        let mut sum = 0;
        while let Some(one) = tasks.join_next().await {
            sum += one.expect("a task that ends");
        }
        sum
    });
    println!("sum {sum}\n{STEP}");
}
