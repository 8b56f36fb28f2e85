/* SPDX-License-Identifier: BSD-3-Clause */
/* What is there after a process was killed while it wrote, and after the next one. */
#include "unit.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fresh_file.h"

static const struct killed_row {
    const char *name;
    bool (*begin)(struct fresh_file *f, const char *path);
    int signal;
    const char
        *left; /* next to the file of before, until the next process ends */
} killed_rows[] = {
    { "killed", fresh_file_begin, SIGKILL, ".alidade-x" },
    { "terminated", fresh_file_begin, SIGTERM, ".alidade-x" },
    { "killed, in parts", fresh_file_begin_part, SIGKILL, "x.part" },
    { "terminated, in parts", fresh_file_begin_part, SIGTERM, "x.part" },
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

static void write_new(const struct killed_row *row, const char *text, int end)
{
    struct fresh_file f;

    assert_true(row->begin(&f, "x"));
    fputs(text, f.to);
    fresh_file_flush(&f);
    if (end != 0)
        raise(end);
    assert_true(fresh_file_end(&f, true));
}

TEST_ROWS(killed_rows, what_is_left_is_replaced)
{
    char folder[] = "/tmp/fresh_file.XXXXXX";

    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    write_new(row, "before", 0);
    for (int i = 0; i < 2; i++) {
        int status = 0;
        const pid_t child = fork();

        if (child == 0) {
            write_new(row, "half", row->signal);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status));
        contents_are("x", "before");
        contents_are(row->left, "half");
        assert_int_equal(count_files(), 2);
    }
    write_new(row, "after", 0);
    contents_are("x", "after");
    assert_int_equal(count_files(), 1);
    unlink("x");
    assert_int_equal(chdir("/"), 0);
    rmdir(folder);
}
