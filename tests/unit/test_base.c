/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What needs nothing else: element types, UTF-8, room for text, files that are written anew,
 * messages.
 */
#include "unit.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/element.h"
#include "base/messages.h"
#include "base/sizes.h"
#include "collective/reduction.c"
#include "record/fresh_file.h"

/* What make doc prints: its main is not that of this test. */
int print_messages(void);
#define main print_messages
#include "../../doc/messages.c"
#undef main

/* --- Element -------------------------------------------------------------- */

/* Element types: names and sizes, and whole numbers kept exactly up to the limit
   that sums are held to. */

static const struct element_row {
    const char *name;
    enum element type;
    size_t size;
    double limit;
} rows[] = {
    { "MPI_CHAR", ELEMENT_CHAR, 1, 127 },
    { "MPI_SIGNED_CHAR", ELEMENT_SIGNED_CHAR, 1, 127 },
    { "MPI_INT", ELEMENT_INT, 4, 2147483647 },
    { "MPI_FLOAT", ELEMENT_FLOAT, 4, 16777216 },
    { "MPI_DOUBLE", ELEMENT_DOUBLE, 8, 9007199254740992 },
    { "MPI_INT64_T", ELEMENT_INT64, 8, 9007199254740992 },
    { "MPI_UINT8_T", ELEMENT_UINT8, 1, 255 },
    { "MPI_UINT64_T", ELEMENT_UINT64, 8, 9007199254740992 },
    { "MPI_C_FLOAT_COMPLEX", ELEMENT_COMPLEX, 8, 16777216 },
    { "MPIX_C_FLOAT16", ELEMENT_FLOAT16, 2, 2048 },
    { "MPIX_BFLOAT16", ELEMENT_BFLOAT16, 2, 256 },
};

TEST_ROWS(rows, is_described)
{
    assert_string_equal(element_name(row->type), row->name);
    assert_int_equal(element_size(row->type), row->size);
    assert_near(exact_limit(row->type), row->limit, 0);
}

/* Store at an address that is aligned for no type; no other byte changes. */
TEST_ROWS(rows, keeps_whole_numbers)
{
    const double value[] = { 0, 1, -1, 100, row->limit - 1, row->limit, -row->limit };
    unsigned char memory[16];

    for (size_t i = 0; i < LENGTH(value); i++) {
        if (value[i] < 0 && element_kind(row->type) == ELEMENT_UNSIGNED)
            continue;
        memset(memory, 0xa5, sizeof memory);
        store_whole(row->type, memory + 1, value[i]);
        assert_near(element_load(row->type, memory + 1), value[i], 0);
        assert_int_equal(memory[0], 0xa5);
        for (size_t j = 1 + row->size; j < sizeof memory; j++)
            assert_int_equal(memory[j], 0xa5);
    }
}

/* Whole numbers that a double does not hold. */
TEST(digits_are_exact)
{
    static const struct {
        enum element type;
        uint64_t value;
        const char *digits;
    } row[] = {
        { ELEMENT_INT64, (uint64_t)1 << 53 | 1, "9007199254740993" },
        { ELEMENT_INT64, UINT64_MAX, "-1" },
        { ELEMENT_INT64, (uint64_t)1 << 63, "-9223372036854775808" },
        { ELEMENT_UINT64, (uint64_t)1 << 63 | 1, "9223372036854775809" },
        { ELEMENT_UINT64, UINT64_MAX, "18446744073709551615" },
        { ELEMENT_DOUBLE, 0x3fb999999999999a, "0.10000000000000001" },
        { ELEMENT_UINT8, 0xff000000000000ff, "255" },
    };
    char memory[9], digits[ELEMENT_DIGITS];

    for (size_t i = 0; i < LENGTH(row); i++) {
        memcpy(memory + 1, &row[i].value, 8);
        if (row[i].type == ELEMENT_UINT8) /* in either order of bytes */
            memory[1] = (char)0xff;
        element_print(row[i].type, memory + 1, digits);
        assert_string_equal(digits, row[i].digits);
    }
}

