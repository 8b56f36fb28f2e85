/* SPDX-License-Identifier: BSD-3-Clause */
#include "contents.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { CHUNK = 4096 };

/* Finaliser of SplitMix64 (Steele, Lea, Flood 2014). */
uint64_t contents_mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t seed_of(int from, int dest, int slot)
{
    return contents_mix(
        contents_mix((uint64_t)(uint32_t)from << 32 | (uint32_t)dest) +
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

void contents_fill(void *to, size_t n, size_t offset, int from, int dest,
                   int slot, unsigned check)
{
    const uint64_t seed = seed_of(from, dest, slot);
    uint64_t chunk[CHUNK / 8 + 1];
    size_t done = 0;

    while (done < n) {
        const size_t skip = (offset + done) % 8;
        const size_t part = n - done < CHUNK - skip ? n - done : CHUNK - skip;

        for (size_t i = 0; i < (skip + part + 7) / 8; i++)
            chunk[i] = word_at(seed, (offset + done) / 8 + i, check);
        memcpy((char *)to + done, (char *)chunk + skip, part);
        done += part;
    }
}

unsigned char contents_byte(size_t position, int from, int dest, int slot,
                            unsigned check)
{
    unsigned char byte;

    contents_fill(&byte, 1, position, from, dest, slot, check);
    return byte;
}

/*
 * The numbers of a sum.  Each element has a key, and each rank adds to it a level, a hash of
 * rank and key.  Keys are drawn by a hash of the element's number and never repeat in order,
 * so that neither a displaced block nor what any set of ranks adds up to looks like another.
 * Rank 0 adds what makes the sum over all ranks equal to the number of the element modulo
 * LEVELS, so that no result is that of the check before.
 */
enum { LEVELS = 7, GROUPS = 585, KEYS = LEVELS * GROUPS };

static unsigned key_of(size_t i)
{
    return LEVELS * (unsigned)(contents_mix(i) % GROUPS) +
           (unsigned)(i % LEVELS);
}

/* Ranks that add to the same element are so far apart; 1: all ranks do. */
static int spacing(enum element type, int nranks)
{
    const double most =
        floor((element_exact_limit(type) - (LEVELS - 1)) / LEVELS);

    return (int)ceil(nranks / most);
}

static int level(int rank, unsigned key, int gap)
{
    if (((unsigned)rank + key) % (unsigned)gap != 0)
        return 0;
    return 1 + (int)(contents_mix(contents_mix(key) + (unsigned)rank) % LEVELS);
}

/* Of all ranks before that one. */
static double levels_before(int rank, unsigned key, int gap)
{
    double sum = 0;

    for (int i = (int)((unsigned)gap - key % (unsigned)gap) % gap; i < rank;
         i += gap)
        sum += level(i, key, gap);
    return sum;
}

/* What rank 0 adds to its level. */
static double added(unsigned key, int gap, int nranks)
{
    const unsigned all =
        (unsigned)fmod(levels_before(nranks, key, gap), LEVELS);

    return (key % LEVELS + LEVELS - all) % LEVELS;
}

static double term(enum element type, int rank, int nranks, unsigned key)
{
    const int gap = spacing(type, nranks);

    return level(rank, key, gap) + (rank == 0 ? added(key, gap, nranks) : 0);
}

static double sum(enum element type, int ranks, int nranks, unsigned key)
{
    const int gap = spacing(type, nranks);

    return levels_before(ranks, key, gap) +
           (ranks > 0 ? added(key, gap, nranks) : 0);
}

double contents_term(enum element type, int rank, int nranks, size_t i)
{
    return term(type, rank, nranks, key_of(i));
}

double contents_sum(enum element type, int ranks, int nranks, size_t i)
{
    return sum(type, ranks, nranks, key_of(i));
}

/* No sum is more. */
static double most(enum element type, int nranks)
{
    const int gap = spacing(type, nranks);

    return LEVELS * (double)((nranks + gap - 1) / gap) + LEVELS - 1;
}

/* The numbers of all keys, as far as they were asked for: a hash for each rank and element
   would take longer than the operation that is verified. */
struct numbers {
    enum element type;
    int ranks, rank, nranks;
    bool known[KEYS];
    char value[KEYS * sizeof(double)]; /* the longest element */
};

/* Those that were used last, of sums and of the terms of a rank. */
static struct numbers *numbers_of(enum element type, int ranks, int rank,
                                  int nranks)
{
    static struct numbers kept[4];
    struct numbers *to = &kept[ranks > 0 ? 2 + ranks % 2 : rank % 2];

    if (to->nranks != nranks || to->type != type || to->ranks != ranks ||
        (ranks == 0 && to->rank != rank))
        *to = (struct numbers){
            .type = type, .ranks = ranks, .rank = rank, .nranks = nranks
        };
    return to;
}

void contents_numbers(enum element type, void *to, size_t first, size_t n,
                      int ranks, int rank, int nranks)
{
    const size_t size = element_size(type);
    const int spare = element_spare(type, most(type, nranks));
    struct numbers *all = numbers_of(type, ranks, rank, nranks);
    char *at = to;

    for (size_t i = 0; i < n; i++, at += size) {
        const unsigned key = key_of(first + i);
        char *value = all->value + key * size;

        if (!all->known[key])
            element_store_wide(type, value,
                               ranks > 0 ? sum(type, ranks, nranks, key)
                                         : term(type, rank, nranks, key),
                               spare);
        all->known[key] = true;
        memcpy(at, value, size);
    }
}
