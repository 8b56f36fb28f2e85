/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows that say little of the machine, the line after the table, and stolen time. */
#include "unit.h"

#include <unistd.h>

#include "machine/interference.h"
#include "report/doubt.h"

enum {
    DISTURBED = 1 << DOUBT_DISTURBED,
    FEW = 1 << DOUBT_FEW,
    SPEED = 1 << DOUBT_SPEED
};

static const struct case_row {
    const char *name;
    double mean, median, speed;
    long found, left_out, laps;
    enum stop_reason stop;
    unsigned doubts;
} rows[] = {
    { "nothing is known against it", 1, 1, 1, 0, 0, 1000, STOP_PRECISION, 0 },
    { "a long tail, and nobody was disturbed", 2, 1, 1, 0, 0, 1000, STOP_BUDGET,
      0 },
    { "all that was disturbed is left out", 2, 1, 1, 9, 9, 1000, STOP_BUDGET,
      0 },
    { "disturbed, but as quick", 1.09, 1, 1, 9, 0, 1000, STOP_BUDGET, 0 },
    { "disturbed, and slower", 1.11, 1, 1, 9, 0, 1000, STOP_BUDGET, DISTURBED },
    { "disturbed, and some left out", 1.11, 1, 1, 9, 8, 1000, STOP_BUDGET,
      DISTURBED },
    { "too few", 1, 1, 1, 9, 9, 19, STOP_BUDGET, FEW },
    { "slow, and undisturbed", 1, 1, 1, 0, 0, 3, STOP_BUDGET, 0 },
    { "as many as asked for", 1, 1, 1, 0, 0, 3, STOP_COUNT, 0 },
    { "slower by the end", 1, 1, 0.89, 0, 0, 1000, STOP_BUDGET, SPEED },
    { "speed is not known", 1, 1, 0, 0, 0, 1000, STOP_BUDGET, 0 },
    { "all of it", 3, 1, 1.2, 5, 0, 3, STOP_BUDGET, DISTURBED | FEW | SPEED },
};

static struct result result_of(const struct case_row *row)
{
    return (struct result){
        .over_laps = { .mean = row->mean, .median = row->median },
        .steady.speed = row->speed,
        .disturbed = { true, 10, row->found, row->left_out },
        .laps = row->laps,
        .stop = row->stop,
    };
}

TEST_ROWS(rows, doubts_are)
{
    const struct result r = result_of(row);

    assert_int_equal(doubt_of(&r), row->doubts);
}

/* The line of these rows, to be freed. */
static char *line_of(const char *const *name)
{
    struct doubts d = { 0 };
    struct unit_text text;

    for (; *name != NULL; name++)
        for (size_t i = 0; i < LENGTH(rows); i++)
            if (strcmp(rows[i].name, *name) == 0) {
                const struct result r = result_of(&rows[i]);

                doubts_add(&d, &r);
            }
    unit_text_open(&text);
    doubts_print(text.to, &d);
    fclose(text.to);
    return text.data;
}

TEST(a_line_says_it_once)
{
    const char *const good[] = { rows[0].name, rows[1].name, NULL };
    const char *const slow[] = { rows[0].name, rows[4].name, rows[6].name,
                                 NULL };
    char *line = line_of(good);

    assert_string_equal(line, "");
    free(line);
    line = line_of(slow);
    assert_string_equal(
        line,
        "# disturbed: 2 of 3 rows; the kernel took the CPU from a rank in up "
        "to 9 batches of a row (1); fewer than 20 iterations (1); keep other "
        "work off these CPUs and run again, or read medians "
        "(--columns=median); raise --budget;\n");
    free(line);
}

/* The eighth number of a CPU's line, in ticks of the kernel. */
TEST(stolen_time_is_that_of_the_cpu)
{
    char folder[] = "/tmp/alidade-unit-XXXXXX", path[64];
    const double tick = 1 / (double)sysconf(_SC_CLK_TCK);
    FILE *file;

    assert_non_null(mkdtemp(folder));
    assert_true(interference_stolen(folder, 1) == 0);
    snprintf(path, sizeof path, "%s/stat", folder);
    file = fopen(path, "w");
    assert_non_null(file);
    fputs("cpu  1 2 3 4 5 6 7 300 9 10\ncpu1 1 2 3 4 5 6 7 100 9 10\n"
          "cpu11 1 2 3 4 5 6 7 200 9 10\nintr 5\n",
          file);
    fclose(file);
    assert_near(interference_stolen(folder, 1), 100 * tick, 1e-9);
    assert_near(interference_stolen(folder, 11), 200 * tick, 1e-9);
    assert_true(interference_stolen(folder, 2) == 0);
    remove(path);
    rmdir(folder);
}
