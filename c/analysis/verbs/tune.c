/* SPDX-License-Identifier: BSD-3-Clause */
/* tune - which algorithm of a collective operation is taken at which size. */
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "tuning/choice.h"
#include "tuning/tuned_print.h"
#include "tuning/tuned_rules.h"
#include "verbs.h"

static struct {
    const char *mpi, *control, *output, *json;
    bool next;
    enum tune_library flavour;
    struct tune_place place[TUNE_PLACES];
    size_t places;
} given;

static const struct tool_option options[] = {
    { "mpi", 0, "NAME", "openmpi or mpich", &given.mpi, NULL },
    { "next", 0, NULL,
      "print only what new runs are to confirm, a line\n"
      "each: operation, ranks, settings; write what\n"
      "is chosen to FOLDER/confirm.rules",
      &given.next, NULL },
    { "control", 0, "OPERATION",
      "print the settings of algorithms, a line each", &given.control, NULL },
    { "output", 0, "FILE", "rules (Open MPI) or variables (MPICH)",
      &given.output, NULL },
    { "json", 0, "FILE", "also write all sizes as JSON", &given.json, NULL },
    { .name = NULL }
};

static bool take_library(char why[WHY])
{
    struct nearest near;

    if (given.mpi == NULL)
        return refuse(why, "--mpi is required");
    given.flavour = strcmp(given.mpi, "mpich") == 0 ? TUNE_MPICH : TUNE_OPENMPI;
    if (given.flavour == TUNE_MPICH || strcmp(given.mpi, "openmpi") == 0)
        return true;
    near = (struct nearest){ .text = given.mpi, .length = strlen(given.mpi) };
    nearest_offer(&near, "openmpi");
    nearest_offer(&near, "mpich");
    return refuse(why, "--mpi '%s' is neither openmpi nor mpich%s", given.mpi,
                  nearest_question(&near, ""));
}

/* OPERATION:RANKS=FOLDER */
static bool place_of(struct tune_place *p, const char *word, char why[WHY])
{
    const size_t room = sizeof p->operation - 1;
    const size_t n = strcspn(word, ":");
    char *end = NULL;
    long ranks = 0;

    *p = (struct tune_place){ .ranks = 0 };
    if (n > 0 && n <= room && word[n] == ':')
        ranks = strtol(word + n + 1, &end, 10);
    if (ranks < 1 || ranks > 1 << 30 || *end != '=' || end[1] == '\0' ||
        strlen(end) > sizeof p->folder)
        return refuse(why, "'%s' is not OPERATION:RANKS=FOLDER", word);
    memcpy(p->operation, word, n);
    memcpy(p->folder, end + 1, strlen(end + 1));
    p->ranks = (int)ranks;
    if (!tuned_is_known(given.flavour, p->operation))
        return refuse(why, "Open MPI's rules for '%s' are not known",
                      p->operation);
    return tune_place_read(p, why);
}

static int by_operation(const void *a, const void *b)
{
    const struct tune_place *x = a, *y = b;
    const int names = strcmp(x->operation, y->operation);

    return names != 0 ? names : (x->ranks > y->ranks) - (x->ranks < y->ranks);
}

/* Places that are chosen together: of MPICH, those of an operation. */
static size_t end_of(size_t i)
{
    size_t end = i + 1;

    while (given.flavour == TUNE_MPICH && end < given.places &&
           strcmp(given.place[end].operation, given.place[i].operation) == 0)
        end++;
    return end;
}

/* Hold what is chosen for places i to end - 1 against the new runs.  False: they cannot be
   read. */
static bool confirm(size_t i, size_t end, char why[WHY])
{
    struct tune_trial anew[TUNE_PLACES];
    bool good = true;
    size_t read = 0;

    while (good && i + read < end) {
        good = tune_confirm_read(&anew[read], &given.place[i + read], why);
        read += good;
    }
    if (good)
        choice_confirm(&given.place[i], anew, end - i, given.flavour);
    while (read > 0)
        tune_trial_release(&anew[--read]);
    return good;
}

