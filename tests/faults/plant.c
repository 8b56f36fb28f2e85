/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * plant.c - an MPI that moves or combines data wrongly.
 *
 * One table, below, has every MPI call by which a program moves or combines data, and says
 * which blocks of memory the call reads and writes.  A message is a block: of a collective one
 * for each rank.  What is planted does not depend on the call.
 *
 *   FAULT=byte       one bit of what arrives differs
 *   FAULT=dropped    what arrives does not: its place keeps its old contents
 *   FAULT=stale      what the same call delivered the time before arrives again
 *   FAULT=once       a persistent operation delivers in its first start, and never again
 *   FAULT=late       it arrives at the next call of MPI after the one that completes it
 *   FAULT=timer      it arrives FAULT_MS milliseconds after the call; default 100
 *   FAULT=doubled    a reduction: this rank contributes twice; an update of a window is made
 *                    twice; a message arrives in the place of the next one, too
 *   FAULT=displaced  a reduction: this rank contributes its vector FAULT_AT elements further on,
 *                    default 1; a message or an update of a window is one element away, a put or
 *                    a get one byte
 *   FAULT=swapped    the message and the one after it, or the last and the one before it, have
 *                    changed places
 *   FAULT=next       a collective: each rank has the block of the next rank
 *   FAULT=changed    one bit of the send buffer differs when the call has completed
 *   FAULT=missing    a reduction, an update: this rank contributes zeros
 *   FAULT=impostor   a reduction: this rank contributes what rank FAULT_OTHER of the job does,
 *                    which may be of another group
 *   FAULT=crossed    a collective: what arrives here is what arrived at rank FAULT_OTHER of the
 *                    job, which is of another group and receives as many blocks
 *   FAULT=always     MPI_Compare_and_swap swaps, whatever is compared; not in epochs of fences
 *   FAULT=op         a reduction: this rank takes the maximum or, of a maximum, the minimum
 *   FAULT=behind     the byte after the message is written, too
 *   FAULT=stray      a rank that receives nothing finds its buffer written to
 *   FAULT=early      no barrier waits
 *   FAULT=single     MPI says that it allows one thread only
 *
 * fault.h says where, and
 *
 *   FAULT_NTH    only in message number so many of an iteration, from 1; or first, middle, last
 *                of an iteration, which need FAULT_CELLS.  first/2: of the second iteration,
 *                where several are verified, as in the operations of a guideline
 *   FAULT_AT     this byte of the message, or from its end: -1 is the last; default: the middle,
 *                but of the first message the first and of the last the last
 *   FAULT_CALL   only in calls of that name
 *   FAULT_CELLS  a file with lines "BYTES FAULT RANK NTH": in a row of so many bytes this fault
 *                is planted, once, in the verified iteration.  The first line has the fault none:
 *                in its row the messages of an iteration are counted
 *   FAULT_LOG    the file $FAULT_LOG.RANK gets a line "BYTES FAULT call" for each that was
 *                planted, and "BYTES none N" for the messages of an iteration
 *
 * Not planted: what arrives of MPI_Put and MPI_Accumulate late, since the target would have to be
 * changed; doubled puts and gets, which change nothing; the forms for large counts, MPI_..._c. 
 * Transports without MPI are not seen.
 *
 * An iteration ends with a small reduction over all ranks, in which the harness asks whether
 * anything was wrong.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif
#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "fault.h"
#ifdef HAVE_MPI_EXT_H
#    include <mpi-ext.h>
#endif

