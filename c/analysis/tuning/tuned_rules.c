/* SPDX-License-Identifier: BSD-3-Clause */
#include "tuned_rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Open MPI's numbers of operations, and whether its sizes are those of all blocks. */
static const struct operation {
    const char *name;
    int number;
    bool all_blocks;
} operations[] = {
    { "allgather", 0, true }, { "allreduce", 2, false },
    { "alltoall", 3, true },  { "bcast", 7, false },
    { "gather", 9, true },    { "reduce", 11, false },
    { "scatter", 15, true },
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const struct operation *operation_of(const char *name)
{
    for (size_t i = 0; i < OPERATIONS; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

bool tuned_is_known(enum tune_library library, const char *operation)
{
    return library == TUNE_MPICH || operation_of(operation) != NULL;
}

void tuned_control(char control[TUNE_CONTROL], enum tune_library library,
                   const char *operation, const char *algorithm)
{
    char upper[TUNE_NAME];
    size_t n = 0;

    if (library == TUNE_OPENMPI) {
        snprintf(control, TUNE_CONTROL,
                 "OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
                 "OMPI_MCA_coll_tuned_%s_algorithm=%d",
                 operation, atoi(algorithm));
        return;
    }
    for (; operation[n] != '\0' && n < sizeof upper - 1; n++)
        upper[n] = (char)toupper((unsigned char)operation[n]);
    upper[n] = '\0';
    snprintf(control, TUNE_CONTROL, "MPIR_CVAR_%s_INTRA_ALGORITHM=%s", upper,
             algorithm);
}

/* The algorithm of MPICH, which is one for all sizes; NULL: the default. */
static const char *one_of(const struct tune_place *p)
{
    for (size_t k = 0; k < p->sizes; k++)
        if (p->choice[k].trial >= 0)
            return p->trial[p->choice[k].trial].name;
    return NULL;
}

void tuned_settings(FILE *to, enum tune_library library,
                    const struct tune_place *of, const char *path)
{
    const char *algorithm = one_of(of);
    char control[TUNE_CONTROL];

    if (library == TUNE_OPENMPI) {
        fprintf(to,
                "OMPI_MCA_coll_tuned_use_dynamic_rules=1 "
                "OMPI_MCA_coll_tuned_dynamic_rules_filename=%s",
                path);
    } else if (algorithm != NULL) {
        tuned_control(control, library, of->operation, algorithm);
        fputs(control, to);
    }
}

/* Number of the algorithm; 0 is the default. */
static int number_of(const struct tune_place *p, const struct tune_choice *c)
{
    return c->trial >= 0 ? atoi(p->trial[c->trial].name) : 0;
}

/* The rules of a place, or with to NULL only their number. */
static int write_sizes(FILE *to, const struct tune_place *p, double factor)
{
    int n = 1, last = 0;
    double end = 0;

    if (to != NULL)
        fputs("0 0 0 0\n", to);
    for (size_t k = 0; k < p->sizes; k++) {
        const int number = number_of(p, &p->choice[k]);

        end = p->choice[k].bytes * factor;
        if (number != last && ++n > 0 && to != NULL)
            fprintf(to, "%.0f %d 0 0\n", end, number);
        last = number;
    }
    if (last != 0 && ++n > 0 && to != NULL)
        fprintf(to, "%.0f 0 0 0\n", end + 1);
    return n;
}

static void write_default(FILE *to, int ranks)
{
    fprintf(to, "%d # ranks or more\n1 # sizes\n0 0 0 0\n", ranks);
}

/* Places are numbers of ranks; those between them keep the default. */
static void write_operation(FILE *to, const struct tune_place *place, size_t n)
{
    const struct operation *of = operation_of(place[0].operation);
    size_t blocks = 1; /* ranks from 0 on */

    for (size_t i = 0; i < n; i++)
        blocks += 1 + (i + 1 == n || place[i + 1].ranks > place[i].ranks + 1);
    fprintf(to, "%d # %s\n%zu # numbers of ranks\n", of->number, of->name,
            blocks);
    write_default(to, 0);
    for (size_t i = 0; i < n; i++) {
        const double factor = of->all_blocks ? place[i].ranks : 1;

        fprintf(to, "%d # ranks or more\n%d # sizes\n", place[i].ranks,
                write_sizes(NULL, &place[i], factor));
        write_sizes(to, &place[i], factor);
        if (i + 1 == n || place[i + 1].ranks > place[i].ranks + 1)
            write_default(to, place[i].ranks + 1);
    }
}

static size_t end_of_operation(const struct tune_place *place, size_t i,
                               size_t n)
{
    size_t end = i + 1;

    while (end < n && strcmp(place[end].operation, place[i].operation) == 0)
        end++;
    return end;
}

static void write_rules(FILE *to, const struct tune_place *place, size_t n)
{
    int count = 0;

    for (size_t i = 0; i < n; i = end_of_operation(place, i, n))
        count++;
    fprintf(to, "%d # operations; made by scripts/tune; 0 is the default\n",
            count);
    for (size_t i = 0, end; i < n; i = end) {
        end = end_of_operation(place, i, n);
        write_operation(to, place + i, end - i);
    }
}

static void write_variables(FILE *to, const struct tune_place *place, size_t n)
{
    char control[TUNE_CONTROL];

    fputs(
        "# Made by scripts/tune. A variable holds for all sizes and numbers of "
        "ranks.\n",
        to);
    for (size_t i = 0; i < n; i = end_of_operation(place, i, n)) {
        const char *algorithm = one_of(&place[i]);

        if (algorithm == NULL)
            continue;
        tuned_control(control, TUNE_MPICH, place[i].operation, algorithm);
        fprintf(to, "export %s\n", control);
    }
}

void tuned_write(FILE *to, enum tune_library library,
                 const struct tune_place *place, size_t n)
{
    if (library == TUNE_MPICH)
        write_variables(to, place, n);
    else
        write_rules(to, place, n);
}
