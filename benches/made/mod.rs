//! Profiles in JSON that nobody has run, as large as benchmarks want them.

use std::fmt::Write as _;

/// Functions that stacks are made of, and how deep these are at most.
const FUNCTIONS: u64 = 2000;
const DEPTH: usize = 40;

/// A call stack of a thread, and how many samples found it.
pub(crate) struct Stack {
    thread: u64,
    frames: Vec<u64>,
    pub(crate) samples: u64,
}

/// Stacks of a thread with so many different frames in all, each found once.
pub(crate) fn stacks(random: &mut fastrand::Rng, thread: u64, nodes: u64) -> Vec<Stack> {
    let (mut stacks, mut path, mut made) = (Vec::new(), vec![0_u64], 1);
    while made < nodes {
        // From here down again, by a way that nobody took.
        path.truncate(random.usize(1..=path.len()));
        let above = path.len();
        while path.len() < DEPTH && made < nodes && random.u8(..8) != 0 {
            path.push(random.u64(..FUNCTIONS));
            made += 1;
        }
        if path.len() > above {
            stacks.push(Stack { thread, frames: path.clone(), samples: 1 });
        }
    }
    // In the order of exported ones, so that a timeline can name them by their positions.
    stacks.sort_unstable_by(|one, other| one.frames.cmp(&other.frames));
    stacks.dedup_by(|next, kept| next.frames == kept.frames);
    stacks
}

/// A profile of these stacks of so many threads, with more parts, each of which ends with a comma.
pub(crate) fn profile(threads: u64, stacks: &[Stack], more: &str) -> String {
    let mut own = vec![0; FUNCTIONS as usize];
    let mut text = String::new();
    for Stack { thread, frames, samples } in stacks {
        own[frames[frames.len() - 1] as usize] += samples;
        let comma = if text.is_empty() { "" } else { "," };
        _ = write!(
            text,
            "{comma}{{\"thread\":{thread},\"frames\":{frames:?},\"samples\":{samples},\"signals\":{samples}}}"
        );
    }
    let all: u64 = own.iter().sum();
    let functions = list(FUNCTIONS, |id| {
        let samples = own[id as usize];
        let time = samples * 1_000_000;
        format!(
            "{{\"id\":{id},\"module\":0,\"kind\":\"code\",\"name\":\"f{id}\",\"display\":\"f{id}\",\
             \"address\":\"{:#x}\",\"size\":16,\"file\":null,\"line\":null,\"calls\":null,\
             \"recursive_calls\":0,\"samples\":{samples},\"self_ns\":{time},\"total_ns\":{time},\"cycle\":null}}",
            16 * id + 4096
        )
    });
    let frames = list(FUNCTIONS, |id| {
        format!("{{\"function\":{id},\"file\":null,\"line\":null,\"inlined\":false}}")
    });
    let threads = list(threads, |id| {
        format!("{{\"id\":{id},\"pid\":1,\"tid\":{},\"name\":\"thread-{id}\"}}", id + 1)
    });
    format!(
        "{{\"schema\":\"gmon-profile/1\",\"generator\":{{\"name\":\"gmon\",\"version\":\"0\"}},\
         \"program\":\"made\",\"command\":null,\"host\":null,\"pid\":null,\"parent_pid\":null,\
         \"start_ns\":null,\"duration_ns\":null,\"sampling\":{{\"rate_hz\":1000,\"period_ns\":1000000,\
         \"samples\":{all},\"signals\":{all},\"dispersion\":1.0,\"incomplete\":0,\"unit\":\"seconds\",\
         \"paths\":\"sampled\",\"inclusive\":\"sampled\"}},\
         \"modules\":[{{\"id\":0,\"path\":\"made\",\"build_id\":null,\"arch\":null}}],\"files\":[],\
         \"functions\":[{functions}],\"arcs\":[],\"cycles\":[],\
         \"threads\":[{threads}],{more}\"frames\":[{frames}],\
         \"stacks\":[{text}],\"lines\":[],\"places\":[]}}"
    )
}

/// A list of so many items, with commas between them.
pub(crate) fn list(number: u64, item: impl Fn(u64) -> String) -> String {
    (0..number).map(item).collect::<Vec<_>>().join(",")
}
