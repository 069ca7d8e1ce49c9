//! Times measured by stacks: trees made by hand, and random ones against a naive sum over all samples.

use std::collections::{BTreeMap, BTreeSet};

use gmon_analyzer::Model;
use gmon_analyzer::analysis::stacks::{
    Caller, FrameId, Line, Node, StackCosts, Stacks, ThreadChoice,
};
use gmon_analyzer::model;
use gmon_analyzer::profile::{Context, Contexts, Function, FunctionId};
use gmon_analyzer::records::{Incomplete, Looks, ModuleId, Thread, ThreadId};
use gmon_format::live::Label;
use serde_json::{Value, from_value, json};

use super::random::Random;

/// Times of functions, whose numbers in a model are those in the contexts.
fn costs_of(contexts: &Contexts, choice: &ThreadChoice) -> StackCosts {
    let sampling = json!({ "rate_hz": 1, "period_ns": 1, "samples": 0, "signals": null, "dispersion": null,
        "incomplete": 0, "unit": "seconds", "paths": "sampled", "inclusive": "sampled" });
    let lists =
        ["modules", "files", "functions", "arcs", "cycles", "threads", "frames", "lines", "places"];
    let mut model = json!({ "schema": model::SCHEMA, "generator": { "name": "", "version": "" }, "program": "p",
        "sampling": sampling, "stacks": [] });
    lists.iter().for_each(|list| model[list] = json!([]));
    let mut model: Model = from_value(model).expect("a model");
    let hooks = contexts.functions().len();
    let function = |(id, kind): (usize, &str)| -> model::Function {
        from_value(json!({ "id": id, "kind": kind, "name": "", "display": "", "recursive_calls": 0, "samples": 0,
            "self_ns": 0, "total_ns": 0 }))
        .expect("a function")
    };
    let kind = |it: &Function| if it.incomplete.is_some() { "incomplete" } else { "code" };
    let kinds = contexts.functions().iter().map(kind).chain(["hooks"]);
    model.functions = kinds.enumerate().map(function).collect();
    let frame =
        |id| model::Frame { function: FunctionId(id), file: None, line: None, inlined: false };
    model.frames = (0..=hooks as u32).map(frame).collect();
    let thread = |id| -> model::Thread {
        from_value(json!({ "id": id, "pid": 0, "tid": 0, "name": "" })).expect("a thread")
    };
    model.threads = (0..contexts.threads().len()).map(thread).collect();
    let node = |it: &Context| Node {
        parent: it.parent,
        thread: it.thread,
        frame: FrameId(it.function.0),
        own: it.own,
    };
    let mut nodes: Vec<Node> = contexts.contexts().iter().map(node).collect();
    let (thread, own) = (ThreadId(0), contexts.overhead());
    nodes.push(Node { parent: None, thread, frame: FrameId(hooks as u32), own });
    model.stacks = Stacks::new(nodes);
    let arc = |((caller, callee), calls): ((FunctionId, FunctionId), u64)| -> model::Arc {
        let arc: Value = json!({ "caller": caller, "callee": callee, "calls": calls });
        from_value(arc).expect("an arc")
    };
    model.arcs = contexts.all_calls().map(arc).collect();
    model.stack_costs(choice)
}

fn function(name: &str) -> Function {
    let module = Some(ModuleId(0));
    Function { name: name.as_bytes().into(), module, ..Function::default() }
}

/// What stands where a stack could not be followed.
fn no_rules() -> Function {
    let incomplete = Some(Incomplete { label: Some(Label::NoRules) });
    Function { incomplete, ..Function::default() }
}

fn looks(weight: u64) -> Looks {
    Looks { samples: weight, weight, ..Looks::default() }
}

