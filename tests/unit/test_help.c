/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The whole help of a program of each family against golden files, and what a
 * manual page must not lack.  ALIDADE_UPDATE=1 rewrites the golden files:
 * look at the difference before it is committed.
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

static const char *const sections[] = {
    ".TH \"ALIDADE\\-latency\" 1 \"\" \"Alidade ",
    "\n.SH NAME\nalidade\\-latency \\- one-way latency",
    "\n.SH SYNOPSIS\n.B ",
    " \\-n 2 latency\n[\\fIOPTION\\fR]... \\fI[SRC DST]\\fR\n",
    "\n.SH DESCRIPTION\n.nf\nSample: one round trip",
    "\n.SH SRC DST\nbuffer locations",
    ":\n.br\n\\fBH\\fR: host memory;\n",
    "\n.SH SIZES AND DATA\n.TP\n",
    "\n.SH HOW LONG TO MEASURE\n.TP\n",
    "\n.TP\n\\fB\\-i\\fR, \\fB\\-\\-iterations\\fR=\\fIN\\fR\n",
    "\n\\fBlibrary\\fR: MPI_Barrier, as OMB;\n",
    "\n(default: dissemination)\n",
    "\n.SH OUTPUT\n.TP\n",
    "\n.TP\n\\fB\\-z\\fR, \\fB\\-\\-tail\\-lat\\fR[=\\fIP[,P...]\\fR]\n",
    "\n.TP\n\\fB\\-\\-json\\fR=\\fIFILE\\fR\n",
    "\n.SH MEMORY\n.TP\n",
    "\n.SH RUNNING\n.TP\n",
    "\n.SH ACCEPTED FOR COMPATIBILITY WITH OMB, WITHOUT EFFECT\n.TP\n",
    "\n.SH EXAMPLES\n.nf\n",
    "\n.SH NOTES\n.nf\n",
};

static void man_page_has_its_sections_in_order(void **state)
{
    char *got = said(&latency, "--man"), *at = got;

    (void)state;
    for (size_t i = 0; i < LENGTH(sections); i++) {
        char *const found = strstr(at, sections[i]);

        if (found == NULL)
            fail_msg("missing or out of order: %s", sections[i]);
        at = found;
    }
    assert_ptr_equal(strstr(got, sections[0]), got);
    assert_null(strstr(got, "window\\-size")); /* latency does not take it */
    assert_null(strstr(got, "MESSAGES IN FLIGHT"));
    assert_non_null(strstr(got, "\\-\\-type"));
    free(got);
    got = said(&put_latency, "--man");
    assert_null(strstr(got, "\\-\\-type")); /* of a group it has more of */
    free(got);
}

/* No text is taken for a request, and no hyphen for a dash. */
static void man_page_is_roff(void **state)
{
    static const char *const request[] = { ".TH ", ".SH ", ".TP", ".B ",
                                           ".nf",  ".fi",  ".br", NULL };
    char *got = said(&latency, "--man"), *rest;

    (void)state;
    assert_null(strstr(got, " --"));
    assert_null(strstr(got, " -z"));
    for (char *line = strtok_r(got, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        int i = 0;

        assert_true(line[0] != '\'');
        if (line[0] != '.')
            continue;
        while (request[i] != NULL &&
               strncmp(line, request[i], strlen(request[i])) != 0)
            i++;
        assert_non_null(request[i]);
    }
    free(got);
}

static void roff_escapes_what_is_special(void **state)
{
    static const struct choice choices[] = {
        { "w-1", 0, "is w" }, { "y", 0, NULL }, { "x", 1, "is x" }, { 0 }
    };
    static const struct option_row rows[] = {
        { 'a', "a-b", NULL, .help = "a \\ b\n.c\n'd -e", .fallback = "-1",
          .choices = choices },
        { 0 },
    };
    static const char *const groups[] = { "One:", NULL };
    char examples[OPTION_EXAMPLES][EXAMPLE_ROOM] = { "p -x" };
    const struct option_set set = { .program = "p",
                                    .about = "about",
                                    .details = "details\n.x",
                                    .usage = "run -n p",
                                    .examples = examples,
                                    .notes = "'n",
                                    .rows = rows,
                                    .groups = groups };
    struct unit_text text;

    (void)state;
    unit_text_open(&text);
    option_print_man(&set, "9", text.to);
    unit_text_is(
        &text,
        ".TH \"ALIDADE\\-p\" 1 \"\" \"Alidade 9\"\n.SH NAME\n"
        "alidade\\-p \\- about\n.SH SYNOPSIS\n.B run \\-n p\n"
        "[\\fIOPTION\\fR]...\n.SH DESCRIPTION\n.nf\n"
        "details\n\\&.x\n.fi\n.SH ONE\n.TP\n"
        "\\fB\\-a\\fR, \\fB\\-\\-a\\-b\\fR\n"
        "a \\e b\n\\&.c\n\\&'d \\-e:\n"
        ".br\n\\fBw\\-1\\fR: is w;\n.br\n\\fBx\\fR: is x\n"
        "(default: \\-1)\n"
        ".SH EXAMPLES\n.nf\np \\-x\n\n\n.fi\n.SH NOTES\n.nf\n\\&'n\n.fi\n");
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
    UNIT_ADD(&list, man_page_has_its_sections_in_order);
    UNIT_ADD(&list, man_page_is_roff);
    UNIT_ADD(&list, roff_escapes_what_is_special);
    UNIT_ADD(&list, version_names_the_suite_it_is_not);
    return unit_run("help", &list);
}
