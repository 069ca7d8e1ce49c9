//! The door of this folder: finds the places, and leads them to stubs.
//!
//! *Context:* startup, hook.

use gmon_interpose::{Called, Native, Processor, Site, Sites, slots};
use gmon_system::platform;
use gmon_system::region::Scratch;
use gmon_system::writable_code::WritableCode;

use super::super::filter::arguments_of;
use super::super::scope::Module;
use super::near::{Words, distance};

/// Places of a module that call by slots which have to stay as they are. They can call by words of ours instead.
pub(in super::super) struct CallSites {
    module: &'static Module,
    sites: Sites<Scratch>,
    words: Words,
    used: usize,
    code: WritableCode,
}

impl CallSites {
    /// The places whose slots `called` has by both uses. `None` if there are none or no room, if the system forbids to
    /// change code, or if other threads may execute it: then it has to stay as it is.
    pub(in super::super) fn find(
        module: &'static Module,
        called: &mut Called<Scratch>,
    ) -> Option<Self> {
        if !is_alone() {
            return None;
        }
        let arguments = |word: usize| {
            let slot = slots::of(&module.image, &module.dynamic).find(|slot| slot.address == word);
            let symbol = slot.and_then(|slot| module.symbols().wanted(slot.symbol));
            symbol.map_or(Native::ARGUMENTS, |symbol| arguments_of(symbol.name))
        };
        let sites = Sites::find(&module.image, called, &arguments)?;
        let places = || sites.iter().map(|site| module.image.bias.wrapping_add(site.distance_at));
        let (first, last) = (places().min()?, places().max()?);
        let code = WritableCode::make(first..last.checked_add(size_of::<i32>())?)?;
        let words = Words::map(&module.range, sites.slots())?;
        module.keep_words(&words);
        Some(Self { module, sites, words, used: 0, code })
    }

    /// Returns `true` if there are places that call by a slot.
    pub(in super::super) fn has(&self, slot: usize) -> bool {
        self.sites.iter().any(|site| site.word == slot)
    }
    /// Leads all places that call by a slot to a stub, or none of them.
    pub(in super::super) fn lead(&mut self, slot: usize, stub: usize) {
        let image = &self.module.image;
        let Some(word) = self.words.set(self.used, stub) else { return };
        let sites = || self.sites.iter().filter(|site| site.word == slot);
        let distance = |site: &Site| distance(image, site, word);
        if !sites().all(|site| distance(&site).is_some()) {
            return;
        }
        self.used += 1;
        for site in sites() {
            let Some(distance) = distance(&site) else { continue };
            let place = image.bias.wrapping_add(site.distance_at);
            // SAFETY: the distance of an instruction, by all that its function's code says. This thread is the only
            // one.
            unsafe { self.code.write(place, distance) };
        }
    }
}

/// Returns `true` if the process has no other thread than this one.
fn is_alone() -> bool {
    let mut threads = 0;
    // In doubt, it has others.
    platform::each_thread(&mut [0; 512], |_| threads += 1).is_ok() && threads == 1
}
