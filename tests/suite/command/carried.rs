//! Where the carried libraries are unpacked, what is trusted there, and how much room they take in the command.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::prelude::*;
use nix::unistd::Uid;
use object::{Object, ObjectSection, ObjectSegment};
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

use super::with_program;
use crate::GMON;
use support::{tools::skip_anywhere, workplace::Workplace};

/// The archive that `gmon config` names with this cache folder.
#[track_caller]
fn archive(place: &Workplace, cache: &Path) -> PathBuf {
    let mut command = place.gmon("config --static-lib");
    let output = command.env("XDG_CACHE_HOME", cache).output().expect("gmon config");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8").trim_end().into()
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).expect("metadata").permissions().mode() & 0o7777
}

/// Whatever the mask of the user is: everybody may read what root unpacks, and nobody else what another does.
#[test]
fn only_the_user_writes_and_roots_can_be_read() {
    let (folders, files) = if is_root() { (0o755, 0o644) } else { (0o700, 0o600) };
    for mask in ["022", "077", "000"] {
        let place = Workplace::new();
        let cache = place.path("cache");
        let mut command = Command::new("sh");
        command.args(["-c", &format!("umask {mask}; exec \"$0\" config --static-lib"), GMON]);
        command.env("XDG_CACHE_HOME", &cache).assert().success();
        let archive = archive(&place, &cache);
        assert!(archive.starts_with(cache.join("gmon")), "{archive:?}");
        assert_eq!(mode(&archive), files);
        for folder in archive.ancestors().skip(1).take(3) {
            assert_eq!(mode(folder), folders, "{folder:?}");
        }
        assert_eq!(mode(&cache), 0o700);
    }
}

fn is_root() -> bool {
    Uid::effective().is_root()
}

/// As daemons do that root starts.
#[test]
fn a_child_that_becomes_another_user_is_profiled_as_well() {
    if !is_root() {
        return skip_anywhere("only root becomes somebody else");
    }
    let place = Workplace::new();
    fs::set_permissions(place.path(""), fs::Permissions::from_mode(0o755)).expect("my own folder");
    place.write("prog.c", CHANGES_USER);
    place.must("cc -O2 prog.c -o prog");
    let mut command = place.gmon("run ./prog");
    // Not the tests' own, which other users cannot reach.
    command.env_remove("XDG_CACHE_HOME").env("HOME", "/root");
    let output = command.output().expect("gmon run");
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success() && !said.contains("cannot be preloaded"), "{said}");
    let report = place.gmon("report --format csv gmon.out").output().expect("gmon report");
    let rows = String::from_utf8(report.stdout).expect("UTF-8");
    for name in ["as_root", "as_nobody"] {
        assert!(rows.lines().any(|row| row.contains(name)), "{name}: {said}{rows}");
    }
}

/// Works as root, and in a child that is another user's and starts the program again.
const CHANGES_USER: &str = r#"
    #include <sys/wait.h>
    #include <unistd.h>
    volatile unsigned long sum;
    __attribute__((noinline)) void as_root(void) { for (long i = 0; i < 100000000; i++) sum += i; }
    __attribute__((noinline)) void as_nobody(void) { for (long i = 0; i < 100000000; i++) sum += i; sum++; }
    int main(int n, char **v)
    {
        int status = 0;

        if (n > 1) {
            as_nobody();
            return 0;
        }
        if (!fork()) {
            if (!setgid(65534) && !setuid(65534))
                execl("/proc/self/exe", v[0], "again", (char *)0);
            _exit(1);
        }
        wait(&status);
        as_root();
        return status != 0;
    }
"#;

#[test]
fn files_stay_as_they_are_and_are_repaired() {
    let place = Workplace::new();
    let cache = place.path("cache");
    let path = archive(&place, &cache);
    let content = fs::read(&path).expect("archive");
    let modified = || fs::metadata(&path).expect("metadata").modified().expect("time");
    let unpacked = modified();
    archive(&place, &cache);
    assert_eq!(modified(), unpacked, "unpacked again without need");

    fs::write(&path, "not an archive").expect("damage");
    archive(&place, &cache);
    assert!(fs::read(&path).expect("archive") == content, "damaged file was used");

    let mut changed = content.clone();
    *changed.last_mut().expect("content") ^= 1;
    fs::write(&path, changed).expect("damage");
    archive(&place, &cache);
    assert!(fs::read(&path).expect("archive") == content, "changed file was used");

    let elsewhere = place.path("elsewhere.a");
    fs::rename(&path, &elsewhere).expect("move");
    symlink(&elsewhere, &path).expect("link");
    archive(&place, &cache);
    assert!(fs::symlink_metadata(&path).expect("metadata").is_file(), "a link was followed");
}

#[test]
fn a_folder_that_others_can_write_to_is_not_used() {
    let place = Workplace::new();
    let cache = place.path("cache");
    let path = archive(&place, &cache);
    let folder = path.parent().expect("folder");
    fs::set_permissions(folder, fs::Permissions::from_mode(0o777)).expect("permissions");
    let temporary = place.path("tmp");
    fs::create_dir(&temporary).expect("folder");

    let mut command = place.gmon("config --static-lib");
    command.env("XDG_CACHE_HOME", &cache).env("TMPDIR", &temporary);
    let in_temporary = temporary.to_str().expect("UTF-8").to_owned();
    command.assert().success().stdout(contains(in_temporary));
}

/// What is unpacked, or said, with a cache below these folders and a place for temporary files.
fn unpacked(place: &Workplace, cache: &Path, temporary: &Path) -> String {
    let mut command = place.gmon("config --static-lib");
    command.env("XDG_CACHE_HOME", cache).env("TMPDIR", temporary);
    let output = command.output().expect("gmon config");
    String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8")
}

