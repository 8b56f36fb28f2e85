/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithm.c - algorithms of MPI_Allreduce are slow, except one.
 *
 *   FAULT_SMALL  the fast one up to 64 bytes: "linear" or "nonoverlapping" (Open
 *                MPI), the end of a name as MPIR_Allreduce_intra_NAME (MPICH), or a
 *                number (Intel MPI)
 *   FAULT_LARGE  the fast one of larger messages
 *   FAULT_US     the others take so many us longer
 *
 * Of Open MPI the functions of the algorithms are replaced, which its tuned
 * component calls by name: what the rules in a file choose is seen as well. Those
 * of the others are hidden, so what they were told is read here as they read it.
 */
#include <stddef.h>
#include <stdio.h>
#include <time.h>

#include "fault.h"

enum { SMALL = 64, DEFAULT_US = 800 };

static bool is(const char *variable, const char *name)
{
    const char *wanted = getenv(variable);

    return wanted != NULL && strcmp(wanted, name) == 0;
}

static void take(const char *name, size_t bytes)
{
    const long us = fault_number("FAULT_US", DEFAULT_US);

    if (!is(bytes <= SMALL ? "FAULT_SMALL" : "FAULT_LARGE", name))
        nanosleep(&(struct timespec){ us / 1000000, us % 1000000 * 1000 }, NULL);
}

#ifdef OPEN_MPI
typedef int algorithm(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, void *);

/* The harness has its own communicators, whose calls are as fast as ever. */
static int replaced(const char *symbol, const char *name, const void *send, void *recv, int n,
                    MPI_Datatype type, MPI_Op op, MPI_Comm comm, void *module)
{
    algorithm *next;

    *(void **)&next = dlsym(RTLD_NEXT, symbol);
    if (comm == MPI_COMM_WORLD)
        take(name, fault_size(n, type));
    return next(send, recv, n, type, op, comm, module);
}

#    define REPLACE(function, name)                                                                \
        int function(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, void *);           \
        int function(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op,            \
                     MPI_Comm comm, void *module)                                                  \
        {                                                                                          \
            return replaced(__func__, name, send, recv, n, type, op, comm, module);                \
        }

REPLACE(ompi_coll_base_allreduce_intra_basic_linear, "linear")
REPLACE(ompi_coll_base_allreduce_intra_nonoverlapping, "nonoverlapping")
REPLACE(ompi_coll_base_allreduce_intra_recursivedoubling, "doubling")
REPLACE(ompi_coll_base_allreduce_intra_ring, "ring")
REPLACE(ompi_coll_base_allreduce_intra_redscat_allgather, "rabenseifner")
#else
struct call {
    long ranks, bytes, count;
};

/* Is that so, as in "comm_size<=4"?  Operations are built in, and communicators no pair. */
static bool holds(const char *condition, struct call call)
{
    const char *sign = condition + strcspn(condition, "<=");
    const long limit = atol(sign + strspn(sign, "<="));
    long value = call.bytes, power = 1;

    while (power * 2 <= call.ranks)
        power *= 2;
    if (strncmp(condition, "comm_size", 9) == 0)
        value = call.ranks;
    if (strncmp(condition, "total_msg_size", 14) == 0)
        value *= call.ranks;
    if (strcmp(condition, "count<pow2") == 0)
        return call.count < power;
    if (strcmp(condition, "comm_size=pow2") == 0)
        return power == call.ranks;
    if (strcmp(sign, "=any") == 0 || strcmp(condition, "collective=allreduce") == 0 ||
        strcmp(condition, "comm_type=intra") == 0 || strcmp(sign, "=yes") == 0)
        return true;
    return strncmp(sign, "<=", 2) == 0 ? value <= limit : *sign == '<' && value < limit;
}

/* The end of the algorithm's name in a tree of conditions, whose brace is before at, or "". */
static const char *in_tree(const char *at, struct call call)
{
    static char condition[200];

    for (;;) {
        const char *inner;
        int depth = 1;

        at += strcspn(at, "\"}");
        if (sscanf(at, "\"%199[^\"]", condition) != 1)
            return "";
        if (strncmp(condition, "algorithm=", 10) == 0) {
            const char *kind = strstr(condition, "_intra_");

            return kind != NULL ? kind + 7 : strstr(condition, "_allcomm_") + 9;
        }
        inner = strchr(at, '{') + 1;
        if (holds(condition, call))
            return in_tree(inner, call);
        for (at = inner; depth > 0; at++)
            depth += (*at == '{') - (*at == '}');
    }
}

/* What Intel MPI is told, as in "0:0-15;1:16-127", or "2" for all sizes. */
static const char *in_ranges(const char *at, struct call call)
{
    static char name[20];
    long first = 0, last = 0;

    for (; at != NULL; at = strchr(at, ';')) {
        const int n = sscanf(at += *at == ';', "%19[^:;]:%ld-%ld", name, &first, &last);

        if (n == 1 || (n == 3 && first <= call.bytes && call.bytes <= last))
            return name;
    }
    return "";
}

static const char *told(struct call call)
{
    static char text[1 << 20];
    const char *path = getenv("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE");

    if (path == NULL)
        return in_ranges(getenv("I_MPI_ADJUST_ALLREDUCE"), call);
    if (text[0] == 0) {
        FILE *file = fopen(path, "r");

        if (file == NULL || fread(text, 1, sizeof text - 1, file) == 0)
            abort();
        fclose(file);
    }
    return in_tree(text + 1, call);
}

int MPI_Allreduce(const void *send, void *recv, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    int ranks;

    PMPI_Comm_size(comm, &ranks);
    if (comm == MPI_COMM_WORLD)
        take(told((struct call){ ranks, (long)fault_size(n, type), n }), fault_size(n, type));
    return PMPI_Allreduce(send, recv, n, type, op, comm);
}
#endif
