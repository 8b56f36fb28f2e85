/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * counts.c - a PAPI whose counts are known.
 *
 *   FAKE::SENDS   calls of MPI_Send between start and stop
 *   FAKE::RANK    the rank and one, for every start
 *   FAKE::RARE    cannot be counted on FAULT_RANK
 *
 * No other event exists.  FAULT=papi: the library itself cannot begin.
 */
#include "fault.h"

enum { ROOM = 16, NO_EVENT = -7, NO_COMPONENT = -17 };
enum event { SENDS, RANK, RARE };

int PAPI_library_init(int version);
int PAPI_create_eventset(int *set);
int PAPI_add_named_event(int set, const char *name);
int PAPI_start(int set);
int PAPI_stop(int set, long long *values);
char *PAPI_strerror(int code);

static enum event event[ROOM];
static int events;
static long long sends;
static bool running;

int PAPI_library_init(int version)
{
    return fault_is("papi") ? NO_COMPONENT : version;
}

int PAPI_create_eventset(int *set)
{
    *set = 1;
    return 0;
}

int PAPI_add_named_event(int set, const char *name)
{
    static const char *const names[] = { "FAKE::SENDS", "FAKE::RANK", "FAKE::RARE" };

    (void)set;
    for (enum event i = SENDS; i <= RARE; i++)
        if (strcmp(name, names[i]) == 0 && events < ROOM &&
            (i != RARE || fault_rank() != fault_number("FAULT_RANK", 1))) {
            event[events++] = i;
            return 0;
        }
    return NO_EVENT;
}

int PAPI_start(int set)
{
    (void)set;
    sends = 0;
    running = true;
    return 0;
}

int PAPI_stop(int set, long long *values)
{
    (void)set;
    running = false;
    for (int i = 0; i < events; i++)
        values[i] = event[i] == SENDS ? sends : fault_rank() + 1;
    return 0;
}

char *PAPI_strerror(int code)
{
    static char no_event[] = "Event does not exist", no_component[] = "Component Index isn't set";

    return code == NO_EVENT ? no_event : no_component;
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    sends += running;
    return PMPI_Send(buffer, count, type, to, tag, comm);
}
