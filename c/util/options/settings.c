/* SPDX-License-Identifier: BSD-3-Clause */
#include "settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

/* --- Words. Those with a colon and capitals show a form. ------------------------- */

const char *const settings_groups[] = {
    [OPTIONS_DATA] = "Sizes and data:",
    [OPTIONS_TIME] = "How long to measure:",
    [OPTIONS_FLIGHT] = "Messages in flight:",
    [OPTIONS_SIDES] = "Threads and processes:",
    [OPTIONS_COLLECTIVE] = "Collectives:",
    [OPTIONS_RMA] = "One-sided:",
    [OPTIONS_OUTPUT] = "Output:",
    [OPTIONS_MEMORY] = "Memory:",
    [OPTIONS_RUN] = "Running:",
    [OPTIONS_COMPATIBLE] = "Accepted for compatibility with OMB, without effect:",
    NULL,
};

const struct choice settings_disturbed_words[] = {
    { "leave-out", DISTURBED_LEFT_OUT, "no figure is made of it, and another is measured" },
    { "keep", DISTURBED_KEPT, "it counts, as with -i and --protocol=omb" },
    { 0 },
};
const struct choice settings_start_words[] = {
    { "dissemination", START_DISSEMINATION, "Alidade's own barrier" },
    { "library", START_LIBRARY, "MPI_Barrier, as OMB" },
    { "clock", START_CLOCK, "a time on synchronized clocks" },
    { "none", START_NONE, "not at all: only the mean counts" },
    { 0 },
};
const struct choice settings_order_words[] = {
    { "up", ORDER_UP, "ascending" },
    { "down", ORDER_DOWN, "descending" },
    { "random", ORDER_RANDOM, "shuffled (seed in the JSON file)" },
    { "random:SEED", ORDER_RANDOM, "shuffled with this seed, above 0" },
    { 0 },
};
const struct choice settings_use_words[] = {
    { "reuse", BUFFERS_REUSE, "the same buffers every time" },
    { "rotate", BUFFERS_ROTATE, "a pool of twice the last cache" },
    { "rotate:BYTES", BUFFERS_ROTATE, "a pool of BYTES per direction" },
    { 0 },
};
/* Bits, since "all" has several; they are measured one after the other. */
#define BIT(element) (1 << ELEMENT_##element)
#define WHOLE        (BIT(CHAR) | BIT(INT) | BIT(INT64))

const struct choice settings_type_words[] = {
    { "mpi_char", BIT(CHAR), "one byte" },
    { "mpi_int", BIT(INT), "MPI_INT" },
    { "mpi_float", BIT(FLOAT), "MPI_FLOAT" },
    { "mpi_double", BIT(DOUBLE), "MPI_DOUBLE" },
    { "mpi_int64", BIT(INT64), "MPI_INT64_T" },
    { "mpi_int64_t", BIT(INT64), NULL },
    { "all", WHOLE | BIT(FLOAT) | BIT(DOUBLE), "each of the types above" },
    { "mpi_uint8", BIT(UINT8), "MPI_UINT8_T" },
    { "mpi_uint8_t", BIT(UINT8), NULL },
    { "mpi_uint64", BIT(UINT64), "MPI_UINT64_T" },
    { "mpi_uint64_t", BIT(UINT64), NULL },
    { "mpi_complex", BIT(COMPLEX), "MPI_C_FLOAT_COMPLEX" },
    { "mpi_float16", BIT(FLOAT16), "half precision, if the library has it" },
    { "mpi_bfloat16", BIT(BFLOAT16), "bfloat16, if the library has it" },
    { 0 },
};
/* Floating point numbers cannot be compared and swapped. */
const struct choice settings_whole_type_words[] = {
    { "mpi_char", BIT(CHAR), "one byte" },      { "mpi_int", BIT(INT), "MPI_INT" },
    { "mpi_int64", BIT(INT64), "MPI_INT64_T" }, { "mpi_int64_t", BIT(INT64), NULL },
    { "all", WHOLE, "each of these types" },    { 0 },
};
const struct choice settings_memory_words[] = {
    { "H", MEMORY_HOST, "host memory" },
    { "HH", MEMORY_HUGE, "host memory in huge pages" },
    { "HP", MEMORY_PINNED, "pinned host memory" },
    { "D", MEMORY_DEVICE, "GPU memory" },
    { "F", MEMORY_FINE, "fine-grained GPU memory, of AMD GPUs" },
    { "M", MEMORY_MANAGED, "managed memory, the same as MH" },
    { "MD", MEMORY_MANAGED_DEVICE, "managed memory, on the GPU before each iteration" },
    { "MH", MEMORY_MANAGED_HOST, "managed memory, on the host before each iteration" },
    { 0 },
};

