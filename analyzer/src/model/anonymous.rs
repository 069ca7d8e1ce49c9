//! A model that can be mailed: without what tells where and by whom the program was run.

use super::document::Model;

impl Model {
    /// Leaves out the command, the host, the numbers of processes and the time, and the folders of all paths.
    #[must_use]
    pub fn anonymous(mut self) -> Self {
        let last_part = |path: &mut String| {
            if let Some((_, name)) = path.rsplit_once('/') {
                *path = name.to_owned();
            }
        };
        last_part(&mut self.program);
        self.modules.iter_mut().for_each(|module| last_part(&mut module.path));
        self.files.iter_mut().for_each(last_part);
        // The first thread of a process has its number, and those of the others are near it.
        for (number, thread) in (1..).zip(&mut self.threads) {
            thread.pid = 0;
            thread.tid = thread.tid.min(number);
        }
        let Self { command, host, pid, parent_pid, start_ns, .. } = &mut self;
        (*command, *host) = (None, None);
        (*pid, *parent_pid, *start_ns) = (None, None, None);
        self.run.added.clear();
        self
    }
}
