/* SPDX-License-Identifier: BSD-3-Clause */
#include "verify.h"

#include <string.h>

#include "base/shuffle.h"
#include "base/sizes.h"

/* --- What messages hold ----------------------------------------------------------- */

static uint64_t seed_of(int from, int dest, int slot)
{
    return shuffle_hash(shuffle_hash((uint64_t)(uint32_t)from << 32 | (uint32_t)dest) +
                        (uint32_t)slot);
}

/* Checks after which one byte is the same again, and no power of two, which the number of
   a library's buffers may be; longer contents never are. */
enum { BYTES_REPEAT = 251 };

/* The 8 bytes at word, a multiply and a shift so that filling is as fast as writing memory. */
static uint64_t word_at(uint64_t seed, uint64_t word, unsigned check)
{
    const uint64_t step = 2 * (uint64_t)(check / BYTES_REPEAT) + 1;
    const uint64_t x = (seed + word * step) * 0x9e3779b97f4a7c15u;

    return x ^ (x >> 32) ^ check % BYTES_REPEAT * 0x0101010101010101u;
}

/* Fill n bytes at to with the moved pattern, beginning at position offset. */
static void contents_fill(void *to, size_t n, size_t offset, int from, int dest, int slot,
                          unsigned check)
{
    const uint64_t seed = seed_of(from, dest, slot);
    enum { PART = 4096 };
    uint64_t chunk[PART / 8 + 1];
    size_t done = 0;

    while (done < n) {
        const size_t skip = (offset + done) % 8;
        const size_t part = n - done < PART - skip ? n - done : PART - skip;

        for (size_t i = 0; i < (skip + part + 7) / 8; i++)
            chunk[i] = word_at(seed, (offset + done) / 8 + i, check);
        memcpy((char *)to + done, (char *)chunk + skip, part);
        done += part;
    }
}

/* The byte of the pattern at a position. */
static unsigned char contents_byte(size_t position, int from, int dest, int slot, unsigned check)
{
    unsigned char byte;

    contents_fill(&byte, 1, position, from, dest, slot, check);
    return byte;
}

/* --- What stands where, and whether it does ----------------------------------------- */

enum { POISON = 0xa5 };

/* By rank too: gaps that were sent must not look like gaps. */
int verify_poison(const struct verify *v)
{
    return POISON ^ (int)((v->run->checks + (unsigned)v->run->rank) & 0x3f);
}

static const struct layout *layout_of(const struct verify *v, bool receiving)
{
    return receiving ? &v->run->in : &v->run->out;
}

/* Where a block begins, if the buffer is no window. */
static size_t layout_at(const struct bench_run *r, const struct layout *l, int i)
{
    return l->portions != NULL ? (size_t)l->displacements[i] : r->bytes * (size_t)i;
}

/* Where a block begins in its buffer, and its bytes. */
static size_t start_of(const struct verify *v, bool receiving, int block)
{
    if (!v->flow->window)
        return layout_at(v->run, layout_of(v, receiving), block);
    if (v->flow->at != NULL)
        block = v->flow->at(v->run, receiving, block);
    return (size_t)block * (receiving ? v->run->recv_stride : v->run->send_stride);
}

static size_t length_of(const struct verify *v, bool receiving, int block)
{
    return layout_bytes(v->run, layout_of(v, receiving), block);
}

/* Bytes of the receive buffer with all it has room for, and the guard. */
static size_t recv_bytes(const struct verify *v)
{
    return layout_size(&v->run->in, v->run->bytes, flow_room(v->flow, v->run, false),
                       v->flow->window);
}

/* Ranks whose terms this rank receives the sum of; 0: what it receives is
   undefined.  What stands in place of a sum over no ranks stays. */
static int summed_ranks(const struct flow *flow, const struct bench_run *r)
{
    const int n = flow->summed != NULL ? flow->summed(r) : r->nranks;

    return n == 0 && flow_is_in_place(flow, r) ? 1 : n;
}

/* Slot number that marks the contents, 0 where none does: one for all where one buffer
   serves the whole window. */