/* --- What was asked for ---------------------------------------------------------- */

void settings_release(struct settings *s)
{
    free(s->family);
    free(s->sizes.list);
    free(s->rows);
    for (int i = 0; s->asked != NULL && watch_options[i] != NULL; i++)
        free(s->asked[i]);
    free(s->asked);
    s->asked = NULL;
    s->family = NULL;
    s->rows = NULL;
}

const void *settings_asked(const struct settings *s, const struct option_part *part)
{
    int i = 0;

    while (watch_options[i] != part)
        i++;
    return s->asked[i];
}

bool settings_named(const struct settings *s, const char *name)
{
    const struct option_row *row = s->rows;

    while (row->name != NULL && strcmp(row->name, name) != 0)
        row++;
    return row->named;
}

const char *settings_parse_order(const char *text, enum order *order, unsigned long *number)
{
    const char *seed;
    long value;
    const struct choice *word = choice_before_colon(settings_order_words, text, &seed);

    if (word == NULL || (seed != NULL && word->value != ORDER_RANDOM))
        return choice_none;
    *order = (enum order)word->value;
    if (seed == NULL)
        return NULL;
    if (!number_is(seed, 1, LONG_MAX, &value))
        return "has a seed that is not a whole number above 0";
    *number = (unsigned long)value;
    return NULL;
}

void settings_warn(const struct settings *s)
{
    const struct option_row *row = NULL;
    char name[40], idle[400] = "";

    while ((row = option_moot(s, row)) != NULL)
        if (!row->idle)
            message_print(W36_NO_EFFECT, "%s has no effect: %s", option_spelling(row, name),
                          row->moot_because);
        else
            snprintf(idle + strlen(idle), sizeof idle - strlen(idle), " %s",
                     option_spelling(row, name));
    if (idle[0] != '\0')
        message_print(W36_NO_EFFECT, "no effect here:%s", idle);
}

bool settings_device_words(const struct settings *s)
{
    return s->memory[0] >= MEMORY_PINNED || s->memory[1] >= MEMORY_PINNED;
}

bool settings_on_gpu(const struct settings *s)
{
    return s->device != DEVICE_HOST && settings_device_words(s);
}

static const double PRECISE_BUDGET_S = 10;

double settings_budget(const struct settings *s)
{
    if (s->budget_s > 0)
        return s->budget_s;
    return s->precision < USUAL_PRECISION ? PRECISE_BUDGET_S : USUAL_BUDGET_S;
}

bool settings_fixed(const struct settings *s)
{
    return s->iterations.steps > 0 || s->warmup.steps > 0 || settings_as_omb(s);
}

enum disturbed settings_disturbed(const struct settings *s)
{
    return settings_fixed(s) ? DISTURBED_KEPT : s->disturbed;
}

long settings_iterations(const struct settings *s, const struct sizes_counts *omb, size_t bytes)
{
    return sizes_count(s->iterations.steps > 0 ? &s->iterations : &omb->iterations, bytes);
}

bool settings_verifies(const struct settings *s)
{
    const struct verification *v = &s->verify;

    return !v->given || v->all || v->n > 0 || v->soak_s > 0;
}

long settings_most_iterations(const struct settings *s)
{
    long most = s->iterations.steps > 0 ? 0 : LONG_MAX;

    for (int i = 0; i < s->iterations.steps; i++)
        if (s->iterations.step[i].n > most)
            most = s->iterations.step[i].n;
    return most;
}

bool settings_as_omb(const struct settings *s)
{
    return s->protocol == PROTOCOL_OMB;
}

/* --- Values of the parameter ---------------------------------------------------------- */

static int own_values(const struct parameter *p, long most, long value[PARAMETER_MAX])
{
    int n = 0;

    for (; n < PARAMETER_MAX && (n == 0 || p->value[n] > 0); n++) {
        value[n] = p->value[n] < most ? p->value[n] : most;
        if (p->value[n] >= most)
            return n + 1;
    }
    return n;
}

