/* The contract of old gcc's -a: a member of its own of the archive, which a program has only if it refers to these names
 * and does not define them itself.
 *
 *   __bb_init_func(unit)  by every function of a unit of compilation whose first word is still zero
 *   __bb_head             the units that called it, by their links
 *   __bb_exit_func()      writes the counts
 *
 * The code counts in its units on its own; the runtime (runtime/src/units.rs) only reads them.
 */

        .pushsection .text.__gmon_bb, "ax", %progbits

        FUNCTION GLOBAL, __bb_init_func
        BB_INIT
        END     __bb_init_func

        FORWARD GLOBAL, __bb_exit_func, _mcleanup
        .popsection

        BB_HEAD
