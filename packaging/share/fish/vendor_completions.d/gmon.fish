# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_gmon_global_optspecs
    string join \n color= h/help V/version
end

function __fish_gmon_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_gmon_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_gmon_using_subcommand
    set -l cmd (__fish_gmon_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c gmon -n "__fish_gmon_needs_command" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_needs_command" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_needs_command" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "run" -d 'Runs a command or sources, and shows where the time went'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "report" -d 'Shows where the time went, from existing profiles'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "annotate" -d 'Shows the source with executions, time and calls of each line'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "gprof" -d 'Prints flat profile and call graph, as GNU gprof does'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "export" -d 'Writes a profile in the format of another program'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "diff" -d 'Shows what changed between profiles, and fails if it must not'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "cc" -d 'Compiles and links for profiling; use it as CC="gmon cc gcc"'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "config" -d 'Prints flags and paths of libraries, for builds by hand'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "install" -d 'Installs libraries for build systems, and the manual'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "top" -d 'Shows what running programs do just now'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "ctl" -d 'Switches the profile of a running program on and off'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "doctor" -d 'Finds out why a profile is missing or wrong'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "recover" -d 'Makes gmon.out from a live profile, or what a board has sent'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "merge" -d 'Adds up data files into one, without their program'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "bbconv" -d 'Makes a data file from basic-block counts in text (bb.out)'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "completions" -d 'Prints what lets a shell complete commands and options'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "generate" -d 'Writes the pages of the manual and the completions below a folder'
complete -c gmon -n "__fish_gmon_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l top -d 'How many functions the summary lists' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l names -d 'How to name functions: full shows Rust\'s hashes, short has <_> for generic arguments [default: plain; short in rows of measured times on a terminal]' -r -f -a "linker\t''
full\t''
plain\t''
short\t''"
complete -c gmon -n "__fish_gmon_using_subcommand run" -l inlines -d 'Show inlined functions apart, only large ones, or fold all into those that have their code [default: large]' -r -f -a "show\t''
large\t''
fold\t''"
complete -c gmon -n "__fish_gmon_using_subcommand run" -l html -d 'Write a report for the browser: flame graph, functions, callers and callees, source' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand run" -l source -d 'Source text to include in the report: of hot functions, of all files, or none [default: hot]' -r -f -a "hot\t''
all\t''
none\t''"
complete -c gmon -n "__fish_gmon_using_subcommand run" -l title -d 'Title of the report [default: the name of the program]' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l rate -d 'Take N samples in each second of CPU time [default: 1000, or 100 without stacks or with --wall]' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l libcalls -d 'Count calls of functions of shared libraries: of all, or of those that fit a PATTERN as `malloc` or `libssl*:SSL_*`' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l times -d 'Time each call of functions that fit a PATTERN, in a program built by gmon cc --dormant or --times' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l by -d 'With --times: tell the calls of a function apart by caller, for gmon report --times --by caller' -r -f -a "caller\t''"
complete -c gmon -n "__fish_gmon_using_subcommand run" -l pid -d 'Sample processes that run already, by their numbers or the names of their programs' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l for -d 'With --pid: sample for so long, as 10s, 500ms or 2m' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l report -d 'Write the summary to FILE instead of the standard error stream; - is the standard output' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand run" -s o -l output -d 'Write the profile to FILE [default: gmon.out]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand run" -s d -l data -d 'Write a file for each process into FOLDER; with --runs, one for each run [default there: gmon.runs]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand run" -l warmup -d 'Run N times before that, without keeping profiles' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l runs -d 'Run N times, keep the profiles apart, and show how much they differ' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l child -d 'Look only at this process, or at the processes of this program; repeatable' -r
complete -c gmon -n "__fish_gmon_using_subcommand run" -l program -d 'Where to put the program that is compiled from sources' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand run" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand run" -l open -d 'Open the report in $BROWSER, or in the browser of the desktop'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l no-stacks -d 'Record no call stacks: only programs compiled with -pg have a profile'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l wall -d 'Sample all threads by the clock on the wall, waiting ones too'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l order -d 'Keep the order in which functions are first called, for gmon export --format symbol-order'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l steps -d 'Follow threads instruction by instruction, now and then, for gmon cc --use-profile: up to ten times slower'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l python -d 'Show functions of Python in place of their interpreter\'s; so it is unless GMON_OPTIONS says no'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l no-python -d 'Show the functions of Python\'s interpreter instead of those of Python'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l no-children -d 'Look only at the program itself, not at the processes that it starts'
complete -c gmon -n "__fish_gmon_using_subcommand run" -l blocks -d 'Count every execution of every basic block of the sources'
complete -c gmon -n "__fish_gmon_using_subcommand run" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand run" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l top -d 'How many functions the summary lists' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l names -d 'How to name functions: full shows Rust\'s hashes, short has <_> for generic arguments [default: plain; short in rows of measured times on a terminal]' -r -f -a "linker\t''
full\t''
plain\t''
short\t''"
complete -c gmon -n "__fish_gmon_using_subcommand report" -l inlines -d 'Show inlined functions apart, only large ones, or fold all into those that have their code [default: large]' -r -f -a "show\t''
large\t''
fold\t''"
complete -c gmon -n "__fish_gmon_using_subcommand report" -l calls -d 'Show the callers and callees of FUNCTION, with the time for each of them' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l cut -d 'Leave out branches that take less than this share of the time [default: 1]' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l by -d 'Show the functions of each thread, module or library, or the ranks of an MPI program; with --times: thread or caller' -r -f -a "thread\t''
module\t''
library\t''
rank\t''
caller\t''"
complete -c gmon -n "__fish_gmon_using_subcommand report" -l format -d 'text, or its tables alone as markdown, csv, tsv or json' -r -f -a "text\t''
markdown\t''
csv\t''
tsv\t''
json\t''"
complete -c gmon -n "__fish_gmon_using_subcommand report" -l source -d 'Source text to include in the report: of hot functions, of all files, or none [default: hot]' -r -f -a "hot\t''
all\t''
none\t''"
complete -c gmon -n "__fish_gmon_using_subcommand report" -l title -d 'Title of the report [default: the name of the program]' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l only -d 'Take only samples with such a function anywhere on the stack; repeat it for others' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l without -d 'Take no samples with such a function anywhere on the stack' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l from -d 'Take only samples from this time of the run on, as 2.5s or 300ms' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l to -d 'Take only samples before this time of the run' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l last -d 'Take only samples of so much time before the last one' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l phase -d 'Take only samples in phases of this name, which the program marked' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l slower -d 'Take only samples in timed calls that took so long: of 10ms, or of p99 of their function' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l html -d 'Write a report for the browser: flame graph, functions, callers and callees, source' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand report" -l child -d 'Look only at this process, or at the processes of this program; repeatable' -r
complete -c gmon -n "__fish_gmon_using_subcommand report" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand report" -l tree -d 'Show the call stacks as a tree, from the start of the program'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l bottom-up -d 'Show the hottest code, who called it, and who called these'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l times -d 'Show how long calls took, of functions whose calls were timed'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l threads -d 'Show the time of each thread'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l modules -d 'Show the time of each module: the program and its libraries'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l open -d 'Open the report in $BROWSER, or in the browser of the desktop'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l no-children -d 'Look only at the program itself, not at the processes that it starts'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l any-build -d 'Take data of another build of PROGRAM; names can be wrong then'
complete -c gmon -n "__fish_gmon_using_subcommand report" -l debuginfod -d 'Let debuginfod-find fetch names that are missing, from the servers in DEBUGINFOD_URLS'
complete -c gmon -n "__fish_gmon_using_subcommand report" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand report" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -l function -d 'Show only this function' -r
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -l top -d 'How many lines --line lists' -r
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -l format -d 'text, markdown, csv, tsv or json' -r -f -a "text\t''
markdown\t''
csv\t''
tsv\t''
json\t''"
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -s I -l source -d 'Where to look for sources that have moved since they were compiled' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -l inlines -d 'Show inlined functions apart, only large ones, or fold all into those that have their code [default: large]' -r -f -a "show\t''
large\t''
fold\t''"
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -l names -d 'How to name functions: full shows Rust\'s hashes, short has <_> for generic arguments [default: plain]' -r -f -a "linker\t''
full\t''
plain\t''
short\t''"
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -l line -d 'List the lines that took the most time or, without samples, ran most often'
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -l any-build -d 'Take data of another build of PROGRAM; names can be wrong then'
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand annotate" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s S -l external-symbol-table -d 'take the symbols from FILE, as nm prints them' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s A -l annotated-source -d 'print the source with the calls of each function' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s J -l no-annotated-source -d 'the opposite of -A; with SYMSPEC, all others' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s p -l flat-profile -d 'print the flat profile, of these functions only' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s P -l no-flat-profile -d 'the opposite of -p; with SYMSPEC, all others' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s q -l graph -d 'print the call graph and its index, of these functions and what they call only' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s Q -l no-graph -d 'the opposite of -q; with SYMSPEC, all others' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s C -l exec-counts -d 'print how often each function was called' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s Z -l no-exec-counts -d 'the opposite of -C; with SYMSPEC, all others' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s R -l file-ordering -d 'suggest an order of the object files that MAP names, as nm -o prints them' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -l demangle -d 'print C++ and Rust names as in the source, the default, or in STYLE' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s I -l directory-path -d 'look for sources in DIRS, separated by colons' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s m -l min-count -d 'mark annotated lines that ran less than N times' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s t -l table-length -d 'list the N busiest lines of each annotated source' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s n -l time -d 'count the time of these functions only in the call graph' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s N -l no-time -d 'do not count the time of these functions in the call graph' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s w -l width -d 'print an index of this width' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s d -l debug -d 'show what is being computed' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s O -l file-format -d 'read and write only this format: auto, magic, bsd or 4.4bsd' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s e -d 'like -Q SYMSPEC, but prints no report by itself' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s E -d 'like -e SYMSPEC -N SYMSPEC' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s f -d 'like -q SYMSPEC, but prints no report by itself' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s F -d 'like -f SYMSPEC -n SYMSPEC' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s k -d 'ignore the calls from FROM to TO' -r
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s l -l line -d 'show times and callers of single source lines'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s a -l no-static -d 'leave out static functions'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s D -l ignore-non-functions -d 'leave out local symbols that are not marked as functions'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s r -l function-ordering -d 'suggest an order of the functions for the linker'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s i -l file-info -d 'print what each profile holds'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s s -l sum -d 'write the sum of the profiles to gmon.sum'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s x -l all-lines -d 'annotate every line of the source'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -l no-demangle -d 'print names as the linker knows them'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s z -l display-unused-functions -d 'list functions without calls and time too'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -l inline-file-names -d 'print file and line behind each name'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s L -l print-path -d 'print whole paths of sources'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s y -l separate-files -d 'annotate each source in a file of its own'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s c -l static-call-graph -d 'list calls that are in the code but were never made'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s b -l brief -d 'leave out the explanations of the columns'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s h -l help -d 'print this text'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s T -l traditional -d 'print in the layout of BSD\'s gprof'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s v -l version -d 'print the version'
complete -c gmon -n "__fish_gmon_using_subcommand gprof" -s B -d 'print the call graph and its index'
complete -c gmon -n "__fish_gmon_using_subcommand export" -l format -d 'The format; without it, the name of FILE decides' -r -f -a "pprof\t''
callgrind\t''
folded\t''
speedscope\t''
firefox\t''
perfetto\t''
json\t''
jsonl\t''
csv\t''
tsv\t''
markdown\t''
text\t''
dot\t''
lcov\t''
symbol-order\t''
section-order\t''
script-order\t''
call-graph-order\t''
llvm-prof\t''
gcc-afdo\t''"
complete -c gmon -n "__fish_gmon_using_subcommand export" -s o -l output -d 'The file to write, compressed if its name ends in .gz; for jsonl also FOLDER/, for many processes [default: standard output]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand export" -l threads -d 'merge: add threads up; split: keep them apart, for callgrind in FILE-01, FILE-02 [default: merge]' -r -f -a "merge\t''
split\t''"
complete -c gmon -n "__fish_gmon_using_subcommand export" -l table -d 'The table to write as csv, tsv, markdown, text or json [default: functions; for json everything]' -r -f -a "functions\t''
arcs\t''
lines\t''"
complete -c gmon -n "__fish_gmon_using_subcommand export" -l top -d 'Write at most N rows of a table, or N functions of a graph' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l min-share -d 'Leave out rows and functions that take less than this share of the time' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l run -d 'The name of the run in the rows of jsonl' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l names -d 'How to name functions: full shows Rust\'s hashes, short has <_> for generic arguments [default: plain]' -r -f -a "linker\t''
full\t''
plain\t''
short\t''"
complete -c gmon -n "__fish_gmon_using_subcommand export" -l only -d 'Take only samples with such a function anywhere on the stack; repeat it for others' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l without -d 'Take no samples with such a function anywhere on the stack' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l from -d 'Take only samples from this time of the run on, as 2.5s or 300ms' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l to -d 'Take only samples before this time of the run' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l last -d 'Take only samples of so much time before the last one' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l phase -d 'Take only samples in phases of this name, which the program marked' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l slower -d 'Take only samples in timed calls that took so long: of 10ms, or of p99 of their function' -r
complete -c gmon -n "__fish_gmon_using_subcommand export" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand export" -l anonymous -d 'Leave out the command, the host, the process, the time and the folders of all paths'
complete -c gmon -n "__fish_gmon_using_subcommand export" -l any-build -d 'Take data of another build of PROGRAM; names can be wrong then'
complete -c gmon -n "__fish_gmon_using_subcommand export" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand export" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l base -d 'The base\'s profiles, each a run' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l new -d 'The new profiles, each a run' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l base-program -d 'The program of the base\'s data files [default: found by their names]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l new-program -d 'The program of the new data files' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l at -d 'Compare this stretch of one run, as 2s..3s, as the new side' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l against -d 'The stretch of the same run that is the base' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l phase -d 'Compare the phases of this name, which the programs marked' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l against-phase -d 'The phases of the same run that are the base' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l base-run -d 'Run the base\'s command, by turns with the new one; its output is dropped' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l new-run -d 'The command of the new side' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l runs -d 'Run each side N times' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l warmup -d 'Run each side N times before that, without keeping profiles' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -s d -l data -d 'Keep the profiles in FOLDER/base and FOLDER/new' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l rate -d 'Take N samples in each second of CPU time [default: 1000, or 100 without stacks or with --wall]' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l libcalls -d 'Count calls of functions of shared libraries: of all, or of those that fit a PATTERN as `malloc` or `libssl*:SSL_*`' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l times -d 'Time each call of functions that fit a PATTERN, in a program built by gmon cc --dormant or --times' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l by -d 'With --times: tell the calls of a function apart by caller, for gmon report --times --by caller' -r -f -a "caller\t''"
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l fail-on -d 'End with status 3 if a change is beyond LIMIT, such as calls:+0 or self:+5%; may be repeated' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l alpha -d 'How often chance alone may exceed a limit [default: 0.01]' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l format -d 'text, markdown, csv, tsv, json, or folded: call stacks with the samples of both sides' -r -f -a "text\t''
markdown\t''
csv\t''
tsv\t''
json\t''
folded\t''"
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l top -d 'How many rows a table has at most' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l html -d 'Write a page for the browser as well: flame graph of the difference, functions, calls' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l title -d 'Title of the report [default: the names of the programs]' -r
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l names -d 'How to name functions: full shows Rust\'s hashes, short has <_> for generic arguments [default: plain]' -r -f -a "linker\t''
full\t''
plain\t''
short\t''"
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l any-build -d 'Take data of another build of PROGRAM; names can be wrong then'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l no-stacks -d 'Record no call stacks: only programs compiled with -pg have a profile'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l wall -d 'Sample all threads by the clock on the wall, waiting ones too'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l order -d 'Keep the order in which functions are first called, for gmon export --format symbol-order'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l steps -d 'Follow threads instruction by instruction, now and then, for gmon cc --use-profile: up to ten times slower'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l python -d 'Show functions of Python in place of their interpreter\'s; so it is unless GMON_OPTIONS says no'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l no-python -d 'Show the functions of Python\'s interpreter instead of those of Python'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l pairs -d 'The sides\' runs were taken by turns: compare the first with the first if that shows more'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l shares -d 'Compare parts of a run\'s total, whatever the speed of the machine'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -l open -d 'Open the report in $BROWSER, or in the browser of the desktop'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand diff" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand cc" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand cc" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand cc" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand config" -l target -d 'The machine that the programs are for, such as aarch64-linux-gnu [default: this one]' -r
complete -c gmon -n "__fish_gmon_using_subcommand config" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand config" -l cflags -d 'What to compile with'
complete -c gmon -n "__fish_gmon_using_subcommand config" -l libs -d 'What to link with, after the objects'
complete -c gmon -n "__fish_gmon_using_subcommand config" -l static-lib -d 'The path of libgmon.a'
complete -c gmon -n "__fish_gmon_using_subcommand config" -l shared-lib -d 'The path of libgmon.so, for LD_PRELOAD'
complete -c gmon -n "__fish_gmon_using_subcommand config" -l prefix -d 'The folder where CMake and pkg-config find gmon'
complete -c gmon -n "__fish_gmon_using_subcommand config" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand config" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand install" -l prefix -d 'The folder to install below' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand install" -l libdir -d 'The folder for libraries, below the prefix' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand install" -l target -d 'The machine that the programs are for, such as aarch64-linux-gnu [default: this one]' -r
complete -c gmon -n "__fish_gmon_using_subcommand install" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand install" -l uninstall -d 'Remove what gmon install with the same options has installed'
complete -c gmon -n "__fish_gmon_using_subcommand install" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand install" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand top" -l interval -d 'How often to look' -r
complete -c gmon -n "__fish_gmon_using_subcommand top" -l format -d 'With --once: text, markdown, csv, tsv, or json with everything' -r -f -a "text\t''
markdown\t''
csv\t''
tsv\t''
json\t''"
complete -c gmon -n "__fish_gmon_using_subcommand top" -l top -d 'With --once: how many functions to list' -r
complete -c gmon -n "__fish_gmon_using_subcommand top" -l program -d 'The program, for a live file whose process has ended' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand top" -l names -d 'How to name functions: full shows Rust\'s hashes, short has <_> for generic arguments [default: plain]' -r -f -a "linker\t''
full\t''
plain\t''
short\t''"
complete -c gmon -n "__fish_gmon_using_subcommand top" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand top" -l once -d 'Look twice, this long apart, and write what was in between'
complete -c gmon -n "__fish_gmon_using_subcommand top" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand top" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand ctl" -s o -l output -d 'For snapshot: write the profile to OUT, replacing it [default: gmon.out, unless it exists]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand ctl" -l last -d 'For snapshot: take only samples of so much time before the last one' -r
complete -c gmon -n "__fish_gmon_using_subcommand ctl" -l hooks -d 'For on and off: count calls of these functions, or no longer' -r
complete -c gmon -n "__fish_gmon_using_subcommand ctl" -l times -d 'For on and off: time calls of these functions, or no longer' -r
complete -c gmon -n "__fish_gmon_using_subcommand ctl" -l wait -d 'How long to wait until the program has done it' -r
complete -c gmon -n "__fish_gmon_using_subcommand ctl" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand ctl" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand ctl" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand doctor" -l format -d 'text, or json for scripts [default: text]' -r -f -a "text\t''
json\t''"
complete -c gmon -n "__fish_gmon_using_subcommand doctor" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand doctor" -l trial
complete -c gmon -n "__fish_gmon_using_subcommand doctor" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand doctor" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand recover" -s o -l output -d 'Write the profile to OUT, replacing it [default: gmon.out, unless it exists]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand recover" -l last -d 'Take only samples of so much time before the last one' -r
complete -c gmon -n "__fish_gmon_using_subcommand recover" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand recover" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand recover" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand merge" -s o -l output -d 'The file to write; it may be one of the input files' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand merge" -l like -d 'Take word size and byte order from this executable [default: from the data]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand merge" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand merge" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand merge" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand bbconv" -s o -l output -d 'The file to write [default: standard output]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand bbconv" -l like -d 'Take word size and byte order from this executable [default: this machine\'s]' -r -F
complete -c gmon -n "__fish_gmon_using_subcommand bbconv" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand bbconv" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand bbconv" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand completions" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand completions" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand completions" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand generate" -l color -d 'Colour the output: auto (on a terminal), always or never [default: auto]' -r -f -a "auto\t''
always\t''
never\t''"
complete -c gmon -n "__fish_gmon_using_subcommand generate" -s h -l help -d 'Print help'
complete -c gmon -n "__fish_gmon_using_subcommand generate" -s V -l version -d 'Print version'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "run" -d 'Runs a command or sources, and shows where the time went'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "report" -d 'Shows where the time went, from existing profiles'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "annotate" -d 'Shows the source with executions, time and calls of each line'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "gprof" -d 'Prints flat profile and call graph, as GNU gprof does'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "export" -d 'Writes a profile in the format of another program'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "diff" -d 'Shows what changed between profiles, and fails if it must not'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "cc" -d 'Compiles and links for profiling; use it as CC="gmon cc gcc"'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "config" -d 'Prints flags and paths of libraries, for builds by hand'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "install" -d 'Installs libraries for build systems, and the manual'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "top" -d 'Shows what running programs do just now'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "ctl" -d 'Switches the profile of a running program on and off'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "doctor" -d 'Finds out why a profile is missing or wrong'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "recover" -d 'Makes gmon.out from a live profile, or what a board has sent'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "merge" -d 'Adds up data files into one, without their program'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "bbconv" -d 'Makes a data file from basic-block counts in text (bb.out)'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "completions" -d 'Prints what lets a shell complete commands and options'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "generate" -d 'Writes the pages of the manual and the completions below a folder'
complete -c gmon -n "__fish_gmon_using_subcommand help; and not __fish_seen_subcommand_from run report annotate gprof export diff cc config install top ctl doctor recover merge bbconv completions generate help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