static int slot_of(const struct verify *v, int block)
{
    return v->distinct_sends && v->flow->slot != NULL ? v->flow->slot(v->run, block) : 0;
}

/* "To" of what this rank receives. */
static int dest_here(const struct verify *v)
{
    return v->flow->to == flow_anyone ? CONTENTS_ANYONE : v->run->rank;
}

/* "From" of what this rank sends. */
static int source_here(const struct verify *v)
{
    return v->flow->from == flow_anyone ? CONTENTS_ANYONE : v->run->rank;
}

/* Of a derived type: one byte that moves. */
static bool is_one_byte(const struct verify *v, int block)
{
    const size_t bytes = length_of(v, true, block);

    return !v->flow->sum && (bytes == v->run->bytes ? typemap_bytes(v->pieces) : bytes) == 1;
}

/* Bytes of a received block: of a vector that is dealt out, a part. */
static size_t received_bytes(const struct verify *v, int block)
{
    return v->flow->dealt == FLOW_WHOLE ? length_of(v, true, block)
                                        : (size_t)v->run->recv_count * element_size(v->element);
}

/* Block i, in elements. */
static struct piece piece_at(const struct typemap *p, size_t i)
{
    return p->piece != NULL ? p->piece[i] : (struct piece){ i * p->stride, p->block };
}

