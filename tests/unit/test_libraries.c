/* SPDX-License-Identifier: BSD-3-Clause */
/* Which mapped files are communication libraries. */
#include "unit.h"

#include "machine/libraries.h"

static const struct file_row {
    const char *name, *path, *library, *file;
} file_rows[] = {
    { "a transport", "/usr/lib/x86_64-linux-gnu/libucp.so.0.0.0", "libucp",
      "libucp.so.0.0.0" },
    { "with a hash in its name", "/opt/w/libucp-1a2b3c.so.0", "libucp",
      "libucp-1a2b3c.so.0" },
    { "whatever its folder", "/opt/libucp/lib/libfabric.so.1.18.1", "libfabric",
      "libfabric.so.1.18.1" },
    { "without a version", "/usr/lib/libxpmem.so", "libxpmem", "libxpmem.so" },
    { "of a GPU", "/usr/local/cuda/lib64/libcudart.so.12.4.127", "libcudart",
      "libcudart.so.12.4.127" },
    { "not its neighbor", "/usr/lib/libcudadebugger.so.1", NULL, NULL },
    { "a plug-in of it", "/usr/lib/ucx/libuct_ib.so.0", NULL, NULL },
    { "the C library", "/usr/lib/x86_64-linux-gnu/libc.so.6", NULL, NULL },
    { "a file of another kind", "/tmp/libucp.json", NULL, NULL },
    { "a folder of that name", "/opt/libucp.so.0/x", NULL, NULL },
};

TEST_ROWS(file_rows, file_is)
{
    struct library l;

    assert_int_equal(libraries_match(row->path, &l), row->library != NULL);
    if (row->library == NULL)
        return;
    assert_string_equal(l.name, row->library);
    assert_string_equal(l.file, row->file);
    assert_string_equal(l.version, "");
}

TEST(no_library_is_listed_twice)
{
    struct library list[LIBRARIES_MAX];
    const int n = libraries_find(list);

    assert_in_range(n, 0, LIBRARIES_MAX);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(list[i].file, list[j].file);
}