/* The function of the library, whoever has interposed its name. */
#define NEXT(call)                                                                                 \
    ({                                                                                             \
        static __typeof__(&P##call) next;                                                          \
        if (next == NULL)                                                                          \
            *(void **)&next = dlsym(RTLD_NEXT, "P" #call);                                         \
        next;                                                                                      \
    })

/* What a message is to this rank. */
enum role { ARRIVES, LEAVES, COMBINES, ROLES };

struct block {
    char *at;
    size_t bytes;
    long number;       /* of the messages of this role in the iteration */
    const char *fault; /* NULL: none */
    char *saved;       /* what was there before, where the fault needs it */
};

enum { BLOCKS = 256 };

/* One call. */
struct move {
    const char *call;
    int n[2]; /* blocks that arrive, that leave */
    struct block block[2][BLOCKS];
    size_t row;      /* bytes by which its row is known */
    size_t element;  /* bytes of an element */
    void *idle;      /* a receive buffer into which nothing is received */
    int ranks, rank; /* of a collective */
    MPI_Comm comm;
    bool combines; /* the first block that leaves is a contribution */
    MPI_Datatype type;
    MPI_Op op;
    MPI_Request request;
    MPI_Win win;
    bool active, persistent, taken;
    long starts;
    bool updates; /* a window, and a result arrives */
    bool barrier;
    struct move *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- Which fault, and when ---------------------------------------------------- */

struct cell {
    size_t bytes;
    char fault[16], ranks[32], nth[16];
};

static struct {
    struct cell cell[512];
    int n; /* 0: the environment says what is planted */
    FILE *log;
    bool read;
} plan;

/* The row, its iteration and the messages of that; of the first row, those of each iteration. */
enum { ITERATIONS = 8 };

static struct {
    size_t bytes;
    int iteration;
    long seen[ROLES];
} row;
static long of_iteration[ITERATIONS][ROLES];

static void read_plan(void)
{
    const char *file = getenv("FAULT_CELLS"), *log = getenv("FAULT_LOG");
    char name[4096];
    FILE *lines;

    if (plan.read)
        return;
    plan.read = true;
    if (log != NULL) {
        snprintf(name, sizeof name, "%s.%d", log, fault_rank());
        plan.log = fopen(name, "a");
    }
    if (file == NULL || (lines = fopen(file, "r")) == NULL)
        return;
    for (struct cell *c = plan.cell; plan.n < 512 && fscanf(lines, "%zu %15s %31s %15s", &c->bytes,
                                                            c->fault, c->ranks, c->nth) == 4;
         c++)
        plan.n++;
    fclose(lines);
}

static const struct cell *cell_of(size_t bytes)
{
    read_plan();
    for (int i = 0; i < plan.n; i++)
        if (plan.cell[i].bytes == bytes)
            return &plan.cell[i];
    return NULL;
}

/* Is this rank among "3", "1,4", "7-13", "-1"? */
static bool is_among(const char *ranks, long own)
{
    char *end;

    if (strcmp(ranks, "-1") == 0)
        return true;
    for (const char *at = ranks; *at != '\0'; at = end + (*end == ',')) {
        const long first = strtol(at, &end, 10);
        const long last = *end == '-' ? strtol(end + 1, &end, 10) : first;

        if (end == at || (first <= own && own <= last))
            return end != at;
    }
    return false;
}

/* Is the message of that number, from 0, the one that is meant? */
static bool is_number(const char *nth, long number, enum role role)
{
    const char *iteration = strchr(nth, '/');
    const int meant = iteration != NULL ? atoi(iteration + 1) - 1 : 0;
    const long n = meant < ITERATIONS ? of_iteration[meant][role] : 0;

    if (plan.n > 0 && row.iteration != meant)
        return false;
    if (strncmp(nth, "first", 5) == 0)
        return number == 0;
    if (strncmp(nth, "middle", 6) == 0)
        return n > 2 && number == n / 2;
    if (strncmp(nth, "last", 4) == 0)
        return n > 1 && number == n - 1;
    return atol(nth) == 0 || number == atol(nth) - 1;
}

/* The message before this one in its iteration, and a copy of it that shall arrive in the place of
   this one, too. */
static struct {
    char *at, *copy;
    size_t bytes;
    long number;
    bool swaps;
} previous;

/* A reduction of so few bytes is the harness's, after a verified iteration or later. */
static void end_iteration(size_t bytes)
{
    long n = 0;

    for (int role = 0; role < ROLES; role++)
        n += row.seen[role];
    if (bytes > 200 || n == 0)
        return;
    if (plan.n > 0 && row.bytes == plan.cell[0].bytes && row.iteration < ITERATIONS) {
        memcpy(of_iteration[row.iteration], row.seen, sizeof row.seen);
        if (plan.log != NULL)
            fprintf(plan.log, "%zu none %d:%ld,%ld,%ld\n", row.bytes, row.iteration + 1,
                    row.seen[ARRIVES], row.seen[LEAVES], row.seen[COMBINES]);
    }
    row.iteration++;
    memset(row.seen, 0, sizeof row.seen);
    free(previous.copy);
    memset(&previous, 0, sizeof previous);
}

static void begin_row(size_t bytes)
{
    if (row.bytes == bytes)
        return;
    row.bytes = bytes;
    row.iteration = 0;
    memset(row.seen, 0, sizeof row.seen);
}

/* The fault of this message; *number is its number. */
static const char *fault_of(const struct move *m, enum role role, long *number)
{
    const struct cell *c = cell_of(m->row);
    const char *ranks = getenv("FAULT_RANK"), *nth = getenv("FAULT_NTH");
    const char *call = getenv("FAULT_CALL");
    static long hits[ROLES];

    if (plan.n > 0) {
        if (c == NULL)
            return NULL;
        begin_row(m->row);
        *number = row.seen[role]++;
        return is_among(c->ranks, fault_rank()) && is_number(c->nth, *number, role) ? c->fault
                                                                                    : NULL;
    }
    if (getenv("FAULT") == NULL || !fault_has_size(m->row) ||
        (call != NULL && strcmp(call, m->call) != 0))
        return NULL;
    begin_row(m->row);
    *number = row.seen[role]++;
    if (!is_among(ranks != NULL ? ranks : "1", fault_rank()) ||
        (nth != NULL && !is_number(nth, *number, role)) ||
        ++hits[role] <= fault_number("FAULT_SPARE", 0) || !fault_is_due(hits[role]))
        return NULL;
    return getenv("FAULT");
}

static bool is(const char *fault, const char *kind)
{
    return fault != NULL && strcmp(fault, kind) == 0;
}

static void planted(const struct move *m, const char *fault)
{
    read_plan();
    if (plan.log != NULL) {
        fprintf(plan.log, "%zu %s %s\n", m->row, fault, m->call);
        fflush(plan.log);
    }
}

/* The byte of a block that is changed. */
static char *byte_of(const struct block *b)
{
    const char *nth = getenv("FAULT_NTH");
    const struct cell *c = cell_of(row.bytes);
    const long at = fault_number("FAULT_AT", 0);

    if (c != NULL)
        nth = c->nth;
    if (getenv("FAULT_AT") != NULL)
        return b->at + at + (at < 0 ? (long)b->bytes : 0);
    return b->at + (is(nth, "first") ? 0 : is(nth, "last") ? b->bytes - 1 : b->bytes / 2);
}

/* --- What arrives late --------------------------------------------------------- */

struct late {
    char *at, *contents;
    size_t bytes, row;
    pthread_t thread;
    struct late *next;
};

static struct late *late;
static MPI_Request unfinished = MPI_REQUEST_NULL; /* a barrier that has not waited */

static void deliver(void)
{
    pthread_mutex_lock(&lock);
    if (unfinished != MPI_REQUEST_NULL)
        NEXT(MPI_Wait)(&unfinished, MPI_STATUS_IGNORE);
    unfinished = MPI_REQUEST_NULL;
    for (struct late **l = &late; *l != NULL;) {
        struct late *due = *l;

        if (!pthread_equal(due->thread, pthread_self())) {
            l = &due->next;
            continue;
        }
        memcpy(due->at, due->contents, due->bytes);
        *l = due->next;
        free(due->contents);
        free(due);
    }
    pthread_mutex_unlock(&lock);
}

static struct late *keep_back(const struct block *b)
{
    struct late *l = malloc(sizeof *l);

    *l = (struct late){ .at = b->at,
                        .contents = malloc(b->bytes),
                        .bytes = b->bytes,
                        .row = row.bytes,
                        .thread = pthread_self() };
    memcpy(l->contents, b->at, b->bytes);
    memcpy(b->at, b->saved, b->bytes);
    return l;
}

/* Not into the buffers of a later row. */
static void *deliver_in_time(void *argument)
{
    struct late *l = argument;
    const long ms = fault_number("FAULT_MS", 100);
    const struct timespec rest = { ms / 1000, ms % 1000 * 1000000 };

    nanosleep(&rest, NULL);
    pthread_mutex_lock(&lock);
    if (l->row == row.bytes)
        memcpy(l->at, l->contents, l->bytes);
    pthread_mutex_unlock(&lock);
    free(l->contents);
    free(l);
    return NULL;
}

/* --- The life of a move --------------------------------------------------------- */

static char *copy_of(const void *from, size_t bytes)
{
    char *copy = malloc(bytes + 1);

    if (copy == NULL)
        abort();
    return memcpy(copy, from, bytes);
}

/* What the same call delivered as that block the time before. */
struct past {
    const char *call;
    int block;
    size_t bytes;
    char *contents;
    struct past *next;
};

static struct past *past_of(const char *call, int block)
{
    static struct past *all;
    struct past *p;

    for (p = all; p != NULL; p = p->next)
        if (p->call == call && p->block == block)
            return p;
    p = calloc(1, sizeof *p);
    *p = (struct past){ call, block, 0, NULL, all };
    return all = p;
}

static void make_stale(const struct move *m, int i, const struct block *b)
{
    struct past *p = past_of(m->call, i);
    char *now;

    if (b->number < 0) /* of the harness */
        return;
    now = copy_of(b->at, b->bytes);

    if (is(b->fault, "stale") && p->bytes > 0) {
        memcpy(b->at, p->contents, p->bytes < b->bytes ? p->bytes : b->bytes);
        planted(m, "stale");
    }
    free(p->contents);
    p->contents = now;
    p->bytes = b->bytes;
}

/* The ranks that are hit have what this one has: let them have it. */
static void give(const struct move *m, const struct block *b, const char *kind)
{
    const struct cell *c = cell_of(m->row);
    const char *ranks = c != NULL ? c->ranks : getenv("FAULT_RANK");
    const bool meant = plan.n > 0 ? c != NULL && row.iteration == 0 : fault_has_size(m->row);
    int size;

    if (!meant || fault_rank() != fault_number("FAULT_OTHER", 0) ||
        !is(c != NULL ? c->fault : getenv("FAULT"), kind))
        return;
    PMPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++)
        if (is_among(ranks != NULL ? ranks : "1", i))
            (NEXT(MPI_Send))(b->at, (int)b->bytes, MPI_BYTE, i, 4711, MPI_COMM_WORLD);
}

static void take(const struct block *b)
{
    (NEXT(MPI_Recv))(b->at, (int)b->bytes, MPI_BYTE, (int)fault_number("FAULT_OTHER", 0), 4711,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What crosses from one group into another. */
static void cross(const struct move *m, const struct block *b)
{
    if (m->ranks > 0)
        give(m, b, "crossed");
    if (!is(b->fault, "crossed") || m->ranks == 0)
        return;
    planted(m, "crossed");
    take(b);
}

/* What this rank contributes to a reduction.  It is changed in its place, and changed back
   when the call has completed. */
static void change_contribution(struct move *m)
{
    struct block *b = &m->block[LEAVES][0];
    const size_t far = (size_t)fault_number("FAULT_AT", 1) * m->element;
    const char *fault = fault_of(m, COMBINES, &b->number);

    give(m, b, "impostor");
    if (!is(fault, "doubled") && !is(fault, "displaced") && !is(fault, "missing") &&
        !is(fault, "impostor"))
        return;
    b->fault = fault;
    b->saved = copy_of(b->at, b->bytes);
    planted(m, fault);
    if (is(fault, "doubled"))
        PMPI_Reduce_local(b->saved, b->at, (int)(b->bytes / m->element), m->type, m->op);
    if (is(fault, "missing"))
        memset(b->at, 0, b->bytes);
    if (is(fault, "displaced")) {
        memcpy(b->at, b->saved + far, b->bytes - far);
        memcpy(b->at + b->bytes - far, b->saved, far);
    }
    if (is(fault, "impostor"))
        take(b);
}

static void begin(struct move *m)
{
    if (m == NULL)
        return;
    pthread_mutex_lock(&lock);
    m->active = true;
    m->starts++;
    if (m->combines && m->n[LEAVES] > 0)
        change_contribution(m);
    for (int role = ARRIVES; role <= LEAVES; role++)
        for (int i = 0; i < m->n[role]; i++) {
            struct block *b = &m->block[role][i];
            const char *fault = fault_of(m, role, &b->number);

            if (b->fault == NULL)
                b->fault = fault;
            if (is(b->fault, "once"))
                b->fault = m->starts > 1 ? "dropped" : NULL;
            if (role == ARRIVES &&
                (is(b->fault, "dropped") || is(b->fault, "late") || is(b->fault, "timer")))
                b->saved = copy_of(b->at, b->bytes);
        }
    pthread_mutex_unlock(&lock);
}

static void swap(const struct move *m, const struct block *b)
{
    char *kept;

    if (previous.at == NULL || previous.at == b->at || previous.bytes != b->bytes ||
        previous.number != b->number - 1)
        return;
    planted(m, "swapped");
    kept = copy_of(b->at, b->bytes);
    memcpy(b->at, previous.at, b->bytes);
    memcpy(previous.at, kept, b->bytes);
    free(kept);
}

/* What concerns two messages. */
static void spoil_next(const struct move *m, const struct block *b)
{
    if (previous.copy != NULL && previous.number == b->number - 1) {
        planted(m, "doubled");
        memcpy(b->at, previous.copy, b->bytes < previous.bytes ? b->bytes : previous.bytes);
    }
    if (previous.swaps || (is(b->fault, "swapped") && b->number > 0))
        swap(m, b);
    free(previous.copy);
    previous.copy =
        is(b->fault, "doubled") && !m->combines && !m->updates ? copy_of(b->at, b->bytes) : NULL;
    previous.swaps = is(b->fault, "swapped") && b->number == 0;
    previous.at = b->at;
    previous.bytes = b->bytes;
    previous.number = b->number;
}

/* Change what has arrived. */
static void spoil(const struct move *m, const struct block *b)
{
    const size_t far = m->element;
    pthread_t thread;
    struct late *l;

    if (is(b->fault, "byte"))
        *byte_of(b) ^= 16; /* no sum that it goes into rounds it away */
    else if (is(b->fault, "behind"))
        b->at[b->bytes] ^= 1;
    else if (is(b->fault, "dropped"))
        memcpy(b->at, b->saved, b->bytes);
    else if (is(b->fault, "displaced") && !m->combines && !m->updates)
        memmove(b->at + far, b->at, b->bytes - far);
    else if (is(b->fault, "late")) {
        l = keep_back(b);
        l->next = late;
        late = l;
    } else if (is(b->fault, "timer"))
        pthread_create(&thread, NULL, deliver_in_time, keep_back(b));
    else
        return;
    planted(m, b->fault);
}

/* Each rank of a collective gets what the next one has received. */
static void turn(const struct move *m, const struct block *b)
{
    if (!is(b->fault, "next") || m->ranks == 0)
        return;
    planted(m, "next");
    PMPI_Sendrecv_replace(b->at, (int)b->bytes, MPI_BYTE, (m->rank + m->ranks - 1) % m->ranks, 4711,
                          (m->rank + 1) % m->ranks, 4711, m->comm, MPI_STATUS_IGNORE);
}

static void end_of_leaving(const struct move *m, struct block *b)
{
    if (is(b->fault, "changed")) {
        planted(m, "changed");
        *byte_of(b) ^= 1;
    }
    if (b->saved != NULL && m->n[ARRIVES] > 0 && m->block[ARRIVES][0].at == b->at)
        return; /* in place: the result is there */
    if (b->saved != NULL)
        memcpy(b->at, b->saved, b->bytes);
}

static void end(struct move *m)
{
    if (m == NULL || !m->active)
        return;
    pthread_mutex_lock(&lock);
    m->active = false;
    for (int i = 0; i < m->n[LEAVES]; i++)
        end_of_leaving(m, &m->block[LEAVES][i]);
    for (int i = 0; i < m->n[ARRIVES]; i++) {
        struct block *b = &m->block[ARRIVES][i];

        make_stale(m, i, b);
        turn(m, b);
        cross(m, b);
        spoil_next(m, b);
        spoil(m, b);
    }
    if (m->idle != NULL && is(getenv("FAULT"), "stray") && fault_hits(m->row))
        *(char *)m->idle ^= 1;
    for (int role = ARRIVES; role <= LEAVES; role++)
        for (int i = 0; i < m->n[role]; i++) {
            free(m->block[role][i].saved);
            m->block[role][i].saved = NULL;
            m->block[role][i].fault = NULL;
        }
    pthread_mutex_unlock(&lock);
}

/* --- Moves that end in a wait ----------------------------------------------------- */

static struct move *open;

static struct move *keep(const struct move *m, MPI_Request request, bool persistent)
{
    struct move *kept = malloc(sizeof *kept), **last = &open;

    *kept = *m;
    kept->request = request;
    kept->persistent = persistent;
    kept->next = NULL;
    pthread_mutex_lock(&lock);
    while (*last != NULL)
        last = &(*last)->next;
    *last = kept;
    pthread_mutex_unlock(&lock);
    return kept;
}

static struct move *find(MPI_Request request)
{
    struct move *m;

    if (request == MPI_REQUEST_NULL) /* or an operation on a window */
        return NULL;
    pthread_mutex_lock(&lock);
    for (m = open; m != NULL && (m->request != request || m->taken); m = m->next)
        continue;
    if (m != NULL)
        m->taken = true;
    pthread_mutex_unlock(&lock);
    return m;
}

static void forget(struct move *m)
{
    pthread_mutex_lock(&lock);
    for (struct move **p = &open; *p != NULL; p = &(*p)->next)
        if (*p == m) {
            *p = m->next;
            free(m);
            break;
        }
    pthread_mutex_unlock(&lock);
}

/* It has been waited for, or not.  Another thread may have its request by now. */
static void leave(struct move *m, bool completed)
{
    if (m == NULL)
        return;
    if (completed)
        end(m);
    if (completed && !m->persistent)
        forget(m);
    else
        m->taken = false;
}

/* --- What a call reads and writes ------------------------------------------------- */

static void block(struct move *m, enum role role, const void *buffer, MPI_Aint at, size_t bytes)
{
    if (m->n[role] == BLOCKS || bytes == 0 || buffer == MPI_IN_PLACE)
        return;
    m->block[role][m->n[role]++] =
        (struct block){ .at = (char *)buffer + at, .bytes = bytes, .number = -1 };
    if (bytes > m->row)
        m->row = bytes;
}

static MPI_Aint extent_of(MPI_Datatype type)
{
    MPI_Aint low, extent;

    PMPI_Type_get_extent(type, &low, &extent);
    return extent;
}

/* So many blocks side by side. */
static void equal(struct move *m, enum role role, const void *buffer, int count, MPI_Datatype type,
                  int blocks)
{
    m->element = fault_size(1, type);
    for (int i = 0; i < blocks; i++)
        block(m, role, buffer, (MPI_Aint)i * count * extent_of(type), fault_size(count, type));
}

/* Blocks of different lengths, at places in elements. */
static void varied(struct move *m, enum role role, const void *buffer, const int *counts,
                   const int *places, MPI_Datatype type, int blocks)
{
    if (buffer == MPI_IN_PLACE)
        return;
    m->element = fault_size(1, type);
    for (int i = 0; i < blocks; i++)
        block(m, role, buffer, places[i] * extent_of(type), fault_size(counts[i], type));
}

/* And of different types, at places in bytes: ints of a collective, or addresses. */
static void typed(struct move *m, enum role role, const void *buffer, const int *counts,
                  const int *places, const MPI_Aint *far, const MPI_Datatype *types, int blocks)
{
    if (buffer == MPI_IN_PLACE)
        return;
    for (int i = 0; i < blocks; i++) {
        m->element = fault_size(1, types[i]);
        block(m, role, buffer, far != NULL ? far[i] : places[i], fault_size(counts[i], types[i]));
    }
}

/* A vector of which this rank contributes its own. */
static void combined(struct move *m, const void *send, const void *recv, int count,
                     MPI_Datatype type, MPI_Op *op)
{
    m->combines = true;
    m->type = type;
    m->op = *op;
    equal(m, LEAVES, send == MPI_IN_PLACE ? recv : send, count, type, 1);
    if (is(getenv("FAULT"), "op") && fault_hits(m->row))
        *op = *op == MPI_MAX ? MPI_MIN : MPI_MAX;
}

static int ranks_of(MPI_Comm comm)
{
    int n;

    PMPI_Comm_size(comm, &n);
    return n;
}

static int rank_in(MPI_Comm comm)
{
    int rank;

    PMPI_Comm_rank(comm, &rank);
    return rank;
}

static void of_all(struct move *m, MPI_Comm comm)
{
    m->comm = comm;
    m->ranks = ranks_of(comm);
    m->rank = rank_in(comm);
}

static int sum_of(const int *counts, int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

/* The sources (0) or the destinations (1) of a rank in a graph or on a grid. */
static int neighbors_of(MPI_Comm comm, int which)
{
    int kind, n[2], weighted;

    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
        PMPI_Cartdim_get(comm, &n[0]);
        return 2 * n[0];
    }
    PMPI_Dist_graph_neighbors_count(comm, &n[0], &n[1], &weighted);
    return n[which];
}

/* --- The table ------------------------------------------------------------------ */

#define BARE(...) __VA_ARGS__

#define BLOCKING(name, parameters, arguments, ...)                                                 \
    int name parameters                                                                            \
    {                                                                                              \
        struct move v = { .call = #name }, *m = &v;                                                \
        int result;                                                                                \
                                                                                                   \
        deliver();                                                                                 \
        __VA_ARGS__;                                                                               \
        begin(m);                                                                                  \
        result = NEXT(name) arguments;                                                             \
        end(m);                                                                                    \
        return result;                                                                             \
    }

/* Calls whose last argument is a request, q. */
#define POSTED(name, parameters, arguments, ...)                                                   \
    int name parameters                                                                            \
    {                                                                                              \
        struct move v = { .call = #name }, *m = &v;                                                \
        int result;                                                                                \
                                                                                                   \
        deliver();                                                                                 \
        __VA_ARGS__;                                                                               \
        begin(m);                                                                                  \
        result = NEXT(name) arguments;                                                             \
        keep(m, *q, false);                                                                        \
        return result;                                                                             \
    }

#define KEPT(name, parameters, arguments, ...)                                                     \
    int name parameters                                                                            \
    {                                                                                              \
        struct move v = { .call = #name }, *m = &v;                                                \
        int result;                                                                                \
                                                                                                   \
        deliver();                                                                                 \
        __VA_ARGS__;                                                                               \
        result = NEXT(name) arguments;                                                             \
        keep(m, *q, true);                                                                         \
        return result;                                                                             \
    }

#if defined(HAVE_MPI_ALLREDUCE_INIT)
#    define PERSISTENT(name, parameters, arguments, ...)                                           \
        KEPT(MPI_##name##_init, (BARE parameters, MPI_Info info, MPI_Request * q),                 \
             (BARE arguments, info, q), __VA_ARGS__)
#elif defined(HAVE_MPIX_ALLREDUCE_INIT)
#    define PERSISTENT(name, parameters, arguments, ...)                                           \
        KEPT(MPIX_##name##_init, (BARE parameters, MPI_Info info, MPI_Request * q),                \
             (BARE arguments, info, q), __VA_ARGS__)
#else
#    define PERSISTENT(name, parameters, arguments, ...)
#endif

/* A collective in its three forms.  The last argument is the communicator, c. */
#define COLLECTIVE(name, iname, parameters, arguments, ...)                                        \
    BLOCKING(MPI_##name, parameters, arguments, of_all(m, c); __VA_ARGS__)                         \
    POSTED(MPI_##iname, (BARE parameters, MPI_Request * q), (BARE arguments, q), of_all(m, c);     \
           __VA_ARGS__)                                                                            \
    PERSISTENT(name, parameters, arguments, of_all(m, c); __VA_ARGS__)

/* clang-format off */
BLOCKING(MPI_Send, (const void *s, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (s, n, t, to, tag, c),
    equal(m, LEAVES, s, n, t, to != MPI_PROC_NULL))
BLOCKING(MPI_Recv, (void *r, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *status), (r, n, t, from, tag, c, status),
    equal(m, ARRIVES, r, n, t, from != MPI_PROC_NULL))
BLOCKING(MPI_Sendrecv, (const void *s, int n, MPI_Datatype t, int to, int tag, void *r, int k, MPI_Datatype u, int from, int tag2, MPI_Comm c, MPI_Status *status),
    (s, n, t, to, tag, r, k, u, from, tag2, c, status),
    equal(m, LEAVES, s, n, t, to != MPI_PROC_NULL); equal(m, ARRIVES, r, k, u, from != MPI_PROC_NULL))
POSTED(MPI_Isend, (const void *s, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *q), (s, n, t, to, tag, c, q),
    equal(m, LEAVES, s, n, t, to != MPI_PROC_NULL))
POSTED(MPI_Irecv, (void *r, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *q), (r, n, t, from, tag, c, q),
    equal(m, ARRIVES, r, n, t, from != MPI_PROC_NULL))
KEPT(MPI_Send_init, (const void *s, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *q), (s, n, t, to, tag, c, q),
    equal(m, LEAVES, s, n, t, to != MPI_PROC_NULL))
KEPT(MPI_Recv_init, (void *r, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *q), (r, n, t, from, tag, c, q),
    equal(m, ARRIVES, r, n, t, from != MPI_PROC_NULL))
#ifdef HAVE_MPI_PSEND_INIT
KEPT(MPI_Psend_init, (const void *s, int k, MPI_Count n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Info i, MPI_Request *q), (s, k, n, t, to, tag, c, i, q),
    equal(m, LEAVES, s, (int)n, t, k); m->row *= (size_t)k)
KEPT(MPI_Precv_init, (void *r, int k, MPI_Count n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Info i, MPI_Request *q), (r, k, n, t, from, tag, c, i, q),
    equal(m, ARRIVES, r, (int)n, t, k); m->row *= (size_t)k)
#endif

COLLECTIVE(Bcast, Ibcast, (void *r, int n, MPI_Datatype t, int root, MPI_Comm c), (r, n, t, root, c),
    equal(m, m->rank == root ? LEAVES : ARRIVES, r, n, t, 1))
COLLECTIVE(Gather, Igather, (const void *s, int n, MPI_Datatype t, void *r, int k, MPI_Datatype u, int root, MPI_Comm c), (s, n, t, r, k, u, root, c),
    equal(m, LEAVES, s, n, t, s != MPI_IN_PLACE); m->idle = m->rank != root ? r : NULL; equal(m, ARRIVES, r, k, u, m->rank == root ? m->ranks : 0))
COLLECTIVE(Gatherv, Igatherv, (const void *s, int n, MPI_Datatype t, void *r, const int *k, const int *e, MPI_Datatype u, int root, MPI_Comm c), (s, n, t, r, k, e, u, root, c),
    equal(m, LEAVES, s, n, t, s != MPI_IN_PLACE); m->idle = m->rank != root ? r : NULL; varied(m, ARRIVES, r, k, e, u, m->rank == root ? m->ranks : 0))
COLLECTIVE(Scatter, Iscatter, (const void *s, int n, MPI_Datatype t, void *r, int k, MPI_Datatype u, int root, MPI_Comm c), (s, n, t, r, k, u, root, c),
    equal(m, LEAVES, s, n, t, m->rank == root ? m->ranks : 0); equal(m, ARRIVES, r, k, u, r != MPI_IN_PLACE))
COLLECTIVE(Scatterv, Iscatterv, (const void *s, const int *n, const int *d, MPI_Datatype t, void *r, int k, MPI_Datatype u, int root, MPI_Comm c), (s, n, d, t, r, k, u, root, c),
    varied(m, LEAVES, s, n, d, t, m->rank == root ? m->ranks : 0); equal(m, ARRIVES, r, k, u, r != MPI_IN_PLACE))
COLLECTIVE(Allgather, Iallgather, (const void *s, int n, MPI_Datatype t, void *r, int k, MPI_Datatype u, MPI_Comm c), (s, n, t, r, k, u, c),
    equal(m, LEAVES, s, n, t, s != MPI_IN_PLACE); equal(m, ARRIVES, r, k, u, m->ranks))
COLLECTIVE(Allgatherv, Iallgatherv, (const void *s, int n, MPI_Datatype t, void *r, const int *k, const int *e, MPI_Datatype u, MPI_Comm c), (s, n, t, r, k, e, u, c),
    equal(m, LEAVES, s, n, t, s != MPI_IN_PLACE); varied(m, ARRIVES, r, k, e, u, m->ranks))
COLLECTIVE(Alltoall, Ialltoall, (const void *s, int n, MPI_Datatype t, void *r, int k, MPI_Datatype u, MPI_Comm c), (s, n, t, r, k, u, c),
    equal(m, LEAVES, s, n, t, s != MPI_IN_PLACE ? m->ranks : 0); equal(m, ARRIVES, r, k, u, m->ranks))
COLLECTIVE(Alltoallv, Ialltoallv, (const void *s, const int *n, const int *d, MPI_Datatype t, void *r, const int *k, const int *e, MPI_Datatype u, MPI_Comm c), (s, n, d, t, r, k, e, u, c),
    varied(m, LEAVES, s, n, d, t, m->ranks); varied(m, ARRIVES, r, k, e, u, m->ranks))
COLLECTIVE(Alltoallw, Ialltoallw, (const void *s, const int *n, const int *d, const MPI_Datatype *t, void *r, const int *k, const int *e, const MPI_Datatype *u, MPI_Comm c), (s, n, d, t, r, k, e, u, c),
    typed(m, LEAVES, s, n, d, NULL, t, m->ranks); typed(m, ARRIVES, r, k, e, NULL, u, m->ranks))

COLLECTIVE(Reduce, Ireduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, int root, MPI_Comm c), (s, r, n, t, o, root, c),
    combined(m, s, r, n, t, &o); m->idle = m->rank != root ? r : NULL; equal(m, ARRIVES, r, n, t, m->rank == root))
COLLECTIVE(Allreduce, Iallreduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, r, n, t, o, c),
    end_iteration(fault_size(n, t)); combined(m, s, r, n, t, &o); equal(m, ARRIVES, r, n, t, 1))
COLLECTIVE(Reduce_scatter_block, Ireduce_scatter_block, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, r, n, t, o, c),
    combined(m, s, r, n * m->ranks, t, &o); equal(m, ARRIVES, r, n, t, 1))
COLLECTIVE(Reduce_scatter, Ireduce_scatter, (const void *s, void *r, const int *n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, r, n, t, o, c),
    combined(m, s, r, sum_of(n, m->ranks), t, &o); equal(m, ARRIVES, r, n[m->rank], t, 1))
COLLECTIVE(Scan, Iscan, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, r, n, t, o, c),
    combined(m, s, r, n, t, &o); equal(m, ARRIVES, r, n, t, 1))
COLLECTIVE(Exscan, Iexscan, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, r, n, t, o, c),
    combined(m, s, r, n, t, &o); m->idle = m->rank == 0 ? r : NULL; equal(m, ARRIVES, r, n, t, m->rank > 0))
BLOCKING(MPI_Reduce_local, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o), (s, r, n, t, o),
    combined(m, s, r, n, t, &o); equal(m, ARRIVES, r, n, t, 1))

COLLECTIVE(Neighbor_allgather, Ineighbor_allgather, (const void *s, int n, MPI_Datatype t, void *r, int k, MPI_Datatype u, MPI_Comm c), (s, n, t, r, k, u, c),
    equal(m, LEAVES, s, n, t, 1); equal(m, ARRIVES, r, k, u, neighbors_of(c, 0)))
COLLECTIVE(Neighbor_allgatherv, Ineighbor_allgatherv, (const void *s, int n, MPI_Datatype t, void *r, const int *k, const int *e, MPI_Datatype u, MPI_Comm c), (s, n, t, r, k, e, u, c),
    equal(m, LEAVES, s, n, t, 1); varied(m, ARRIVES, r, k, e, u, neighbors_of(c, 0)))
COLLECTIVE(Neighbor_alltoall, Ineighbor_alltoall, (const void *s, int n, MPI_Datatype t, void *r, int k, MPI_Datatype u, MPI_Comm c), (s, n, t, r, k, u, c),
    equal(m, LEAVES, s, n, t, neighbors_of(c, 1)); equal(m, ARRIVES, r, k, u, neighbors_of(c, 0)))
COLLECTIVE(Neighbor_alltoallv, Ineighbor_alltoallv, (const void *s, const int *n, const int *d, MPI_Datatype t, void *r, const int *k, const int *e, MPI_Datatype u, MPI_Comm c), (s, n, d, t, r, k, e, u, c),
    varied(m, LEAVES, s, n, d, t, neighbors_of(c, 1)); varied(m, ARRIVES, r, k, e, u, neighbors_of(c, 0)))
COLLECTIVE(Neighbor_alltoallw, Ineighbor_alltoallw, (const void *s, const int *n, const MPI_Aint *d, const MPI_Datatype *t, void *r, const int *k, const MPI_Aint *e, const MPI_Datatype *u, MPI_Comm c), (s, n, d, t, r, k, e, u, c),
    typed(m, LEAVES, s, n, NULL, d, t, neighbors_of(c, 1)); typed(m, ARRIVES, r, k, NULL, e, u, neighbors_of(c, 0)))
/* clang-format on */

/* --- Requests -------------------------------------------------------------------- */

static bool is_early(const struct move *m)
{
    const char *ranks = getenv("FAULT_RANK");

    if (m == NULL || !m->barrier || !is(getenv("FAULT"), "early") ||
        !is_among(ranks != NULL ? ranks : "-1", fault_rank()))
        return false;
    planted(m, "early");
    return true;
}

int MPI_Start(MPI_Request *q)
{
    struct move *m;

    deliver();
    m = find(*q);
    begin(m);
    leave(m, false);
    return NEXT(MPI_Start)(q);
}

int MPI_Startall(int n, MPI_Request *q)
{
    deliver();
    for (int i = 0; i < n; i++) {
        struct move *m = find(q[i]);

        begin(m);
        leave(m, false);
    }
    return NEXT(MPI_Startall)(n, q);
}

int MPI_Wait(MPI_Request *q, MPI_Status *status)
{
    struct move *m;
    int result = MPI_SUCCESS;

    if (*q == MPI_REQUEST_NULL && unfinished != MPI_REQUEST_NULL)
        return MPI_SUCCESS; /* of a barrier that is early */
    deliver();
    m = find(*q);
    if (is_early(m))
        unfinished = *q;
    else
        result = NEXT(MPI_Wait)(q, status);
    leave(m, true);
    return result;
}

int MPI_Waitall(int n, MPI_Request *q, MPI_Status *status)
{
    struct move **m = malloc((size_t)(n + 1) * sizeof *m);
    int result;

    deliver();
    for (int i = 0; i < n; i++)
        m[i] = find(q[i]);
    result = NEXT(MPI_Waitall)(n, q, status);
    for (int i = 0; i < n; i++)
        leave(m[i], true);
    free(m);
    return result;
}

int MPI_Test(MPI_Request *q, int *flag, MPI_Status *status)
{
    struct move *m;
    int result;

    deliver();
    m = find(*q);
    result = NEXT(MPI_Test)(q, flag, status);
    leave(m, *flag);
    return result;
}

int MPI_Request_free(MPI_Request *q)
{
    struct move *m;

    m = find(*q);
    if (m != NULL)
        forget(m);
    if (*q == unfinished && unfinished != MPI_REQUEST_NULL) {
        *q = MPI_REQUEST_NULL; /* of a barrier that is early */
        return MPI_SUCCESS;
    }
    deliver();
    return NEXT(MPI_Request_free)(q);
}

/* --- Barriers -------------------------------------------------------------------- */

/* All ranks take the same one.  Who is early waits in its next call. */
int MPI_Barrier(MPI_Comm c)
{
    struct move m = { .call = "MPI_Barrier", .barrier = true };
    MPI_Request request;

    deliver();
    if (!is(getenv("FAULT"), "early"))
        return NEXT(MPI_Barrier)(c);
    PMPI_Ibarrier(c, &request);
    if (!is_early(&m))
        return NEXT(MPI_Wait)(&request, MPI_STATUS_IGNORE);
    unfinished = request;
    return MPI_SUCCESS;
}

int MPI_Ibarrier(MPI_Comm c, MPI_Request *q)
{
    struct move m = { .call = "MPI_Ibarrier", .barrier = true };
    int result;

    deliver();
    result = PMPI_Ibarrier(c, q);
    if (is_early(&m)) {
        unfinished = *q;
        *q = MPI_REQUEST_NULL;
    }
    return result;
}

#if defined(HAVE_MPI_ALLREDUCE_INIT)
KEPT(MPI_Barrier_init, (MPI_Comm c, MPI_Info info, MPI_Request *q), (c, info, q), m->barrier = true)
#elif defined(HAVE_MPIX_ALLREDUCE_INIT)
KEPT(MPIX_Barrier_init, (MPI_Comm c, MPI_Info info, MPI_Request *q), (c, info, q),
     m->barrier = true)
#endif

/* --- One-sided operations ---------------------------------------------------------- */

/* What the origin does, as if it arrived here: a put, and an update without a result, can be
   wrong in what is sent.  NULL: the operation is not made. */
static const void *sent(struct move *m, const void *origin, const char *fault, long number)
{
    struct block b = { .at = (char *)origin, .bytes = m->row, .fault = fault, .number = number };

    if (is(fault, "dropped"))
        origin = NULL;
    else if (is(fault, "missing"))
        origin = calloc(1, b.bytes); /* to the end of the job: until it has left */
    else if (is(fault, "byte")) {
        b.at = copy_of(origin, b.bytes);
        *byte_of(&b) ^= 16;
        origin = b.at;
    } else if (is(fault, "stale")) {
        b.at = copy_of(origin, b.bytes);
        make_stale(m, 0, &b);
        return b.at;
    } else {
        if (!m->updates)
            make_stale(m, 0, &b);
        return origin;
    }
    planted(m, fault);
    return origin;
}

/* An update must be aligned. */
static MPI_Aint displaced(const struct move *m, const char *fault, MPI_Aint place, size_t far)
{
    if (!is(fault, "displaced"))
        return place;
    planted(m, fault);
    return place + (MPI_Aint)far;
}

static struct put {
    const void *origin;
    int count, target, target_count;
    MPI_Datatype type, target_type;
    MPI_Aint place;
    MPI_Win win;
    long number;
    bool swaps;
} put_before;

static void make_put(const struct put *p, const void *origin)
{
    NEXT(MPI_Put)
    (origin, p->count, p->type, p->target, p->place, p->target_count, p->target_type, p->win);
}

int MPI_Put(const void *s, int n, MPI_Datatype t, int target, MPI_Aint place, int k, MPI_Datatype u,
            MPI_Win win)
{
    struct move v = { .call = "MPI_Put", .win = win }, *m = &v;
    struct put p = { s, n, target, k, t, u, place, win, -1, false };
    const char *fault;
    const void *origin;

    deliver();
    equal(m, LEAVES, s, n, t, 1);
    fault = fault_of(m, ARRIVES, &p.number);
    p.place = displaced(m, fault, place, 1);
    p.swaps = is(fault, "swapped") && p.number == 0;
    origin = sent(m, s, fault, p.number);
    begin(m);
    keep(m, MPI_REQUEST_NULL, false);
    if ((put_before.swaps || (is(fault, "swapped") && p.number > 0)) &&
        put_before.number == p.number - 1 && put_before.place != p.place) {
        planted(m, "swapped");
        make_put(&p, put_before.origin);
        make_put(&put_before, s);
    } else if (origin != NULL)
        make_put(&p, origin);
    put_before = p;
    return MPI_SUCCESS;
}

int MPI_Get(void *r, int n, MPI_Datatype t, int target, MPI_Aint place, int k, MPI_Datatype u,
            MPI_Win win)
{
    struct move v = { .call = "MPI_Get", .win = win }, *m = &v;

    deliver();
    equal(m, ARRIVES, r, n, t, 1);
    begin(m);
    place = displaced(m, m->block[ARRIVES][0].fault, place, 1);
    if (is(m->block[ARRIVES][0].fault, "displaced"))
        m->block[ARRIVES][0].fault = NULL; /* it is already */
    keep(m, MPI_REQUEST_NULL, false);
    return NEXT(MPI_Get)(r, n, t, target, place, k, u, win);
}

/* An update of a window: how often it is made.  Its result, if it has one, is a block. */
#define UPDATE(name, parameters, arguments, count, type, ...)                                      \
    int name parameters                                                                            \
    {                                                                                              \
        struct move v = { .call = #name, .win = win }, *m = &v;                                    \
        const char *fault;                                                                         \
        long number = -1;                                                                          \
        int times = 1, result = MPI_SUCCESS;                                                       \
                                                                                                   \
        deliver();                                                                                 \
        equal(m, LEAVES, s, count, type, 1);                                                       \
        __VA_ARGS__;                                                                               \
        m->updates = m->n[ARRIVES] > 0;                                                            \
        fault = fault_of(m, m->updates ? COMBINES : ARRIVES, &number);                             \
        if (m->updates && (is(fault, "byte") || is(fault, "stale")))                               \
            fault = NULL;                                                                          \
        place = displaced(m, fault, place, m->element);                                            \
        s = sent(m, s, fault, number);                                                             \
        if (is(fault, "doubled")) {                                                                \
            planted(m, fault);                                                                     \
            times = 2;                                                                             \
        }                                                                                          \
        begin(m);                                                                                  \
        keep(m, MPI_REQUEST_NULL, false);                                                          \
        while (s != NULL && times-- > 0)                                                           \
            result = NEXT(name) arguments;                                                         \
        return result;                                                                             \
    }

/* What the window holds there: compared with that, everything is swapped. */
static const void *held(const struct move *m, MPI_Datatype t, int target, MPI_Aint place,
                        MPI_Win win)
{
    static char value[16];

    planted(m, "always");
    (NEXT(MPI_Fetch_and_op))(NULL, value, t, target, place, MPI_NO_OP, win);
    (NEXT(MPI_Win_flush))(target, win);
    return value;
}

/* clang-format off */
UPDATE(MPI_Accumulate, (const void *s, int n, MPI_Datatype t, int target, MPI_Aint place, int k, MPI_Datatype u, MPI_Op o, MPI_Win win),
    (s, n, t, target, place, k, u, o, win), n, t, )
UPDATE(MPI_Get_accumulate, (const void *s, int n, MPI_Datatype t, void *r, int l, MPI_Datatype w, int target, MPI_Aint place, int k, MPI_Datatype u, MPI_Op o, MPI_Win win),
    (s, n, t, r, l, w, target, place, k, u, o, win), n, t, equal(m, ARRIVES, r, l, w, 1))
UPDATE(MPI_Fetch_and_op, (const void *s, void *r, MPI_Datatype t, int target, MPI_Aint place, MPI_Op o, MPI_Win win),
    (s, r, t, target, place, o, win), 1, t, equal(m, ARRIVES, r, 1, t, 1))
UPDATE(MPI_Compare_and_swap, (const void *s, const void *e, void *r, MPI_Datatype t, int target, MPI_Aint place, MPI_Win win),
    (s, is(fault, "always") ? held(m, t, target, place, win) : e, r, t, target, place, win), 1, t, equal(m, ARRIVES, r, 1, t, 1))
/* clang-format on */

/* What has been begun in that window has now ended. */
static void end_of(MPI_Win win)
{
    struct move *m, *next;

    for (m = open; m != NULL; m = next) {
        next = m->next;
        if (m->request != MPI_REQUEST_NULL || m->win != win)
            continue;
        end(m);
        forget(m);
    }
}

#define SYNCHRONIZED(name, parameters, arguments)                                                  \
    int name parameters                                                                            \
    {                                                                                              \
        int result;                                                                                \
                                                                                                   \
        deliver();                                                                                 \
        result = NEXT(name) arguments;                                                             \
        end_of(win);                                                                               \
        return result;                                                                             \
    }

SYNCHRONIZED(MPI_Win_fence, (int assertion, MPI_Win win), (assertion, win))
SYNCHRONIZED(MPI_Win_flush, (int rank, MPI_Win win), (rank, win))
SYNCHRONIZED(MPI_Win_flush_local, (int rank, MPI_Win win), (rank, win))
SYNCHRONIZED(MPI_Win_unlock, (int rank, MPI_Win win), (rank, win))
SYNCHRONIZED(MPI_Win_unlock_all, (MPI_Win win), (win))
SYNCHRONIZED(MPI_Win_complete, (MPI_Win win), (win))

/* --- The harness ------------------------------------------------------------------- */

/* What it moves is not hit; but its calls are a rank's next call, too. */
#define HARNESS(name, parameters, arguments, ...)                                                  \
    int PMPI_##name parameters                                                                     \
    {                                                                                              \
        deliver();                                                                                 \
        __VA_ARGS__;                                                                               \
        return NEXT(MPI_##name) arguments;                                                         \
    }

/* clang-format off */
HARNESS(Send, (const void *s, int n, MPI_Datatype t, int to, int tag, MPI_Comm c), (s, n, t, to, tag, c), )
HARNESS(Recv, (void *r, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *status), (r, n, t, from, tag, c, status), )
HARNESS(Sendrecv, (const void *s, int n, MPI_Datatype t, int to, int tag, void *r, int k, MPI_Datatype u, int from, int tag2, MPI_Comm c, MPI_Status *status),
    (s, n, t, to, tag, r, k, u, from, tag2, c, status), )
HARNESS(Bcast, (void *r, int n, MPI_Datatype t, int root, MPI_Comm c), (r, n, t, root, c), )
HARNESS(Allreduce, (const void *s, void *r, int n, MPI_Datatype t, MPI_Op o, MPI_Comm c), (s, r, n, t, o, c),
    end_iteration(fault_size(n, t)))
HARNESS(Barrier, (MPI_Comm c), (c), )
/* clang-format on */

int MPI_Query_thread(int *level)
{
    const int result = PMPI_Query_thread(level);

    if (fault_is("single"))
        *level = MPI_THREAD_SINGLE;
    return result;
}
