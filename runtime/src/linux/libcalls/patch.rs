//! Points the slots of a module at stubs, and the places that call by slots which have to stay as they are.
//!
//! *Context:* startup, hook.

use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};

use gmon_interpose::slots::{self, Slot, Use};
use gmon_interpose::{Called, Native, Processor, STT_FUNC, STT_GNU_IFUNC, Wanted};
use gmon_system::region::Scratch;
use gmon_system::{c_library, platform, program};

use super::call_sites::CallSites;
use super::filter::{is_passed, is_wanted};
use super::left;
use super::scope::{self, Among, Definition, Module};
use super::stubs::Stubs;

/// Call that a stub is to count, and where it goes on.
struct Call {
    self_pc: usize,
    target: usize,
}

/// Points the slots of a module at stubs, which `make` gives; why it cannot be done. `list` is what the user asks
/// for.
pub(super) fn patch(
    module: &'static Module,
    list: &[u8],
    make: impl FnOnce(usize) -> Result<Stubs, &'static str>,
) -> Result<(), &'static str> {
    let (image, dynamic) = (&module.image, &module.dynamic);
    let all = || slots::of(image, dynamic);
    let most = slots::at_most(dynamic).min(all().count());
    if most == 0 {
        return Ok(());
    }
    let mut called = Called::<Scratch>::find(image, all());
    let mut sites = CallSites::find(module, &mut called);
    let stubs = make(most)?;
    module.keep_stubs(&stubs);
    let _writable = Writable::make(module)?;
    let mut used = 0;
    let mut broken = false;
    for slot in all() {
        let is_mixed = slot.used == Use::Address && !called.is_only(&slot);
        let has_places = || sites.as_ref().is_some_and(|sites| sites.has(slot.address));
        let is_left = is_mixed && !(called.is_mixed(slot.address) && has_places());
        if is_left && !called.may_be_called(slot.address) {
            continue;
        }
        let Some(place) = image.slot(slot.address) else {
            broken = true;
            continue;
        };
        // SAFETY: an aligned word in a segment that can be written, which `_writable` sees to. The loader and
        // the code of the module use it as a whole.
        let place = unsafe { &*(place as *const AtomicUsize) };
        let bound = place.load(Ordering::Acquire);
        let Some(call) = call_by(module, &slot, bound, list) else { continue };
        if is_left {
            module.symbols().wanted(slot.symbol).iter().for_each(|wanted| left::note(wanted.name));
            continue;
        }
        let Some(stub) = stubs.point(used, call.self_pc, call.target) else { break };
        used += 1;
        if is_mixed {
            sites.iter_mut().for_each(|sites| sites.lead(slot.address, stub));
            continue;
        }
        // If the loader has bound it meanwhile, it stays as it is.
        _ = place.compare_exchange(bound, stub, Ordering::AcqRel, Ordering::Relaxed);
    }
    if broken { Err("it has relocations of words that are not there") } else { Ok(()) }
}

/// The call that a slot leads to; `None` if it is not to be counted. `bound` is what the slot holds.
fn call_by(module: &'static Module, slot: &Slot, bound: usize, list: &[u8]) -> Option<Call> {
    let symbols = module.symbols();
    let wanted = symbols.wanted(slot.symbol)?;
    if bound == 0 || is_passed(wanted.name) || symbols.has_other_registers(slot.symbol) {
        return None;
    }
    // A slot that the loader has not bound leads back into the module, behind the jump by which its code came.
    let is_bound = !module.range.contains(&bound);
    let named = scope::find(module, &wanted, Among::Others);
    let target = if is_bound { bound } else { bind(module, &wanted)? };
    let home = scope::module_of(target);
    // Elsewhere there are functions of the kernel's; or the loader has not filled the slot yet.
    if home.is_none() && !scope::is_kernels(target) {
        return None;
    }
    // Calls within the module, and of what has hooks, are counted by hooks or by nobody.
    let is_counted = module.range.contains(&target) || home.is_some_and(|home| home.counts_itself);
    let is_stub =
        slot.used == Use::Address && named.as_ref().is_none_or(|named| !is_function(named));
    if is_counted || is_stub {
        return None;
    }
    // The public name of a function that is chosen for the processor, or that the runtime stands before.
    let self_pc = match &named {
        Some(named) if named.symbol.kind == STT_GNU_IFUNC => named.address,
        Some(named) if home.is_none_or(|home| home.is_runtime()) => named.address,
        _ => target,
    };
    let library = scope::module_of(self_pc).filter(|library| !library.is_runtime())?;
    let call = Call { self_pc: self_pc & !Native::NO_ADDRESS, target };
    is_wanted(list, library.name(), wanted.name).then_some(call)
}

fn is_function(definition: &Definition) -> bool {
    matches!(definition.symbol.kind, STT_FUNC | STT_GNU_IFUNC)
}

/// The function that the loader would bind a symbol to at its first call.
fn bind(module: &'static Module, wanted: &Wanted<'_>) -> Option<usize> {
    let definition = scope::find(module, wanted, Among::All)?;
    if definition.symbol.kind == STT_GNU_IFUNC {
        // SAFETY: the symbol has this type, and the loader has relocated all modules of its list.
        return unsafe { Native::resolve(definition.address, &c_library::auxiliary_value) };
    }
    Some(definition.address)
}

/// Makes what the loader has made read-only writable for a while.
struct Writable {
    pages: Range<usize>,
}

impl Writable {
    fn make(module: &Module) -> Result<Self, &'static str> {
        let page = program::page_size();
        let relro = &module.image.relro;
        let [start, end] = [relro.start, relro.end].map(|at| {
            let at = module.image.bias.wrapping_add(at);
            at - at % page
        });
        let pages = start..end;
        // SAFETY: the loader's pages of the module's data, which its code can read meanwhile as ever.
        let can = pages.is_empty()
            || unsafe { platform::protect(start, pages.len(), libc::PROT_READ | libc::PROT_WRITE) };
        can.then_some(Self { pages }).ok_or("the system forbids to write to its table of functions")
    }
}

impl Drop for Writable {
    fn drop(&mut self) {
        if !self.pages.is_empty() {
            // SAFETY: the pages are read-only again, as they were.
            unsafe { platform::protect(self.pages.start, self.pages.len(), libc::PROT_READ) };
        }
    }
}
