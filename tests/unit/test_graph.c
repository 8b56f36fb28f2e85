/* SPDX-License-Identifier: BSD-3-Clause */
/* The script that gnuplot is given: names of files, and whatever size they are
   for; of many samples those that are kept; no place for what has no
   logarithm. */
#include "unit.h"

#include "base/gnuplot.h"
#include "bench.h"
#include "report/graph.h"

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
