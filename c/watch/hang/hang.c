/* SPDX-License-Identifier: BSD-3-Clause */
#include "hang.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/simulation.h"
#include "job/placement.h"
#include "job/progress.h"
#include "job/world.h"
#include "record/fresh_file.h"
#include "screen/screen.h"

/* --- What is asked for ------------------------------------------------------------ */

static const struct option_row rows[] = {
    { 0, "timeout", "TIME", .group = OPTIONS_RUN,
      .help = "abort a run without progress for this long; MPI_Init gets at least 30s; 0: never",
      .fallback = "60s", .kind = OPTION_SECONDS },
    { 0 },
};

static void begin_options(void *asked, const struct bench *b, const struct settings *s)
{
    ((struct hang_asked *)asked)->timeout_s = 60;
}

static const char *conflict(const struct settings *s)
{
    const double timeout_s = ASKED(hang, s)->timeout_s;

    return timeout_s > 0 && (timeout_s < 0.1 || timeout_s > 1e6)
               ? "--timeout must be 0 (never) or between 0.1 s and 1e6 s"
               : NULL;
}

const struct option_part hang_options = {
    .rows = rows, .size = sizeof(struct hang_asked), .begin = begin_options, .conflict = conflict
};

/* --- Where this process is: its MPI call and its stack ------------------------------- */

enum { DEEPEST = 64, SHOWN = 8 };

/* The function at an address, its library, and where that is loaded; NULL: unknown. */
static Dl_info frame_of(void *address)
{
    Dl_info info = { .dli_fname = NULL };

    dladdr(address, &info);
    return info;
}

/* "MPI_Send" for MPI_Send and PMPI_Send; NULL: it is no call of MPI. */
static const char *call_of(const Dl_info *f)
{
    const char *const name = f->dli_sname;

    if (name == NULL)
        return NULL;
    return strncmp(name, "PMPI_", 5) == 0 ? name + 1 : strncmp(name, "MPI_", 4) == 0 ? name : NULL;
}

static void append_frame(char *text, size_t room, const Dl_info *f)
{
    if (f->dli_sname == NULL)
        signal_append(text, room, "? of ");
    signal_append(text, room,
                  f->dli_sname != NULL   ? f->dli_sname
                  : f->dli_fname != NULL ? basename(f->dli_fname)
                                         : "no file");
}

/* "call=MPI_Send; stack=... < ...; " of the thread that a signal has interrupted: the call of MPI
   nearest to the program, and the functions inside it.  In a handler of this file. */
static void stack_describe(char *text, size_t room)
{
    void *address[DEEPEST];
    const int n = backtrace(address, DEEPEST);
    const void *own = frame_of(address[0]).dli_fbase;
    int first = 0, end;
    Dl_info f;

    /* The handler itself, and what the kernel returns to after it. */
    while (first < n && frame_of(address[first]).dli_fbase == own)
        first++;
    first++;
    for (end = n - 1; end >= first; end--) {
        f = frame_of(address[end]);
        if (call_of(&f) != NULL) {
            signal_append(text, room, "call=");
            signal_append(text, room, call_of(&f));
            signal_append(text, room, "; ");
            break;
        }
    }
    if (end < first)
        end = n;
    if (first >= end)
        return;
    signal_append(text, room, "stack=");
    for (int i = first; i < end && i < first + SHOWN; i++) {
        f = frame_of(address[i]);
        signal_append(text, room, i > first ? " < " : "");
        append_frame(text, room, &f);
    }
    signal_append(text, room, "; ");
}

/* --- Where the ranks of a node are --------------------------------------------------- */

/*
 * Memory of the ranks of a node, in which each says where it is when nothing moves: one of them
 * can then name those that differ.
 *
 *   who                              writes                  so that
 *   a rank in which nothing moves    asked, for all          the others say where they are
 *   each rank that sees that         its seat, then said     there is something to read
 *   who has waited for all seats     reads, the first alone  one rank prints, by board_next
 *   that rank                        read                    all may end the job
 *
 * Nobody waits for ever: a seat that stays empty, as of a rank that a debugger holds, is
 * printed as silent when the time of board_reads is over.
 *
 * Signal handlers call what follows board_begin, so that neither allocates nor prints by stdio,
 * and MPI is not called.
 */
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

    if (file >= 0 && (flags == 0 || posix_fallocate(file, 0, (off_t)bytes) == 0))
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return memory != MAP_FAILED ? memory : NULL;
}

