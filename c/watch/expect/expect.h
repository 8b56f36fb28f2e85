/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * expect.h - what a run was said to be (--expect), held against the line that says
 *            what it is.
 *
 * A network that fell back to another, ranks that share a node or a GPU, a library
 * that is not the one meant: the table looks the same.  Where it must not, the job says
 * so beforehand and ends in place of measuring something else.
 *
 * And what lets figures say little, in warnings before anything is measured: ranks or threads that
 * share cores, ranks that move, other processes on their CPUs, percentiles of too few samples.
 */
#ifndef EXPECT_H
#define EXPECT_H

#include "options/settings.h"
#include "watch.h"

extern const struct watcher expect_watcher;
extern const struct option_part expect_options;

enum { EXPECT_MAX = 16 };

/* What was asked for. */
struct expect_asked {
    const char *text[EXPECT_MAX]; /* "path=inter-node" */
    int n;
    const char *const *more; /* further keys, of the family; or NULL */
};

/* Does all of it hold of that line?  EXIT_OK, or the code to leave with, said why.  On rank 0. */
enum exit_code expect_line(const struct context *c, const char *line);

/* NULL if the text is "KEY=VALUE" with a key of the line, or of more, a list that ends
   with NULL or is NULL; else what is wrong with it. */
const char *identity_wrong(const char *text, const char *const *more);

/*
 * How many of the n texts "KEY=VALUE" do not hold of a line "...: ranks=2;
 * path=inter-node; mpi=OpenMPI-4.1.4; ...", and in words which.  What the line does not
 * have is "none", but start, which is then "dissemination".  Of a library and of devices
 * the beginning of every name is enough, unless it cuts a number: mlx5 of "mlx5_0+mlx5_1".
 */
int identity_unmet(const char *line, const char *const text[], int n, char *words, size_t room);

#endif
