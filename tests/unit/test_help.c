/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The whole help of a program of each family against golden files.
 * ALIDADE_UPDATE=1 rewrites them: look at the difference before it is committed.
 */
#include "unit_parse.h"

#include <unistd.h>

#include "job/launch.h"
#include "nas/ft.h"
#include "nas/is.h"
#include "options/help.h"
#include "pairs/pairs.h"
#include "rma/rma.h"
#include "run/command_line.h"
#include "transport/transport.h"

/* As the programs describe themselves. */
static const struct bench latency = {
    .name = "latency",
    .about = "one-way latency between two ranks (half the round-trip time)",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { 1, 4 * MiB },
    .takes = TAKES_LATENCY,
    .flow = &flow_ping_pong,
    .timed = TIMED_RANK_0,
    .report = &report_round_trip,
};
static const struct bench mbw_mr = {
    .name = "mbw_mr",
    .about = "bandwidth and message rate of many pairs of ranks at once",
    .ranks = { .min = 2, .even = true },
    .sizes = { 1, 4 * MiB },
    .takes = TAKES_MBW_MR,
    .flow = &flow_stream,
    .timed = TIMED_SENDERS,
    .report = &report_message_rate,
    .family = &pairs_family,
};
static const struct bench put_latency = {
    .name = "put_latency",
    .about = "latency of MPI_Put with its synchronization",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { 1, 4 * MiB },
    .takes = TAKES_SIZES | TAKES_LAPS | TAKES_CHECK | TAKES_RMA,
    .flow = &flow_put,
    .loop = BINDS_BUFFERS,
    .report = &report_rma_latency,
    .family = &rma_family,
};

static const struct bench is = {
    .name = "is",
    .about = "NAS IS, an integer sort, and the share of communication",
    .ranks = { .min = 1 },
    .takes = TAKES_MEMORY_LIMIT,
    .flow = &flow_none,
    .report = &report_whole,
    .family = &nas_is_family,
};
static const struct bench ft = {
    .name = "ft",
    .about = "NAS FT, a 3-D Fourier transform, and the share of communication",
    .ranks = { .min = 1 },
    .takes = TAKES_MEMORY_LIMIT,
    .flow = &flow_none,
    .report = &report_whole,
    .family = &nas_ft_family,
};

static const struct bench tcp_bw = {
    .name = "tcp_bw",
    .about = "bandwidth of a stream of messages over TCP",
    .ranks = { .min = 2, .max = 2 },
    .sizes = { 1, 4 * MiB },
    .takes =
        TAKES_SIZES | TAKES_LAPS | TAKES_CHECK | TAKES_WINDOW | TAKES_BUFFERS,
    .flow = &flow_stream,
    .report = &report_transport_bandwidth,
    .family = &transport_tcp_family,
};

static const struct help_row {
    const char *golden;
    const struct bench *bench;
    const char *option;
} help_rows[] = {
    { "tests/unit/golden/ft.help", &ft, "--help" },
    { "tests/unit/golden/is.help", &is, "--help" },
    { "tests/unit/golden/is.usage", &is, "-h" },
    { "tests/unit/golden/latency.help", &latency, "--help" },
    { "tests/unit/golden/latency.usage", &latency, "-h" },
    { "tests/unit/golden/mbw_mr.help", &mbw_mr, "--help" },
    { "tests/unit/golden/mbw_mr.usage", &mbw_mr, "-h" },
    { "tests/unit/golden/put_latency.help", &put_latency, "--help" },
    { "tests/unit/golden/put_latency.usage", &put_latency, "-h" },
    { "tests/unit/golden/tcp_bw.help", &tcp_bw, "--help" },
};

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

static void help_is_golden(void **state)
{
    const struct help_row *row = *state;
    char *got = said(row->bench, row->option);
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
static void help_is_80_columns_wide(void **state)
{
    const struct help_row *row = *state;
    char *got = said(row->bench, row->option), *rest;
    int lines = 0;

    without_launcher(got);
    for (char *line = strtok_r(got, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        assert_true(strlen(line) < 80);
        assert_null(strchr(line, '\t'));
        lines++;
    }
    if (strcmp(row->option, "-h") == 0)
        assert_in_range(lines, 10, 35);
    free(got);
}

static void version_names_the_suite_it_is_not(void **state)
{
    char *got = said(&mbw_mr, "-v");

    (void)state;
    assert_ptr_equal(strstr(got, "mbw_mr (Alidade) "), got);
    assert_non_null(strstr(got, "OSU Micro-Benchmarks 7.4, whose suite this "
                                "is not\n"));
    free(got);
}

int main(void)
{
    static struct unit_list list;

    unsetenv("ARGP_HELP_FMT");
    UNIT_ADD_ROWS(&list, help_rows, help_is_golden);
    UNIT_ADD_ROWS(&list, help_rows, help_is_80_columns_wide);
    UNIT_ADD(&list, version_names_the_suite_it_is_not);
    return unit_run("help", &list);
}
