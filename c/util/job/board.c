/* SPDX-License-Identifier: BSD-3-Clause */
#include "board.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/simulation.h"
#include "signal_text.h"

enum { STATE = 1000, STATES = 8, STEP_MS = 50 };

struct place {
    atomic_int said, asked; /* said: its state is there; asked: by it */
    int rank;
    bool told; /* by the one who reads */
    char state[STATE];
};

struct board {
    unsigned long token; /* no other file is taken for it */
    atomic_int asked, read;
    struct place place[];
};

/* How the others find it. */
struct share {
    long process;
    int file;
    unsigned long token;
};

static struct {
    struct board *board;
    int n, mine;
    int states; /* read so far */
} own;

static struct board *map(int file, size_t bytes)
{
    struct stat there;
    void *memory = MAP_FAILED;

    if (file >= 0 && fstat(file, &there) == 0 && there.st_size == (off_t)bytes)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return memory != MAP_FAILED ? memory : NULL;
}

static struct board *create(struct share *s, size_t bytes)
{
    struct timespec now;
    struct board *board;

    clock_gettime(CLOCK_REALTIME, &now);
    s->process = (long)getpid();
    s->token =
        (unsigned long)now.tv_nsec * 4294967291UL + (unsigned long)getpid();
    s->file = memfd_create("alidade-board", MFD_CLOEXEC);
    if (s->file < 0 || ftruncate(s->file, (off_t)bytes) != 0)
        return NULL;
    board = map(s->file, bytes);
    if (board != NULL)
        board->token = s->token;
    return board;
}

static struct board *open_of(const struct share *s, size_t bytes)
{
    char path[64] = "/proc/";
    struct board *board;
    int file;

    signal_append_number(path, sizeof path, s->process);
    signal_append(path, sizeof path, "/fd/");
    signal_append_number(path, sizeof path, s->file);
    file = open(path, O_RDWR | O_CLOEXEC);
    board = map(file, bytes);
    if (file >= 0)
        close(file);
    /* In another PID namespace the number may be another process's. */
    return board != NULL && board->token == s->token ? board : NULL;
}

void board_begin(MPI_Comm node, int rank)
{
    struct share share = { .file = -1 };
    size_t bytes;
    int all;

    if (own.board != NULL || SIMULATED)
        return;
    MPI_Comm_size(node, &own.n);
    MPI_Comm_rank(node, &own.mine);
    bytes = sizeof *own.board + (size_t)own.n * sizeof *own.board->place;
    if (own.mine == 0)
        own.board = create(&share, bytes);
    MPI_Bcast(&share, sizeof share, MPI_BYTE, 0, node);
    if (own.mine > 0)
        own.board = open_of(&share, bytes);
    all = own.board != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, node);
    if (own.mine == 0 && share.file >= 0)
        close(share.file);
    if (all)
        own.board->place[own.mine].rank = rank;
    else
        own.board = NULL;
}

bool board_ask(void)
{
    if (own.board == NULL || atomic_load(&own.board->read))
        return false;
    atomic_store(&own.board->place[own.mine].asked, 1);
    atomic_store(&own.board->asked, 1);
    return true;
}

bool board_is_asked(void)
{
    return own.board != NULL && atomic_load(&own.board->asked) &&
           !atomic_load(&own.board->place[own.mine].said);
}

void board_post(const char *state)
{
    struct place *const mine = &own.board->place[own.mine];

    mine->state[0] = '\0';
    signal_append(mine->state, STATE, state);
    atomic_store(&mine->said, 1);
}

static bool have_all_said(void)
{
    int i = 0;

    while (i < own.n && atomic_load(&own.board->place[i].said))
        i++;
    return i == own.n;
}

static int first_asking(void)
{
    int i = 0;

    while (i < own.mine && !atomic_load(&own.board->place[i].asked))
        i++;
    return i;
}

bool board_reads(unsigned seconds)
{
    const struct timespec step = { .tv_nsec = STEP_MS * 1000000L };
    const unsigned steps = seconds * (1000 / STEP_MS);

    for (unsigned i = 0; i < steps && !have_all_said(); i++)
        nanosleep(&step, NULL);
    if (first_asking() == own.mine)
        return true;
    /* The reader may have begun to wait later. */
    for (unsigned i = 0; i < 2 * steps && !atomic_load(&own.board->read); i++)
        nanosleep(&step, NULL);
    return false;
}

void board_read(void)
{
    atomic_store(&own.board->read, 1);
}

/* What that rank says. */
static const char *state_of(const struct place *p)
{
    return atomic_load(&p->said) ? p->state
                                 : "says nothing: it has ended, or is stopped;";
}

static bool is_like(const struct place *a, const struct place *b)
{
    return !b->told && strcmp(state_of(a), state_of(b)) == 0;
}

/* The state not told yet that fewest are in; NULL: none is left. */
static const struct place *rarest(void)
{
    const struct place *place = own.board->place, *found = NULL;
    int least = 0;

    for (int i = 0; i < own.n; i++) {
        int n = 0;

        for (int k = 0; k < own.n; k++)
            n += is_like(&place[i], &place[k]);
        if (!place[i].told && (found == NULL || n < least)) {
            found = &place[i];
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
    struct place *place = own.board->place;
    const struct place *const like = rarest();
    const bool all = own.states++ == STATES;
    int from = -1, to = -2;

    who[0] = '\0';
    if (like == NULL)
        return NULL;
    const char *const state = all ? "somewhere else;" : state_of(like);

    for (int i = 0; i < own.n; i++) {
        if (place[i].told || (!all && strcmp(state_of(&place[i]), state) != 0))
            continue;
        place[i].told = true;
        if (place[i].rank != to + 1) {
            if (from >= 0)
                append_ranks(who, room, from, to);
            from = place[i].rank;
        }
        to = place[i].rank;
    }
    append_ranks(who, room, from, to);
    return state;
}
