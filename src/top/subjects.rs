//! What rows are about, by number: the functions and modules of all processes. Those of one name share a row.

use std::sync::Arc as Shared;

use gmon_analyzer::follow::Function;

use super::picture::Picture;

/// What a row is about.
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

/// What the things in several processes are called.
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
        let mut named = Vec::new();
        let mut numbers = Vec::new();
        for (process, subjects) in processes.enumerate() {
            numbers.push(vec![0; subjects.len()]);
            let subjects = subjects.into_iter().enumerate();
            named.extend(subjects.map(|(place, subject)| (subject, process, place)));
        }
        named.sort_unstable();
        let mut list = Vec::new();
        for (subject, process, place) in named {
            if list.last() != Some(&subject) {
                list.push(subject);
            }
            numbers[process][place] = list.len() as u32 - 1;
        }
        let small = list.iter().map(|subject| subject.name.to_lowercase()).collect();
        Self { list, small, numbers }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    /// The subject of a number.
    pub(super) fn get(&self, number: u32) -> &Subject {
        &self.list[number as usize]
    }

    /// Whether the name of a subject contains a text in small letters.
    pub(super) fn has_name_with(&self, number: u32, needle: &str) -> bool {
        needle.is_empty() || self.small[number as usize].contains(needle)
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
    /// Takes the functions of a picture. Pictures share the list of a process until it has more.
    pub(super) fn take(&mut self, picture: &Picture) {
        let lists = picture.processes.iter().map(|process| &process.functions);
        let is_known = lists.len() == self.known.len()
            && lists.clone().zip(&self.known).all(|(list, known)| Shared::ptr_eq(list, known));
        if is_known {
            return;
        }
        self.known = lists.cloned().collect();
        let named = |subject: fn(&Function) -> Subject| {
            Subjects::new(self.known.iter().map(|list| list.iter().map(subject).collect()))
        };
        self.functions = named(|function| Subject {
            name: function.name.clone(),
            module: if function.is_own { "".into() } else { function.module.clone() },
        });
        self.modules = named(|function| {
            let is_outside = function.module.is_empty();
            Subject::named(if is_outside { "[no module]".into() } else { function.module.clone() })
        });
    }
}
