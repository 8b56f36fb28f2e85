/* SPDX-License-Identifier: BSD-3-Clause */
#include "suite.h"

#include <stdlib.h>
#include <string.h>

#include "dry_run/dry_run.h"
#include "job/world.h"
#include "report/report.h"
#include "run/run.h"
#include "timing/clock.h"

/* a, b and c in one; to be freed. */
static char *join(const char *a, const char *b, const char *c)
{
    char *text;

    if (asprintf(&text, "%s%s%s", a, b, c) < 0)
        world_no_memory("options");
    return text;
}

/* What makes a file of the word, if it names a folder for result files, or "--json" before it
   says so: "/latency.json" has that ending. */
static const char *ending(const char *word, const char *before)
{
    static const char *const option[][2] = { { "--json", ".json" }, { "--csv", ".csv" } };

    for (size_t i = 0; i < sizeof option / sizeof *option; i++) {
        const size_t n = strlen(option[i][0]);
        const bool attached = strncmp(word, option[i][0], n) == 0 && word[n] == '=';

        if ((attached || strcmp(before, option[i][0]) == 0) && word[strlen(word) - 1] == '/')
            return option[i][1];
    }
    return NULL;
}

static const struct {
    const char *shortest; /* the word that means its option */
    size_t at;            /* its seconds, in the settings */
} shared[PART_TIMES] = {
    [PART_TOTAL] = { "--tot", offsetof(struct settings, total_s) },
    [PART_SOAK] = { "--veri", offsetof(struct settings, verify.soak_s) },
};

void part_take_line(struct part *part, int line, char *rest)
{
    char *next, *word;

    part->line = line;
    part->own = world_room(strlen(rest) / 2 + 1, sizeof *part->own, "options");
    for (word = strtok_r(rest, PART_BLANKS, &next); word != NULL;
         word = strtok_r(NULL, PART_BLANKS, &next)) {
        part->own[part->owns++] = word;
        for (int i = 0; i < PART_TIMES; i++)
            part->has_time[i] |= strncmp(word, shared[i].shortest, strlen(shared[i].shortest)) == 0;
    }
}

static void add_words(struct part *part, int words, char **word)
{
    for (int i = 0; i < words; i++) {
        const char *end = ending(word[i], i > 0 ? word[i - 1] : "");

        part->argv[part->argc++] =
            join(word[i], end != NULL ? part->program->bench->name : "", end != NULL ? end : "");
    }
}

static void skip(struct part *part, const char *why)
{
    part->state = PART_SKIPPED;
    snprintf(part->why, sizeof part->why, "%.399s", why);
}

/* Why it cannot begin where MPI has begun; NULL: it can. */
static const char *needs_start(const struct part *part)
{
    const struct bench *b = part->program->bench;
    const unsigned how = run_how(b, &part->settings);
    const char *family = bench_family(b)->name;

    if (how & STARTUP_BY_SESSION)
        return "starts MPI by a session";
    if (how & STARTUP_BARRIERS)
        return "measures the start of MPI";
    if (how & STARTUP_THREADS)
        return "needs MPI_THREAD_MULTIPLE";
    return family != NULL && strcmp(family, "processes") == 0 ? "forks processes" : NULL;
}

/* The command that runs it alone. */
static void skip_start(struct part *part, const char *reason)
{
    const struct bench *b = part->program->bench;
    char example[300], word[LAUNCH_WORD];

    launch_example(example, sizeof example, b->ranks.min, part->file);
    skip(part, "");
    snprintf(part->why, sizeof part->why, "%s; alone: %s", reason, example);
    for (int i = 1; i < part->argc; i++)
        snprintf(part->why + strlen(part->why), sizeof part->why - strlen(part->why), " %s",
                 launch_word(part->argv[i], word));
}

/* The outcome of the exit code, and of what was said on any rank. */
static void conclude(struct part *part)
{
    char *end;

    if (part->code == EXIT_OK) {
        part->state = PART_RAN;
        return;
    }
    skip(part, part->said.why[0] != '\0' ? part->said.why : message_reason(part->code));
    /* A wrong value of an option is no reason to pass.  The rank that speaks knows which it is. */
    if (part->code == EXIT_USAGE ? part->said.why[0] != '\0' && part->said.id != E43_NOT_TAKEN
                                 : part->code != EXIT_CANNOT_RUN)
        part->state = PART_FAILED;
    end = strstr(part->why, ". ");
    if (end == NULL && strlen(part->why) > 0)
        end = part->why + strlen(part->why) - 1;
    if (end != NULL && (*end == '.' || *end == ';'))
        *end = '\0';
}

