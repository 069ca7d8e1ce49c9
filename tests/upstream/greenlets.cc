/* Python with greenlet in one program, for tests/upstream/times. Greenlets take turns in the same memory: each calls functions of C++
   that are timed, at depths of its own, and waits in them for others. Arguments and output are those of times.cc. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "greenlet.h"
#include "own.h"

#include <cstdio>

PyMODINIT_FUNC PyInit__greenlet(void);

static unsigned state;

/* A call that comes back when the greenlet that has made it is switched to again. */
TIMED int holds(Own *own, PyObject *callable)
{
    ENTERED(own);
    PyObject *result = PyObject_CallNoArgs(callable);
    Py_XDECREF(result);
    LEAVES;
    return result != nullptr;
}

/* The same without an interpreter in between. */
TIMED int switches(Own *own, PyObject *greenlet)
{
    ENTERED(own);
    PyObject *result = PyGreenlet_Switch(reinterpret_cast<PyGreenlet *>(greenlet), nullptr, nullptr);
    Py_XDECREF(result);
    LEAVES;
    return result != nullptr;
}

/* One that nobody switches away from. */
TIMED int passes(Own *own, long ns)
{
    ENTERED(own);
    spin(ns);
    LEAVES;
    return 1;
}

static PyObject *none_or_error(int is_well)
{
    if (!is_well)
        return nullptr;
    Py_RETURN_NONE;
}
static PyObject *hold(PyObject *, PyObject *callable) { return none_or_error(MEASURED(holds, callable)); }
static PyObject *switch_to(PyObject *, PyObject *greenlet) { return none_or_error(MEASURED(switches, greenlet)); }
static PyObject *pass(PyObject *, PyObject *ns) { return none_or_error(MEASURED(passes, PyLong_AsLong(ns))); }
static PyObject *below(PyObject *, PyObject *limit)
{
    state = state * 1103515245u + 12345u;
    return PyLong_FromUnsignedLong((state >> 8) % PyLong_AsUnsignedLong(limit));
}

static PyMethodDef methods[] = {
    { "hold", hold, METH_O, nullptr },
    { "switch_to", switch_to, METH_O, nullptr },
    { "spin", pass, METH_O, nullptr },
    { "below", below, METH_O, nullptr },
    {},
};
static PyModuleDef module = { PyModuleDef_HEAD_INIT, "timed", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr };
static PyObject *init() { return PyModule_Create(&module); }

static const char script[] = R"(
from _greenlet import greenlet, getcurrent
from timed import below, hold, spin, switch_to
main = getcurrent()
def work():
    spin(below(2000) if below(16) else below(60000))
def pause():
    main.switch()
def pause_by_c():
    switch_to(main)
def deeper(depth):
    work()
    hold(lambda: deeper(depth - 1) if depth else pause())
    work()
def body(depth, away):
    def run():
        while True:
            if depth:
                deeper(depth)
            else:
                hold(away)
            work()
    return run
def start(greenlet, depth):
    # The stack of a greenlet begins where it is started.
    if depth:
        hold(lambda: start(greenlet, depth - 1))
    else:
        greenlet.switch()
def new():
    made = greenlet(body(below(4), pause_by_c if below(2) else pause))
    start(made, below(6))
    return made
all = [new() for _ in range(12)]
for n in range(250):
    which = below(12)
    if below(25) == 0:
        all[which] = new()
    if below(3) == 0:
        switch_to(all[which])
    else:
        all[which].switch()
    # Whatever is timed here covers calls of all greenlets.
    if below(8) == 0:
        work()
)";

static int is_failure(PyStatus status) { return PyStatus_Exception(status); }

int main(int count, char **words)
{
    PyConfig config;

    if (count != 4)
        return 2;
    state = std::atoi(words[2]);
    own_begin(words[3]);
    PyImport_AppendInittab("_greenlet", PyInit__greenlet);
    PyImport_AppendInittab("timed", init);
    PyConfig_InitIsolatedConfig(&config);
    config.site_import = 0;
    if (is_failure(Py_InitializeFromConfig(&config)))
        return 3;
    PyConfig_Clear(&config);
    /* The package has nothing else that is wanted here. */
    PyRun_SimpleString("import sys, _greenlet; sys.modules['greenlet'] = _greenlet");
    PyGreenlet_Import();
    if (!_PyGreenlet_API)
        return 5;
    if (PyRun_SimpleString(script) != 0)
        return 1;
    if (Py_FinalizeEx() != 0)
        return 4;
    std::puts("done");
}