/// Adds a stack, the outermost function first, and samples in the innermost.
fn add(contexts: &mut Contexts, stack: &[FunctionId], weight: u64) {
    let mut parent = None;
    for (depth, &function) in stack.iter().enumerate() {
        let own = if depth + 1 == stack.len() { looks(weight) } else { Looks::default() };
        let known = contexts.contexts().iter().position(|context| {
            context.parent == parent && context.function == function && own == Looks::default()
        });
        let position = known.map(|position| position as u32);
        parent =
            Some(position.unwrap_or_else(|| {
                contexts.push(Context::new(function, parent, ThreadId(0), own))
            }));
    }
}

/// A tree of stacks, each a word for each function, with samples.
fn tree(stacks: &[(&str, u64)]) -> Contexts {
    let mut contexts = Contexts::new(vec![Thread::default()]);
    for &(stack, weight) in stacks {
        let word = |word| if word == "?" { no_rules() } else { function(word) };
        let stack: Vec<_> = stack.split(' ').map(|name| contexts.function(word(name))).collect();
        add(&mut contexts, &stack, weight);
    }
    contexts
}

fn id(contexts: &Contexts, name: &str) -> FunctionId {
    let place = contexts.functions().iter().position(|function| &*function.name == name.as_bytes());
    FunctionId(place.expect("a function") as u32)
}

/// Name and ticks of each line.
fn callers(contexts: &Contexts, costs: &StackCosts, name: &str) -> Vec<(String, u64)> {
    let who = |line: &Line<Caller>| match line.who {
        Caller::Start => "start".to_owned(),
        Caller::Unknown(_) => "?".to_owned(),
        Caller::Function(caller) => self::name(contexts, caller),
    };
    costs.callers(id(contexts, name)).iter().map(|line| (who(line), line.looks.weight)).collect()
}

fn callees(contexts: &Contexts, costs: &StackCosts, name: &str) -> Vec<(String, u64)> {
    let lines = costs.callees(id(contexts, name)).iter();
    lines.map(|line| (self::name(contexts, line.who), line.looks.weight)).collect()
}

fn name(contexts: &Contexts, id: FunctionId) -> String {
    String::from_utf8_lossy(&contexts.functions()[id.index()].name).into_owned()
}

fn pairs(list: &[(&str, u64)]) -> Vec<(String, u64)> {
    list.iter().map(|&(name, ticks)| (name.to_owned(), ticks)).collect()
}

#[test]
fn cheap_and_dear_callers_are_distinguished() {
    let mut contexts =
        tree(&[("main cheap work", 1), ("main dear work", 99), ("main cheap", 2), ("main", 1)]);
    let [cheap, dear, work] = ["cheap", "dear", "work"].map(|name| id(&contexts, name));
    contexts.add_calls(cheap, work, 1000);
    contexts.add_calls(dear, work, 1000);
    let costs = costs_of(&contexts, &ThreadChoice::All);
    assert_eq!(callers(&contexts, &costs, "work"), pairs(&[("dear", 99), ("cheap", 1)]));
    assert_eq!(callees(&contexts, &costs, "main"), pairs(&[("dear", 99), ("cheap", 3)]));
    let calls: Vec<_> = costs.callers(work).iter().map(|line| line.calls).collect();
    assert_eq!(calls, [Some(1000), Some(1000)]);
    assert_eq!((costs.own(dear), costs.total(dear)), (looks(0), looks(99)));
    assert_eq!(contexts.calls_of(work), Some(2000));
    assert_eq!(costs.all(), looks(103));
}

