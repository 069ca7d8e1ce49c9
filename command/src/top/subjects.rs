//! Subjects of rows, by number: the functions and modules of all processes. Those of one name share a row.

use std::sync::Arc as Shared;

use gmon_analyzer::follow::Function;

use super::picture::Picture;

/// Subject of a row.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Subject {
    pub(super) name: Shared<str>,
    /// The module of a function that is not the program's own, or else nothing.
    pub(super) module: Shared<str>,
}

impl Subject {
    /// Something that needs no module.
    pub(super) fn named(name: Shared<str>) -> Self {
        Self { name, module: "".into() }
    }
}

/// Names of the things in several processes.
#[derive(Debug, Default)]
pub(super) struct Subjects {
    /// In order, each once.
    list: Vec<Subject>,
    /// Their names in small letters.
    small: Vec<String>,
    /// The number of each thing, by process and position.
    numbers: Vec<Vec<u32>>,
}

impl Subjects {
    /// Numbers what the things in each process are called.
    pub(super) fn new(processes: impl Iterator<Item = Vec<Subject>>) -> Self {
        let mut all = Self::default();
        for subjects in processes {
            all.numbers.push(Vec::new());
            all.append(all.numbers.len() - 1, &subjects);
        }
        all
    }

    /// Takes what things are called that a process has behind those that are known of it.
    fn append(&mut self, process: usize, subjects: &[Subject]) {
        let mut new: Vec<_> = subjects.iter().filter(|it| self.find(it).is_none()).collect();
        new.sort_unstable();
        new.dedup();
        if !new.is_empty() {
            self.insert(&new);
        }
        let numbers = subjects.iter().filter_map(|subject| self.find(subject)).collect::<Vec<_>>();
        self.numbers[process].extend(numbers);
    }

    /// Takes subjects that are not there yet, in order. All behind them get other numbers.
    fn insert(&mut self, new: &[&Subject]) {
        let place = |subject: &&Subject| self.list.partition_point(|known| known < *subject);
        let mut places = new.iter().map(place).collect::<Vec<_>>().into_iter().zip(new).peekable();
        let known = std::mem::take(&mut self.list).into_iter().zip(std::mem::take(&mut self.small));
        let mut moved = Vec::with_capacity(known.len());
        for (number, (subject, small)) in known.enumerate() {
            while let Some((_, new)) = places.next_if(|(place, _)| *place == number) {
                self.push(new);
            }
            moved.push(self.list.len() as u32);
            self.list.push(subject);
            self.small.push(small);
        }
        places.for_each(|(_, new)| self.push(new));
        let numbers = self.numbers.iter_mut().flatten();
        numbers.for_each(|number| *number = moved[*number as usize]);
    }

