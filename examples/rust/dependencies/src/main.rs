//! A map of another crate, which asks our keys for their hashes and compares them.

use std::hash::{Hash, Hasher};

use counted::Counter;
use indexmap::IndexMap;

static HASH: Counter = Counter::new(
    "<dependencies::Key as core::hash::Hash>::hash::<std::hash::random::DefaultHasher>",
);
static INSERT: Counter = Counter::new("dependencies::insert");

#[derive(PartialEq, Eq)]
struct Key(u32);

impl Hash for Key {
    #[inline(never)]
    fn hash<H: Hasher>(&self, state: &mut H) {
        HASH.add();
        state.write_u32(self.0);
    }
}

#[inline(never)]
fn insert(map: &mut IndexMap<Key, String>, n: u32) {
    INSERT.add();
    map.insert(Key(n % 100), itoa::Buffer::new().format(n).to_owned());
}

fn main() {
    let mut map = IndexMap::new();
    for n in 0..1000 {
        insert(&mut map, n);
    }
    println!("{} keys, the last has {:?}", map.len(), map.get(&Key(99)));
    println!("{HASH}\n{INSERT}");
}
