/* SPDX-License-Identifier: BSD-3-Clause */
#include "bus.h"

#include "bench.h"
#include "collective.h"

const struct extra_column bus_columns[] = {
    [BUS_ALGBW] = { "algbw",
                    "bytes of the operation / mean time, in MB/s, by the formula "
                    "of nccl-tests (--help)",
                    "Alg. BW(MB/s)",
                    "Alg. BW(MB/s)",
                    { 0 } },
    [BUS_BUSBW] = { "busbw",
                    "algbw times the share that each rank's link carries; not "
                    "meaningful for trees and in-network reduction",
                    "Bus BW(MB/s)",
                    "Bus BW(MB/s)",
                    { 0 } },
    { 0 },
};

double bus_bandwidth(const struct bus *bus, int column, int n, double bytes,
                     double seconds)
{
    const double algbw = bytes * (bus->blocks ? n : 1) / seconds;
    const double f = bus->rounds > 0 ? bus->rounds * (n - 1.0) / n : 1;

    return column == BUS_BUSBW ? algbw * f : algbw;
}

struct cell bus_cell(const struct bench *b, const struct result *r,
                     double mean_s, int column)
{
    if (!(mean_s > 0))
        return cell_word("-");
    return cell_real(1e-6 * bus_bandwidth(b->flow->of_family, column,
                                          collective_ranks(r), (double)r->moved,
                                          mean_s));
}

void bus_help(const struct bench *b, char *text, size_t room)
{
    const struct bus *bus = b->flow->of_family;

    snprintf(text, room,
             "--columns=algbw,busbw: algbw = S/t, busbw = algbw%s, in MB/s.\n"
             "S: %sbytes of the row; t: mean time%s; n: ranks.\n"
             "busbw is not meaningful for trees and in-network reduction.\n",
             bus->rounds > 1   ? " * 2(n-1)/n"
             : bus->rounds > 0 ? " * (n-1)/n"
                               : "",
             bus->blocks ? "n times the " : "",
             b->family != &collective_family ? " without computation" : "");
}
