/* A server with workers: binds the socket `socket`, forks four workers and prints `ready`. A worker reads a number,
   calls `work` so often and answers with its process id. At SIGTERM the first process sends it to the workers, waits
   and prints how each ended: the first two by the signal, the others by a handler of their own with status 7. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>
#include "counted.h"

enum { WORKERS = 4 };

COUNTED void work(void)
{
    BARRIER();
}

COUNTED void serve(int client)
{
    int calls, self = getpid();

    if (read(client, &calls, sizeof calls) != sizeof calls)
        _exit(100);
    while (calls-- > 0)
        work();
    if (write(client, &self, sizeof self) != sizeof self)
        _exit(101);
    close(client);
}

static void leave(int number)
{
    (void)number;
    _exit(7);
}

COUNTED void be_worker(int listener, int index, const sigset_t *before)
{
    if (index >= WORKERS / 2)
        signal(SIGTERM, leave);
    sigprocmask(SIG_SETMASK, before, 0);
    for (;;)
        serve(accept(listener, 0, 0));
}

int main(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    int listener = socket(AF_UNIX, SOCK_STREAM, 0), number, status, i;
    pid_t workers[WORKERS];
    sigset_t term, before;

    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 100))
        return 1;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    sigprocmask(SIG_BLOCK, &term, &before);
    for (i = 0; i < WORKERS; i++) {
        workers[i] = fork();
        if (workers[i] == 0)
            be_worker(listener, i, &before);
    }
    puts("ready");
    fflush(stdout);
    sigwait(&term, &number);
    for (i = 0; i < WORKERS; i++)
        kill(workers[i], number);
    for (i = 0; i < WORKERS; i++) {
        waitpid(workers[i], &status, 0);
        printf("worker %d %d %d\n", workers[i], WTERMSIG(status), WEXITSTATUS(status));
    }
    return 0;
}