/* Share it, once in a process.  Where the ranks cannot, or until then, each has its own.  rank: in
   the job.  Collective over the ranks of the node. */
static void board_begin(MPI_Comm node, int rank)
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
    snprintf(name, sizeof name, "/alidade-%ld-%ld.%09ld", (long)getpid(), (long)now.tv_sec,
             now.tv_nsec);
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

/* Wait until it is set, at most so many steps; those that are left. */
static unsigned wait_for(const atomic_int *flag, unsigned steps)
{
    const struct timespec step = { .tv_nsec = STEP_MS * 1000000L };

    for (; steps > 0 && !atomic_load(flag); steps--)
        nanosleep(&step, NULL);
    return steps;
}

/* Wait until all have said it, at most so long.  Is this the first rank that has waited, which
   reads it?  The others return when it has been read. */
static bool board_reads(unsigned seconds)
{
    const unsigned steps = seconds * (1000 / STEP_MS);
    unsigned left = steps;

    for (int i = 0; i < board.n; i++)
        left = wait_for(&board.seat[i].said, left);
    if (atomic_exchange(&board.head->reads, 1) == 0)
        return true;
    wait_for(&board.head->read, steps);
    return false;
}

/* What that rank says. */
static const char *state_of(const struct seat *p)
{
    return atomic_load(&p->said) ? p->state : "says nothing: it has ended, or is stopped;";
}

