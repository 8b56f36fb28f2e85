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

#include "base/nearest.h"
#include "page.h"

enum { HELP_COLUMN = 28, OPTIONS_MOST = 32, LONG = 256 };

static const char *markdown, *html;
static bool help, version;

/* What every verb has after its own. */
static const struct tool_option common[] = {
    { "markdown", 0, "FILE", "also write all of it as Markdown", &markdown,
      NULL },
    { "html", 0, "FILE", "also write all of it as a page", &html, NULL },
    { "help", 'h', NULL, "print this help", &help, NULL },
    { "version", 'v', NULL, "print the version", &version, NULL },
    { .name = NULL }
};

/* Option number i of the verb; without a name: there are no more. */
static const struct tool_option *option_at(const struct tool_verb *verb,
                                           size_t i)
{
    size_t own = 0;

    while (verb->option[own].name != NULL)
        own++;
    return i < own ? &verb->option[i] : &common[i - own];
}

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
    for (size_t i = 0; option_at(verb, i)->name != NULL; i++)
        print_option(option_at(verb, i));
    puts("");
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

/* Say that there is no such option, and which one was meant. */
static int refuse_option(const struct tool_verb *verb, const char *word)
{
    const size_t dashes = strspn(word, "-");
    struct nearest near = { .text = word + dashes,
                            .length = strcspn(word + dashes, "=") };
    char why[WHY];

    for (size_t i = 0; dashes > 1 && option_at(verb, i)->name != NULL; i++)
        nearest_offer(&near, option_at(verb, i)->name);
    refuse(why, "unknown option %.*s%s", (int)(dashes + near.length), word,
           nearest_question(&near, "--"));
    return tool_refuses(why);
}

/* Can all files that options name be written? */
static bool can_write(const struct tool_verb *verb, char why[WHY])
{
    const char *file[OPTIONS_MOST];
    int n = 0;

    for (size_t i = 0; option_at(verb, i)->name != NULL; i++) {
        const struct tool_option *o = option_at(verb, i);

        if (o->argument != NULL && strcmp(o->argument, "FILE") == 0)
            file[n++] = *(const char **)o->to;
    }
    return can_be_written(file, n, why);
}

/* Take the options; -1, or the exit code if one is wrong. */
static int take_options(const struct tool_verb *verb, int argc, char **argv)
{
    struct option all[OPTIONS_MOST] = { { NULL, 0, NULL, 0 } };
    char letters[2 * OPTIONS_MOST] = ":", why[WHY];
    size_t k = 1;
    int key;

    for (size_t i = 0; option_at(verb, i)->name != NULL; i++) {
        const struct tool_option *o = option_at(verb, i);

        all[i] = (struct option){ o->name, o->argument != NULL, NULL,
                                  LONG + (int)i };
        if (o->letter != '\0') {
            letters[k++] = o->letter;
            if (o->argument != NULL)
                letters[k++] = ':';
        }
    }
    while ((key = getopt_long(argc, argv, letters, all, NULL)) != -1) {
        size_t i = key >= LONG ? (size_t)(key - LONG) : 0;

        if (key == '?' || key == ':') {
            const char *word = argv[optind - 1];

            if (key == '?')
                return refuse_option(verb, word);
            refuse(why, "%s needs a value; see --help", word);
            return tool_refuses(why);
        }
        while (key < LONG && option_at(verb, i)->letter != key)
            i++;
        if (!take(option_at(verb, i), optarg, why))
            return tool_refuses(why);
    }
    return -1;
}

int tool_run(const struct tool_verb *verb, int argc, char **argv)
{
    char why[WHY];
    int wrong;

    /* Whoever refuses begins a sentence with it. */
    argv[0] = program_invocation_short_name = (char *)verb->name;
    opterr = 0;
    wrong = take_options(verb, argc, argv);
    if (wrong >= 0)
        return wrong;
    if (help)
        print_help(verb);
    if (version)
        tool_version();
    if (!can_write(verb, why))
        return tool_refuses(why);
    return leave(
        verb->run((const char *const *)argv + optind, (size_t)(argc - optind)));
}

static bool write_markdown(FILE *to, const void *document)
{
    document_markdown(to, document);
    return !ferror(to);
}

static bool write_html(FILE *to, const void *document)
{
    page_begin(to, program_invocation_short_name);
    document_html(to, document);
    page_end(to);
    return !ferror(to);
}

bool tool_answer(const struct document *text, const char *begin,
                 const struct document *all, char why[WHY])
{
    document_text(stdout, text, begin);
    return write_file(markdown, write_markdown, all, why) &&
           write_file(html, write_html, all, why);
}
