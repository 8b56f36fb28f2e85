/* SPDX-License-Identifier: BSD-3-Clause */
#include "queues_report.h"

#include <math.h>

#include "bench.h"
#include "queues.h"
#include "report/result.h"
#include "slope.h"

/* A round trip has two messages, in reverse two of each entry. */
static void time_of_message(const struct context *c, struct result *result)
{
    const bool all = c->run->operation >= QUEUES_IN_ORDER;

    result->scale = all ? 0.5 / (double)(result->row->parameter + 1) : 0.5;
}

static const struct report_column columns[] = {
    { { "latency_us", "Per Message(us)", 0 }, report_mean },
    { .value = NULL },
};

const struct report report_queues = {
    .unit = "us",
    .sample = "one round trip, of one message or of all of a queue (in_order, "
              "reverse), seen by rank 0",
    .printed = "half of it, in us, for a message, mean over iterations; and "
               "after the table ns for each entry of the queue",
    .figure = time_of_message,
    .headline = columns,
};

/* The time of a message, in ns, and the half-width of its interval. */
static double time_in_ns(const struct result *r)
{
    return 1e9 * r->over_laps.median * r->scale;
}

static double error_in_ns(const struct result *r)
{
    return r->over_laps.has_interval
               ? stats_half_width(&r->over_laps) * time_in_ns(r)
               : 0;
}

/* What became of the row in order of what that one has in reverse; NULL: there is none. */
static const struct result *in_order(const struct rows *rows,
                                     const struct row *reverse)
{
    for (int i = 0; i < rows->n; i++) {
        const struct row *row = &rows->row[i];

        if (row->operation == QUEUES_IN_ORDER &&
            result_mean(&rows->result[i]) > 0 &&
            row->element == reverse->element && row->bytes == reverse->bytes &&
            row->parameter == reverse->parameter)
            return &rows->result[i];
    }
    return NULL;
}

/* In ns, over the entries that a message is compared with. */
static struct slope_point point_of(const struct result *r,
                                   const struct result *order)
{
    if (r->row->operation != QUEUES_REVERSE)
        return (struct slope_point){ (double)r->row->parameter, time_in_ns(r),
                                     error_in_ns(r) };
    return (struct slope_point){
        (double)r->row->parameter / 2,
        time_in_ns(r) - time_in_ns(order),
        hypot(error_in_ns(r), error_in_ns(order)),
    };
}

/* The cost of an entry, of the rows that differ from that one in the parameter
   alone. */
static bool cost_of(const struct rows *rows, const struct row *like,
                    struct slope *cost)
{
    struct slope_point point[PARAMETER_MAX];
    int n = 0;

    if (like->operation == QUEUES_IN_ORDER)
        return false;
    for (int i = 0; i < rows->n && n < PARAMETER_MAX; i++) {
        const struct row *row = &rows->row[i];
        const struct result *r = &rows->result[i];
        const struct result *order = in_order(rows, row);

        if (row->operation == like->operation && result_mean(r) > 0 &&
            row->element == like->element && row->bytes == like->bytes &&
            (order != NULL || row->operation != QUEUES_REVERSE))
            point[n++] = point_of(r, order);
    }
    return slope_of(point, n, cost);
}

/* Is that row the first one of its queue, type and size? */
static bool is_first(const struct rows *rows, const struct row *row)
{
    for (const struct row *before = rows->row; before < row; before++)
        if (before->operation == row->operation &&
            before->element == row->element && before->bytes == row->bytes)
            return false;
    return true;
}

enum exit_code queues_print(FILE *to, const struct context *c,
                            const struct rows *rows)
{
    const char *begin = "\n";
    struct slope cost;

    for (const struct row *row = rows->row; row < rows->row + rows->n; row++) {
        if (!is_first(rows, row) || !cost_of(rows, row, &cost))
            continue;
        fprintf(to, "%s# Per entry: queue=%s; ", begin,
                queues_words[row->operation]);
        begin = "";
        if (c->settings->ntypes > 1)
            fprintf(to, "type=%s; ", element_name(row->element));
        fprintf(to, "size=%zu; %.2f ns, %.2f to %.2f;\n", row->bytes,
                cost.value, cost.value - cost.half_width,
                cost.value + cost.half_width);
    }
    return EXIT_OK;
}

void queues_record(const struct context *c, const struct recorded *what,
                   struct fields *to)
{
    const struct rows *rows = what->rows;
    struct slope cost;

    (void)c;
    if (rows == NULL)
        return;
    const struct fields list = fields_list(*to, "per_entry");

    for (const struct row *row = rows->row; row < rows->row + rows->n; row++)
        if (is_first(rows, row) && cost_of(rows, row, &cost)) {
            const struct fields one = fields_object(list, NULL);

            fields_text(one, "operation", queues_words[row->operation]);
            fields_text(one, "datatype", element_name(row->element));
            fields_int(one, "bytes", (long long)row->bytes);
            fields_real(one, "ns", cost.value);
            fields_real(one, "low_ns", cost.value - cost.half_width);
            fields_real(one, "high_ns", cost.value + cost.half_width);
        }
}
