/* SPDX-License-Identifier: BSD-3-Clause */
/* The values of --expect, against the header line. */
#include "unit.h"

#include "options/check_identity.h"

static const char line[] =
    "Alidade 0.1: ranks=2; nodes=1; path=same-numa; mem=H-D; bound=core; "
    "mpi=OpenMPI-4.1.4; gpu=own; device=mlx5_0+mlx5_12;";

static const struct text_row {
    const char *name, *text;
    bool holds;
} text_rows[] = {
    { "a number", "ranks=2", true },
    { "its beginning is not it", "ranks=20", false },
    { "nor its end", "nodes=11", false },
    { "a word", "path=same-numa", true },
    { "the beginning of a word", "path=same", false },
    { "another word", "path=inter-node", false },
    { "memory", "mem=H-D", true },
    { "memory of one side", "mem=H", false },
    { "a library", "mpi=OpenMPI-4.1.4", true },
    { "any version", "mpi=OpenMPI", true },
    { "any of a series", "mpi=OpenMPI-4.1", true },
    { "another series", "mpi=OpenMPI-4.10", false },
    { "half a name", "mpi=Open", false },
    { "half a number", "mpi=OpenMPI-4.1.", false },
    { "another library", "mpi=MPICH", false },
    { "the last of the line", "gpu=own", true },
    { "devices", "device=mlx5_0+mlx5_12", true },
    { "devices of a kind", "device=mlx5", true },
    { "one of two devices", "device=mlx5_0", false },
    { "the other of two devices", "device=mlx5_1", false },
    { "another device", "device=eth", false },
    { "no device, though there is one", "device=none", false },
    { "what the line has not", "init=none", true },
    { "what the line should have", "init=session", false },
    { "the start that the line leaves out", "start=dissemination", true },
    { "another start", "start=library", false },
    { "a start that is called none", "start=none", false },
};

TEST_ROWS(text_rows, text_holds_or_not)
{
    char words[200];

    assert_null(identity_wrong(row->text, NULL));
    assert_int_equal(identity_unmet(line, &row->text, 1, words, sizeof words),
                     row->holds ? 0 : 1);
    assert_int_equal(words[0] == '\0', row->holds);
}

TEST(words_name_what_does_not_hold)
{
    const char *const texts[] = { "path=inter-node", "ranks=2",
                                  "init=session" };
    char words[200];

    assert_int_equal(identity_unmet(line, texts, 3, words, sizeof words), 2);
    assert_string_equal(words,
                        "expected path=inter-node; found path=same-numa; "
                        "expected init=session; found init=none;");
    /* Too little room cuts, and does not overrun. */
    assert_int_equal(identity_unmet(line, texts, 3, words, 10), 2);
    assert_int_equal(strlen(words), 9);
}

TEST(a_number_of_a_device_is_not_cut)
{
    const char *const texts[] = { "device=mlx5_1", "device=mlx5_10",
                                  "device=mlx5_" };
    char words[200];

    assert_int_equal(identity_unmet("Alidade 0.1: device=mlx5_10;", texts, 3,
                                    words, sizeof words),
                     1);
    assert_string_equal(words, "expected device=mlx5_1; found device=mlx5_10;");
}

/* Without a probe, or where counters do not tell. */
TEST(an_unknown_device_is_none)
{
    const char *const texts[] = { "device=n", "device=none", "device=eth0" };
    char words[200];

    assert_int_equal(
        identity_unmet("Alidade 0.1: ranks=2;", texts, 3, words, sizeof words),
        2);
    assert_string_equal(words, "expected device=n; found device=none; "
                               "expected device=eth0; found device=none;");
}

TEST(wrong_texts_are_told)
{
    assert_string_equal(identity_wrong("path", NULL), "is not KEY=VALUE");
    assert_string_equal(identity_wrong("path=", NULL), "is not KEY=VALUE");
    assert_string_equal(identity_wrong("", NULL), "is not KEY=VALUE");
    assert_non_null(identity_wrong("=2", NULL));
    assert_non_null(identity_wrong("pat=same-numa", NULL));
    assert_non_null(identity_wrong("paths=same-numa", NULL));
    assert_non_null(identity_wrong("shm=ok", NULL));
}

TEST(a_family_may_have_keys_of_its_own)
{
    static const char *const more[] = { "shm", "quota", NULL };

    assert_null(identity_wrong("shm=ok", more));
    assert_null(identity_wrong("path=same-numa", more));
    assert_non_null(identity_wrong("quotas=none", more));
    assert_non_null(identity_wrong("shm=", more));
}
