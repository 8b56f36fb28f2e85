/* SPDX-License-Identifier: BSD-3-Clause */
#include "processes.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/sizes.h"
#include "bench.h"
#include "data/memory.h"
#include "job/world.h"
#include "options/settings.h"

enum { MOST = 1024 }; /* child processes of a rank */

struct processes_settings {
    int side[2]; /* numbers forked by the sender and by the receiver */
};

FAMILY_OF(settings, const struct processes_settings, processes_settings)

struct processes {
    int n;
    pid_t *pid;
};

FAMILY_OF(bench_run, struct processes, processes_of)

static const struct option_row options[] = {
    { 't', "num-processes", "[S:]R", .group = OPTIONS_SIDES, .common = true,
      .help = "processes that sender and receiver fork; 0 to 1024; one number "
              "counts for both",
      .fallback = "2", .kind = OPTION_SIDES, .offset = offsetof(struct processes_settings, side),
      .max = MOST, .json = "processes" },
    { 0 },
};
static const struct processes_settings defaults = { { 2, 2 } };

/* Children keep a copy of each page that their parent writes. */
static void add_copies(const struct context *c, struct buffers *b)
{
    b->beside.host = size_product(b->beside.host, 2);
    if (!b->kind->on_gpu)
        buffers_add(b, NULL, b->kind, size_sum(b->send.bytes, b->recv.bytes));
}

static _Noreturn void exist(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0); /* the parent had ended before */
    for (;;)
        pause();
}

/* Fork n processes.  errno, if the system refuses one. */
static int fork_all(struct processes *p, int n)
{
    const pid_t parent = getpid();

    p->pid = world_keep((size_t)n, sizeof *p->pid, "the child processes");
    while (p->n < n) {
        const pid_t pid = fork();

        if (pid == 0)
            exist(parent);
        if (pid < 0)
            return errno;
        p->pid[p->n++] = pid;
    }
    return 0;
}

/* The buffers may be registered with a network by now. */
static enum exit_code ready(const struct context *c, const struct buffers *b)
{
    const int *side = processes_settings(c->settings)->side;
    const int error = fork_all(processes_of(c->run), side[c->run->sender ? 0 : 1]);
    char text[WORLD_LIMIT_ROOM];

    return world_refuse_first(c->world, error != 0, E42_LIMIT, "%s",
                              world_limit("fork", error, text));
}

static void end(const struct context *c)
{
    struct processes *p = processes_of(c->run);

    for (int i = 0; i < p->n; i++)
        kill(p->pid[i], SIGKILL);
    for (int i = 0; i < p->n; i++)
        waitpid(p->pid[i], NULL, 0);
}

static void print_processes(FILE *to, const struct bench_run *r, const struct settings *s)
{
    const int *side = processes_settings(s)->side;

    fprintf(to,
            "# Number of forked processes in sender: %d\n"
            "# Number of forked processes in receiver: %d\n",
            side[0], side[1]);
}

const struct report report_forked = {
    REPORT_ROUND_TRIP,
    .sample = "one round trip, seen by the first rank",
    .before = print_processes,
};

const struct family processes_family = {
    .name = "processes",
    FAMILY_OPTIONS(options, defaults),
    .state = sizeof(struct processes),
    .memory = add_copies,
    .ready = ready,
    .end = end,
};