#[test]
fn recursion_counts_once() {
    let contexts = tree(&[("main f f g f", 10), ("main f g", 5), ("main h f", 1)]);
    let costs = costs_of(&contexts, &ThreadChoice::All);
    let f = id(&contexts, "f");
    assert_eq!((costs.own(f), costs.total(f)), (looks(11), looks(16)));
    let expected = pairs(&[("main", 15), ("h", 1), ("f", 0), ("g", 0)]);
    let mut found = callers(&contexts, &costs, "f");
    found.retain(|(name, ticks)| name != "g" || *ticks != 0);
    assert_eq!(found, expected[..3]);
    // The innermost call decides: of the first stack it is in f itself.
    let mut found = callees(&contexts, &costs, "f");
    found.sort();
    assert_eq!(found, pairs(&[("f", 0), ("g", 5)]));
    let arc = |caller: &str, callee: &str| {
        let pair = (id(&contexts, caller), id(&contexts, callee));
        let arc = costs.arcs().iter().find(|arc| (arc.caller, arc.callee) == pair);
        arc.map(|arc| arc.looks.weight)
    };
    assert_eq!(
        [arc("main", "f"), arc("f", "f"), arc("f", "g"), arc("g", "f")],
        [Some(15), Some(10), Some(15), Some(10)]
    );
}

#[test]
fn time_of_stacks_that_were_lost_is_in_no_caller() {
    let contexts = tree(&[("? f g", 3), ("main f", 4)]);
    let costs = costs_of(&contexts, &ThreadChoice::All);
    assert_eq!((costs.incomplete(), costs.all()), (looks(3), looks(7)));
    assert_eq!(callers(&contexts, &costs, "f"), pairs(&[("main", 4), ("?", 3)]));
    assert_eq!(costs.total(id(&contexts, "main")), looks(4));
}

#[test]
fn counted_calls_that_took_no_time_have_lines() {
    let mut contexts = tree(&[("main work", 3)]);
    let quick = contexts.function(function("quick"));
    let main = id(&contexts, "main");
    contexts.add_calls(main, quick, 7);
    let costs = costs_of(&contexts, &ThreadChoice::All);
    let line = Line { who: Caller::Function(main), looks: looks(0), calls: Some(7) };
    assert_eq!(costs.callers(quick), [line]);
    assert_eq!(callees(&contexts, &costs, "main"), pairs(&[("work", 3), ("quick", 0)]));
}

#[test]
fn threads_are_looked_at_alone() {
    let threads =
        [4, 9].map(|id| Thread { id, signals: id, squared_weights: id, ..Thread::default() });
    let mut contexts = Contexts::new(threads.to_vec());
    let [f, g] = ["f", "g"].map(|name| contexts.function(function(name)));
    for (function, thread, weight) in [(f, 0, 4), (g, 1, 2), (f, 1, 7)] {
        let (parent, thread) = (None, ThreadId(thread));
        contexts.push(Context::new(function, parent, thread, looks(weight)));
    }
    contexts.add_overhead(ThreadId(0), looks(5));
    let costs = |choice| costs_of(&contexts, &choice);
    let all = costs(ThreadChoice::All);
    assert_eq!(
        (all.total(f), all.threads(), all.overhead()),
        (looks(11), &[looks(4), looks(9)][..], looks(5))
    );
    let second = costs(ThreadChoice::Only(vec![ThreadId(1)]));
    assert_eq!((second.total(f), second.total(g), second.all()), (looks(7), looks(2), looks(9)));
    assert_eq!(second.threads(), [looks(0), looks(9)]);
}

#[test]
fn a_stack_of_any_depth_needs_no_recursion() {
    let mut contexts = Contexts::new(vec![Thread::default()]);
    let functions = ["f", "g"].map(|name| contexts.function(function(name)));
    let mut parent = None;
    for depth in 0..1_000_000 {
        let (function, thread) = (functions[depth % 2], ThreadId(0));
        parent = Some(contexts.push(Context::new(function, parent, thread, looks(1))));
    }
    let costs = costs_of(&contexts, &ThreadChoice::All);
    assert_eq!(functions.map(|it| costs.total(it)), [looks(1_000_000), looks(999_999)]);
}

/// What is to be computed, for all pairs at once: by who called or was called, and by function.
#[derive(Debug, Default, PartialEq)]
struct Expected {
    own: BTreeMap<FunctionId, u64>,
    totals: BTreeMap<FunctionId, u64>,
    callers: BTreeMap<(Caller, FunctionId), u64>,
    callees: BTreeMap<(FunctionId, FunctionId), u64>,
    arcs: BTreeMap<(FunctionId, FunctionId), u64>,
}

