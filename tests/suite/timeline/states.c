/* A thread and the main one run and sleep for times that they know, and print what the scheduler says of them. With an argument a
   child does the same. */
#include <pthread.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile unsigned sum;

static long long cpu(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void work(int milliseconds)
{
    long long end = cpu() + milliseconds * 1000000LL;
    while (cpu() < end)
        for (unsigned i = 0; i < 20000; i++)
            sum += i;
}

/* Nanoseconds that it ran, and that it could have run without a processor. */
static void print(const char *name)
{
    char path[64], line[128] = "0 0";
    snprintf(path, sizeof path, "/proc/self/task/%ld/schedstat", (long)syscall(SYS_gettid));
    FILE *file = fopen(path, "r");
    if (file) {
        if (!fgets(line, sizeof line, file))
            line[0] = 0;
        fclose(file);
    }
    unsigned long long ran = 0, waited = 0;
    sscanf(line, "%llu %llu", &ran, &waited);
    printf("%s_ran %llu\n%s_runnable %llu\n", name, ran, name, waited);
}

static void *thread(void *argument)
{
    (void)argument;
    for (int i = 0; i < 20; i++) {
        work(5);
        usleep(10000);
    }
    print("thread");
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t other;
    pid_t child = argc > 1 ? fork() : 0;
    (void)argv;
    usleep(150000);
    pthread_create(&other, NULL, thread, NULL);
    work(100);
    pthread_join(other, NULL);
    usleep(150000);
    print("main");
    if (child != 0) {
        waitpid(child, NULL, 0);
        printf("child %d\n", child);
    }
    return 0;
}
