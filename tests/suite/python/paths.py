"""Functions that call each other in known lines: a comment at a line says who calls whom there."""

import sys
import threading
import time


def leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s


def call_plain():
    return leaf(20000)  # call_plain>leaf


def numbers():
    for i in range(10):
        yield leaf(2000)  # numbers>leaf


def call_generator():
    for x in numbers():  # call_generator>numbers
        pass


def call_back():
    return sorted(range(10), key=lambda x: leaf(2000))  # call_back><lambda> <lambda>>leaf


async def inner():
    return leaf(10000)  # inner>leaf


async def outer():
    await inner()  # outer>inner
    return 1


def call_coroutine():
    coroutine = outer()
    try:
        coroutine.send(None)  # call_coroutine>outer
    except StopIteration:
        pass


def deep(n):
    if n == 0:
        return leaf(20000)  # deep>leaf
    return deep(n - 1)  # deep>deep


def call_deep():
    return deep(150)  # call_deep>deep


def failing():
    leaf(10000)  # failing>leaf
    raise ValueError


def call_failing():
    try:
        failing()  # call_failing>failing
    except ValueError:
        return leaf(5000)  # call_failing>leaf


class Class:
    def __init__(self):
        self.sum = leaf(10000)  # __init__>leaf

    def method(self):
        return leaf(10000)  # method>leaf

    @property
    def value(self):
        return leaf(10000)  # value>leaf

    def __del__(self):
        leaf(10000)  # __del__>leaf


def call_class():
    one = Class()  # call_class>__init__
    one.method()  # call_class>method
    one.value  # call_class>value
    del one  # call_class>__del__


def call_made():
    exec(compile("\n\nleaf(5000)", "made", "exec"), {"leaf": leaf})  # call_made><module>


def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        call_plain()  # work>call_plain
        call_generator()  # work>call_generator
        call_back()  # work>call_back
        call_coroutine()  # work>call_coroutine
        call_deep()  # work>call_deep
        call_failing()  # work>call_failing
        call_class()  # work>call_class
        call_made()  # work>call_made


def main(seconds):
    others = [threading.Thread(target=work, args=(seconds,)) for _ in range(2)]
    for other in others:
        other.start()
    work(seconds)  # main>work
    for other in others:
        other.join()


main(float(sys.argv[1]))  # <module>>main
