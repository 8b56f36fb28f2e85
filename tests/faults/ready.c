/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ready.c - no fault: records which threads mark partitions as ready.
 *
 * Each rank writes, to $FAULT_OUT.RANK in MPI_Finalize, a line: messages whose
 * partitions were all marked, threads that marked those of one (fewest and most),
 * and marks of partitions that were marked already.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif
#include <pthread.h>
#include <stdio.h>

#include "fault.h"

#ifdef HAVE_MPI_PSEND_INIT
enum { MOST = 1024 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread[MOST];
static bool marked[MOST];
static int partitions, marks, threads;
static int messages, fewest = MOST, most, again;

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

int MPI_Psend_init(const void *buffer, int n, MPI_Count count, MPI_Datatype type, int to, int tag,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    if (n > MOST)
        abort();
    partitions = n;
    return PMPI_Psend_init(buffer, n, count, type, to, tag, comm, info, request);
}

static void end_of_message(void)
{
    messages++;
    fewest = smaller(fewest, threads);
    most = -smaller(-most, -threads);
    marks = threads = 0;
    memset(marked, 0, sizeof marked);
}

static void note(int partition)
{
    int i = 0;

    while (i < threads && !pthread_equal(thread[i], pthread_self()))
        i++;
    if (i == threads)
        thread[threads++] = pthread_self();
    again += marked[partition];
    marked[partition] = true;
    if (++marks == partitions)
        end_of_message();
}

int MPI_Pready(int partition, MPI_Request request)
{
    pthread_mutex_lock(&lock);
    note(partition);
    pthread_mutex_unlock(&lock);
    return PMPI_Pready(partition, request);
}

int MPI_Finalize(void)
{
    char name[1000];
    int rank;
    FILE *file;

    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.%d", getenv("FAULT_OUT"), rank);
    file = fopen(name, "w");
    if (file == NULL)
        abort();
    fprintf(file, "messages=%d threads=%d-%d again=%d\n", messages, fewest, most, again);
    fclose(file);
    return PMPI_Finalize();
}
#endif
