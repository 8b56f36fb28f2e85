/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * where.h - a family of one program that measures nothing: it prints where each rank is
 *           and what of its node may hinder MPI.
 *
 * Rows are printed of the first WHERE_ROWS ranks; the JSON document has all.
 */
#ifndef FAMILY_WHERE_H
#define FAMILY_WHERE_H

#include "environment/environment.h"
#include "family.h"
#include "memory/gpu.h"
#include "preflight.h"
#include "report/report.h"

enum { WHERE_ROWS = 64 };

/* What a rank tells. */
struct where_rank {
    struct hardware_place place;
    bool has_gpu;
    struct gpu_facts gpu; /* that it would use with -d cuda */
};

/* On rank 0. */
struct where {
    struct environment environment;
    struct where_rank *rank; /* of every rank */
    struct preflight *preflight;
    unsigned char *bad_on; /* of every node: preflight_judge */
    struct finding finding[FINDINGS];
};

extern const struct family where_family;

extern const struct report report_where;

#endif
