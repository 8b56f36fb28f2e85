/* SPDX-License-Identifier: BSD-3-Clause */
/* The catalogue of messages: every number occurs once and every message has a
   remedy; no printed line looks like a row of a table; doc/messages.md is up to
   date. */
#include "unit.h"

#include <ctype.h>
#include <unistd.h>

#include "base/messages.h"

TEST(numbers_are_unique_and_well_formed)
{
    for (int i = 0; i < MESSAGE_COUNT; i++) {
        const char *number = messages[i].number;

        assert_non_null(number);
        assert_int_equal(strlen(number), 3);
        assert_true(number[0] == 'E' || number[0] == 'W');
        assert_true(isdigit((unsigned char)number[1]) &&
                    isdigit((unsigned char)number[2]));
        for (int j = 0; j < i; j++)
            assert_string_not_equal(number, messages[j].number);
    }
}

/* Users search for the numbers: they must not move to another message. */
TEST(numbers_are_those_of_the_names)
{
    static const struct {
        enum message_id id;
        const char *number;
        enum exit_code code;
    } known[] = {
        { E01_NOT_ONE_JOB, "E01", EXIT_RUN },
        { E02_WRONG_RANKS, "E02", EXIT_CANNOT_RUN },
        { E05_NO_GPU_SUPPORT, "E05", EXIT_CANNOT_RUN },
        { W05_HOST_MEASURED, "W05", EXIT_OK },
        { W08_OVERSUBSCRIBED, "W08", EXIT_OK },
        { E10_NOTHING_FITS, "E10", EXIT_RUN },
        { W11_ROWS_LEFT_OUT, "W11", EXIT_OK },
        { E11_TOO_LARGE, "E11", EXIT_CANNOT_RUN },
        { E12_USAGE, "E12", EXIT_USAGE },
        { E14_WRONG_DATA, "E14", EXIT_WRONG_DATA },
        { E15_NO_PROGRESS, "E15", EXIT_RUN },
        { E16_MPI_ERROR, "E16", EXIT_RUN },
        { E17_FILE, "E17", EXIT_USAGE },
        { E18_MPI_LACKS, "E18", EXIT_CANNOT_RUN },
        { E19_EMPTY, "E19", EXIT_RUN },
        { E20_OUT_OF_MEMORY, "E20", EXIT_RUN },
        { W22_FEW_SAMPLES, "W22", EXIT_OK },
    };

    for (size_t i = 0; i < LENGTH(known); i++) {
        assert_string_equal(messages[known[i].id].number, known[i].number);
        assert_int_equal(messages[known[i].id].code, known[i].code);
    }
    assert_int_equal(EXIT_USAGE, 1);
    assert_int_equal(EXIT_RUN, 2);
    assert_int_equal(EXIT_WRONG_DATA, 3);
    assert_int_equal(EXIT_CANNOT_RUN, 77);
}

TEST(only_errors_end_the_run)
{
    for (int i = 0; i < MESSAGE_COUNT; i++)
        assert_int_equal(messages[i].number[0] == 'W',
                         messages[i].code == EXIT_OK);
}

/* Whole sentences on one line; a number before a blank would be taken for a
   result where stderr is merged into the table. */
TEST(texts_are_sentences)
{
    for (int i = 0; i < MESSAGE_COUNT; i++) {
        const char *text[] = { messages[i].meaning, messages[i].advice };

        for (int t = 0; t < 2; t++) {
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
static char *printed(enum message_id id, const char *what, int number,
                     enum exit_code *code)
{
    FILE *to = tmpfile();
    const int saved = dup(STDERR_FILENO);
    char *text = calloc(8192, 1);

    assert_non_null(to);
    assert_non_null(text);
    dup2(fileno(to), STDERR_FILENO);
    *code = message_print(id, "latency", "%s, n=%d", what, number);
    dup2(saved, STDERR_FILENO);
    close(saved);
    rewind(to);
    if (fread(text, 1, 8191, to) == 0)
        text[0] = '\0';
    fclose(to);
    return text;
}

TEST(error_is_printed_with_its_advice)
{
    enum exit_code code;
    char *text = printed(E05_NO_GPU_SUPPORT, "no GPU", 3, &code);

    assert_string_equal(text,
                        "alidade: error E05: latency: no GPU, n=3\n"
                        "    To measure host memory, leave out -d, -r, "
                        "--compute and the words for buffers. An NVIDIA GPU "
                        "needs a build with CUDA (configure --with-cuda=DIR), "
                        "and nvidia-smi must show it in the same job. For "
                        "other GPUs use OMB.\n");
    assert_int_equal(code, EXIT_CANNOT_RUN);
    free(text);
}

TEST(warning_is_printed_with_its_advice)
{
    enum exit_code code;
    char *text = printed(W22_FEW_SAMPLES, "few", 7, &code);

    assert_string_equal(text, "# alidade: warning W22: latency: few, n=7\n"
                              "#   Leave out -i, or raise it.\n");
    assert_int_equal(code, EXIT_OK);
    free(text);
}

/* Cut or not, what is printed are whole lines. */
TEST(long_message_still_ends_its_line)
{
    enum exit_code code;
    char what[5000], *text;
    size_t n;

    memset(what, 'x', sizeof what - 1);
    what[sizeof what - 1] = '\0';
    text = printed(E17_FILE, what, 1, &code);
    n = strlen(text);
    assert_true(n > 1000);
    assert_int_equal(text[n - 1], '\n');
    assert_memory_equal(text, "alidade: error E17: latency: xxx", 32);
    assert_int_equal(code, EXIT_USAGE);
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

TEST(reasons)
{
    assert_string_equal(message_reason(EXIT_OK), "ok");
    assert_string_equal(message_reason(EXIT_USAGE), "usage");
    assert_string_equal(message_reason(EXIT_RUN), "run-time failure");
    assert_string_equal(message_reason(EXIT_WRONG_DATA), "wrong data");
    assert_string_equal(message_reason(EXIT_CANNOT_RUN), "cannot run here");
}

TEST(document_is_up_to_date)
{
    char *expected = unit_source_file("doc/messages.md");
    struct unit_text text;

    if (expected == NULL)
        skip();
    unit_text_open(&text);
    messages_document(text.to);
    unit_text_is(&text, expected);
    free(expected);
}

TEST(document_has_a_paragraph_for_each)
{
    struct unit_text text;
    char *got;

    unit_text_open(&text);
    messages_document(text.to);
    got = unit_text_close(&text);
    for (int i = 0; i < MESSAGE_COUNT; i++) {
        char heading[32], code[32];
        char *at, *next;

        snprintf(heading, sizeof heading, "\n## %s\n\n", messages[i].number);
        snprintf(code, sizeof code, "\n\nExit code %d.\n", messages[i].code);
        at = strstr(got, heading);
        assert_non_null(at);
        next = strstr(at + 4, "\n## ");
        if (next != NULL)
            *next = '\0';
        assert_non_null(strstr(at, messages[i].meaning));
        assert_non_null(strstr(at, messages[i].advice));
        assert_int_equal(strstr(at, code) != NULL, messages[i].code != 0);
        if (next != NULL)
            *next = '\n';
    }
    free(got);
}
