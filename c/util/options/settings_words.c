/* SPDX-License-Identifier: BSD-3-Clause */
/* The words that options take. */
#include "settings.h"

const struct choice settings_start_words[] = {
    { "own", START_OWN },
    { "library", START_LIBRARY },
    { "clock", START_CLOCK },
    { "none", START_NONE },
    { NULL, 0 },
};
const struct choice settings_clock_words[] = {
    { "auto", CLOCK_AUTO }, { "tsc", CLOCK_TSC }, { "posix", CLOCK_POSIX },
    { "mpi", CLOCK_MPI },   { NULL, 0 },
};
const struct choice settings_order_words[] = {
    { "up", ORDER_UP },
    { "down", ORDER_DOWN },
    { "random", ORDER_RANDOM },
    { NULL, 0 },
};
const struct choice settings_use_words[] = {
    { "reuse", BUFFERS_REUSE },
    { "rotate", BUFFERS_ROTATE },
    { NULL, 0 },
};
const struct choice settings_graph_words[] = {
    { "tty", GRAPH_TTY }, { "png", GRAPH_PNG }, { "pdf", GRAPH_PDF },
    { "svg", GRAPH_SVG }, { NULL, 0 },
};
const char *settings_word_of(const struct choice *choices, int value)
{
    while (choices->word != NULL && choices->value != value)
        choices++;
    return choices->word;
}

const char *const settings_place_words[PLACE_COUNT] = {
    [PLACE_HOST] = "H",          [PLACE_HUGE] = "HH",
    [PLACE_DEVICE] = "D",        [PLACE_PINNED] = "HP",
    [PLACE_MANAGED] = "M",       [PLACE_MANAGED_DEVICE] = "MD",
    [PLACE_MANAGED_HOST] = "MH",
};
