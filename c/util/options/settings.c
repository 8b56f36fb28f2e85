/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "report/result.h"

_Static_assert((int)EXTRA_COUNT <= (int)COLUMNS_MAX, "room for every column");

struct settings settings_default(const struct sizes *sizes, unsigned takes)
{
    return (struct settings){
        .sizes = *sizes,
        .laps = -1,
        .warmup = -1,
        .timeout_s = 60,
        .class = -1,
        .print_rate = 1,
        .partitions = 8,
        .ready_threads = 1,
        .ready_seed = 1,
        .threads = { 1, 2 },
        .processes = { 2, 2 },
        .topology = "cart:1:1",
        .sync = takes & TAKES_ACTIVE ? RMA_PSCW : RMA_FLUSH,
        .stripe_threshold = 8192,
        .chunk = 256 << 10,
        .window_kind = WINDOW_ALLOCATE,
        .events_file = "papi_output.out",
    };
}

const char *settings_word(void *settings, const char *text)
{
    struct settings *s = settings;

    for (int i = 0; i < PLACE_COUNT; i++)
        if (strcasecmp(text, settings_place_words[i]) == 0 && s->nwords < 2) {
            s->place[s->nwords++] = (enum memory_place)i;
            return NULL;
        }
    return text[strspn(text, "0123456789.,")] == '\0'
               ? "; laps are given by -i N, sizes by -m MIN:MAX; a list of -z "
                 "is attached to it: -z50,99"
               : "; only H, HH, D, HP, M, MD or MH, the places of the buffers "
                 "of the two sides, may stand without an option";
}

bool settings_device_words(const struct settings *s)
{
    return s->place[0] >= PLACE_DEVICE || s->place[1] >= PLACE_DEVICE;
}

bool settings_on_gpu(const struct settings *s)
{
    return s->device != DEVICE_HOST && settings_device_words(s);
}

double settings_precision(const struct settings *s)
{
    return s->precision > 0 ? s->precision : 0.01;
}

double settings_budget(const struct settings *s)
{
    if (s->budget_s > 0)
        return s->budget_s;
    return s->precision > 0 ? 10 : 0.050;
}

int settings_window(const struct settings *s)
{
    return s->window > 0 ? s->window : 64;
}

bool settings_fixed(const struct settings *s)
{
    return s->laps >= 0 || s->warmup >= 0;
}

const char *settings_conflict(const struct settings *s)
{
    if (s->check && s->verify_off)
        return "-c and --no-verify exclude each other";
    if (s->timeout_s > 0 && (s->timeout_s < 0.1 || s->timeout_s > 1e6))
        return "--timeout must be 0 (never) or lie between 0.1 s and 1e6 s";
    if (s->ready_threads > s->partitions)
        return "--pready-threads must not be more than the partitions (-q)";
    if (s->vary_window && s->window > 0)
        return "-V measures windows of 1 to 128 messages: -W has no place";
    if (s->vary_window && (s->order != ORDER_UP || s->refine > 0))
        return "-V prints a line for each size, and does not go with --order "
               "and --refine";
    if (s->raw && s->json == NULL)
        return "--raw needs --json FILE";
    if (s->ranks > 0 && !s->dry_run)
        return "--ranks goes with --dry-run only";
    if (s->align_offset >= 4096)
        return "--align-offset must be below 4096";
    if (s->json != NULL && s->csv != NULL && strcmp(s->json, s->csv) == 0)
        return "--json and --csv name the same file";
    return NULL;
}
