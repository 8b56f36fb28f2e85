/* SPDX-License-Identifier: BSD-3-Clause */
#include "progress.h"

#include <unistd.h>

struct progress progress = { .phase = "start" };

void progress_begin(int rank)
{
    progress.spoken = false;
    progress.rows = 0;
    progress.rank = rank;
    progress.reporter = pthread_self();
    gethostname(progress.host, sizeof progress.host);
}

void progress_say_last_words(void)
{
    const char *const text = progress.last_words;

    progress.last_words = NULL;
    progress.spoken = true;
    if (progress.rescue != NULL)
        progress.rescue();
    if (text != NULL && write(STDOUT_FILENO, text, strlen(text)) < 0)
        return; /* nobody is left to be told */
}

/* Iterations of this batch that have ended. */
static long made(const volatile struct iterations *l)
{
    const long samples = l->next - progress.first - 1;

    return samples < 0 ? 0 : samples * l->stride + l->stride - l->until_mark;
}

long progress_made(void)
{
    const volatile struct iterations *const iterations = progress.iterations;

    return progress.moves + progress.before + (iterations != NULL ? made(iterations) : 0);
}

void progress_describe(char *text, size_t room)
{
    const volatile struct iterations *iterations = progress.iterations;
    long n;

    signal_append(text, room, "phase=");
    signal_append(text, room, progress.phase);
    signal_append(text, room, progress.waiting ? ", waiting for other ranks" : "");
    signal_append(text, room, "; ");
    if (iterations == NULL)
        return;
    signal_append_field(text, room, "size=", (long)progress.bytes);
    n = progress.before + made(iterations);
    signal_append_field(text, room, "iterations=", n);
    if (progress.sends == 0 && progress.receives == 0)
        return;
    signal_append_field(text, room, "sent=", n * progress.sends);
    signal_append_field(text, room, "received=", n * progress.receives);
}

void progress_append_who(char *text, size_t room, const char *who)
{
    signal_append(text, room, strpbrk(who, ",-") != NULL ? "ranks=" : "rank=");
    signal_append(text, room, who);
    signal_append(text, room, "; host=");
    signal_append(text, room, progress.host);
    signal_append(text, room, "; ");
}

void progress_locate(char *text, size_t room)
{
    char rank[24] = "";

    signal_append_number(rank, sizeof rank, progress.rank);
    progress_append_who(text, room, rank);
    progress_describe(text, room);
    if (progress.append_call != NULL)
        progress.append_call(text, room);
}

void progress_phase(const char *phase)
{
    progress.iterations = NULL;
    progress.moves += progress.before + progress.batch + 1;
    progress.before = progress.batch = 0;
    progress.starting = progress.ending = progress.waiting = false;
    progress.phase = phase;
}

void progress_moved(void)
{
    progress.moves++;
}

void progress_iterations(const struct iterations *iterations)
{
    progress.iterations = NULL;
    progress.first = iterations->next;
    progress.iterations = iterations;
    progress.moves++;
}

void progress_row(size_t bytes, const struct iterations *iterations, int sends, int receives)
{
    progress.waiting = false;
    progress.before += progress.batch;
    progress.batch = (iterations->end - iterations->next - 1) * iterations->stride;
    progress.bytes = bytes;
    progress.sends = sends;
    progress.receives = receives;
    progress_iterations(iterations);
}
