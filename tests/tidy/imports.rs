//! Which module of a crate uses which, read from its sources.
//!
//! A use counts for the module that defines what is used: re-exports are followed, and are not uses
//! themselves. Tests inside the modules are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The path of a module below the root of its crate: `linux`, `life`. The root's is empty.
pub(crate) type Module = Vec<String>;

/// The modules of a crate.
pub(crate) struct Crate {
    modules: BTreeMap<Module, Source>,
    /// A module whose names are those of another: it only says what the other must have.
    contract: Option<(&'static str, &'static str)>,
}

/// What a module's file says, as far as names are concerned.
struct Source {
    /// Paths of `use`, each with the name that it has from there on.
    imports: Vec<(Vec<String>, String)>,
    /// Paths of `pub use`.
    reexports: Vec<(Vec<String>, String)>,
    /// Paths in the code.
    paths: Vec<Vec<String>>,
}

impl Crate {
    /// Reads all modules below a folder.
    pub(crate) fn read(folder: &Path, contract: Option<(&'static str, &'static str)>) -> Self {
        let mut modules = BTreeMap::new();
        read_folder(folder, &Vec::new(), &mut modules);
        Self { modules, contract }
    }

    /// Each module but the root, with those that it uses.
    pub(crate) fn uses(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let below = self.modules.iter().filter(|(module, _)| !module.is_empty());
        below.map(|(module, source)| (module.clone(), self.uses_of(module, source))).collect()
    }

    fn uses_of(&self, module: &Module, source: &Source) -> BTreeSet<Module> {
        let names = self.names(module, source);
        let imported = source.imports.iter().filter_map(|(path, _)| {
            let path = self.absolute(module, path)?;
            let is_module = self.modules.contains_key(&path);
            self.definer(&path, 0).filter(|_| !is_module)
        });
        let in_code = source.paths.iter().filter_map(|path| {
            let path = match names.get(&path[0]) {
                Some(start) => [start, &path[1..]].concat(),
                None => self.absolute(module, path)?,
            };
            self.definer(&path, 0)
        });
        imported.chain(in_code).filter(|used| used != module && !used.is_empty()).collect()
    }

    /// The names by which a module knows other modules.
    fn names(&self, module: &Module, source: &Source) -> BTreeMap<String, Module> {
        let children = self
            .modules
            .keys()
            .filter(|other| other.split_last().is_some_and(|(_, parent)| parent == module));
        let children = children.map(|child| (child[module.len()].clone(), child.clone()));
        let imported = source.imports.iter().filter_map(|(path, name)| {
            let path = self.absolute(module, path)?;
            self.modules.contains_key(&path).then(|| (name.clone(), path))
        });
        children.chain(imported).collect()
    }

    /// A path from the root of the crate; `None` if it leads elsewhere.
    fn absolute(&self, module: &Module, path: &[String]) -> Option<Module> {
        let up = path.iter().take_while(|name| *name == "super").count();
        let parent = module.get(..module.len().checked_sub(up)?)?;
        match path[0].as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module, &path[1..]].concat()),
            "super" => Some([parent, &path[up..]].concat()),
            child => {
                let is_child =
                    self.modules.contains_key(&[module, &[child.to_owned()][..]].concat());
                is_child.then(|| [module, path].concat())
            }
        }
    }

    /// The module that defines what a path leads to.
    fn definer(&self, path: &[String], steps: usize) -> Option<Module> {
        assert!(steps < 16, "{path:?} leads in a circle");
        let known = |len: &usize| self.modules.contains_key(&path[..*len]);
        let len = (0..=path.len()).rev().find(known)?;
        let (module, rest) = path.split_at(len);
        let Some(item) = rest.first() else { return Some(module.to_vec()) };
        let source = &self.modules[module];
        let names = self.names(&module.to_vec(), source);
        let reexport = source.reexports.iter().find(|(_, name)| name == item);
        let target = reexport.and_then(|(path, _)| match names.get(&path[0]) {
            Some(start) => Some([start, &path[1..]].concat()),
            None => self.absolute(&module.to_vec(), path),
        });
        let behind_contract = self.contract.filter(|(contract, _)| module == [*contract]);
        match (target, behind_contract) {
            (Some(target), _) => self.definer(&[&target, &rest[1..]].concat(), steps + 1),
            (None, Some((_, other))) => {
                self.definer(&[&[other.to_owned()][..], rest].concat(), steps + 1)
            }
            (None, None) => Some(module.to_vec()),
        }
    }
}

