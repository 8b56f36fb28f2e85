/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What -h and --help print, against golden files; doc/options.md has what they say of
 * every option of every program.
 * ALIDADE_UPDATE=1 rewrites them: look at the difference before it is committed.
 */
#include "unit.h"

#include <unistd.h>

#include "job/launch.h"
#include "programs.h"
#include "run/command_line.h"

static const struct help_row {
    const char *golden, *program, *option;
} help_rows[] = {
    { "tests/unit/golden/is.help", "is", "--help" },
    { "tests/unit/golden/latency.help", "latency", "--help" },
    { "tests/unit/golden/latency.usage", "latency", "-h" },
};

BEFORE_TESTS
{
    programs_load();
}

static const struct bench *bench_of(const char *name)
{
    const struct program *p = programs;

    while (strcmp(p->bench->name, name) != 0)
        p++;
    return p->bench;
}

/* What a program says on stdout to one option, before MPI; to be freed. */
static char *said(const struct bench *b, const char *option)
{
    char program[32], word[32], *argv[] = { program, word, NULL };
    char *text = calloc(1 << 16, 1);
    enum exit_code code = EXIT_RUN;
    FILE *to = tmpfile();
    struct settings s;
    bool proceed;
    int saved;

    assert_non_null(to);
    assert_non_null(text);
    snprintf(program, sizeof program, "%s", b->name);
    snprintf(word, sizeof word, "%s", option);
    fflush(stdout);
    saved = dup(STDOUT_FILENO);
    dup2(fileno(to), STDOUT_FILENO);
    proceed = command_line_read(b, 2, argv, &s, &code);
    fflush(stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    settings_release(&s);
    assert_false(proceed);
    assert_int_equal(code, EXIT_OK);
    rewind(to);
    if (fread(text, 1, (1 << 16) - 1, to) == 0)
        text[0] = '\0';
    fclose(to);
    return text;
}

static void update(const char *golden, const char *text)
{
    char path[4096];
    FILE *to;

    snprintf(path, sizeof path, "%s/%s",
             getenv("ALIDADE_SOURCE") != NULL ? getenv("ALIDADE_SOURCE") : ".",
             golden);
    to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

/* The launcher is that of the build: "mpirun" in the golden files. */
static void without_launcher(char *text)
{
    static const char name[] = "mpirun";
    const char *const launcher = launch_name();
    const size_t n = strlen(launcher), less = sizeof name - 1;

    for (char *at = text; (at = strstr(at, launcher)) != NULL; at += less) {
        memmove(at + less, at + n, strlen(at + n) + 1);
        memcpy(at, name, less);
    }
}

TEST_ROWS(help_rows, help_is_golden)
{
    char *got = said(bench_of(row->program), row->option);
    char *expected;

    without_launcher(got);

    if (getenv("ALIDADE_UPDATE") != NULL)
        update(row->golden, got);
    expected = unit_source_file(row->golden);
    if (expected == NULL)
        fail_msg("%s is not there", row->golden);
    assert_string_equal(got, expected);
    free(expected);
    free(got);
}

/* Fits into a terminal, whatever a row's help says. */
TEST(help_is_80_columns_wide)
{
    for (const struct program *p = programs; p->path != NULL; p++)
        for (int brief = 0; brief <= 1; brief++) {
            char *got = said(p->bench, brief ? "-h" : "--help"), *rest;
            int lines = 0;

            without_launcher(got);
            for (char *line = strtok_r(got, "\n", &rest); line != NULL;
                 line = strtok_r(NULL, "\n", &rest), lines++)
                if (strlen(line) >= 80 || strchr(line, '\t') != NULL)
                    fail_msg("%s: %s", p->path, line);
            assert_in_range(lines, 10, brief ? 35 : 300);
            free(got);
        }
}

TEST(version_names_the_suite_it_is_not)
{
    char *got = said(bench_of("mbw_mr"), "-v");

    assert_ptr_equal(strstr(got, "mbw_mr (Alidade) "), got);
    assert_non_null(strstr(got, "OSU Micro-Benchmarks 7.4, whose suite this "
                                "is not\n"));
    free(got);
}
