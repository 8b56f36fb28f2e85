/* SPDX-License-Identifier: BSD-3-Clause */
#include "board.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/simulation.h"
#include "job/signal_text.h"

enum { STATE = 1000, STATES = 8, STEP_MS = 50 };

struct seat {
    atomic_int said; /* its state is there */
    int rank;
    bool told; /* by the one who reads */
    char state[STATE];
};

/* Followed by the seats. */
struct head {
    atomic_int asked, reads, read; /* by any rank; by one; it has been */
};

/* Of this rank alone, as long as none is shared. */
static struct head own_head;
static struct seat own_seat;

static struct {
    struct head *head;
    struct seat *seat;
    int n, mine;
    int states; /* read so far */
} board = { &own_head, &own_seat, .n = 1 };

/* NULL: the ranks of a node do not all share /dev/shm, or it is full. */
static struct head *map(const char *name, int flags, size_t bytes)
{
    const int file = shm_open(name, O_RDWR | flags, 0600);
    void *memory = MAP_FAILED;

    if (file >= 0 &&
        (flags == 0 || posix_fallocate(file, 0, (off_t)bytes) == 0))
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return memory != MAP_FAILED ? memory : NULL;
}

void board_begin(MPI_Comm node, int rank)
{
    char name[64];
    struct timespec now;
    struct head *head = NULL;
    size_t bytes;
    int n, mine, all;

    if (board.head != &own_head || SIMULATED)
        return;
    PMPI_Comm_size(node, &n);
    PMPI_Comm_rank(node, &mine);
    bytes = sizeof *head + (size_t)n * sizeof *board.seat;
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, sizeof name, "/alidade-%ld-%ld.%09ld", (long)getpid(),
             (long)now.tv_sec, now.tv_nsec);
    if (mine == 0)
        head = map(name, O_CREAT | O_EXCL, bytes);
    PMPI_Bcast(name, sizeof name, MPI_CHAR, 0, node);
    if (mine > 0)
        head = map(name, 0, bytes);
    all = head != NULL;
    PMPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, node);
    if (mine == 0)
        shm_unlink(name);
    if (!all)
        return;
    board.seat = (struct seat *)(head + 1);
    board.seat[mine].rank = rank; /* also of one that never says anything */
    board.n = n;
    board.mine = mine;
    board.head = head;
}

void board_ask(void)
{
    atomic_store(&board.head->asked, 1);
}

bool board_is_asked(void)
{
    return atomic_load(&board.head->asked) &&
           !atomic_load(&board.seat[board.mine].said);
}

void board_post(int rank, const char *state)
{
    struct seat *const mine = &board.seat[board.mine];

    mine->rank = rank;
    mine->state[0] = '\0';
    signal_append(mine->state, STATE, state);
    atomic_store(&mine->said, 1);
}

static bool have_all_said(void)
{
    int i = 0;

    while (i < board.n && atomic_load(&board.seat[i].said))
        i++;
    return i == board.n;
}

bool board_reads(unsigned seconds)
{
    const struct timespec step = { .tv_nsec = STEP_MS * 1000000L };
    const unsigned steps = seconds * (1000 / STEP_MS);

    for (unsigned i = 0; i < steps && !have_all_said(); i++)
        nanosleep(&step, NULL);
    if (atomic_exchange(&board.head->reads, 1) == 0)
        return true;
    for (unsigned i = 0; i < steps && !atomic_load(&board.head->read); i++)
        nanosleep(&step, NULL);
    return false;
}

void board_read(void)
{
    atomic_store(&board.head->read, 1);
}

/* What that rank says. */
static const char *state_of(const struct seat *p)
{
    return atomic_load(&p->said) ? p->state
                                 : "says nothing: it has ended, or is stopped;";
}

static bool is_like(const struct seat *a, const struct seat *b)
{
    return !b->told && strcmp(state_of(a), state_of(b)) == 0;
}

/* The state not told yet that fewest are in, and of two those who wait last; NULL: none is left. */
static const struct seat *rarest(void)
{
    const struct seat *seat = board.seat, *found = NULL;
    int least = 0;

    for (int i = 0; i < board.n; i++) {
        int n = 0;

        for (int k = 0; k < board.n; k++)
            n += 2 * is_like(&seat[i], &seat[k]);
        n += strstr(state_of(&seat[i]), "waiting for other ranks") != NULL;
        if (!seat[i].told && (found == NULL || n < least)) {
            found = &seat[i];
            least = n;
        }
    }
    return found;
}

static void append_ranks(char *who, size_t room, int from, int to)
{
    signal_append(who, room, who[0] != '\0' ? "," : "");
    signal_append_number(who, room, from);
    if (to > from) {
        signal_append(who, room, "-");
        signal_append_number(who, room, to);
    }
}

const char *board_next(char *who, size_t room)
{
    struct seat *seat = board.seat;
    const struct seat *const like = rarest();
    const bool all = board.states++ == STATES;
    int from = -1, to = -2;

    who[0] = '\0';
    if (like == NULL)
        return NULL;
    const char *const state = all ? "somewhere else;" : state_of(like);

    for (int i = 0; i < board.n; i++) {
        if (seat[i].told || (!all && strcmp(state_of(&seat[i]), state) != 0))
            continue;
        seat[i].told = true;
        if (seat[i].rank != to + 1) {
            if (from >= 0)
                append_ranks(who, room, from, to);
            from = seat[i].rank;
        }
        to = seat[i].rank;
    }
    append_ranks(who, room, from, to);
    return state;
}
