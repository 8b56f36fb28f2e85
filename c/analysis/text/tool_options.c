/* SPDX-License-Identifier: BSD-3-Clause */
#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include "tool_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_COLUMN = 28, OPTIONS_MOST = 32, LONG = 256 };

static const char COMMON_HELP[] =
    "  -h, --help                print this help\n"
    "  -v, --version             print the version\n";

bool tool_option_percent(const struct tool_option *option, const char *text,
                         char why[WHY])
{
    double *to = option->to;

    *to = percentage(text);
    return !isnan(*to) ||
           refuse(why, "--%s %s is not a percentage", option->name, text);
}

bool tool_option_each(const struct tool_option *option, const char *text,
                      char why[WHY])
{
    struct texts *to = option->to;

    (void)why;
    to->text = given_memory(realloc(to->text, (to->n + 1) * sizeof *to->text));
    to->text[to->n++] = given_memory(utf8_repaired(text));
    return true;
}

static void print_option(const struct tool_option *o)
{
    const char *line = o->help, *end;
    int column =
        o->letter != '\0' ? printf("  -%c, ", o->letter) : printf("%6s", "");

    column += printf("--%s", o->name);
    if (o->argument != NULL)
        column += printf("=%s", o->argument);
    for (;; line = end + 1, column = 0) {
        end = line + strcspn(line, "\n");
        printf("%*s%.*s\n", HELP_COLUMN - column, "", (int)(end - line), line);
        if (*end == '\0')
            return;
    }
}

static _Noreturn void print_help(const struct tool_verb *verb)
{
    printf("Usage: alidade-analysis %s %s\n%s\n\nOptions:\n", verb->name,
           verb->usage, verb->purpose);
    for (const struct tool_option *o = verb->option; o->name != NULL; o++)
        print_option(o);
    printf("%s\n", COMMON_HELP);
    print_and_exit(verb->closing);
}

void tool_version(void)
{
    print_and_exit("alidade-analysis (Alidade) " PACKAGE_VERSION);
}

int tool_refuses(const char *why)
{
    fprintf(stderr, "%s: %s\n", program_invocation_short_name, why);
    return EXIT_FAILURE;
}

/* For getopt_long: the rows, and what every verb has. */
static void options_of(const struct tool_verb *verb,
                       struct option all[OPTIONS_MOST],
                       char letters[2 * OPTIONS_MOST])
{
    const struct option common[] = { { "help", no_argument, NULL, 'h' },
                                     { "usage", no_argument, NULL, 'h' },
                                     { "version", no_argument, NULL, 'v' },
                                     { NULL, 0, NULL, 0 } };
    size_t n = 0, k = 0;

    for (const struct tool_option *o = verb->option; o->name != NULL; o++) {
        all[n] = (struct option){ o->name,
                                  o->argument != NULL ? required_argument
                                                      : no_argument,
                                  NULL, LONG + (int)n };
        n++;
        if (o->letter != '\0') {
            letters[k++] = o->letter;
            if (o->argument != NULL)
                letters[k++] = ':';
        }
    }
    memcpy(&all[n], common, sizeof common);
    memcpy(&letters[k], "hv", sizeof "hv");
}

static const struct tool_option *option_of(const struct tool_verb *verb,
                                           int key)
{
    const struct tool_option *o = verb->option;

    if (key >= LONG)
        return &o[key - LONG];
    while (o->letter != key)
        o++;
    return o;
}

static bool take(const struct tool_option *o, const char *text, char why[WHY])
{
    if (o->argument == NULL)
        *(bool *)o->to = true;
    else if (o->read == NULL)
        *(const char **)o->to = text;
    else
        return o->read(o, text, why);
    return true;
}

int tool_run(const struct tool_verb *verb, int argc, char **argv)
{
    struct option all[OPTIONS_MOST];
    char letters[2 * OPTIONS_MOST], why[WHY];
    int key;

    /* getopt_long, and whoever refuses, begin a sentence with it. */
    argv[0] = program_invocation_short_name = (char *)verb->name;
    options_of(verb, all, letters);
    while ((key = getopt_long(argc, argv, letters, all, NULL)) != -1) {
        if (key == '?')
            return EXIT_FAILURE;
        if (key == 'h')
            print_help(verb);
        if (key == 'v')
            tool_version();
        if (!take(option_of(verb, key), optarg, why))
            return tool_refuses(why);
    }
    return leave(
        verb->run((const char *const *)argv + optind, (size_t)(argc - optind)));
}