static bool search(char why[WHY])
{
    bool good = true;
    size_t end;

    for (size_t i = 0; i < given.places && good; i = end) {
        end = end_of(i);
        choice_search(&given.place[i], end - i, given.flavour);
        if (!given.next && choice_any(&given.place[i]))
            good = confirm(i, end, why);
    }
    return good;
}

static bool write_rules(FILE *to, const void *place)
{
    tuned_write(to, given.flavour, place, 1);
    return !ferror(to);
}

/* What new runs are to confirm. */
static bool print_next(char why[WHY])
{
    for (size_t i = 0; i < given.places; i++) {
        const struct tune_place *p = &given.place[i];
        char path[4096];

        if (!choice_any(p))
            continue;
        snprintf(path, sizeof path, "%s/confirm.rules", p->folder);
        if (!write_file(path, write_rules, p, why))
            return false;
        printf("%s %d ", p->operation, p->ranks);
        tuned_settings(stdout, given.flavour, p, path);
        putchar('\n');
    }
    return true;
}

static bool write_all(FILE *to, const void *nothing)
{
    (void)nothing;
    tuned_write(to, given.flavour, given.place, given.places);
    return !ferror(to);
}

static bool write_json(FILE *to, const void *output)
{
    return tuned_json(to, given.flavour, given.place, given.places, output);
}

/* The answer; what was not confirmed is not in it. */
static bool print_all(char why[WHY])
{
    struct document d = { .n = 0 };
    bool any = false, good;

    for (size_t i = 0; i < given.places; i++)
        any |= choice_any(&given.place[i]);
    tuned_add(&d, given.place, given.places);
    good = (!any || write_file(given.output, write_all, NULL, why)) &&
           write_file(given.json, write_json, any ? given.output : NULL, why) &&
           tool_answer(&d, "# ", &d, why);
    document_release(&d);
    return good;
}

static bool print_controls(const char *const *word, size_t n, char why[WHY])
{
    char control[TUNE_CONTROL];

    if (!tuned_is_known(given.flavour, given.control))
        return refuse(why, "Open MPI's rules for '%s' are not known",
                      given.control);
    for (size_t i = 0; i < n; i++) {
        tuned_control(control, given.flavour, given.control, word[i]);
        printf("%s=%s\n", word[i], control);
    }
    return true;
}

static bool choose(const char *const *word, size_t n, char why[WHY])
{
    bool good =
        n <= TUNE_PLACES || refuse(why, "at most %d folders", TUNE_PLACES);

    while (good && given.places < n) {
        good = place_of(&given.place[given.places], word[given.places], why);
        given.places += good;
    }
    qsort(given.place, given.places, sizeof *given.place, by_operation);
    good =
        good && search(why) && (given.next ? print_next(why) : print_all(why));
    for (size_t i = 0; i < given.places; i++)
        tune_place_release(&given.place[i]);
    return good;
}

static int run(const char *const *word, size_t n)
{
    char why[WHY];
    const bool good = take_library(why) &&
                      (n > 0 || refuse(why, "nothing is named")) &&
                      (given.control != NULL ? print_controls(word, n, why)
                                             : choose(word, n, why));

    return good ? EXIT_SUCCESS : tool_refuses(why);
}

const struct tool_verb verb_tune = {
    "tune",
    "--mpi=NAME [OPTION...] OPERATION:RANKS=FOLDER...\n"
    "  or:  alidade-analysis tune --mpi=NAME --control=OPERATION ALGORITHM...",
    "Choose the algorithms of collective operations that are faster than the\n"
    "default of the library, in comparisons and again in new runs.\n"
    "\n"
    "FOLDER has comparison.json, which scripts/compare --json wrote, and that of\n"
    "new runs in its folder confirm. scripts/tune makes the runs and calls this\n"
    "tool.",
    "Example:\n"
    "  alidade-analysis tune --mpi=mpich allreduce:2=tune/allreduce-2\n"
    "\n"
    "Exit codes: 0 success, 1 not readable or not written.",
    options,
    run
};
