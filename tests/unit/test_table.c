/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables and drawings.
 */
#include "unit.h"

#include "bench.h"
#include "record/fields.h"
#include "report/report.c"
#include "screen/screen.h"

/* Last, since names in it are those of locals in report.c. */
#include "drawings/graph.c"

/* --- Table ---------------------------------------------------------------- */

/* Rows and headings byte for byte as OMB 7.4 prints them, and the same as CSV. Most
   expected lines are recorded output of OMB. */

#define REAL(x)                                                                                    \
    {                                                                                              \
        .kind = CELL_REAL, .real = (x)                                                             \
    }
#define COUNT(x)                                                                                   \
    {                                                                                              \
        .kind = CELL_COUNT, .count = (x)                                                           \
    }
#define WORD(x)                                                                                    \
    {                                                                                              \
        .kind = CELL_WORD, .word = x                                                               \
    }

enum { CELLS = 4 };

/* clang-format off */
static const struct table_row {
    const char *name;
    bool with_size;
    size_t size;
    struct column column[CELLS];
    struct cell cell[CELLS];
    const char *heading, *row;
} table_rows[] = {
    { "a further size", 1, 8, { { "l", "Avg Latency(us)" }, { "t", "Transmit Size" } }, { REAL(0.52), COUNT(4) },
      "# Size       Avg Latency(us)     Transmit Size\n",
      "8                       0.52                 4\n" },
    { "a hidden column", 1, 8, { { "l", "Avg Latency(us)" }, { "h", "Hidden", .hidden = true }, { "t", "Transmit Size" } },
      { REAL(0.52), REAL(7), COUNT(4) },
      "# Size       Avg Latency(us)     Transmit Size\n",
      "8                       0.52                 4\n" },
    { "columns of a width of their own", 1, 1,
      { { "l", "Avg Latency(us)" }, { "p", "P100 Tail Lat(us)", 19 }, { "i", "Iterations", TABLE_COUNT_WIDTH } },
      { REAL(0.61), REAL(2), COUNT(5) },
      "# Size       Avg Latency(us)  P100 Tail Lat(us)  Iterations\n",
      "1                       0.61               2.00           5\n" },
    { "a word", 1, 4, { { "l", "Avg Latency(us)" }, { "v", "Validation" } }, { REAL(1.04), WORD("Pass") },
      "# Size       Avg Latency(us)        Validation\n",
      "4                       1.04              Pass\n" },
    { "barrier: the first value is 17 wide", 0, 0,
      { { "l", "Avg Latency(us)" }, { "m", "Min Latency(us)" } }, { REAL(2.34), REAL(2.28) },
      "# Avg Latency(us)   Min Latency(us)\n", "             2.34              2.28\n" },
    { "ibarrier: the first value is 13 wide", 0, 0,
      { { "o", "Overall(us)" }, { "c", "Compute(us)" } }, { REAL(3.01), REAL(2.25) },
      "# Overall(us)       Compute(us)\n", "         3.01              2.25\n" },
    { "too wide a value pushes the line", 1, 1, { { "a", "MB/s" }, { "b", "Messages/s" } },
      { REAL(1234567890123456789.0), REAL(1) }, "# Size                  MB/s        Messages/s\n",
      "1         1234567890123456768.00              1.00\n" },
    { "ten digits fill their field", 1, 1073741824, { { "a", "MB/s" } }, { REAL(0.005) },
      "# Size                  MB/s\n", "1073741824              0.01\n" },
    { "size 0", 1, 0, { { "l", "Avg Latency(us)" } }, { REAL(0) }, "# Size       Avg Latency(us)\n",
      "0                       0.00\n" },
};
/* clang-format on */

static int columns_of(const struct table_row *row)
{
    int n = 0;

    while (n < CELLS && row->column[n].heading != NULL)
        n++;
    return n;
}

