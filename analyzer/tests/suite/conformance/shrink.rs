//! Makes a failing case small, so that one can see why it fails.

/// Removes parts of `list`, ever smaller ones, as long as `fails` says that the rest still fails.
pub(super) fn shrink<T: Clone>(list: &mut Vec<T>, mut fails: impl FnMut(&[T]) -> bool) {
    let mut size = list.len();
    while size > 0 {
        let mut start = 0;
        while start < list.len() {
            let end = list.len().min(start + size);
            let rest = [&list[..start], &list[end..]].concat();
            if fails(&rest) {
                *list = rest;
            } else {
                start = end;
            }
        }
        size /= 2;
    }
}
