//! Behind each line with code of its own stands how often it is executed, by four threads and by `main`.

fn fib(n: u32) -> u32 { // 177
    if n < 2 { // 177
        n // 89
    } else {
        fib(n - 1) + fib(n - 2) // 88
    }
}

fn never(n: u32) -> u32 { // 0
    n * 2 // 0
}

fn sum_up(thread: u32) -> u32 { // 4
    let mut sum = thread; // 4
    for i in 0..5000 {
        if work(i) == 0 { // 20000
            sum += 1; // 4000
        }
    }
    sum // 4
}

#[inline(never)]
fn work(i: u32) -> u32 { // 20000
    std::hint::black_box(i) % 5 // 20000
}

fn main() { // 1
    let start = |thread| std::thread::spawn(move || sum_up(thread));
    let threads: Vec<_> = (0..4).map(start).collect();
    let mut total = 0; // 1
    for thread in threads {
        total += thread.join().unwrap(); // 4
    }
    if total == 7 { // 1
        total = never(total); // 0
    }
    println!("{} {total}", fib(10)); // 1
}
