/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of a run: how much of it, of what kind, and getting it. */
#include <errno.h>
#include <string.h>

#include "base/buffer_size.h"
#include "prepare.h"

size_t prepare_send_blocks(const struct prepared *p, const struct bench *b,
                           const struct settings *s)
{
    const size_t sends = flow_send_room(b->flow, &p->run);

    if (b->flow->rma == FLOW_OUT_OF_WINDOW)
        return 0;
    return sends > 0 && b->takes & TAKES_BUFFERS && !s->buffers ? 1 : sends;
}

size_t prepare_recv_blocks(const struct prepared *p, const struct bench *b)
{
    return b->flow->rma == FLOW_INTO_WINDOW ? 0
                                            : flow_recv_room(b->flow, &p->run);
}

size_t prepare_window_blocks(const struct prepared *p, const struct bench *b)
{
    return b->flow->rma == FLOW_BUFFERS ? 0
           : b->flow->one_block         ? 1
                                        : (size_t)p->run.window;
}

void prepare_widest(struct prepared *p, const struct bench *b,
                    const long level[], int n)
{
    size_t most = 0;

    for (int i = 0; i < n; i++) {
        struct bench_run r = p->run;

        r.level = level[i];
        const size_t blocks =
            flow_send_room(b->flow, &r) + flow_recv_room(b->flow, &r);
        if (i == 0 || blocks > most) {
            most = blocks;
            p->run.level = level[i];
        }
    }
}

/* A side's buffer or, if that is to rotate, its pool if that is larger. */
static size_t with_pool(const struct prepared *p, const struct settings *s,
                        size_t buffer)
{
    const size_t pool = buffer_pool_pool(s, p->cache_ranks);

    return buffer > 0 && pool > buffer ? pool : buffer;
}

static size_t send_bytes(const struct prepared *p, const struct bench *b,
                         const struct settings *s, size_t bytes)
{
    return with_pool(
        p, s,
        buffer_size(bytes, prepare_send_blocks(p, b, s), b->flow->window));
}

static size_t recv_bytes(const struct prepared *p, const struct bench *b,
                         const struct settings *s, size_t bytes)
{
    return with_pool(
        p, s, buffer_size(bytes, prepare_recv_blocks(p, b), b->flow->window));
}

size_t prepare_window_bytes(const struct prepared *p, const struct bench *b,
                            size_t bytes)
{
    return buffer_size(bytes, prepare_window_blocks(p, b), true);
}

/* Whose memory this is. */
static const struct memory_kind *kind_of(const struct prepared *p,
                                         const struct bench *b)
{
    const bool second =
        b->flow->sides == SIDES_TURNED ? p->run.sender : !p->run.sender;

    return p->side[b->flow->sides != SIDES_NONE && second];
}

struct prepare_need prepare_need(const struct prepared *p,
                                 const struct bench *b,
                                 const struct settings *s, size_t bytes)
{
    const struct memory_kind *kind = kind_of(p, b);
    const size_t send = send_bytes(p, b, s, bytes),
                 recv = recv_bytes(p, b, s, bytes);
    const size_t all =
        size_sum(size_sum(send, recv), prepare_window_bytes(p, b, bytes));

    struct prepare_need need = { .host = all };

    if (b->takes & TAKES_PROCESSES)
        need.host =
            size_product(all, 2); /* children keep what their parent writes */
    if (kind->on_gpu)
        need = (struct prepare_need){ .gpu = all };
    if (kind->gpu && b->takes & TAKES_STAGING)
        need.host = size_sum(need.host, size_sum(send, recv));
    return need;
}

/* The reason of the first rank that did not get its memory, said by it. */
static enum exit_code refused(const struct prepared *p, const struct bench *b,
                              const struct world *world, bool good, int error)
{
    const bool usual = p->kind == &memory_host;
    int speaker = good ? world->size : world->rank, code;

    MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, world->comm);
    if (speaker == world->size)
        return EXIT_OK;
    code = messages[usual ? E20_OUT_OF_MEMORY : E32_NO_SUCH_MEMORY].code;
    MPI_Bcast(&code, 1, MPI_INT, speaker, world->comm);
    if (speaker == world->rank && usual)
        message_print(E20_OUT_OF_MEMORY, b->name,
                      "memory for buffers was refused (rank=%d;)", world->rank);
    else if (speaker == world->rank)
        message_print(E32_NO_SUCH_MEMORY, b->name, "%s: %s: %s (rank=%d;)",
                      p->kind->letter, p->kind->lacks, strerror(error),
                      world->rank);
    return (enum exit_code)code;
}

enum exit_code prepare_memory(struct prepared *p, const struct bench *b,
                              const struct settings *s,
                              const struct world *world, size_t max_bytes)
{
    const struct memory_options options = { s->align_offset, s->huge_pages,
                                            s->file_dir };
    const size_t window = rma_allocates(s->window_kind)
                              ? 0
                              : prepare_window_bytes(p, b, max_bytes);
    bool good;

    p->kind = kind_of(p, b);
    errno = 0;
    good = buffer_allocate(
               &p->send, b->transport != NULL ? b->transport->memory : p->kind,
               send_bytes(p, b, s, max_bytes), &options) &&
           buffer_allocate(&p->recv, p->kind, recv_bytes(p, b, s, max_bytes),
                           &options) &&
           buffer_allocate(&p->window, p->kind, window, &options);
    return refused(p, b, world, good, errno);
}
