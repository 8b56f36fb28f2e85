/* SPDX-License-Identifier: BSD-3-Clause */
#include "processes.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static _Noreturn void exist(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(0); /* it was gone before */
    for (;;)
        pause();
}

bool processes_begin(struct processes *c, int n)
{
    const pid_t parent = getpid();

    c->n = 0;
    c->pid = malloc((size_t)n * sizeof *c->pid);
    if (c->pid == NULL && n > 0)
        return false;
    while (c->n < n) {
        const pid_t pid = fork();

        if (pid == 0)
            exist(parent);
        if (pid < 0)
            return false;
        c->pid[c->n++] = pid;
    }
    return true;
}

void processes_end(struct processes *c)
{
    for (int i = 0; i < c->n; i++)
        kill(c->pid[i], SIGKILL);
    for (int i = 0; i < c->n; i++)
        waitpid(c->pid[i], NULL, 0);
    free(c->pid);
    *c = (struct processes){ 0 };
}
