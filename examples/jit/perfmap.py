"""Has PyPy name the code that it makes, in a map as perf and gmon read it: import perfmap, before anything else."""

import os

import pypyjit

MAP = open(f"/tmp/perf-{os.getpid()}.map", "w", buffering=1)


def made(code):
    """Notes a loop, or a bridge to one, by the function that it begins in."""
    function = code.greenkey[0] if code.greenkey else None
    name = f"{code.jitdriver_name} {code.type}"
    if hasattr(function, "co_filename"):
        name = f"py::{function.co_name}:{function.co_filename}"
    MAP.write(f"{code.asmaddr:x} {code.asmlen:x} {name}\n")


pypyjit.set_compile_hook(made, False)
