/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables and drawings.
 */
#include "unit.h"

#include "base/gnuplot.h"
#include "bench.h"
#include "report/graph.h"
#include "report/table.h"

/* --- Table ---------------------------------------------------------------- */

/* Rows and headings byte for byte as OMB 7.4 prints them, and the same as CSV. Most
   expected lines are recorded output of OMB. */

#define REAL(x)                                                                \
    {                                                                          \
        .kind = CELL_REAL, .real = (x)                                         \
    }
#define COUNT(x)                                                               \
    {                                                                          \
        .kind = CELL_COUNT, .count = (x)                                       \
    }
#define WORD(x)                                                                \
    {                                                                          \
        .kind = CELL_WORD, .word = x                                           \
    }

enum { MOST = 10 };

static const struct table_row {
    const char *name;
    int with_size;
    size_t size;
    struct column column[MOST];
    struct cell cell[MOST];
    const char *heading, *row;
} table_rows[] = {
    { "latency",
      1,
      1,
      { { "l", "Avg Latency(us)" } },
      { REAL(0.61) },
      "# Size       Avg Latency(us)\n",
      "1                       0.61\n" },
    { "latency with -c -z",
      1,
      4,
      { { "l", "Avg Latency(us)" },
        { "v", "Validation" },
        { "a", "P50 Tail Lat(us)" },
        { "b", "P90 Tail Lat(us)" },
        { "c", "P99 Tail Lat(us)" } },
      { REAL(1.04), WORD("Pass"), REAL(0.37), REAL(0.45), REAL(0.45) },
      "# Size       Avg Latency(us)        Validation  P50 Tail Lat(us)  P90 "
      "Tail Lat(us)  P99 Tail Lat(us)\n",
      "4                       1.04              Pass              0.37         "
      "     0.45              0.45\n" },
    { "collective with -f",
      1,
      4,
      { { "l", "Avg Latency(us)" },
        { "m", "Min Latency(us)" },
        { "n", "Max Latency(us)" },
        { "i", "Iterations", TABLE_COUNT_WIDTH } },
      { REAL(0.86), REAL(0.82), REAL(0.89), COUNT(5) },
      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  "
      "Iterations\n",
      "4                       0.86              0.82              0.89         "
      "  5\n" },
    { "a further size",
      1,
      8,
      { { "l", "Avg Latency(us)" }, { "t", "Transmit Size" } },
      { REAL(0.52), COUNT(4) },
      "# Size       Avg Latency(us)     Transmit Size\n",
      "8                       0.52                 4\n" },
    { "bandwidth with a percentile",
      1,
      4194304,
      { { "b", "Bandwidth (MB/s)" }, { "p", "P1 Tail BW(MB/s)" } },
      { REAL(10824.125), REAL(9000) },
      "# Size      Bandwidth (MB/s)  P1 Tail BW(MB/s)\n",
      "4194304             10824.12           9000.00\n" },
    { "a hidden column",
      1,
      8,
      { { "l", "Avg Latency(us)" },
        { "h", "Hidden", .hidden = true },
        { "t", "Transmit Size" } },
      { REAL(0.52), REAL(7), COUNT(4) },
      "# Size       Avg Latency(us)     Transmit Size\n",
      "8                       0.52                 4\n" },
    { "a column of a width of its own",
      1,
      1,
      { { "l", "Avg Latency(us)" }, { "p", "P100 Tail Lat(us)", 19 } },
      { REAL(0.61), REAL(2) },
      "# Size       Avg Latency(us)  P100 Tail Lat(us)\n",
      "1                       0.61               2.00\n" },
    { "message rate",
      1,
      1,
      { { "b", "MB/s" }, { "r", "Messages/s" } },
      { REAL(11.41), REAL(11405759.91) },
      "# Size                  MB/s        Messages/s\n",
      "1                      11.41       11405759.91\n" },
    { "overlap",
      1,
      1,
      { { "o", "Overall(us)" },
        { "c", "Compute(us)" },
        { "p", "Pure Comm.(us)" },
        { "h", "Overlap(%)" } },
      { REAL(3.01), REAL(2.25), REAL(1.88), REAL(59.64) },
      "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        "
      "Overlap(%)\n",
      "1                       3.01              2.25              1.88         "
      "    59.64\n" },
    { "barrier: the first value is 17 wide",
      0,
      0,
      { { "l", "Avg Latency(us)" },
        { "m", "Min Latency(us)" },
        { "n", "Max Latency(us)" },
        { "i", "Iterations", TABLE_COUNT_WIDTH } },
      { REAL(2.34), REAL(2.28), REAL(2.41), COUNT(5) },
      "# Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n",
      "             2.34              2.28              2.41           5\n" },
    { "ibarrier: the first value is 13 wide",
      0,
      0,
      { { "o", "Overall(us)" }, { "c", "Compute(us)" } },
      { REAL(3.01), REAL(2.25) },
      "# Overall(us)       Compute(us)\n",
      "         3.01              2.25\n" },
    { "too wide a value pushes the line",
      1,
      1,
      { { "a", "MB/s" }, { "b", "Messages/s" } },
      { REAL(1234567890123456789.0), REAL(1) },
      "# Size                  MB/s        Messages/s\n",
      "1         1234567890123456768.00              1.00\n" },
    { "ten digits fill their field",
      1,
      1073741824,
      { { "a", "MB/s" } },
      { REAL(0.005) },
      "# Size                  MB/s\n",
      "1073741824              0.01\n" },
    { "size 0",
      1,
      0,
      { { "l", "Avg Latency(us)" } },
      { REAL(0) },
      "# Size       Avg Latency(us)\n",
      "0                       0.00\n" },
};