/* Both have 16 bits; these were worked out by hand from their definitions. */
TEST(halves_are_those_of_the_standard)
{
    static const struct {
        double value;
        uint16_t half, upper;
        bool exact[2];
    } halves[] = {
        { 0, 0x0000, 0x0000, { true, true } },
        { 1, 0x3c00, 0x3f80, { true, true } },
        { -2, 0xc000, 0xc000, { true, true } },
        { 0.5, 0x3800, 0x3f00, { true, true } },
        { 125, 0x57d0, 0x42fa, { true, true } },
        { 2049, 0x6800, 0x4500, { false, false } }, /* ties to even */
        { 2051, 0x6802, 0x4500, { false, false } },
        { 257, 0x5c04, 0x4380, { true, false } },
        { 65504, 0x7bff, 0x4780, { true, false } }, /* the largest half */
        { 65520, 0x7c00, 0x4780, { false, false } },
        { 1e9, 0x7c00, 0x4e6e, { false, false } },
        { -INFINITY, 0xfc00, 0xff80, { true, true } },
    };
    uint16_t got;

    for (size_t i = 0; i < LENGTH(halves); i++) {
        store_whole(ELEMENT_FLOAT16, &got, halves[i].value);
        assert_int_equal(got, halves[i].half);
        if (halves[i].exact[0])
            assert_true(element_load(ELEMENT_FLOAT16, &got) == halves[i].value);
        store_whole(ELEMENT_BFLOAT16, &got, halves[i].value);
        assert_int_equal(got, halves[i].upper);
        if (halves[i].exact[1])
            assert_true(element_load(ELEMENT_BFLOAT16, &got) == halves[i].value);
    }
    got = 0x0001; /* the least that is not 0 */
    assert_true(element_load(ELEMENT_FLOAT16, &got) == 0x1p-24);
    got = 0x7e00;
    assert_true(isnan(element_load(ELEMENT_FLOAT16, &got)));
}

/* --- Buffer size ---------------------------------------------------------- */

/* Memory of a row: exact where it fits into a size, the largest size where it does
   not, never less than what is needed. */

static const struct buffer_row {
    const char *name;
    size_t bytes, blocks;
    bool window;
    size_t expected;
} buffer_rows[] = {
    { "no block, no buffer", 4096, 0, false, 0 },
    { "no slot, no buffer", 4096, 0, true, 0 },
    { "one block and its guard", 8, 1, false, 8 + BUFFER_GUARD },
    { "blocks side by side", 3, 5, false, 15 + BUFFER_GUARD },
    { "slots a cache line apart", 3, 5, true, 5 * 64 + BUFFER_GUARD },
    { "empty slots have a line each", 0, 7, true, 7 * 64 + BUFFER_GUARD },
    { "a hundred thousand ranks, 4 MiB", 4194304, 100000, false, 419430400000 + BUFFER_GUARD },
    { "too much: blocks", (size_t)1 << 60, 100000, false, SIZE_MAX },
    { "too much: slots", (size_t)1 << 60, 100000, true, SIZE_MAX },
    { "too much: guard", SIZE_MAX - 8, 1, false, SIZE_MAX },
    { "too much: largest size", PTRDIFF_MAX, 3, true, SIZE_MAX },
    { "too much: a slot, nearly", SIZE_MAX - 70, 1, true, SIZE_MAX },
};

TEST_ROWS(buffer_rows, buffer_is)
{
    assert_true(buffer_size(row->bytes, row->blocks, row->window) == row->expected);
}

static const struct arithmetic_row {
    const char *name;
    size_t a, b, sum, product;
} arithmetic_rows[] = {
    { "6 7", 6, 7, 13, 42 },
    { "0 SIZE_MAX", 0, SIZE_MAX, SIZE_MAX, 0 },
    { "1 SIZE_MAX", 1, SIZE_MAX, SIZE_MAX, SIZE_MAX },
    { "2 SIZE_MAX", 2, SIZE_MAX, SIZE_MAX, SIZE_MAX },
    { "2^32 2^32", (size_t)1 << 32, (size_t)1 << 32, (size_t)1 << 33, SIZE_MAX },
    { "2^32 2^31", (size_t)1 << 32, (size_t)1 << 31, ((size_t)1 << 32) + ((size_t)1 << 31),
      (size_t)1 << 63 },
    { "2^64-2 1", SIZE_MAX - 1, 1, SIZE_MAX, SIZE_MAX - 1 },
};

TEST_ROWS(arithmetic_rows, arithmetic_saturates)
{
    assert_true(size_sum(row->a, row->b) == row->sum);
    assert_true(size_sum(row->b, row->a) == row->sum);
    assert_true(size_product(row->a, row->b) == row->product);
    assert_true(size_product(row->b, row->a) == row->product);
}