    fn push(&mut self, subject: &Subject) {
        self.small.push(subject.name.to_lowercase());
        self.list.push(subject.clone());
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The subject of a number.
    pub(super) fn get(&self, number: u32) -> &Subject {
        &self.list[number as usize]
    }

    /// Returns `true` if the name of a subject contains a text in small letters.
    pub(super) fn has_name_with(&self, number: u32, needle: &str) -> bool {
        self.small[number as usize].contains(needle)
    }

    /// The number of a subject.
    pub(super) fn find(&self, subject: &Subject) -> Option<u32> {
        self.list.binary_search(subject).ok().map(|number| number as u32)
    }

    /// The numbers of what the things in a process are called, by their positions.
    pub(super) fn in_process(&self, process: usize) -> &[u32] {
        &self.numbers[process]
    }

    /// The number of what the thing at a position in a process is called.
    pub(super) fn of(&self, process: usize, position: usize) -> u32 {
        self.numbers[process][position]
    }
}

/// The names of all functions and of their modules, kept until there are others.
#[derive(Debug, Default)]
pub(super) struct Named {
    known: Vec<Shared<[Function]>>,
    pub(super) functions: Subjects,
    pub(super) modules: Subjects,
}

impl Named {
    /// Takes the functions of a picture. Pictures share the list of a process until it has more, behind those that it had.
    pub(super) fn take(&mut self, picture: &Picture) {
        let lists: Vec<_> = picture.processes.iter().map(|process| &process.functions).collect();
        let both = self.known.iter().zip(&lists);
        if lists.len() != self.known.len() || !both.clone().all(|(known, now)| goes_on(known, now))
        {
            *self = Self::default();
            self.known.resize_with(lists.len(), Shared::default);
            let none = || lists.iter().map(|_| Vec::new());
            (self.functions, self.modules) = (Subjects::new(none()), Subjects::new(none()));
        }
        for (process, now) in lists.into_iter().enumerate() {
            let new = &now[self.known[process].len()..];
            if !new.is_empty() {
                let named = |subject: fn(&Function) -> Subject| -> Vec<_> {
                    new.iter().map(subject).collect()
                };
                self.functions.append(process, &named(function));
                self.modules.append(process, &named(module));
                self.known[process] = now.clone();
            }
        }
    }
}

/// Returns `true` if a list of functions is another one with perhaps more of them behind.
fn goes_on(known: &[Function], now: &[Function]) -> bool {
    let last = known.len().checked_sub(1).map(|last| (&known[last], now.get(last)));
    last.is_none_or(|(known, now)| now.is_some_and(|now| Shared::ptr_eq(&known.name, &now.name)))
}

/// Subject of a row about a function.
fn function(function: &Function) -> Subject {
    Subject {
        name: function.name.clone(),
        module: if function.is_own { "".into() } else { function.module.clone() },
    }
}

/// Subject of a row about a function's module.
fn module(function: &Function) -> Subject {
    let is_outside = function.module.is_empty();
    Subject::named(if is_outside { "[no module]".into() } else { function.module.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subjects(names: &[&str]) -> Vec<Subject> {
        names.iter().map(|name| Subject::named((*name).into())).collect()
    }

    #[test]
    fn subjects_are_in_order_however_they_came() {
        let mut all = Subjects::new([&["m", "b"][..], &["b", "x"]].into_iter().map(subjects));
        let mut expected = [vec!["m", "b"], vec!["b", "x"]];
        for (process, names) in [(0, &["z", "a", "m"][..]), (1, &[]), (1, &["C", "a", "C"])] {
            all.append(process, &subjects(names));
            expected[process].extend(names);
            for (process, names) in expected.iter().enumerate() {
                let numbers = all.in_process(process).iter();
                let found: Vec<_> = numbers.map(|number| &*all.get(*number).name).collect();
                assert_eq!(found, *names);
            }
            assert!(all.list.is_sorted_by(|a, b| a < b), "{:?}", all.list);
        }
        assert_eq!(all.len(), 6);
        assert!(
            (0..6).all(|number| all.has_name_with(number, &all.get(number).name.to_lowercase()))
        );
        let c = all.find(&subjects(&["C"])[0]).expect("a number");
        assert!(all.has_name_with(c, "c") && !all.has_name_with(c, "a"));
    }

    #[test]
    fn functions_that_come_later_and_those_of_another_program_are_named() {
        let mut picture = crate::top::rows::tests::picture();
        let mut named = Named::default();
        named.take(&picture);
        let names = |named: &Named, process| {
            let numbers = named.functions.in_process(process).iter();
            numbers.map(|number| named.functions.get(*number).name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names(&named, 0), ["main", "parse", "solve", "memcpy"]);
        let function = |name: &str| Function {
            name: name.into(),
            module: "prog".into(),
            is_own: true,
            address: None,
        };
        let more = picture.processes[0].functions.iter().cloned().chain([function("lex")]);
        picture.processes[0].functions = more.collect();
        named.take(&picture);
        assert_eq!(names(&named, 0), ["main", "parse", "solve", "memcpy", "lex"]);
        assert_eq!(names(&named, 1), ["main", "parse", "solve", "memcpy"]);
        // As many functions as before, of a program that took the place of the other.
        picture.processes[0].functions = ["a", "b", "c", "d", "e"].map(function).into();
        named.take(&picture);
        assert_eq!(names(&named, 0), ["a", "b", "c", "d", "e"]);
        assert_eq!(named.functions.len(), 9);
    }
}
