"""Has the interpreter itself say what each sample finds: its faulthandler, at the sampler's own signals (truth.c)."""

import asyncio
import contextlib
import ctypes
import faulthandler
import functools
import gc
import itertools
import json
import re
import signal
import sys
import threading
import time
import types


class Item:
    def __init__(self, key):
        self.key = key

    def __lt__(self, other):
        return self.key < other.key

    def __eq__(self, other):
        return self.key == other.key

    def __hash__(self):
        return hash(self.key % 7)

    def __getattr__(self, name):
        return len([c for c in name if c.isalpha()])

    def __del__(self):
        self.key = sum(range(self.key % 5))


def special():
    items = [Item(i * 7919 % 101) for i in range(101)]
    items.sort()
    return len(set(items)) + sum(item.some_name for item in items)


def logged(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        finally:
            str(args)

    return inner


@logged
def mutual(n):
    return other(n - 1) if n else sum(i for i in range(500))


@logged
def other(n):
    with contextlib.suppress(ZeroDivisionError):
        return mutual(n - 1) if n else 1 // n


def tree(n):
    if n:
        yield n
        yield from tree(n - 1)
        yield from tree(n - 1)


def sums():
    return sum(x * y for x in tree(7) for y in (1, 2)) + functools.reduce(
        lambda a, b: a + b, map(lambda n: n % 3, filter(lambda n: n % 2, range(1000)))
    )


def texts():
    text = re.sub(r"\d+", lambda match: str(int(match.group()) + 1), "1 2 33 444 " * 50)
    numbers = json.loads(json.dumps({str(i): [i, {"a": None}] for i in range(100)}, indent=1))
    return text, eval("[len(str(n)) for n in numbers]", {"numbers": numbers})


class Failure(Exception):
    pass


def fails(n):
    if n == 0:
        raise Failure(n)
    try:
        fails(n - 1)
    except Failure as failure:
        raise Failure(n) from failure
    finally:
        sum(range(200))


def failures():
    for n in range(12):
        try:
            fails(n)
        except Failure:
            pass


async def numbers():
    for n in range(20):
        await asyncio.sleep(0)
        yield n


async def task():
    async with contextlib.AsyncExitStack():
        return [n async for n in numbers()]


async def tasks():
    await asyncio.gather(*(task() for _ in range(5)))


def coroutines():
    loop = asyncio.new_event_loop()
    loop.run_until_complete(tasks())
    loop.close()


def compare(a, b):
    return a[0] - b[0]


def callbacks():
    kind = ctypes.POINTER(ctypes.c_int)
    array = (ctypes.c_int * 100)(*(i * 37 % 100 for i in range(100)))
    function = ctypes.CFUNCTYPE(ctypes.c_int, kind, kind)(compare)
    ctypes.CDLL(None).qsort(array, 100, ctypes.sizeof(ctypes.c_int), function)


def classes():
    made = {}
    exec("class Made:\n    x = [n * n for n in range(300)]\n    def f(self):\n        return sum(self.x)", made)
    return made["Made"]().f() + len(list(itertools.permutations(range(5), 3)))


def small(n):
    return n


def calls():
    for n in range(3000):
        small(small(n))


def measured(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        for work in special, sums, texts, failures, coroutines, callbacks, classes, calls:
            work()
        mutual(4)


def first_lines(codes):
    for code in codes:
        yield code.co_filename, code.co_firstlineno, code.co_name
        yield from first_lines(c for c in code.co_consts if isinstance(c, types.CodeType))


def main(library, truth, seconds):
    begin = time.thread_time() + 0.3
    while time.thread_time() < begin:
        pass
    library = ctypes.CDLL(library)
    with open(truth, "w") as file:
        faulthandler.register(signal.SIGUSR1, file, all_threads=False)
        if not library.listen_to(file.fileno()):
            sys.exit("there is no sampler")
        thread = threading.Thread(target=measured, args=(seconds,))
        thread.start()
        measured(seconds)
        thread.join()
        library.listen_to(-1)
        functions = [o for o in gc.get_objects() if isinstance(o, types.FunctionType)]
        for path, line, name in set(first_lines(function.__code__ for function in functions)):
            print(f'first "{path}", line {line} in {name}', file=file)


main(*sys.argv[1:3], float(sys.argv[3]))
