/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alidade-tune - which algorithm of a collective operation is taken at which size: the
 *                analysis of comparisons that are there.  scripts/tune makes them.
 */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fresh_file.h"
#include "results/result_file.h"
#include "tuning/choice.h"
#include "tuning/tuned_print.h"
#include "tuning/tuned_rules.h"

enum { MPI = 256, NEXT, CONTROL, OUTPUT, JSON, WORDS = 64 };

static struct {
    enum tune_library library;
    bool has_library, next;
    const char *control, *output, *json, *word[WORDS];
    struct tune_place place[TUNE_PLACES];
    size_t words, places;
} given;

static const struct argp_option options[] = {
    { "mpi", MPI, "NAME", 0, NULL, 0 },
    { "next", NEXT, NULL, 0, NULL, 0 },
    { "control", CONTROL, "OPERATION", 0, NULL, 0 },
    { "output", OUTPUT, "FILE", 0, NULL, 0 },
    { "json", JSON, "FILE", 0, NULL, 0 },
    TOOL_OPTIONS,
    { NULL, 0, NULL, 0, NULL, 0 }
};

static const char help[] =
    "Usage: alidade-tune --mpi=NAME [OPTION...] OPERATION:RANKS=FOLDER...\n"
    "  or:  alidade-tune --mpi=NAME --control=OPERATION ALGORITHM...\n"
    "Choose the algorithms of collective operations that are faster than the\n"
    "default of the library, in comparisons and again in new runs.\n"
    "\n"
    "FOLDER has comparison.json, which scripts/compare --json wrote, and that of\n"
    "new runs in its folder confirm. scripts/tune makes the runs and calls this\n"
    "tool.\n"
    "\n"
    "Options:\n"
    "      --mpi=NAME            openmpi or mpich\n"
    "      --next                print only what new runs are to confirm, a line\n"
    "                            each: operation, ranks, settings; write what\n"
    "                            is chosen to FOLDER/confirm.rules\n"
    "      --control=OPERATION   print the settings of algorithms, a line each\n"
    "      --output=FILE         rules (Open MPI) or variables (MPICH)\n"
    "      --json=FILE           also write all sizes as JSON\n"
    "  -h, --help                print this help\n"
    "  -v, --version             print the version\n"
    "\n"
    "Example:\n"
    "  alidade-tune --mpi=mpich allreduce:2=tune/allreduce-2\n"
    "\n"
    "Exit codes: 0 success, 1 not readable or not written.";

static int give_up(const char *why)
{
    fprintf(stderr, "tune: %s\n", why);
    return EXIT_FAILURE;
}