/* Messages are those of this program, which keeps its error; NULL: of the suite. */
static void listen_to(struct part *part)
{
    message_kept = part != NULL ? &part->said : NULL;
    message_program = part != NULL ? part->program->bench->name : "suite";
}

void part_read(struct part *part, char *file, int options, char **option)
{
    const char *start;

    part->file = file;
    part->argv =
        world_room((size_t)options + (size_t)part->owns + 2, sizeof *part->argv, "options");
    part->argv[part->argc++] = join(file, "", "");
    add_words(part, options, option);
    add_words(part, part->owns, part->own);
    listen_to(part);
    if (!command_line_read(part->program->bench, part->argc, part->argv, &part->settings,
                           &part->code)) {
        if (part->code == EXIT_OK)
            part->state = PART_SAID;
        else
            conclude(part);
    } else if (!dry_run_is_wanted(&part->settings) && (start = needs_start(part)) != NULL)
        skip_start(part, start);
    listen_to(NULL);
}

bool part_is_wrong(const struct part *part)
{
    struct part alone = { .program = part->program, .own = part->own, .owns = part->owns };

    if (part->code != EXIT_USAGE || part->line == 0)
        return false;
    part_read(&alone, join(part->file, "", ""), 0, NULL);
    alone.own = NULL; /* the other's */
    part_release(&alone);
    return alone.code == EXIT_USAGE;
}

void part_release(struct part *part)
{
    settings_release(&part->settings);
    for (int i = 0; i < part->argc; i++)
        free(part->argv[i]);
    free(part->argv);
    free(part->own);
    free(part->file);
}

/* What the first rank said that said something, on rank 0.  What that said itself stays,
   whatever an MPI makes of the numbers whose data is wrong. */
static void tell_root(struct refusal *said, MPI_Comm comm)
{
    int rank, size, mine, first;

    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    first = mine = said->why[0] != '\0' ? rank : size;
    PMPI_Reduce(&mine, &first, 1, MPI_INT, MPI_MIN, 0, comm);
    if (rank == 0 && mine == 0)
        first = 0;
    PMPI_Bcast(&first, 1, MPI_INT, 0, comm);
    if (first <= 0 || first >= size)
        return;
    if (rank == first)
        PMPI_Send(said, sizeof *said, MPI_BYTE, 0, 0, comm);
    if (rank == 0)
        PMPI_Recv(said, sizeof *said, MPI_BYTE, first, 0, comm, MPI_STATUS_IGNORE);
}

/* Make of the time of all what is left for this program, alike on all ranks; -1: nothing. */
static void take_share(double *time_s, const struct world_start *mpi, double gone_s,
                       int programs_left)
{
    double share_s = (*time_s - gone_s) / programs_left;

    if (*time_s <= 0)
        return;
    if (mpi->begun)
        PMPI_Bcast(&share_s, 1, MPI_DOUBLE, 0, mpi->all);
    else
        share_s = *time_s / programs_left;
    *time_s = share_s > 0 ? share_s : -1;
}

void part_run(struct part *part, struct world_start *startup, double gone_s, int programs_left)
{
    const struct bench *b = part->program->bench;
    const double before = clock_witness_s();

    for (int i = 0; i < PART_TIMES; i++)
        if (!part->has_time[i])
            take_share((double *)((char *)&part->settings + shared[i].at), startup, gone_s,
                       programs_left);
    if (part->settings.total_s < 0) {
        skip(part, "no time is left of --total");
        return;
    }
    part->soak_over = part->settings.verify.soak_s < 0;
    if (part->soak_over)
        part->settings.verify = (struct verification){ .given = true, .n = 1 };
    listen_to(part);
    part->code = command_line_check(b, &part->settings);
    if (part->code == EXIT_OK)
        part->code =
            run_program(b, &part->settings, startup, part->argc, part->argv, &part->verified);
    listen_to(NULL);
    if (startup->begun)
        tell_root(&part->said, startup->all);
    part->seconds = clock_witness_s() - before;
    conclude(part);
}

void part_plan(struct part *part, int *sum)
{
    listen_to(part);
    part->code = output_flush(dry_run(part->program->bench, &part->settings, sum));
    listen_to(NULL);
    conclude(part);
    if (part->state == PART_RAN)
        part->state = PART_SAID;
}