static const struct human_row {
    const char *name; /* text that is printed */
    double bytes;
} human_rows[] = {
    { "0B", 0 },         { "1023B", 1023 },
    { "1KiB", 1024 },    { "1.5KiB", 1536 },
    { "4MiB", 4194304 }, { "390.6GiB", 419430400000 },
    { "1TiB", 0x1p40 },  { "1PiB", 0x1p50 },
    { "16EiB", 0x1p64 }, { "3.142e+06EiB", 3141593 * 0x1p60 },
};

/* No blank: a reader of tables would take the number for a result. */
TEST_ROWS(human_rows, size_for_people)
{
    char text[32];

    assert_ptr_equal(size_words(row->bytes, text), text);
    assert_string_equal(text, row->name);
    assert_null(strchr(text, ' '));
}

TEST(slots_are_whole_lines)
{
    assert_int_equal(slot_size(0), 64);
    for (size_t bytes = 1; bytes < 1000; bytes++) {
        const size_t slot = slot_size(bytes);

        assert_true(slot >= bytes && slot < bytes + 64 && slot % 64 == 0);
    }
    assert_true(slot_size((size_t)1 << 62) == (size_t)1 << 62);
    assert_true(slot_size(SIZE_MAX) >= SIZE_MAX / 64 * 64);
}

/* --- Fresh file ----------------------------------------------------------- */

/* What is there after a process that wrote was ended by a signal, between its rows or within
   one, and after the next process. */
static const struct ended_row {
    const char *name;
    int signal;
    bool within;
    const char *file, *part; /* part: NULL: there is none */
} ended_rows[] = {
    { "killed", SIGKILL, false, "before", "row" },
    { "killed within a row", SIGKILL, true, "before", "r" },
    { "terminated", SIGTERM, false, "row", NULL },
    { "terminated within a row: when it is whole", SIGTERM, true, "row", NULL },
    { "crashed", SIGABRT, false, "row", NULL },
    { "crashed within a row: what is there is not whole", SIGABRT, true, "before", "r" },
};

static void contents_are(const char *path, const char *expected)
{
    char text[16] = "";
    FILE *const from = fopen(path, "r");

    assert_non_null(from);
    assert_true(fgets(text, sizeof text, from) != NULL);
    assert_string_equal(text, expected);
    fclose(from);
}

/* Of this folder. */
static int count_files(void)
{
    DIR *const folder = opendir(".");
    int n = 0;

    assert_non_null(folder);
    while (readdir(folder) != NULL)
        n++;
    closedir(folder);
    return n - 2;
}

/* As job/crash.h has it. */
static void on_end(int number)
{
    if (number == SIGTERM && fresh_files_defer(number))
        return;
    fresh_files_rescue();
    signal(number, SIG_DFL);
    raise(number);
}

static void write_new(const char *text, int end, bool within)
{
    struct fresh_file f;

    assert_true(fresh_file_begin(&f, "x", FRESH_ROWS));
    fresh_file_grow(&f);
    fputc(text[0], f.to);
    fresh_file_flush(&f);
    fresh_file_grow(&f);
    fputs(text + 1, f.to);
    if (end != 0 && within)
        raise(end);
    fresh_file_flush(&f);
    if (end != 0)
        raise(end);
    assert_int_equal(fresh_file_end(&f, "-", EXIT_OK), EXIT_OK);
}

