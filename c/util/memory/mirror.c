/* SPDX-License-Identifier: BSD-3-Clause */
#include "mirror.h"

#include <stdlib.h>

#include "job/progress.h"

void mirror_open(struct mirror *m, const struct memory_kind *kind,
                 const void *base, size_t bytes)
{
    *m = (struct mirror){ .kind = kind, .base = (char *)base, .bytes = bytes };
}

static void copy(void *to, const void *from, size_t n)
{
    gpu_must(gpu_runtime()->copy(to, from, n), "a copy of GPU memory");
}

static void write_back(struct mirror *m)
{
    if (m->written && m->n > 0)
        copy(m->base + m->at, m->piece, m->n);
    m->n = 0;
}

/* Begin the piece at that byte. */
static void begin(struct mirror *m, size_t at)
{
    write_back(m);
    m->at = at;
    if (m->piece == NULL)
        m->piece = malloc(m->bytes < MIRROR_MOST ? m->bytes : MIRROR_MOST);
    if (m->piece == NULL)
        world_no_memory("a copy of GPU memory");
}

static bool holds(const struct mirror *m, size_t at, size_t n, size_t have)
{
    return m->piece != NULL && at >= m->at && at - m->at + n <= have;
}

const void *mirror_read(struct mirror *m, size_t at, size_t n)
{
    progress_moved();
    if (!m->kind->gpu)
        return m->base + at;
    if (!holds(m, at, n, m->n)) {
        const size_t left = m->bytes - at;

        begin(m, at);
        m->n = left < MIRROR_MOST ? left : MIRROR_MOST;
        copy(m->piece, m->base + at, m->n);
    }
    return m->piece + (at - m->at);
}

void *mirror_write(struct mirror *m, size_t at, size_t n)
{
    progress_moved();
    if (!m->kind->gpu)
        return m->base + at;
    if (!holds(m, at, n, MIRROR_MOST))
        begin(m, at);
    m->written = true;
    m->n = at - m->at + n;
    return m->piece + (at - m->at);
}

void mirror_close(struct mirror *m)
{
    write_back(m);
    free(m->piece);
    m->piece = NULL;
}
