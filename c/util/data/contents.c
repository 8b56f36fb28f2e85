/* SPDX-License-Identifier: BSD-3-Clause */
#include "contents.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/*
 * What is wrong in a sum is mostly a block or a rank some power of two away, and
 * neither LEVELS nor PLACES has a factor with those in common.  Where all levels
 * occur equally often in a sum, it is the same everywhere: rank 0 therefore adds
 * a code of the place to it, less than CODES.
 */
enum { CHUNK = 4096, LEVELS = 7, CODES = 3, PLACES = 509 };

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

/* Ranks that share an element apart from each other: 1 = all contribute. */
static size_t spacing(enum element type, int nranks)
{
    return (size_t)ceil((double)LEVELS * nranks /
                        (element_exact_limit(type) - LEVELS * (CODES - 1)));
}

size_t contents_period(enum element type, int nranks)
{
    return PLACES * spacing(type, nranks);
}

static double code_of(size_t place)
{
    return LEVELS * (double)(contents_mix(place + 2) % CODES);
}

double contents_term(enum element type, int rank, int nranks, size_t i)
{
    const size_t gap = spacing(type, nranks);
    const size_t place = i % (PLACES * gap), at = (size_t)rank + place;

    return (at % gap != 0 ? 0 : 1 + (double)(at / gap % LEVELS)) +
           (rank == 0 ? code_of(place) : 0);
}

double contents_sum(enum element type, int ranks, int nranks, size_t i)
{
    const size_t gap = spacing(type, nranks);
    const size_t place = i % (PLACES * gap);
    /* The first rank that contributes; from there on every gap-th does. */
    const size_t first = (gap - place % gap) % gap;
    const size_t last = (size_t)ranks;
    const size_t terms = first < last ? (last - first + gap - 1) / gap : 0;
    const size_t level = (first + place) / gap;
    double sum = (double)(terms / LEVELS) * (LEVELS * (LEVELS + 1) / 2) +
                 (ranks > 0 ? code_of(place) : 0);

    for (size_t k = terms / LEVELS * LEVELS; k < terms; k++)
        sum += 1 + (double)((level + k) % LEVELS);
    return sum;
}

void contents_numbers(enum element type, void *to, size_t first, size_t n,
                      int ranks, int rank, int nranks)
{
    const size_t size = element_size(type);
    const size_t period = contents_period(type, nranks);
    char *at = to;

    for (size_t i = 0; i < n; i++, at += size)
        if (i >= period)
            memcpy(at, at - period * size, size);
        else
            element_store(type, at,
                          ranks > 0
                              ? contents_sum(type, ranks, nranks, first + i)
                              : contents_term(type, rank, nranks, first + i));
}