static void take_library(const char *text, struct argp_state *state)
{
    given.has_library = true;
    if (strcmp(text, "mpich") == 0)
        given.library = TUNE_MPICH;
    else if (strcmp(text, "openmpi") == 0)
        given.library = TUNE_OPENMPI;
    else
        argp_failure(state, EXIT_FAILURE, 0,
                     "--mpi '%s' is neither openmpi nor mpich", text);
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    switch (key) {
    case MPI:
        take_library(text, state);
        return 0;
    case NEXT:
        given.next = true;
        return 0;
    case CONTROL:
        given.control = text;
        return 0;
    case OUTPUT:
        given.output = text;
        return 0;
    case JSON:
        given.json = text;
        return 0;
    case 'h':
        print_and_exit(help);
    case 'v':
        print_and_exit("alidade-tune (Alidade) " PACKAGE_VERSION);
    case ARGP_KEY_ARG:
        if (given.words == WORDS)
            argp_failure(state, EXIT_FAILURE, 0, "at most %d folders", WORDS);
        given.word[given.words++] = text;
        return 0;
    case ARGP_KEY_END:
        if (!given.has_library)
            argp_failure(state, EXIT_FAILURE, 0, "--mpi is required");
        if (given.words == 0)
            argp_failure(state, EXIT_FAILURE, 0, "nothing is named");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
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
    if (!tuned_is_known(given.library, p->operation))
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

/* The choice of a place as its new runs set it, to be freed. */
static char *rules_of(const struct tune_place *p)
{
    char *text = NULL;
    size_t size;
    FILE *to = given_memory(open_memstream(&text, &size));

    tuned_write(to, given.library, p, 1);
    fclose(to);
    return given_memory(text);
}

/* Places that are chosen together: of MPICH, those of an operation. */
static size_t end_of(size_t i)
{
    size_t end = i + 1;

    while (given.library == TUNE_MPICH && end < given.places &&
           strcmp(given.place[end].operation, given.place[i].operation) == 0)
        end++;
    return end;
}

static void search_all(void)
{
    for (size_t i = 0; i < given.places; i = end_of(i))
        choice_search(&given.place[i], end_of(i) - i, given.library);
}

/* Hold what is chosen against the new runs.  False: they cannot be read. */
static bool confirm_all(char why[WHY])
{
    bool good = true;
    size_t end;

    for (size_t i = 0; i < given.places && good; i = end) {
        struct tune_trial anew[TUNE_PLACES];
        size_t read = 0;

        end = end_of(i);
        if (!choice_any(&given.place[i]))
            continue;
        while (good && i + read < end) {
            good = tune_confirm_read(&anew[read], &given.place[i + read], why);
            read += good;
        }
        if (good)
            choice_confirm(&given.place[i], anew, end - i, given.library);
        while (read > 0)
            tune_trial_release(&anew[--read]);
    }
    return good;
}

static bool write_text(const char *path, const char *text, char why[WHY])
{
    struct fresh_file file;

    return (fresh_file_begin(&file, path) &&
            fresh_file_end(&file, fputs(text, file.to) != EOF)) ||
           refuse(why, "'%s' could not be written: %s", path, strerror(errno));
}

/* What new runs are to confirm. */
static bool print_next(char why[WHY])
{
    for (size_t i = 0; i < given.places; i++) {
        const struct tune_place *p = &given.place[i];
        char path[4096], *text;
        bool good;

        if (!choice_any(p))
            continue;
        snprintf(path, sizeof path, "%s/confirm.rules", p->folder);
        text = rules_of(p);
        good = write_text(path, text, why);
        free(text);
        if (!good)
            return false;
        printf("%s %d ", p->operation, p->ranks);
        tuned_settings(stdout, given.library, p, path);
        putchar('\n');
    }
    return true;
}

/* The answer; what was not confirmed is not in it. */
static bool print_all(char why[WHY])
{
    struct fresh_file file;
    bool any = false, good;

    for (size_t i = 0; i < given.places; i++)
        any |= choice_any(&given.place[i]);
    if (any && given.output != NULL) {
        good = fresh_file_begin(&file, given.output);
        if (good)
            tuned_write(file.to, given.library, given.place, given.places);
        if (!good || !fresh_file_end(&file, !ferror(file.to)))
            return refuse(why, "'%s' could not be written: %s", given.output,
                          strerror(errno));
    }
    if (given.json != NULL &&
        (!fresh_file_begin(&file, given.json) ||
         !fresh_file_end(&file,
                         tuned_json(file.to, given.library, given.place,
                                    given.places, any ? given.output : NULL))))
        return refuse(why, "'%s' could not be written: %s", given.json,
                      strerror(errno));
    tuned_table(stdout, given.place, given.places);
    return true;
}

static bool print_controls(char why[WHY])
{
    char control[TUNE_CONTROL];

    if (!tuned_is_known(given.library, given.control))
        return refuse(why, "Open MPI's rules for '%s' are not known",
                      given.control);
    for (size_t i = 0; i < given.words; i++) {
        tuned_control(control, given.library, given.control, given.word[i]);
        printf("%s=%s\n", given.word[i], control);
    }
    return true;
}

int main(int argc, char **argv)
{
    static const struct argp argp = { options, parse, NULL, NULL,
                                      NULL,    NULL,  NULL };
    char why[WHY];
    bool good;

    argp_err_exit_status = EXIT_FAILURE;
    argp_parse(&argp, argc, argv, ARGP_NO_HELP, NULL, NULL);
    if (given.control != NULL)
        return print_controls(why) ? leave(EXIT_SUCCESS) : give_up(why);
    const char *const files[] = { given.output, given.json };

    good = can_be_written(files, 2, why);
    for (size_t i = 0; i < given.words && good; i++) {
        good = place_of(&given.place[i], given.word[i], why);
        given.places += good;
    }
    qsort(given.place, given.places, sizeof *given.place, by_operation);
    if (good)
        search_all();
    good = good &&
           (given.next ? print_next(why) : confirm_all(why) && print_all(why));
    for (size_t i = 0; i < given.places; i++)
        tune_place_release(&given.place[i]);
    return good ? leave(EXIT_SUCCESS) : give_up(why);
}