TEST_ROWS(table_rows, prints)
{
    struct report_table table = { .n = columns_of(row) };
    struct unit_text text;

    memcpy(table.column, row->column, sizeof row->column);
    unit_text_open(&text);
    print_header(text.to, &table, row->with_size ? "Size" : NULL);
    unit_text_is(&text, row->heading);
    unit_text_open(&text);
    print_cells(text.to, &table, row->cell, row->with_size, row->size);
    unit_text_is(&text, row->row);
}

/* What is wider than a terminal; all in one table of 60 columns. */
/* clang-format off */
static const struct fit_row {
    const char *name, *line, *shown;
} fit_rows[] = {
    { "a heading loses blanks that its words do not need",
      "# Size       Avg Latency(us)        Median(us)     Iter. Min(us)",
      "# Size    Avg Latency(us)  Median(us)  Iter. Min(us)" },
    { "its rows lose the same",
      "1048576                 0.52              4.11             12.00",
      "1048576              0.52        4.11          12.00" },
    { "a number that is wide keeps its place, and pushes nothing into another",
      "8                       0.52    123456789012.0             12.00",
      "8                    0.52123456789012.0          12.00" },
    { "a sentence is folded", "# suspect: size=1048576; value=0.01; faster than the ranks can copy;",
      "# suspect: size=1048576; value=0.01; faster than the ranks\n#   can copy;" },
    { "one column too wide is folded", "# suspect: size=1048576; value=0.01; faster than the ranks of it;",
      "# suspect: size=1048576; value=0.01; faster than the ranks\n#   of it;" },
    { "an error has no mark", "alidade: error E12: latency: -m 'x' is not a size, nor a range of sizes",
      "alidade: error E12: latency: -m 'x' is not a size, nor a\n    range of sizes" },
    { "nor has its advice", "    Find out how often: --verify=1000, in a table with sizes also -m SIZE",
      "    Find out how often: --verify=1000, in a table with sizes\n    also -m SIZE" },
    { "a word that is wider stays whole",
      "# see /a/folder/whose/name/is/longer/than/a/line/of/the/terminal/is/wide for it",
      "# see\n#   /a/folder/whose/name/is/longer/than/a/line/of/the/terminal/is/wide\n#   for it" },
    { "what fits is left alone", "# Datatype: MPI_CHAR.", "# Datatype: MPI_CHAR." },
    { "a heading that fits ends the table before", "# Size                  MB/s", "# Size                  MB/s" },
    { "and its rows are left alone", "8                       0.52", "8                       0.52" },
    { "one that cannot fit is left alone",
      "# Size           Overall(us)       Compute(us)    Pure Comm.(us)     Min Comm.(us)",
      "# Size           Overall(us)       Compute(us)    Pure Comm.(us)     Min Comm.(us)" },
    { "one of words, which begin their cells, too",
      "# Rank  Node  Host            CPUs            Polling Core  NUMA  Socket",
      "# Rank  Node  Host            CPUs            Polling Core  NUMA  Socket" },
    { "its rows", "0       0     a-host-with-a-name  0-1         yes     0     0     0         x",
      "0       0     a-host-with-a-name  0-1         yes     0     0     0         x" },
    { "nothing", "", "" },
};
/* clang-format on */

TEST_ROWS(fit_rows, fits)
{
    static struct fit table;
    char shown[200];
    size_t n = fit_line(&table, shown, sizeof shown, row->line, strlen(row->line), 60);

    shown[n] = '\0';
    assert_string_equal(shown, row->shown);
    n = fit_line(&table, shown, 3, row->line, strlen(row->line), 60);
    assert_true(n <= 3);
}

