/* SPDX-License-Identifier: BSD-3-Clause */
/* The words that options take.  Those with a colon and capitals show a form. */
#include "settings.h"

const struct choice settings_protocol_words[] = {
    { "alidade", PROTOCOL_ALIDADE, "until precise, as the other options say" },
    { "omb", PROTOCOL_OMB, "OMB's counts, barriers, clock and buffers" },
    { 0 },
};
const struct choice settings_disturbed_words[] = {
    { "leave-out", DISTURBED_LEFT_OUT,
      "no figure is made of it, and another is measured" },
    { "keep", DISTURBED_KEPT, "it counts, as with -i and --protocol=omb" },
    { 0 },
};
const struct choice settings_start_words[] = {
    { "dissemination", START_DISSEMINATION, "Alidade's own barrier" },
    { "library", START_LIBRARY, "MPI_Barrier, as OMB" },
    { "clock", START_CLOCK, "a time on synchronized clocks" },
    { "none", START_NONE, "not at all: only the mean counts" },
    { "own", START_DISSEMINATION, NULL },
    { 0 },
};
const struct choice settings_clock_words[] = {
    { "auto", CLOCK_AUTO,
      "tsc if all kernels use it, or posix; mpi with --protocol=omb" },
    { "tsc", CLOCK_TSC, "time stamp counter of the processor" },
    { "posix", CLOCK_POSIX, "clock_gettime" },
    { "mpi", CLOCK_MPI, "MPI_Wtime" },
    { 0 },
};
const struct choice settings_order_words[] = {
    { "up", ORDER_UP, "ascending" },
    { "down", ORDER_DOWN, "descending" },
    { "random", ORDER_RANDOM, "shuffled (seed in the JSON file)" },
    { "random:SEED", ORDER_RANDOM, "shuffled with this seed, above 0" },
    { 0 },
};
const struct choice settings_use_words[] = {
    { "reuse", BUFFERS_REUSE, "the same buffers every time" },
    { "rotate", BUFFERS_ROTATE, "a pool of twice the last cache" },
    { "rotate:BYTES", BUFFERS_ROTATE, "a pool of BYTES per direction" },
    { 0 },
};
#define FIXED_ROOT "fixed:R", 0, "rank R in every iteration"
const struct choice settings_fixed_root_words[] = { { FIXED_ROOT }, { 0 } };
const struct choice settings_root_words[] = {
    { FIXED_ROOT },
    { "rotate", ROOT_ROTATES, "the next rank in each iteration" },
    { 0 },
};
const struct choice settings_graph_words[] = {
    { "tty", GRAPH_TTY, "after the table, as text" },
    { "png", GRAPH_PNG, "PNG file" },
    { "pdf", GRAPH_PDF, "PDF file" },
    { "svg", GRAPH_SVG, "SVG file" },
    { 0 },
};
const struct choice settings_buffer_words[] = {
    { "auto", SLOTS_AUTO,
      "one for all messages to send, one for each to receive, up to 1GiB" },
    { "single", SLOTS_SINGLE, "one for all messages, as in OMB" },
    { "multiple", SLOTS_MULTIPLE, "one for each message" },
    { 0 },
};
const struct choice settings_gpu_words[] = {
    { "host", DEVICE_HOST, "no GPU memory" },
    { "cuda", DEVICE_CUDA, "CUDA device memory" },
    { "rocm", DEVICE_ROCM, "device memory of an AMD GPU" },
    { "managed", DEVICE_MANAGED, "managed memory of a GPU" },
    { 0 },
};

/* Bits, since "all" has several; they are measured one after the other. */
#define BIT(element) (1 << ELEMENT_##element)
#define WHOLE        (BIT(CHAR) | BIT(INT) | BIT(INT64))

const struct choice settings_type_words[] = {
    { "mpi_char", BIT(CHAR), "one byte" },
    { "mpi_int", BIT(INT), "MPI_INT" },
    { "mpi_float", BIT(FLOAT), "MPI_FLOAT" },
    { "mpi_double", BIT(DOUBLE), "MPI_DOUBLE" },
    { "mpi_int64", BIT(INT64), "MPI_INT64_T" },
    { "mpi_int64_t", BIT(INT64), NULL },
    { "all", WHOLE | BIT(FLOAT) | BIT(DOUBLE), "each of the types above" },
    { "mpi_uint8", BIT(UINT8), "MPI_UINT8_T" },
    { "mpi_uint8_t", BIT(UINT8), NULL },
    { "mpi_uint64", BIT(UINT64), "MPI_UINT64_T" },
    { "mpi_uint64_t", BIT(UINT64), NULL },
    { "mpi_complex", BIT(COMPLEX), "MPI_C_FLOAT_COMPLEX" },
    { "mpi_float16", BIT(FLOAT16), "half precision, if the library has it" },
    { "mpi_bfloat16", BIT(BFLOAT16), "bfloat16, if the library has it" },
    { 0 },
};
/* Floating point numbers cannot be compared and swapped. */
const struct choice settings_whole_type_words[] = {
    { "mpi_char", BIT(CHAR), "one byte" },
    { "mpi_int", BIT(INT), "MPI_INT" },
    { "mpi_int64", BIT(INT64), "MPI_INT64_T" },
    { "mpi_int64_t", BIT(INT64), NULL },
    { "all", WHOLE, "each of these types" },
    { 0 },
};

const struct choice settings_place_words[] = {
    { "H", PLACE_HOST, "host memory" },
    { "HH", PLACE_HUGE, "host memory in huge pages, both words required" },
    { "HP", PLACE_PINNED, "pinned host memory" },
    { "D", PLACE_DEVICE, "GPU memory" },
    { "F", PLACE_FINE, "fine-grained GPU memory, of AMD GPUs" },
    { "M", PLACE_MANAGED, "managed memory, the same as MH" },
    { "MD", PLACE_MANAGED_DEVICE,
      "managed memory, on the GPU before each iteration" },
    { "MH", PLACE_MANAGED_HOST,
      "managed memory, on the host before each iteration" },
    { 0 },
};