#[test]
fn no_folder_above_the_cache_belongs_to_others() {
    let place = Workplace::new();
    let [above, link, temporary] = ["above", "link", "tmp"].map(|name| place.path(name));
    let cache = above.join("mine/cache");
    fs::create_dir_all(&cache).expect("folders");
    fs::create_dir(&temporary).expect("a folder");
    symlink(above.join("mine"), &link).expect("a link");
    let set = |mode| fs::set_permissions(&above, fs::Permissions::from_mode(mode)).expect("mode");
    let is_in = |folder: &Path, way: &Path| {
        let path = unpacked(&place, way, &temporary);
        assert!(path.starts_with(folder.to_str().expect("UTF-8")), "{path}");
    };
    for way in [&cache, &link.join("cache")] {
        // Whoever writes to a folder renames what is in it; in a sticky folder, only what is theirs.
        for (mode, folder) in
            [(0o755, &cache), (0o757, &temporary), (0o775, &temporary), (0o1777, &cache)]
        {
            set(mode);
            is_in(folder, way);
        }
    }
    set(0o755);
    if fs::metadata(&above).expect("metadata").uid() == 0 {
        const NOBODY: u32 = 65534;
        chown(&above, Some(NOBODY), None).expect("rights of root");
        is_in(&temporary, &cache);
        // And that is no better, if it is below the other's folder.
        let said = unpacked(&place, &cache, &above);
        let reason = format!("{} belongs to another user", above.display());
        assert_eq!(said.matches(&reason).count(), 2, "{said}");
    }
}

/// Folder of files that nobody named a cache for: root's go to the machine's cache, others' to this folder of theirs.
fn unless_of_machine(folder: PathBuf) -> String {
    let of_machine = is_root() && Path::new("/var/cache").is_dir();
    let folder = if of_machine { PathBuf::from("/var/cache/gmon/") } else { folder };
    folder.display().to_string()
}

#[test]
fn without_a_home_the_temporary_folder_is_used() {
    let place = Workplace::new();
    for home in [None, Some("/no/such/home"), Some("relative")] {
        let mut command = place.gmon("config --static-lib");
        command.env_remove("XDG_CACHE_HOME").env_remove("HOME").env("TMPDIR", place.path(""));
        command.envs(home.map(|home| ("HOME", home)));
        command.assert().success().stdout(contains(unless_of_machine(place.path("gmon-"))));
    }
}

#[test]
fn home_is_used_without_xdg_cache_home() {
    let place = Workplace::new();
    for xdg in ["", "relative"] {
        let mut command = place.gmon("config --static-lib");
        command.env("XDG_CACHE_HOME", xdg).env("HOME", place.path("home"));
        fs::create_dir_all(place.path("home")).expect("home");
        let folder = unless_of_machine(place.path("home/.cache/gmon/"));
        command.assert().success().stdout(contains(folder));
    }
}

#[test]
fn nowhere_to_unpack_is_an_error_with_every_reason() {
    let place = Workplace::new();
    let file = place.write("file", "in the way");
    let mut command = place.gmon("config --libs");
    command.env("XDG_CACHE_HOME", &file).env("TMPDIR", &file);
    command.assert().code(1).stdout("").stderr(
        contains("gmon: cannot unpack the runtime libraries")
            .and(contains("file/gmon: "))
            .and(contains("set XDG_CACHE_HOME"))
            .and(contains("\n").count(1)),
    );
}

#[test]
fn many_at_once_do_not_disturb_each_other() {
    let place = with_program();
    let cache = place.path("cache");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let (place, cache) = (&place, &cache);
            scope.spawn(move || {
                let mut command = place.gmon("cc cc -O2 prog.c -o");
                command.arg(format!("prog{number}")).env("XDG_CACHE_HOME", cache);
                command.assert().success().stderr("");
            });
        }
    });
}

/// The libraries of a port are a megabyte, which the command contains once and compressed.
#[test]
#[cfg_attr(debug_assertions, ignore = "sizes are promised of optimized builds")]
fn the_command_stays_small() {
    const MEGABYTE: u64 = 1_000_000;
    let version = Workplace::new().gmon("--version").output().expect("gmon --version");
    let version = String::from_utf8(version.stdout).expect("UTF-8");
    let ports = version.lines().filter(|line| line.starts_with("  ")).count() as u64;
    assert!(ports >= 1, "{version}");
    let command = fs::read(GMON).expect("the command");
    let file = object::File::parse(&*command).expect("an ELF file");
    // Everything that `strip` keeps, but for the table of sections.
    let ends = file.segments().map(|segment| segment.file_range()).map(|(at, size)| at + size);
    let size = ends.max().expect("segments");
    let constants = file.section_by_name(".rodata").expect("constants").size();
    let most = 2 * MEGABYTE + (ports - 1) * MEGABYTE;
    assert!(constants <= most, "{constants} bytes of constants with {ports} ports");
    // Incremental builds have up to twice the code, since they inline less.
    let beside = Path::new(GMON).with_file_name("incremental");
    let mut units = fs::read_dir(beside).into_iter().flatten().flatten();
    let most = 9 * MEGABYTE + (ports - 1) * MEGABYTE;
    if units.any(|unit| unit.file_name().to_string_lossy().starts_with("gmon-")) {
        eprintln!("an incremental build: its size of {size} bytes is not that of a release");
    } else {
        assert!(size <= most, "{size} bytes with {ports} ports, more than {most}");
    }
}