/* The state not told yet that fewest are in, and of two those who wait last; NULL: none is left. */
static const struct seat *rarest(void)
{
    const struct seat *seat = board.seat, *found = NULL;
    int least = 0;

    for (int i = 0; i < board.n; i++) {
        int n = 0;

        for (int k = 0; k < board.n; k++)
            n += 2 * (!seat[k].told && strcmp(state_of(&seat[i]), state_of(&seat[k])) == 0);
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

/* Ranks that say the same, as "0-22,24": those that fewest say first.  After so many states
   all the rest together.  NULL: no more.  *who is cut to its room. */
static const char *board_next(char *who, size_t room)
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

/* --- Nothing moves ------------------------------------------------------------------- */

/*
 * The signal handler of a timer reads what the process is doing (job/progress.h) and the
 * counters that the loop control advances anyway, eight times in one timeout.  It does not
 * call MPI, and there is no second thread: a program with threads would have to ask MPI for
 * a thread level, and Open MPI 4.1 then takes 130 ns longer for a small message.  Each rank
 * watches itself; a job in which one rank hangs stops on all.
 */
enum {
    LOOKS = 8,    /* within one timeout */
    IDLE = 10,    /* timeouts that a waiting rank waits */
    START_S = 30, /* at least, for the start of all ranks */
    STARTERS = 4, /* of a host that speak then: they do not know each other */
};

static struct {
    int local; /* of the ranks of the host; negative: unknown */
    double timeout_s;
    long last; /* what had been made at the last look */
    int still; /* looks since something moved */
    bool running;
    timer_t timer;
} dog;

const char watchdog_at_start[] =
    "The processes do not reach each other. Check whether all hosts started theirs, whether "
    "launcher and MPI library belong together, and whether a firewall or a wrong network "
    "interface separates the hosts. Try one host, then two. Of each host at most four ranks say this.";
const char watchdog_at_end[] =
    "The table is not affected. Look for a rank that has crashed or that reports another phase. "
    "If there is none, try another transport of the MPI library, and host memory: the library "
    "waits for the network or the GPU.";

/* The first line of a message, and the second. */
static void say(enum message_id id, const char *text)
{
    char line[2000] = "alidade: error ";
    const char *const part[] = { messages[id].number, ": ", message_program, ": ", text, "\n" };

    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        signal_append(line, sizeof line, part[i]);
    screen_say(line);
}

static void advise(enum message_id id)
{
    const char *const advice = id == E15_NO_PROGRESS && progress.starting ? watchdog_at_start
                               : progress.ending                          ? watchdog_at_end
                                                                          : messages[id].advice;
    char line[500] = "    ";

    signal_append(line, sizeof line, advice);
    signal_append(line, sizeof line, "\n");
    screen_say(line);
}

/* Looks without any move after which the job ends. */
static double patience(void)
{
    const double start = LOOKS * START_S / dog.timeout_s;

    if (progress.waiting || progress.slow)
        return IDLE * LOOKS;
    return progress.starting && start > LOOKS ? start : LOOKS;
}

/* Of one rank or of several. */
static void say_still(const char *who, const char *state)
{
    char text[1800] = "no progress for ";

    signal_append_number(text, sizeof text, (long)(dog.timeout_s * patience() / LOOKS + 0.5));
    signal_append(text, sizeof text, " s; ");
    progress_append_who(text, sizeof text, who);
    signal_append(text, sizeof text, state);
    say(E15_NO_PROGRESS, text);
}

/* Say where this rank is to the one that speaks for all of the node, if one asks. */
static void answer(void)
{
    struct seat *const mine = &board.seat[board.mine];

    if (!atomic_load(&board.head->asked) || atomic_load(&mine->said))
        return;
    mine->rank = progress.rank;
    mine->state[0] = '\0';
    progress_describe(mine->state, STATE);
    stack_describe(mine->state, STATE);
    atomic_store(&mine->said, 1);
}

static void give_up(void)
{
    const struct itimerspec never = { { 0, 0 }, { 0, 0 } };
    /* The other ranks notice within one look.  Let them speak as well before the launcher
       ends them. */
    const unsigned rest = (unsigned)(dog.timeout_s / LOOKS) + 2;
    char who[400] = "";
    const char *state;

    timer_settime(dog.timer, 0, &never, NULL);
    atomic_store(&board.head->asked, 1);
    answer();
    if (board_reads(rest) && (!progress.starting || dog.local < STARTERS)) {
        while ((state = board_next(who, sizeof who)) != NULL)
            say_still(who, state);
        advise(E15_NO_PROGRESS);
        atomic_store(&board.head->read, 1);
    }
    progress_say_last_words();
    sleep(rest);
    _exit(messages[E15_NO_PROGRESS].code);
}

static void on_timer(int signal_number)
{
    const long made = progress_made();

    /* Whichever thread is interrupted, also one of the MPI library. */
    if (!pthread_equal(progress.reporter, pthread_self())) {
        pthread_kill(progress.reporter, signal_number);
        return;
    }
    answer();
    dog.still = made == dog.last ? dog.still + 1 : 0;
    dog.last = made;
    if (dog.still >= patience())
        give_up();
}

void watchdog_begin(double timeout_s)
{
    const double step = timeout_s / LOOKS;
    const struct timespec interval = { (time_t)step, (long)((step - (double)(time_t)step) * 1e9) };
    const struct itimerspec every = { interval, interval };
    struct sigaction action = { .sa_handler = on_timer, .sa_flags = SA_RESTART };
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 3 };
    void *address[1];

    dog.local = launch_local_rank();
    dog.timeout_s = timeout_s;
    dog.last = dog.still = 0;
    progress.append_call = stack_describe;
    backtrace(address, 1); /* the first call loads a library */
    /* A signal would reach whichever simulated rank is running. */
    if (timeout_s <= 0 || SIMULATED)
        return;
    sigemptyset(&action.sa_mask);
    sigaction(event.sigev_signo, &action, NULL);
    dog.running = timer_create(CLOCK_MONOTONIC, &event, &dog.timer) == 0 &&
                  timer_settime(dog.timer, 0, &every, NULL) == 0;
}

void watchdog_end(void)
{
    if (dog.running)
        timer_delete(dog.timer);
    dog.running = false;
}

/* --- A process that ends before its time --------------------------------------------- */

/* The first: a launcher ends the other ranks, which are not to blame; or the user ends all of
   them.  The last: a library that has seen for itself that it cannot go on. */
static const struct {
    int number;
    const char *name; /* NULL: nothing is said */
} crashes[] = { { SIGTERM, NULL },
                { SIGINT, NULL },
                { SIGHUP, NULL },
                { SIGSEGV, "crash (SIGSEGV)" },
                { SIGBUS, "crash (SIGBUS)" },
                { SIGFPE, "crash (SIGFPE)" },
                { SIGILL, "crash (SIGILL)" },
                { SIGABRT, "crash (SIGABRT)" } };
enum { CRASHES = sizeof crashes / sizeof *crashes };

static struct {
    bool watched;
    struct sigaction before[CRASHES];
} crash;

/* A stack that has overflowed has no room for the handler. */
static char own_stack[64 * 1024];

static enum exit_code say_end(const char *what)
{
    const enum message_id id = progress.mem != NULL ? E04_CRASH : E38_SIGNAL;
    char text[1500] = "";
    const size_t room = sizeof text;

    signal_append(text, room, what);
    if (progress.mem != NULL) {
        signal_append(text, room, " on a buffer of a GPU; mem=");
        signal_append(text, room, progress.mem);
    }
    signal_append(text, room, "; ");
    progress_locate(text, room);
    say(id, text);
    advise(id);
    progress_say_last_words();
    if (progress.mem != NULL)
        _exit(messages[id].code);
    return messages[id].code;
}

/* Launchers may take a rank that leaves with 0 for one that has done its work. */
static void on_exit_by_others(void)
{
    if (crash.watched && !progress.spoken)
        _exit(say_end("something called exit"));
}

static void on_crash(int number)
{
    int i = 0;

    while (i < CRASHES - 1 && crashes[i].number != number)
        i++;
    if (crashes[i].name == NULL && fresh_files_defer(number))
        return;
    if (crashes[i].name != NULL)
        say_end(crashes[i].name);
    else
        progress_say_last_words();
    sigaction(number, &crash.before[i], NULL);
    raise(number); /* waits until this handler has returned */
}

/* From now on SIGSEGV, SIGBUS, SIGFPE, SIGILL and SIGABRT are reported (E38): the rank, its row
   and the MPI call; and so is a call of exit, whose code is then E38's.  Then the signal goes
   where it would have gone, to a handler of the MPI library or to a core file.  SIGTERM, SIGINT
   and SIGHUP are not reported, but files that are whole get their names (record/fresh_file.h).
   MPI has started, and has set handlers of its own. */
static enum exit_code watch_signals(const struct context *c)
{
    const stack_t stack = { .ss_sp = own_stack, .ss_size = sizeof own_stack };
    struct sigaction action = { .sa_handler = on_crash };

    /* A signal would reach whichever simulated rank is running. */
    if (SIMULATED)
        return EXIT_OK;
    sigaltstack(&stack, NULL);
    for (int i = 0; i < CRASHES; i++) {
        action.sa_flags = SA_ONSTACK | (crashes[i].name != NULL ? (int)SA_RESETHAND : SA_RESTART);
        sigaction(crashes[i].number, &action, &crash.before[i]);
        if (crash.before[i].sa_handler == SIG_IGN) /* as nohup wants it */
            sigaction(crashes[i].number, &crash.before[i], NULL);
    }
    crash.watched = true;
    atexit(on_exit_by_others);
    return EXIT_OK;
}

/* --- The moments ------------------------------------------------------------------ */

static enum exit_code begin(const struct context *c)
{
    watchdog_begin(ASKED(hang, c->settings)->timeout_s);
    return EXIT_OK;
}

static void placed(const struct context *c, struct surroundings *around)
{
    board_begin(c->placement->node, c->world->rank);
}

static enum exit_code finish(const struct context *c, enum exit_code code)
{
    for (int i = 0; crash.watched && i < CRASHES; i++)
        sigaction(crashes[i].number, &crash.before[i], NULL);
    crash.watched = false;
    watchdog_end();
    return code;
}

const struct watcher hang_watcher = {
    .begin = begin, .open = watch_signals, .placed = placed, .close = finish
};