/* The first block that ends after an element; n: none. */
static size_t first_after(const struct typemap *p, size_t element)
{
    size_t low = 0, high = p->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct piece piece = piece_at(p, middle);

        if (piece.at + piece.length > element)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* chunk has n bytes of a message, from byte from on: overwrite what does not move. */
static void cover_gaps(const struct typemap *p, void *chunk, size_t from, size_t n, int gap)
{
    const size_t end = from + n;
    size_t i = first_after(p, from / p->unit), at = from;

    while (at < end) {
        size_t begin = end, after = end;

        if (i < p->n) {
            const struct piece piece = piece_at(p, i++);

            begin = piece.at * p->unit;
            after = begin + piece.length * p->unit;
        }
        if (begin > at)
            memset((char *)chunk + (at - from), gap, (begin < end ? begin : end) - at);
        at = after;
    }
}

/* The same of a block as it is.  Blocks of different lengths have no gaps. */
static void cover(const struct verify *v, void *chunk, size_t from, size_t n, int gap)
{
    if (v->run->in.portions == NULL)
        cover_gaps(v->pieces, chunk, from, n, gap);
}

/* Elements that are combined: of this rank or, of so many ranks, the result. */
static void numbers(const struct verify *v, void *to, size_t first, size_t n, int ranks)
{
    const struct bench_run *r = v->run;

    v->flow->numbers(r, v->element, to, first + r->checks, n, ranks, r->rank, r->nranks);
}

/* What this rank sends as that block, from that byte of it on. */
static void sent(const struct verify *v, int block, size_t from, size_t n, void *to)
{
    const size_t size = element_size(v->element);

    if (v->flow->sum)
        numbers(v, to, from / size, n / size, 0);
    else
        contents_fill(to, n, from, source_here(v), v->flow->to(v->run, block), slot_of(v, block),
                      v->run->checks);
}

/* What stands somewhere: in a received block, after its end, or in what was sent.  numbers:
   what the operation itself says of it; or NULL. */
struct contents {
    enum { RECEIVED, BEHIND, SENT } region;
    int block;
    verify_numbers *numbers;
    int what;
};

/* What must stand there, from that byte of it on. */
static void expect(const struct verify *v, const struct contents *c, size_t from, size_t n,
                   void *right)
{
    const struct bench_run *r = v->run;
    const size_t size = element_size(v->element);

    if (c->numbers != NULL) {
        c->numbers(v, right, from / size + r->checks, n / size, c->what);
    } else if (c->region == BEHIND) {
        memset(right, verify_poison(v), n);
    } else if (c->region == SENT) {
        sent(v, c->block, from, n, right);
    } else if (v->flow->sum) {
        numbers(v, right, layout_own_part(r, v->flow).first + from / size, n / size,
                summed_ranks(v->flow, r));
    } else {
        contents_fill(right, n, from, v->flow->from(r, c->block), dest_here(v),
                      slot_of(v, c->block), r->checks);
        cover(v, right, from, n, verify_poison(v));
    }
}

/* Write what is sent; in a buffer that is received into, also what it leaves out. */
static void fill(const struct verify *v, const struct memory_kind *kind, char *to, size_t bytes,
                 const struct contents *c)
{
    struct mirror to_fill;

    mirror_open(&to_fill, kind, to, bytes);
    for (size_t done = 0; done < bytes; done += VERIFY_CHUNK) {
        const size_t part = bytes - done < VERIFY_CHUNK ? bytes - done : VERIFY_CHUNK;
        char *chunk = mirror_write(&to_fill, done, part);

        expect(v, c, done, part, chunk);
        if (c->numbers == NULL && flow_is_in_place(v->flow, v->run))
            cover(v, chunk, done, part, verify_poison(v));
    }
    mirror_close(&to_fill);
}

/* Where the guard of a buffer of so many bytes begins: one without a block has none. */
static size_t guard_at(size_t bytes)
{
    return bytes > 0 ? bytes - BUFFER_GUARD : 0;
}

/* Where a turn uses some of many slots, the others are not touched. */
static void poison(const struct verify *v)
{
    const size_t all = recv_bytes(v);
    const size_t from = v->flow->at == NULL ? 0 : guard_at(all);

    v->recv_kind->set(v->recv + from, verify_poison(v), all - from);
    for (int i = 0; from > 0 && i < v->flow->receives(v->run); i++)
        v->recv_kind->set(v->recv + start_of(v, true, i), verify_poison(v), v->run->bytes);
}

void verify_fill(const struct verify *v)
{
    const struct bench_run *r = v->run;
    const struct flow *flow = v->flow;
    const int sends = flow->sends(r), receives = flow->receives(r);
    const bool in_place = flow_is_in_place(flow, r);

    if (flow->fill != NULL) {
        flow->fill(v);
        return;
    }
    poison(v);
    /* A message of one byte that never comes must not look as if it had. */
    for (int i = 0; i < receives; i++) {
        const size_t at = piece_at(v->pieces, 0).at;

        if (!is_one_byte(v, i))
            continue;
        v->recv_kind->set(
            v->recv + start_of(v, true, i) + at,
            ~contents_byte(at, flow->from(r, i), dest_here(v), slot_of(v, i), r->checks), 1);
    }
    for (int i = 0; i < sends; i++) {
        const struct memory_kind *kind = in_place ? v->recv_kind : v->send_kind;
        char *to = in_place ? v->recv + start_of(v, true, flow->in_place_block(r, i))
                            : v->send + start_of(v, false, i);

        fill(v, kind, to, length_of(v, false, i), &(struct contents){ .region = SENT, .block = i });
    }
}

void verify_note(const struct verify *v, struct mismatch *first, bool received, int block,
                 size_t element, enum element type, const void *expected, const void *got)
{
    /* Elements that are not counted through all blocks count within theirs. */
    const size_t before =
        v->flow->counted != NULL ? 0 : layout_at(v->run, layout_of(v, received), block);
    char right[ELEMENT_DIGITS], wrong[ELEMENT_DIGITS];

    if (first->wrong++ > 0 && v->noted == NULL)
        return;
    element_print(type, expected, right);
    element_print(type, got, wrong);
    if (v->noted != NULL)
        v->noted(v, before / (v->flow->sum ? element_size(v->element) : 1) + element, right, wrong);
    if (first->wrong > 1)
        return;
    first->block = v->flow->at != NULL ? v->flow->at(v->run, received, block) : block;
    first->sent = !received;
    first->from = v->flow->sum || !received || block >= v->flow->receives(v->run)
                      ? CONTENTS_ANYONE
                      : v->flow->from(v->run, block);
    first->element = element;
    strcpy(first->expected, right);
    strcpy(first->got, wrong);
}

static bool is_gap(const struct verify *v, size_t at)
{
    char byte = 0;

    cover(v, &byte, at, 1, 1);
    return byte != 0;
}

/* Compare the bytes at from with what must stand there. */
static void compare(const struct verify *v, const struct contents *c, const char *from,
                    size_t bytes, size_t element, struct mismatch *first)
{
    const bool numeric = c->numbers != NULL || (v->flow->sum && c->region != BEHIND);
    const enum element type = numeric ? v->element : ELEMENT_UINT8;
    const size_t size = element_size(type);
    unsigned char right[VERIFY_CHUNK];
    struct mirror looked_at;

    mirror_open(&looked_at, c->region == SENT ? v->send_kind : v->recv_kind, from, bytes);
    for (size_t done = 0; done < bytes; done += VERIFY_CHUNK) {
        const size_t part = bytes - done < VERIFY_CHUNK ? bytes - done : VERIFY_CHUNK;
        const unsigned char *got = mirror_read(&looked_at, done, part);

        expect(v, c, done, part, right);
        if (memcmp(got, right, part) == 0)
            continue;
        for (size_t at = 0; at < part; at += size) {
            if (memcmp(got + at, right + at, size) == 0)
                continue;
            if (first->wrong == 0) {
                first->after = c->region == BEHIND;
                first->gap = c->region == RECEIVED && !numeric && is_gap(v, done + at);
            }
            verify_note(v, first, c->region != SENT, c->block, element + (done + at) / size, type,
                        right + at, got + at);
        }
    }
    mirror_close(&looked_at);
}

void verify_check_untouched(const struct verify *v, const char *from, size_t bytes, int block,
                            size_t element, struct mismatch *first)
{
    compare(v, &(struct contents){ .region = BEHIND, .block = block }, from, bytes, element, first);
}

void verify_fill_numbers(const struct verify *v, const struct memory_kind *kind, char *to,
                         verify_numbers *contents, int what)
{
    fill(v, kind, to, v->run->bytes,
         &(struct contents){ .region = SENT, .numbers = contents, .what = what });
}

void verify_check_numbers(const struct verify *v, const char *from, bool received, int block,
                          verify_numbers *contents, int what, struct mismatch *first)
{
    const size_t bytes = v->run->bytes;

    compare(v, &(struct contents){ received ? RECEIVED : SENT, block, contents, what }, from, bytes,
            0, first);
    if (received)
        verify_check_untouched(v, from + bytes, BUFFER_GUARD, block, bytes, first);
}

/* What was sent is there as it was.  In place it is not: it was received into. */
static void check_sent(const struct verify *v, struct mismatch *first)
{
    const int sends = v->flow->sends(v->run);

    if (flow_is_in_place(v->flow, v->run))
        return;
    for (int i = 0; i < sends; i++)
        if (i == 0 || start_of(v, false, i) > 0) /* each has its memory */
            compare(v, &(struct contents){ .region = SENT, .block = i },
                    v->send + start_of(v, false, i), length_of(v, false, i), 0, first);
}

/* Where what is received ends; what is undefined, or was in place, is not looked at. */
static size_t end_of_received(const struct verify *v, int receives)
{
    const int last = receives - 1;
    const bool whole = flow_is_in_place(v->flow, v->run) || summed_ranks(v->flow, v->run) == 0;

    if (receives == 0)
        return 0;
    return start_of(v, true, last) + (whole ? length_of(v, true, last) : received_bytes(v, last));
}

bool verify_check(const struct verify *v, struct mismatch *first)
{
    const int receives = v->flow->receives(v->run);
    const int last = receives > 0 ? receives - 1 : 0;
    size_t end;

    *first = (struct mismatch){ 0 };
    if (v->flow->check != NULL) {
        v->flow->check(v, first);
        return first->wrong == 0;
    }
    for (int i = 0; i < receives; i++)
        if (!v->flow->sum || summed_ranks(v->flow, v->run) > 0)
            compare(v, &(struct contents){ .region = RECEIVED, .block = i },
                    v->recv + start_of(v, true, i), received_bytes(v, i), 0, first);
    end = v->flow->at == NULL ? end_of_received(v, receives) : guard_at(recv_bytes(v));
    verify_check_untouched(v, v->recv + end, recv_bytes(v) - end, last,
                           end - start_of(v, true, last), first);
    check_sent(v, first);
    return first->wrong == 0;
}