TEST_ROWS(ended_rows, what_is_left_is_whole_and_is_replaced)
{
    char folder[] = "/tmp/fresh_file.XXXXXX";

    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    for (int i = 0; i < 2; i++) {
        int status = 0;
        pid_t child;

        write_new("before", 0, false);
        child = fork();
        if (child == 0) {
            signal(SIGTERM, on_end);
            signal(SIGABRT, on_end);
            write_new("row", row->signal, row->within);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        contents_are("x", row->file);
        if (row->part != NULL)
            contents_are("x.part", row->part);
    }
    write_new("after", 0, false);
    contents_are("x", "after");
    assert_int_equal(count_files(), 1);
    unlink("x");
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
}

/* --- Messages ------------------------------------------------------------- */

/* The catalogue of messages: every number occurs once and every message has a
   remedy; no printed line looks like a row of a table; doc/messages.md is up to
   date. Tests of programs expect the numbers and exit codes. */

TEST(numbers_are_unique_and_well_formed)
{
    for (int i = 0; i < MESSAGE_COUNT; i++) {
        const char *number = messages[i].number;

        assert_non_null(number);
        assert_int_equal(strlen(number), 3);
        assert_true(number[0] == 'E' || number[0] == 'W');
        assert_true(isdigit((unsigned char)number[1]) && isdigit((unsigned char)number[2]));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(number, messages[j].number);
    }
}

/* Whole sentences on one line; a number before a blank would be taken for a
   result where stderr is merged into the table. */
TEST(texts_are_sentences)
{
    for (int i = 0; i < MESSAGE_COUNT; i++) {
        const char *text[] = { meanings[i], messages[i].advice };

        assert_int_equal(messages[i].number[0] == 'W', messages[i].code == EXIT_OK);
        for (int t = 0; t < 2; t++) {
            assert_non_null(text[t]);
            const size_t n = strlen(text[t]);

            assert_true(n > 0);
            assert_int_equal(text[t][n - 1], '.');
            assert_null(strpbrk(text[t], "\n\t"));
            assert_null(strstr(text[t], "  "));
        }
        if (messages[i].number[0] == 'W')
            for (const char *c = text[1]; *c != '\0'; c++)
                assert_false(isdigit((unsigned char)*c) && c[1] == ' ');
    }
}

/* What message_print writes to stderr, and what it returns. */
static char *printed(enum message_id id, const char *what, int number, enum exit_code *code)
{
    const struct unit_catch caught = unit_catch(STDERR_FILENO);

    message_program = "latency";
    *code = message_print(id, "%s, n=%d", what, number);
    return unit_caught(&caught);
}

static const struct printed_row {
    const char *name, *what;
    enum message_id id;
    enum exit_code code;
    const char *text;
} printed_rows[] = {
    { "an error and its advice", "no GPU", E05_NO_GPU_SUPPORT, EXIT_CANNOT_RUN,
      "alidade: error E05: latency: no GPU, n=3\n"
      "    An NVIDIA GPU needs a build with CUDA (configure --with-cuda), an "
      "AMD GPU one with HIP (--with-hip), and nvidia-smi or rocm-smi must show "
      "it in the same job. For other GPUs use OMB. To measure host memory, "
      "leave out -d, -r, --compute and the words for buffers.\n" },
    { "a warning and its advice", "few", W22_FEW_SAMPLES, EXIT_OK,
      "# alidade: warning W22: latency: few, n=3\n"
      "#   Leave out -i, or raise it.\n" },
};

TEST_ROWS(printed_rows, message_is_printed)
{
    enum exit_code code;
    char *text = printed(row->id, row->what, 3, &code);

    assert_string_equal(text, row->text);
    assert_int_equal(code, row->code);
    free(text);
}

/* Cut or not, what is printed are whole lines. */
TEST(long_message_still_ends_its_line)
{
    enum exit_code code;
    char what[5000], *text;

    memset(what, 'x', sizeof what - 1);
    what[sizeof what - 1] = '\0';
    text = printed(E17_FILE, what, 1, &code);
    assert_true(strlen(text) > 1000);
    assert_int_equal(text[strlen(text) - 1], '\n');
    assert_memory_equal(text, "alidade: error E17: latency: xxx", 32);
    free(text);
}

/* Texts of MPI libraries may have several lines.  Those of a warning have the mark, which
   makes them comments; scripts must find an error. */
TEST(every_line_of_a_warning_has_the_mark)
{
    static const enum message_id ids[] = { W05_HOST_MEASURED, E12_USAGE };

    for (int i = 0; i < 2; i++) {
        enum exit_code code;
        char *text = printed(ids[i], "first\nsecond\nthird", 1, &code), *rest;

        assert_non_null(strstr(text, "first"));
        assert_non_null(strstr(text, "second"));
        assert_non_null(strstr(text, "third, n=1"));
        for (char *line = strtok_r(text, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest))
            assert_int_equal(strncmp(line, "# ", 2) == 0, code == EXIT_OK);
        free(text);
    }
}

TEST(document_is_up_to_date)
{
    char *const file = unit_source_file("doc/messages.md");
    struct unit_text text;
    char *got;

    unit_text_open(&text);
    print_page(text.to);
    got = unit_text_close(&text);
    if (file != NULL)
        assert_string_equal(got, file);
    free(got);
    free(file);
}
