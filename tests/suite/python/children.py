"""Runs a script in children that are started in every way, and in one that is forked while threads are there."""

import multiprocessing
import os
import sys
import threading


def run(script, seconds):
    sys.argv = [script, seconds]
    exec(compile(open(script).read(), script, "exec"), {"__name__": "__main__"})


def main(words):
    ways = [multiprocessing.get_context(way) for way in ("fork", "spawn", "forkserver")]
    children = [way.Process(target=run, args=words) for way in ways]
    for child in children:
        child.start()
    for child in children:
        child.join()
        if child.exitcode:
            sys.exit(child.exitcode)
    thread = threading.Thread(target=run, args=words)
    thread.start()
    child = os.fork()
    if child == 0:
        run(*words)
        os._exit(0)
    thread.join()
    if os.waitpid(child, 0)[1]:
        sys.exit("the child failed")


if __name__ == "__main__":
    main(sys.argv[1:])
