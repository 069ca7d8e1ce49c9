"""Runs a script in two interpreters beside this one at the same time."""

import sys
import threading

try:
    import _interpreters
except ImportError:
    import _xxsubinterpreters as _interpreters

ended = []


def run(script, seconds):
    # Before 3.12 others may not start threads.
    may_choose = (3, 9) <= sys.version_info < (3, 12)
    interpreter = _interpreters.create(**({"isolated": False} if may_choose else {}))
    text = "import sys; sys.argv = {!r}; exec(compile(open({!r}).read(), {!r}, 'exec'))"
    failed = _interpreters.run_string(interpreter, text.format([script, seconds], script, script))
    _interpreters.destroy(interpreter)
    ended.append(failed)


others = [threading.Thread(target=run, args=sys.argv[1:]) for _ in range(2)]
for other in others:
    other.start()
for other in others:
    other.join()
if ended != [None, None]:
    sys.exit(f"an interpreter failed: {ended}")
