/* What gcc's -a made of a source, written by hand: two units, each with its counts of basic blocks, and
   every function registering its unit. `work` has one block, `choose` three. */
#include <sys/wait.h>
#include <unistd.h>
#include "counted.h"

struct unit {
    long is_known;
    const char *file;
    long *counts;
    long len;
    struct unit *next;
    const unsigned long *pcs;
};

void __bb_init_func(struct unit *unit);
void __bb_exit_func(void);
extern struct unit *__bb_head;

void work(void);
int choose(int number);

static long work_counts[1], choose_counts[3];
/* The second and third block are inside of `choose`, one after the other. */
static const unsigned long work_pcs[1] = {(unsigned long)work};
static unsigned long choose_pcs[3];
static struct unit first = {0, "first.c", work_counts, 1, 0, work_pcs};
static struct unit second = {0, "second.c", choose_counts, 3, 0, choose_pcs};

COUNTED void work(void)
{
    if (!first.is_known)
        __bb_init_func(&first);
    work_counts[0]++;
    BARRIER();
}

COUNTED int choose(int number)
{
    int i;

    for (i = 0; i < 3; i++)
        choose_pcs[i] = (unsigned long)choose + i;
    if (!second.is_known)
        __bb_init_func(&second);
    choose_counts[0]++;
    if (number % 3 == 0) {
        choose_counts[1]++;
        return 1;
    }
    choose_counts[2]++;
    return 0;
}

int main(int argc, char **argv)
{
    int i, status = -1;
    pid_t pid;

    (void)argv;
    for (i = 0; i < 30; i++)
        work();
    for (i = 0; i < 10; i++)
        choose(i);
    if (__bb_head != &second || second.next != &first || first.next)
        return 1;
    pid = fork();
    if (pid == 0) {
        work();
        work();
        return 0;
    }
    waitpid(pid, &status, 0);
    if (argc > 1) {
        __bb_exit_func();
        _exit(status != 0);
    }
    return status != 0;
}
