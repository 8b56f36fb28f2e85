/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorded.c - an application whose calls of MPI are known (record.bats).
 *
 * Usage: recorded [abort|kill|fault|leave|threads|communicators|spawn]
 * Without a word each rank makes the calls that record.bats expects; with one it ends, or does, what the word says.
 */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

/* Sizes that are hard to tell. */
static void known_calls(void)
{
    double *all = calloc(2 * ranks + 8, sizeof *all), *own = calloc(2 * ranks + 8, sizeof *own);
    int *counts = calloc(ranks, sizeof *counts), *to_me = calloc(ranks, sizeof *to_me),
        *at = calloc(ranks, sizeof *at);
    MPI_Datatype vector, nothing;
    MPI_Request request;
    MPI_Comm half;
    MPI_Win win;

    for (int i = 0; i < ranks; i++)
        counts[i] = 1 + i % 2, to_me[i] = 1 + rank % 2, at[i] = 2 * i;
    /* 3 of 8 bytes, twice: what is sent counts, not what lies between. */
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &vector);
    MPI_Type_commit(&vector);
    MPI_Send(all, 2, vector, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_free(&vector);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Send(all, 5, nothing, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Type_free(&nothing);
    /* 16 GiB less 8 bytes. */
    MPI_Send(all, INT32_MAX, MPI_DOUBLE, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, all, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 2, MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : own, 1, MPI_FLOAT, all, 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
    MPI_Alltoallv(own, counts, at, MPI_FLOAT, all, to_me, at, MPI_FLOAT, MPI_COMM_WORLD);
    MPI_Reduce_scatter(own, all, counts, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(own, all, 1, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    /* Each sends to the next rank. */
    MPI_Sendrecv(own, 3, MPI_CHAR, (rank + 1) % ranks, 0, all, 3, MPI_CHAR,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    /* A request that nobody waits for, and one that somebody does. */
    MPI_Isend(own, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Iallreduce(own, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Barrier(half);
    MPI_Comm_free(&half);
    MPI_Win_create(own, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(all, 1, MPI_DOUBLE, rank, 0, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    /* This part is not recorded. */
    MPI_Pcontrol(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(1);
    free(all);
    free(own);
    free(counts);
    free(to_me);
    free(at);
}

enum { THREADS = 4, TIMES = 20000 };

static void *sends(void *nothing)
{
    char c = 0;

    for (int i = 0; i < TIMES; i++)
        MPI_Send(&c, 1, MPI_CHAR, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    return nothing;
}

static void many_threads(void)
{
    pthread_t thread[THREADS];

    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, sends, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
}

/* Handles come back with other ranks. */
static void many_communicators(void)
{
    MPI_Comm comm;

    for (int i = 0; i < 100; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, i % 2 == 0 ? 0 : rank, rank, &comm);
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
}

/* The child is a job of its own, on one rank. */
static void spawn(char *program)
{
    char *words[] = { "spawn", NULL };
    MPI_Comm family;

    MPI_Comm_get_parent(&family);
    if (family == MPI_COMM_NULL)
        MPI_Comm_spawn(program, words, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &family,
                       MPI_ERRCODES_IGNORE);
    MPI_Barrier(family);
    MPI_Comm_disconnect(&family);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    int level;

    MPI_Init_thread(&argc, &argv,
                    strcmp(word, "threads") == 0 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(word, "threads") == 0) {
        if (level == MPI_THREAD_MULTIPLE)
            many_threads();
    } else if (strcmp(word, "communicators") == 0) {
        many_communicators();
    } else if (strcmp(word, "spawn") == 0) {
        spawn(argv[0]);
    } else if (*word == '\0') {
        known_calls();
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == ranks - 1) {
            if (strcmp(word, "abort") == 0)
                MPI_Abort(MPI_COMM_WORLD, 5);
            if (strcmp(word, "kill") == 0)
                raise(SIGKILL);
            if (strcmp(word, "fault") == 0)
                raise(SIGABRT);
        }
        if (strcmp(word, "leave") == 0)
            exit(0);
        sleep(20);
    }
    MPI_Finalize();
    return 0;
}
