//! Shows what a live or full profile holds: facts, modules, threads, and every stack with its weight, the
//! outermost frame first, as `module+address`.
//!
//! ```text
//! cargo run -p gmon-format --example full gmon.out.full
//! ```

use std::{env, fs, path::PathBuf, process::ExitCode};

use gmon_format::live::{Label, Live, Module, StackNode};

fn main() -> ExitCode {
    let Some(path) = env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("which file?");
        return ExitCode::FAILURE;
    };
    let shown = fs::read(&path).map_err(|error| error.to_string()).and_then(|bytes| {
        Live::new(&bytes).map(|live| show(&live)).map_err(|error| error.to_string())
    });
    match shown {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{}: {error}", path.display());
            ExitCode::FAILURE
        }
    }
}

fn show(live: &Live<'_>) {
    for (key, value) in live.facts().flat_map(|facts| facts.iter()) {
        let value: Vec<u8> = value.bytes().collect();
        println!("{}={}", key.escape_ascii(), value.escape_ascii());
    }
    let modules: Vec<_> = live.modules().collect();
    for module in &modules {
        let id: String = module.build_id.iter().map(|byte| format!("{byte:02x}")).collect();
        let Module { start, end, unloaded_ns, generation, path, .. } = module;
        println!(
            "module {start:#x}..{end:#x} {} {id} {generation} {unloaded_ns}",
            path.escape_ascii()
        );
    }
    for (number, thread) in live.threads() {
        println!("thread {number} {} {thread:?}", thread.name().escape_ascii());
    }
    println!("{} arcs", live.process_arcs().count());
    for histogram in live.process_histograms() {
        let sum: u64 = histogram.counts().map(|(_, count)| count).sum();
        println!("histogram of {sum} from {:#x}", histogram.header.low_pc);
    }
    for stacks in live.stacks() {
        for (position, node) in stacks.iter().filter(|(_, node)| node.weight != 0) {
            let mut path: Vec<StackNode> = stacks.path(position).collect();
            path.reverse();
            let frames = path.iter().enumerate().map(|(depth, node)| frame(depth, node, &modules));
            println!("{} {} {}", node.weight, node.samples, frames.collect::<Vec<_>>().join(" "));
        }
    }
}

fn frame(depth: usize, node: &StackNode, modules: &[Module<'_>]) -> String {
    let guess = if node.is_guess { "?" } else { "" };
    if depth == 1 {
        return format!("thread-{}", node.pc.0);
    }
    if let Some(label) = Label::of(node.pc) {
        return format!("[{}]", label.reason().unwrap_or("threads"));
    }
    let pc = node.pc;
    match modules.iter().find(|module| module.contains(pc)) {
        Some(module) => {
            let name = module.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
            format!("{guess}{}+{:#x}", name.escape_ascii(), module.file_pc(pc))
        }
        None => format!("{guess}{pc:#x}"),
    }
}
