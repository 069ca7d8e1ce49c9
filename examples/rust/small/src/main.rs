//! Recursion, a generic function, a closure and a trait object.

use std::hint::black_box;

use counted::Counter;

static FIBONACCI: Counter = Counter::new("small::fibonacci");
static NUMBERS: Counter = Counter::new("small::length::<u64>");
static WORDS: Counter = Counter::new("small::length::<&str>");
static CLOSURE: Counter = Counter::new("small::main::{closure#0}");
static SQUARE: Counter = Counter::new("<small::Square as small::Shape>::area");

#[inline(never)]
fn fibonacci(n: u64) -> u64 {
    FIBONACCI.add();
    if n < 2 { n } else { black_box(fibonacci(n - 1)) + black_box(fibonacci(n - 2)) }
}

#[inline(never)]
fn length<T: ToString>(value: T, counter: &Counter) -> usize {
    counter.add();
    black_box(value).to_string().len()
}

trait Shape {
    fn area(&self) -> u64;
}

struct Square(u64);

impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u64 {
        SQUARE.add();
        black_box(self.0) * self.0
    }
}

fn main() {
    let next: &dyn Fn(u64) -> u64 = black_box(&|n| {
        CLOSURE.add();
        n + 1
    });
    let shapes: Vec<Box<dyn Shape>> = (0..300).map(|n| Box::new(Square(n)) as _).collect();
    let mut sum = fibonacci(black_box(20));
    for n in 0..100 {
        sum += next(n) + length(n, &NUMBERS) as u64 + length("word", &WORDS) as u64;
    }
    sum += shapes.iter().map(|shape| shape.area()).sum::<u64>();
    println!("sum {sum}");
    for counter in [&FIBONACCI, &NUMBERS, &WORDS, &CLOSURE, &SQUARE] {
        println!("{counter}");
    }
}
