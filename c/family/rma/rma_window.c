/* SPDX-License-Identifier: BSD-3-Clause */
#include "rma_window.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sizes.h"
#include "job/hardware.h"
#include "job/world.h"

enum { TAG = 3, POISON = 0x5a };

/* Displacements in a dynamic window are addresses.  All ranks need that of the
   hot spot; otherwise the two ranks of a pair exchange theirs. */
static MPI_Aint address_of_peer(void *mine, const struct bench_run *r, bool hot_spot)
{
    MPI_Aint here, there = 0;

    PMPI_Get_address(mine, &here);
    if (hot_spot)
        PMPI_Bcast(&here, 1, MPI_AINT, 0, r->comm);
    else
        PMPI_Sendrecv(&here, 1, MPI_AINT, r->peer, TAG, &there, 1, MPI_AINT, r->peer, TAG, r->comm,
                      MPI_STATUS_IGNORE);
    return hot_spot ? here : there;
}

/* Allocate whole cache lines: MPICH 4.0 loses puts into a window whose base is
   not a multiple of 16, and puts the windows of a node next to each other. */
static void allocate(struct rma *rma, const struct bench_run *r, size_t bytes)
{
    const size_t lines = slot_size(bytes);

    if (rma->kind == WINDOW_ALLOCATE)
        MPI_Win_allocate((MPI_Aint)lines, 1, MPI_INFO_NULL, r->comm, &rma->base, &rma->win);
    else
        MPI_Win_allocate_shared((MPI_Aint)lines, 1, MPI_INFO_NULL, r->comm, &rma->base, &rma->win);
    memset(rma->base, POISON, lines); /* first touch by the owner */
}

void rma_begin(struct rma *rma, const struct bench_run *r, size_t bytes)
{
    void *const memory = rma->memory.base;
    MPI_Group all;

    rma->base = memory;
    rma->disp = 0;
    switch (rma->kind) {
    case WINDOW_ALLOCATE:
    case WINDOW_ALLOCATE_SHARED:
        allocate(rma, r, bytes);
        break;
    case WINDOW_CREATE:
        MPI_Win_create(memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, r->comm, &rma->win);
        break;
    case WINDOW_DYNAMIC:
        MPI_Win_create_dynamic(MPI_INFO_NULL, r->comm, &rma->win);
        MPI_Win_attach(rma->win, memory, (MPI_Aint)bytes);
        rma->disp = address_of_peer(memory, r, rma->hot_spot);
        break;
    }
    world_guard_window(rma->win);
    MPI_Comm_group(r->comm, &all);
    MPI_Group_incl(all, r->peer != MPI_PROC_NULL, &r->peer, &rma->peer_group);
    MPI_Group_free(&all);
}

void rma_end(struct rma *rma)
{
    if (rma->kind == WINDOW_DYNAMIC)
        MPI_Win_detach(rma->win, rma->base);
    if (rma->peer_group != MPI_GROUP_EMPTY)
        MPI_Group_free(&rma->peer_group);
    MPI_Win_free(&rma->win);
}

void rma_make_visible(const struct bench_run *r)
{
    const MPI_Win win = rma_of(r)->win;

    PMPI_Win_lock(MPI_LOCK_EXCLUSIVE, r->rank, 0, win);
    PMPI_Win_sync(win);
    PMPI_Win_unlock(r->rank, win);
}

bool rma_is_unified(MPI_Comm comm)
{
    int *model, known, unified;
    void *memory;
    MPI_Win win;

    PMPI_Win_allocate(1, 1, MPI_INFO_NULL, comm, &memory, &win);
    PMPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &known);
    unified = known && *model == MPI_WIN_UNIFIED;
    PMPI_Win_free(&win);
    PMPI_Allreduce(MPI_IN_PLACE, &unified, 1, MPI_INT, MPI_MIN, comm);
    return unified;
}

double rma_room(void)
{
    FILE *file = fopen("/proc/self/maps", "r");
    bool in_shm = false;
    double size;
    char line[400];

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strstr(line, " /dev/shm/") != NULL && strstr(line, " /dev/shm/alidade") == NULL)
            in_shm = true;
    if (file != NULL)
        fclose(file);
    return in_shm ? capacity_shared(&size) : NAN;
}