/* Without fclose: a run that dies has shown what it finished. */
TEST(rows_are_flushed)
{
    const struct report_table table = { .n = 1, .column = { { "l", "Avg Latency(us)", 0 } } };
    const struct cell cell = REAL(1);
    struct unit_text text;

    unit_text_open(&text);
    setvbuf(text.to, NULL, _IOFBF, 4096);
    print_header(text.to, &table, "Size");
    assert_int_equal(text.size, 29); /* what fflush has seen */
    print_cells(text.to, &table, &cell, true, 8);
    assert_int_equal(text.size, 58);
    free(unit_text_close(&text));
}

/* What a row of CSV has of the fields of the document: nine digits, and nothing for what is no
   number or is not there. */
TEST(fields_as_csv)
{
    static const char *const names[] = { "size",  "latency_us", "stop", "bound",
                                         "share", "ranks",      "tiny", "median" };
    const struct fields row = fields_document();
    struct unit_text text;

    fields_int(row, "size", 1LL << 53);
    fields_real(row, "latency_us", 1234.56789012345);
    fields_text(row, "stop", "budget");
    fields_text(row, "bound", NULL);
    fields_real(row, "share", -HUGE_VAL);
    fields_real(row, "ranks", 1);
    fields_real(row, "tiny", 1e-7);
    unit_text_open(&text);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fields_write_csv(row, names[i], text.to);
        fputc(',', text.to);
    }
    unit_text_is(&text, "9007199254740992,1234.56789,budget,,,1,1e-07,,");
    fields_release(row);
}

/* --- Graph ---------------------------------------------------------------- */

/* The script that gnuplot is given: names of files, and whatever size they are for;
   of many samples those that are kept; no place for what has no logarithm. */

static double iteration[] = { 1e-6, 0, 2e-6, 3e-6 };
static struct series series = { .n = 140000, .kept = 4, .value = iteration };

/* clang-format off */
static const struct graph_row {
    const char *name;
    unsigned form;
    int types;
    struct row row;
    const char *kind, *parts[3]; /* of the script */
} graph_rows[] = {
    { "what a row has besides is in its file and heading",
      GRAPH_PNG,
      1,
      { .bytes = 8 },
      "Wait any=2",
      { "set output 'neighbor_alltoallw-wait-any2-8.png.part'\n",
        "neighbor_alltoallw: Wait any=2, size 8, " } },
    { "the longest name of a file fits", GRAPH_PDF, 2,
      { .bytes = SIZE_MAX, .element = ELEMENT_SIGNED_CHAR }, "",
      { "set output 'neighbor_alltoallw-mpi_signed_char-18446744073709551615.pdf.part'\n" } },
    { "of many samples the first are drawn, and it says so",
      GRAPH_SVG,
      1,
      { .bytes = 8 },
      "",
      { "the first 4 of 140000 samples, each of iterations=10;", "<< END\n10 1\n30 2\n40 3\nEND\n",
        "set output 'neighbor_alltoallw-8.svg.part'\n" } },
};
/* clang-format on */

TEST_ROWS(graph_rows, script_is)
{
    struct settings s = { .ntypes = row->types };
    const struct bench b = { .name = "neighbor_alltoallw", .about = "", .takes = TAKES_CHECK };
    const struct context c = { .bench = &b, .settings = &s, .identity = "ranks=2;" };
    const struct result r = {
        .row = &row->row, .mean = 1e-6, .scale = 1, .stride = 10, .series = &series
    };
    struct graph g = { .context = &c, .script = tmpfile(), .forms = row->form };
    char *text;

    assert_non_null(g.script);
    add_row(&g, &r, row->kind);
    text = unit_text_of(g.script);
    free(g.point);
    for (int i = 0; i < 3 && row->parts[i] != NULL; i++)
        if (strstr(text, row->parts[i]) == NULL)
            fail_msg("lacks \"%s\":\n%s", row->parts[i], text);
    free(text);
}

TEST(a_quote_ends_no_string)
{
    struct unit_text text;

    unit_text_open(&text);
    quote(text.to, "it's; `id`\nsystem(\"id\")");
    unit_text_is(&text, "'it''s; `id`system(\"id\")'");
}