static int columns_of(const struct table_row *row)
{
    int n = 0;

    while (n < MOST && row->column[n].heading != NULL)
        n++;
    return n;
}

TEST_ROWS(table_rows, prints)
{
    const int n = columns_of(row);
    struct unit_text text;

    unit_text_open(&text);
    table_print_heading(text.to, row->column, n,
                        row->with_size ? "Size" : NULL);
    unit_text_is(&text, row->heading);
    unit_text_open(&text);
    table_print_row(text.to, row->column, row->cell, n, row->with_size,
                    row->size);
    unit_text_is(&text, row->row);
}

/* Without fclose: a run that dies has shown what it finished. */
TEST(rows_are_flushed)
{
    const struct column column = { "l", "Avg Latency(us)", 0 };
    const struct cell cell = REAL(1);
    struct unit_text text;

    unit_text_open(&text);
    setvbuf(text.to, NULL, _IOFBF, 4096);
    table_print_heading(text.to, &column, 1, "Size");
    assert_int_equal(text.size, 29); /* what fflush has seen */
    table_print_row(text.to, &column, &cell, 1, 1, 8);
    assert_int_equal(text.size, 58);
    free(unit_text_close(&text));
}

/* RFC 4180: commas between fields, lines end with CR LF; nine digits. */
TEST(csv)
{
    static const struct column column[] = { { "size", "Size", 0 },
                                            { "latency_us", "Avg", 0 },
                                            { "stop", "Stop", 0 } };
    static const struct cell cell[] = { COUNT(1048576), REAL(1234.56789012345),
                                        WORD("budget") };
    struct unit_text text;

    unit_text_open(&text);
    table_csv_heading(text.to, column, 3);
    table_csv_row(text.to, cell, 3);
    table_csv_row(text.to, cell, 1);
    unit_text_is(&text, "size,latency_us,stop\r\n"
                        "1048576,1234.56789,budget\r\n"
                        "1048576\r\n");
}

TEST(csv_has_no_field_for_what_is_no_number)
{
    static const struct cell cell[] = { COUNT(8), REAL(NAN), REAL(-HUGE_VAL),
                                        REAL(1) };
    struct unit_text text;

    unit_text_open(&text);
    table_csv_row(text.to, cell, 4);
    unit_text_is(&text, "8,,,1\r\n");
}

/* --- Graph ---------------------------------------------------------------- */

/* The script that gnuplot is given: names of files, and whatever size they are for;
   of many samples those that are kept; no place for what has no logarithm. */

static double lap[] = { 1e-6, 0, 2e-6, 3e-6 };
static const struct row small = { .bytes = 8 };
static struct series series = { .n = 140000, .kept = 4, .value = lap };

/* The script for one row; to be freed. */
static char *script_of_kind(struct settings s, const struct result *r,
                            const char *about, const char *kind)
{
    const struct bench b = { .name = "neighbor_alltoallw",
                             .about = about,
                             .takes = TAKES_CHECK };
    const struct context c = { .bench = &b,
                               .settings = &s,
                               .identity = "ranks=2;" };
    struct graph g = { .context = &c, .script = tmpfile() };
    char *text = calloc(1 << 14, 1);

    assert_non_null(g.script);
    assert_non_null(text);
    graph_row(&g, r, kind);
    rewind(g.script);
    if (fread(text, 1, (1 << 14) - 1, g.script) == 0)
        text[0] = '\0';
    fclose(g.script);
    free(g.point);
    return text;
}

static char *script_of(struct settings s, const struct result *r,
                       const char *about)
{
    return script_of_kind(s, r, about, "");
}

static void expect_part(const char *text, const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("lacks \"%s\":\n%s", part, text);
}

TEST(what_a_row_has_besides_is_in_its_file_and_heading)
{
    const struct result r = {
        .row = &small, .mean = 1e-6, .scale = 1, .stride = 1, .series = &series
    };
    char *text =
        script_of_kind((struct settings){ .graphs = GRAPH_PNG, .ntypes = 1 },
                       &r, "", "Wait any=2");

    expect_part(text, "set output 'neighbor_alltoallw-wait-any2-8.png'\n");
    expect_part(text, "neighbor_alltoallw: Wait any=2, size 8, ");
    free(text);
}

TEST(the_longest_name_of_a_file_fits)
{
    const struct row row = { .bytes = SIZE_MAX,
                             .element = ELEMENT_SIGNED_CHAR };
    const struct result r = {
        .row = &row, .mean = 1e-6, .scale = 1, .stride = 1, .series = &series
    };
    char *text = script_of(
        (struct settings){ .graphs = GRAPH_PDF, .ntypes = 2 }, &r, "");

    expect_part(text, "set output 'neighbor_alltoallw-mpi_signed_char-"
                      "18446744073709551615.pdf'\n");
    free(text);
}

TEST(of_many_samples_the_first_are_drawn_and_it_says_so)
{
    const struct result r = {
        .row = &small, .mean = 1e-6, .scale = 1, .stride = 10, .series = &series
    };
    char *text = script_of(
        (struct settings){ .graphs = GRAPH_SVG, .ntypes = 1 }, &r, "");

    expect_part(text, "the first 4 of 140000 samples, each of iterations=10;");
    expect_part(text, "<< END\n10 1\n30 2\n40 3\nEND\n");
    expect_part(text, "set output 'neighbor_alltoallw-8.svg'\n");
    free(text);
}

TEST(a_quote_ends_no_string)
{
    FILE *to = tmpfile();
    char text[80] = "";

    assert_non_null(to);
    gnuplot_quote(to, "it's; `id`\nsystem(\"id\")");
    rewind(to);
    assert_non_null(fgets(text, sizeof text, to));
    assert_string_equal(text, "'it''s; `id`system(\"id\")'");
    fclose(to);
}