int parameter_values(const struct parameter *p, const struct settings *s, int ranks,
                     long value[PARAMETER_MAX], char *why, size_t room)
{
    const long most = p->kind == PARAMETER_PARTNERS    ? ranks - 1
                      : p->kind == PARAMETER_IN_FLIGHT ? s->window
                      : p->kind == PARAMETER_SUBSETS   ? ranks
                                                       : p->most;

    value[0] = 0;
    if (p->name == NULL)
        return 1;
    if (s->nparameters == 0 || s->parameter[0] == PARAMETER_OWN)
        return own_values(p, most, value);
    for (int i = 0; i < s->nparameters; i++) {
        value[i] = s->parameter[i];
        if (value[i] < p->least || value[i] > most) {
            const bool small = value[i] < p->least;

            snprintf(why, room, "--%s %ld is too %s; the %s is %ld%s", p->option, value[i],
                     small ? "small" : "large", small ? "least" : "most", small ? p->least : most,
                     small || most == p->most         ? ""
                     : p->kind == PARAMETER_IN_FLIGHT ? " with this -W"
                                                      : " with this number of ranks");
            return -1;
        }
    }
    return s->nparameters;
}

/* --- Which ranks are the two of a pair: --pairs -------------------------------------------- */

enum { RANK_MAX = 1 << 30 };

const struct choice pairing_words[] = {
    { "auto", PAIRING_AUTO, "rank i with rank i + pairs, as in OMB" },
    { "cyclic", PAIRING_CYCLIC, "neighbors, such as 0 with 1, 2 with 3" },
    { "0-4,1-5,...", PAIRING_LIST, "these pairs; the first rank sends first" },
    { 0 },
};

/* A rank at *text, which moves after it; -1: there is none. */
static int read_rank(const char **text)
{
    const char *const begin = *text;
    const long rank = number_whole(begin, text);

    return *text > begin && rank >= 0 && rank <= RANK_MAX ? (int)rank : -1;
}

/* The next pair of a list; false: the list is over, or wrong, where *text stays. */
static bool next_pair(const char **text, int pair[2])
{
    const char *at = *text;

    for (int i = 0; i < 2; i++) {
        pair[i] = read_rank(&at);
        if (pair[i] < 0 || (i == 0 && *at++ != '-'))
            return false;
    }
    if (*at != '\0' && (*at != ',' || at[1] == '\0'))
        return false;
    *text = at + (*at == ',');
    return true;
}

static int by_number(const void *a, const void *b)
{
    const int *m = a, *n = b;

    return (*m > *n) - (*m < *n);
}

/* What is wrong with the ranks of a list of that many pairs; NULL: nothing. */
static const char *wrong_ranks(const char *list, int pairs)
{
    const size_t n = 2 * (size_t)pairs;
    int *rank = malloc(n * sizeof *rank);
    bool twice = false;

    if (rank == NULL)
        return "needs more memory than there is";
    for (size_t i = 0; i < n; i += 2)
        next_pair(&list, &rank[i]);
    qsort(rank, n, sizeof *rank, by_number);
    for (size_t i = 1; i < n; i++)
        twice = twice || rank[i] == rank[i - 1];
    free(rank);
    return twice ? "names a rank twice" : NULL;
}

static const char *parse_list(const char *text, struct pairing *p)
{
    int pair[2];

    for (; next_pair(&text, pair); p->n++)
        for (int i = 0; i < 2; i++)
            if (pair[i] > p->last)
                p->last = pair[i];
    return *text == '\0' && p->n > 0 ? wrong_ranks(p->text, p->n) : choice_none;
}

const char *pairing_parse(void *field, const char *text)
{
    struct pairing *const p = field;
    const struct choice *word = choice_of(pairing_words, text, strlen(text));

    *p = (struct pairing){ .kind = PAIRING_LIST, .text = text };
    if (word == NULL || word->value == PAIRING_LIST)
        return parse_list(text, p);
    p->kind = (enum pairing_kind)word->value;
    return NULL;
}

static struct partner of_list(const char *list, int rank)
{
    int pair[2];

    while (next_pair(&list, pair))
        for (int i = 0; i < 2; i++)
            if (pair[i] == rank)
                return (struct partner){ pair[!i], i == 0 };
    return (struct partner){ -1, false };
}

struct partner pairing_partner(const struct pairing *p, int pairs, int rank)
{
    if (p->kind == PAIRING_LIST)
        return of_list(p->text, rank);
    if (rank / 2 >= pairs)
        return (struct partner){ -1, false };
    if (p->kind == PAIRING_CYCLIC)
        return (struct partner){ rank ^ 1, rank % 2 == 0 };
    return rank < pairs ? (struct partner){ rank + pairs, true }
                        : (struct partner){ rank - pairs, false };
}
