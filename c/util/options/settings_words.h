/* SPDX-License-Identifier: BSD-3-Clause */
/* settings_words.h - what options choose among, and the words for it. */
#ifndef SETTINGS_WORDS_H
#define SETTINGS_WORDS_H

#include "option.h"

/* How rows are measured: as Alidade does, or as OMB, to continue old series. */
enum protocol { PROTOCOL_ALIDADE, PROTOCOL_OMB };

/* START_UNSET: until the command line has been read. */
enum start_kind {
    START_UNSET,
    START_DISSEMINATION,
    START_LIBRARY,
    START_CLOCK,
    START_NONE
};

/* Batches in which a rank lost its CPU: leave them out, or keep them. */
enum disturbed { DISTURBED_LEFT_OUT, DISTURBED_KEPT };

/* From iteration to iteration: the same buffers, or the next ones of a pool larger
   than the cache. */
enum buffer_use { BUFFERS_REUSE, BUFFERS_ROTATE };

enum order { ORDER_UP, ORDER_DOWN, ORDER_RANDOM };

/* Memory of the messages of a window: as much as there is below a limit, one place for all of
   them, or one for each. */
enum slots { SLOTS_AUTO, SLOTS_SINGLE, SLOTS_MULTIPLE };

enum { ROOT_ROTATES = -1 };

/* Bits: a run may draw several. */
enum graph_kind {
    GRAPH_TTY = 1 << 0,
    GRAPH_PNG = 1 << 1,
    GRAPH_PDF = 1 << 2,
    GRAPH_SVG = 1 << 3,
};

/* Where a buffer was asked to be, by a word of the command line. */
enum memory_place {
    PLACE_HOST,
    PLACE_HUGE,
    PLACE_PINNED, /* from here on: of a GPU's runtime library */
    PLACE_DEVICE,
    PLACE_FINE,
    PLACE_MANAGED,
    PLACE_MANAGED_DEVICE,
    PLACE_MANAGED_HOST,
    PLACE_COUNT
};

enum device { DEVICE_HOST, DEVICE_CUDA, DEVICE_ROCM, DEVICE_MANAGED };

/* Of enum protocol, disturbed, start_kind, clock_kind, order, buffer_use, graph_kind, device and
   memory_place; of -b, -k and -T, whose values are bits of elements. */
extern const struct choice settings_protocol_words[],
    settings_disturbed_words[], settings_start_words[], settings_clock_words[],
    settings_order_words[], settings_use_words[], settings_graph_words[],
    settings_gpu_words[], settings_place_words[], settings_buffer_words[],
    settings_root_words[], settings_fixed_root_words[], settings_type_words[],
    settings_whole_type_words[];

#endif
