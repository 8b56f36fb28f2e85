/* SPDX-License-Identifier: BSD-3-Clause */
#include "lateness.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/shuffle.h"
#include "bench.h"
#include "counts.h"
#include "job/world.h"
#include "run/measure.h"
#include "run/start.h"

const struct choice lateness_words[] = {
    { "random:TIME[:SEED]", ARRIVAL_RANDOM, "each rank, by up to TIME; drawn for each size" },
    { "one:RANK:TIME", ARRIVAL_ONE, "that rank" },
    { "up:FACTORx", ARRIVAL_UP,
      "each rank more than the one before it, the last by FACTOR times what the operation takes" },
    { "file:FILE", ARRIVAL_FILE, "each rank, by its number in FILE, in us" },
    { 0 },
};

/* --- The text of the option ------------------------------------------------------ */

static const double LONGEST = 10; /* s: longer is meant as another unit */
static const double MOST_TIMES = 1000;

/* The n characters of text as a time; false: they are none. */
static bool is_time(const char *text, size_t n, double *seconds)
{
    char word[32];

    snprintf(word, sizeof word, "%.*s", (int)n, text);
    return n < sizeof word && option_seconds(word, seconds) == NULL && *seconds >= 0 &&
           *seconds <= LONGEST;
}

static const char *parse_random(const char *text, struct arrival *arrival)
{
    const size_t n = strcspn(text, ":");

    if (!is_time(text, n, &arrival->time_s))
        return "has no time up to 10s after random: (example: random:50us)";
    return text[n] == '\0' || number_is(text + n + 1, 1, LONG_MAX, &arrival->seed)
               ? NULL
               : "has a seed that is not a whole number above 0";
}

static const char *parse_one(const char *text, struct arrival *arrival)
{
    const char *end;

    arrival->rank = number_whole(text, &end);
    return end != text && arrival->rank >= 0 && *end == ':' &&
                   is_time(end + 1, strlen(end + 1), &arrival->time_s)
               ? NULL
               : "has no rank and time up to 10s after one: (example: one:3:1ms)";
}

static const char *parse_up(const char *text, struct arrival *arrival)
{
    const char *end;

    arrival->factor = number_real(text, &end);
    return end != text && strcmp(end, "x") == 0 && arrival->factor >= 0 &&
                   arrival->factor <= MOST_TIMES
               ? NULL
               : "has no factor up to 1000x after up: (example: up:0.5x)";
}

static const char *parse_file(const char *text, struct arrival *arrival)
{
    arrival->path = text;
    return *text != '\0' ? NULL : "names no file";
}

const char *lateness_parse(void *field, const char *text)
{
    static const char *(*const parse[])(const char *text, struct arrival *arrival) = {
        [ARRIVAL_RANDOM] = parse_random,
        [ARRIVAL_ONE] = parse_one,
        [ARRIVAL_UP] = parse_up,
        [ARRIVAL_FILE] = parse_file,
    };
    struct arrival *arrival = field;
    const char *rest;
    const struct choice *word = choice_before_colon(lateness_words, text, &rest);

    if (word == NULL || rest == NULL)
        return choice_none;
    *arrival = (struct arrival){ .kind = (enum arrival_kind)word->value, .seed = 1, .text = text };
    return parse[arrival->kind](rest, arrival);
}

/* --- How late each rank is ------------------------------------------------------- */

/* A number from 0 to below 1, of that seed, row and rank. */
static double drawn(long seed, size_t bytes, int rank)
{
    const uint64_t row = shuffle_hash((uint64_t)seed) + bytes;

    return ldexp((double)(shuffle_hash(shuffle_hash(row) + (uint64_t)rank) >> 11), -53);
}

double lateness_s(const struct arrival *arrival, double own_s, size_t bytes, int rank, int ranks)
{
    switch (arrival->kind) {
    case ARRIVAL_RANDOM:
        return arrival->time_s * drawn(arrival->seed, bytes, rank);
    case ARRIVAL_ONE:
        return rank == arrival->rank ? arrival->time_s : 0;
    case ARRIVAL_UP:
        return arrival->factor * own_s * rank / (ranks - 1);
    case ARRIVAL_TOGETHER:
    case ARRIVAL_FILE:
        break;
    }
    return 0;
}

enum exit_code lateness_begin(struct lateness *late, const struct arrival *arrival,
                              const struct context *c)
{
    struct counts_file file = { 0 };
    enum exit_code code;

    if (arrival->kind != ARRIVAL_FILE)
        return EXIT_OK;
    code = counts_open("--arrival", arrival->path, c, 1, c->world->size, &file);
    if (code != EXIT_OK)
        return code;
    PMPI_Scatter(file.value, 1, MPI_DOUBLE, &late->of_file_s, 1, MPI_DOUBLE, 0, c->world->comm);
    late->of_file_s *= 1e-6;
    if (c->world->rank == 0)
        counts_end(&file);
    return EXIT_OK;
}

/* --- A row measured -------------------------------------------------------------- */

static const double OWN_SHARE = 0.2; /* of the budget, while nobody is late */
static const double SLACK = 0.01;    /* of the skew: a rank that is so much off is on time */

/* How late this rank is, and what is made of that of all. */
static double plan_lateness(struct lateness *late, const struct arrival *arrival,
                            const struct context *c, const struct row *row)
{
    const int ranks = row->ranks > 0 ? row->ranks : c->world->size;
    const double mine_s = arrival->kind == ARRIVAL_FILE
                              ? late->of_file_s
                              : lateness_s(arrival, late->own_s, row->bytes, c->world->rank, ranks);
    const struct spread spread = over_ranks_spread(c->world->comm, mine_s, !subset_waits(c->run));

    late->skew_s = spread.max - spread.min;
    return mine_s;
}

void lateness_measure(struct lateness *late, const struct arrival *arrival, struct measure *m,
                      struct result *result)
{
    const struct context *c = m->context;
    struct start *start = c->run->start;
    const double asleep_s = start->asleep_s;

    late->own_s = 0;
    plan_lateness(late, arrival, c, result->row);
    start->asleep_s = fmax(asleep_s, SLACK * late->skew_s);
    measure_pass(m, result, OWN_SHARE * settings_budget(c->settings));
    /* None: no iteration counted. */
    late->own_s = result->iterations > 0 ? result->global.latest_s : 0;
    PMPI_Bcast(&late->own_s, 1, MPI_DOUBLE, 0, c->world->comm);
    start->after_s = plan_lateness(late, arrival, c, result->row);
    start->asleep_s = fmax(asleep_s, SLACK * late->skew_s);
    measure_pass(m, result, (1 - OWN_SHARE) * settings_budget(c->settings));
    start->after_s = 0;
    start->asleep_s = asleep_s;
    /* The mean contains the delays, which drown what is left to do. */
    result->own_headline = true;
    result->headline_s = result->global.latest_s;
}

/* --- What is printed ------------------------------------------------------------- */

double lateness_absorbed(double own_s, double latest_s, double skew_s)
{
    return skew_s > 0 && own_s > 0 ? (own_s - latest_s) / skew_s : NAN;
}

void lateness_record(const struct lateness *late, struct fields to)
{
    to = fields_object(to, "arrival");
    fields_us(to, "skew_us", late->skew_s);
    fields_us(to, "own_us", late->own_s > 0 ? late->own_s : NAN);
}
