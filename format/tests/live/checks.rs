//! What holds of any bytes that the reader accepts.

use gmon_format::live::Live;

/// Reads everything that a file holds; whether it is accepted.
pub(crate) fn reads(bytes: &[u8]) -> bool {
    let Ok(live) = Live::new(bytes) else { return false };
    // Nothing claims more entries than there are bytes.
    let in_file = live.histogram().map(|it| (it.header.bins, it.counts().count()));
    assert!(in_file.is_none_or(|(bins, _)| bins as usize <= bytes.len()));
    let loaded = live.process_histograms().map(|it| (it.header.bins, it.counts().count()));
    assert!(loaded.chain(in_file).all(|(bins, counts)| counts <= bins as usize));
    assert!(live.arcs().count() <= live.process_arcs().count());
    assert!(live.process_arcs().count() + live.process_blocks().count() <= bytes.len() / 16);
    assert!(live.basic_blocks().count() <= live.process_blocks().count());
    let in_tables: usize = live.tables().map(|table| table.arcs().count()).sum();
    assert!(live.process_arcs().count() <= in_tables);
    assert!(in_tables <= live.tables().map(|table| table.positions()).sum());
    assert!(live.bins().is_none_or(|bins| bytes.get(bins).is_some()));
    for stacks in live.stacks() {
        assert!(stacks.positions() <= bytes.len() / 24);
        for (position, node) in stacks.iter().take(100) {
            assert_eq!(stacks.get(position), Some(node));
            assert!(stacks.path(position).take(1000).count() <= stacks.positions());
        }
    }
    for module in live.modules() {
        assert!(module.path.len() <= bytes.len() && module.build_id.len() <= 20);
    }
    assert!(live.threads().all(|(position, _)| position < bytes.len() as u64));
    for facts in live.facts() {
        let len: usize = facts.iter().map(|(key, value)| key.len() + value.bytes().count()).sum();
        assert!(len <= bytes.len());
        assert!(facts.iter().filter_map(|(_, value)| value.number()).count() <= bytes.len());
    }
    true
}
