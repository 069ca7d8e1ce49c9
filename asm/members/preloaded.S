/* Functions in whose place only the shared library stands, which programs preload: it finds the C library's own behind itself, as
 * a static program cannot.
 */

        .pushsection .text.__gmon_preloaded, "ax", %progbits
        FORWARD GLOBAL, pthread_create, __gmon_instead_pthread_create
        .popsection