/// Computes the costs as plainly as possible: stack by stack, each a list of functions.
fn naive(contexts: &Contexts) -> Expected {
    let mut expected = Expected::default();
    for context in contexts.contexts().iter().filter(|context| context.own.weight != 0) {
        let weight = context.own.weight;
        let mut stack = vec![context.function];
        let mut parent = context.parent;
        while let Some(position) = parent {
            let context = &contexts.contexts()[position as usize];
            stack.insert(0, context.function);
            parent = context.parent;
        }
        *expected.own.entry(context.function).or_default() += weight;
        for function in BTreeSet::from_iter(&stack) {
            *expected.totals.entry(*function).or_default() += weight;
            let first = stack.iter().position(|it| it == function).expect("it is there");
            let caller = match first.checked_sub(1).map(|above| stack[above]) {
                None => Caller::Start,
                Some(caller) if contexts.functions()[caller.index()].incomplete.is_some() => {
                    Caller::Unknown(caller)
                }
                Some(caller) => Caller::Function(caller),
            };
            *expected.callers.entry((caller, *function)).or_default() += weight;
            let last = stack.iter().rposition(|it| it == function).expect("it is there");
            if let Some(callee) = stack.get(last + 1) {
                *expected.callees.entry((*function, *callee)).or_default() += weight;
            }
        }
        for pair in BTreeSet::from_iter(stack.windows(2).map(|pair| (pair[0], pair[1]))) {
            *expected.arcs.entry(pair).or_default() += weight;
        }
    }
    expected
}

fn computed(contexts: &Contexts) -> Expected {
    let costs = costs_of(contexts, &ThreadChoice::All);
    let functions = || (0..contexts.functions().len() as u32).map(FunctionId);
    let mut found = Expected::default();
    for function in functions() {
        found.own.insert(function, costs.own(function).weight);
        found.totals.insert(function, costs.total(function).weight);
        for line in costs.callers(function) {
            found.callers.insert((line.who, function), line.looks.weight);
        }
        for line in costs.callees(function) {
            found.callees.insert((function, line.who), line.looks.weight);
        }
        let callers: u64 = costs.callers(function).iter().map(|line| line.looks.weight).sum();
        let callees: u64 = costs.callees(function).iter().map(|line| line.looks.weight).sum();
        assert_eq!(callers, costs.total(function).weight);
        assert_eq!(callees + costs.own(function).weight, costs.total(function).weight);
    }
    found.arcs.extend(costs.arcs().iter().map(|arc| ((arc.caller, arc.callee), arc.looks.weight)));
    // Lines without time are there for their calls.
    found.own.retain(|_, weight| *weight != 0);
    found.totals.retain(|_, weight| *weight != 0);
    found.callers.retain(|_, weight| *weight != 0);
    found.callees.retain(|_, weight| *weight != 0);
    found.arcs.retain(|_, weight| *weight != 0);
    found
}

#[test]
fn random_trees_give_what_their_stacks_say() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let mut contexts = Contexts::new(vec![Thread::default()]);
        let functions = 1 + random.below(6);
        for number in 0..functions {
            let is_lost = random.below(8) == 0;
            let kind = if is_lost { no_rules() } else { function(&format!("f{number}")) };
            contexts.function(kind);
        }
        let functions = contexts.functions().len() as u64;
        for position in 0..random.below(60) {
            let function = FunctionId(random.below(functions) as u32);
            let above = random.below(position + 1);
            let parent = above.checked_sub(1).map(|above| above as u32);
            let own = looks(random.below(4));
            contexts.push(Context::new(function, parent, ThreadId(0), own));
        }
        assert_eq!(computed(&contexts), naive(&contexts), "seed {seed}: {contexts:?}");
    }
}
