/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * alidade-analysis - what results say: a verb for each question.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "verbs/verbs.h"

static const struct {
    const struct tool_verb *is;
    const char *question;
} verbs[] = {
    { &verb_compare, "is a variant faster than another, and how surely?" },
    { &verb_repeat, "what do several runs show, and what will the next?" },
    { &verb_accept, "are results within their limits?" },
    { &verb_report, "results as a page with curves and tables" },
    { &verb_examine, "which hosts are odd?" },
    { &verb_tune, "which algorithm is the fastest at which size?" },
};
enum { VERBS = sizeof verbs / sizeof *verbs };

static int print_help(void)
{
    puts(
        "Usage: alidade-analysis VERB [OPTION...] RESULTS...\n"
        "Read results that benchmarks wrote with --json, and answer a question. The\n"
        "scripts of the same names make the results, and call this tool.\n"
        "\n"
        "Verbs:");
    for (size_t i = 0; i < VERBS; i++)
        printf("  %-22s    %s\n", verbs[i].is->name, verbs[i].question);
    puts(
        "\n"
        "Options:\n"
        "  -h, --help                print this help, or after a verb its help\n"
        "  -v, --version             print the version\n"
        "\n"
        "Example:\n"
        "  alidade-analysis compare old=results/old new=results/new\n"
        "\n"
        "Exit codes: those of the verb.");
    return leave(EXIT_SUCCESS);
}

int main(int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "";
    struct nearest near = { .text = word, .length = strlen(word) };

    for (size_t i = 0; i < VERBS; i++)
        if (strcmp(word, verbs[i].is->name) == 0)
            return tool_run(verbs[i].is, argc - 1, argv + 1);
    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
        return print_help();
    if (strcmp(word, "-v") == 0 || strcmp(word, "--version") == 0)
        tool_version();
    for (size_t i = 0; i < VERBS; i++)
        nearest_offer(&near, verbs[i].is->name);
    fprintf(stderr, "alidade-analysis: '%s' is no verb%s; --help lists them\n",
            word, nearest_question(&near, ""));
    return EXIT_FAILURE;
}