fn read_folder(folder: &Path, module: &Module, modules: &mut BTreeMap<Module, Source>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable folder").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let below = |name: String| [module, &[name][..]].concat();
        if path.is_dir() {
            read_folder(&path, &below(name), modules);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("a readable file");
            let is_front = name == "mod" || name == "lib";
            modules.insert(if is_front { module.clone() } else { below(name) }, Source::new(&text));
        }
    }
}

impl Source {
    fn new(text: &str) -> Self {
        let product = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        let tokens = tokens(product);
        let mut source = Self { imports: Vec::new(), reexports: Vec::new(), paths: Vec::new() };
        let mut i = 0;
        while i < tokens.len() {
            let before = i.checked_sub(1).map_or("", |before| tokens[before].as_str());
            // Not the `use<'a>` of a type.
            if tokens[i] == "use" && tokens[i + 1] != "<" {
                let list = if ["pub", ")"].contains(&before) {
                    &mut source.reexports
                } else {
                    &mut source.imports
                };
                i = tree(&tokens, i + 1, &[], list);
            } else if tokens[i] == "in" && before == "(" {
                // `pub(in path)` says who may use this.
                i += tokens[i..].iter().take_while(|token| *token != ")").count();
            } else if is_name(&tokens[i]) && tokens.get(i + 1).is_some_and(|next| next == "::") {
                let chain = tokens[i..].iter().step_by(2).zip(tokens[i + 1..].iter().step_by(2));
                let len =
                    chain.take_while(|(name, colons)| is_name(name) && *colons == "::").count();
                let last = tokens.get(i + 2 * len).filter(|last| is_name(last));
                let names = tokens[i..i + 2 * len].iter().step_by(2).chain(last);
                source.paths.push(names.cloned().collect());
                i += 2 * len + 1;
            } else {
                i += 1;
            }
        }
        source
    }
}

/// Reads the tree of a `use` that begins at a token, behind `prefix`; returns where it ends.
fn tree(
    tokens: &[String],
    mut i: usize,
    prefix: &[String],
    list: &mut Vec<(Vec<String>, String)>,
) -> usize {
    let mut path = prefix.to_vec();
    loop {
        match tokens[i].as_str() {
            "::" => i += 1,
            "{" => {
                i += 1;
                while tokens[i] != "}" {
                    assert_ne!(tokens[i], ";", "a `use` that is not understood: {path:?}");
                    i = tree(tokens, i, &path, list);
                    i += usize::from(tokens[i] == ",");
                }
                return i + 1;
            }
            "," | ";" | "}" | "as" => break,
            name => {
                path.push(name.to_owned());
                i += 1;
            }
        }
    }
    let is_renamed = tokens[i] == "as";
    if path.last().is_some_and(|last| last == "self" || last == "*") {
        path.pop();
    }
    let name = if is_renamed { &tokens[i + 1] } else { path.last().expect("a name") };
    list.push((path.clone(), name.clone()));
    if is_renamed { i + 2 } else { i }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The names and signs of Rust code, without comments, strings and characters.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let len = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => string_len(rest),
            '\'' => character_len(rest),
            _ if is_name(rest) => {
                let len =
                    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                tokens.push(rest[..len].to_owned());
                len
            }
            _ if rest.starts_with("::") => {
                tokens.push("::".to_owned());
                2
            }
            _ => {
                if !first.is_whitespace() {
                    tokens.push(first.to_string());
                }
                first.len_utf8()
            }
        };
        rest = &rest[len..];
    }
    tokens
}

fn string_len(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text[1..].find(|c| {
        let is_end = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 2)
}

/// The length of a character; of a lifetime only that of its quotation mark.
fn character_len(text: &str) -> usize {
    let mut characters = text[1..].char_indices();
    match (characters.next(), characters.next()) {
        (Some((_, '\\')), Some(_)) => text[3..].find('\'').map_or(1, |end| end + 4),
        (Some(_), Some((len, '\''))) => len + 2,
        _ => 1,
    }
}
