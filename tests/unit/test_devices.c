/* SPDX-License-Identifier: BSD-3-Clause */
/* The devices of a node, in a tree of files that looks like /sys. */
#define _XOPEN_SOURCE 700 /* nftw */
#include "unit.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "machine/devices.h"

static char root[] = "/tmp/alidade-devices-XXXXXX";

/* Write a line into a file below the root, and make the folders above it; without a
   line, only the folders. */
static void put(const char *name, const char *line)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/class/%s", root, name);
    for (char *slash = strchr(path + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    if (line == NULL)
        return;
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "%s\n", line);
    assert_int_equal(fclose(file), 0);
}

static void interface(const char *name, const char *state, const char *sent)
{
    char path[200];

    snprintf(path, sizeof path, "net/%s/operstate", name);
    put(path, state);
    snprintf(path, sizeof path, "net/%s/statistics/tx_bytes", name);
    put(path, sent);
}

static void port(const char *adapter, const char *number, const char *state,
                 const char *counter, const char *sent)
{
    char path[200];

    snprintf(path, sizeof path, "infiniband/%s/ports/%s/state", adapter,
             number);
    put(path, state);
    snprintf(path, sizeof path, "infiniband/%s/ports/%s/%s", adapter, number,
             counter);
    put(path, sent);
}

static const char XMIT[] = "counters/port_xmit_data";

static int remove_one(const char *path, const struct stat *s, int flag,
                      struct FTW *at)
{
    (void)s, (void)flag, (void)at;
    return remove(path);
}

static void remove_tree(void)
{
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

BEFORE_TESTS
{
    assert_non_null(mkdtemp(root));
    setenv("ALIDADE_SYSFS", root, 1);

    port("mlx5_0", "1", "4: ACTIVE", XMIT, "1000");
    put("infiniband/mlx5_0/ports/1/rate", "100 Gb/sec (4X EDR)");
    port("mlx5_1", "1", "1: DOWN", XMIT, "5");
    port("mlx5_1", "2", "4: ACTIVE", XMIT, "25");
    put("infiniband/mlx5_1/ports/2/rate", "40 Gb/sec (4X QDR)");
    port("rdmap0", "1", "4: ACTIVE", "hw_counters/tx_bytes", "77");
    port("rocep1", "1", "4: ACTIVE", "hw_counters/ip4OutOctets", "30");
    put("infiniband/rocep1/ports/1/hw_counters/ip6OutOctets", "4");
    port("silent", "1", "4: ACTIVE", "hw_counters/duplicate_request", "1");

    interface("eth0", "up", "200");
    put("net/eth0/device/vendor", "0x1");
    put("net/eth0/speed", "1000");
    interface("eth1", "down", "300");
    put("net/eth1/device/vendor", "0x1");
    interface("bond0", "up", "200");
    put("net/bond0/lower_eth0/ifindex", "2");
    interface("calico", "up", "60");
    put("net/calico/speed", "10000");
    interface("ib0", "up", "900");
    put("net/ib0/type", "32");
    put("net/ib0/dev_port", "0");
    put("net/ib0/device/infiniband/mlx5_0/node_type", "1: CA");
    interface("lo", "unknown", "10");
    put("net/bonding_masters", "bond0");
    atexit(remove_tree);
}

TEST(devices_that_are_up_are_found_once)
{
    static const struct {
        const char *name;
        double gbit, sent;
        bool port, loops;
        int below;
    } expected[] = {
        /* Words of 4 bytes, less what ib0 sent through it. */
        { "mlx5_0", 100, 4 * 1000 - 900, true, false, -1 },
        { "mlx5_1:2", 40, 4 * 25, true, false, -1 },
        { "rdmap0", 0, 77, true, false, -1 },
        { "rocep1", 0, 34, true, false, -1 },
        { "eth0", 1, 200, false, false, -1 },
        { "ib0", 0, 900, false, false, 0 },
        { "calico", 0, 60, false, false, -1 },
        { "lo", 0, 10, false, true, -1 },
    };
    double sent[DEVICES_MAX];
    struct devices d;

    devices_find(&d);
    assert_int_equal(d.n, LENGTH(expected));
    devices_read(&d, sent);
    for (int i = 0; i < d.n; i++) {
        assert_string_equal(d.device[i].name, expected[i].name);
        assert_near(d.device[i].rate, expected[i].gbit * 1e9 / 8, 1);
        assert_near(sent[i], expected[i].sent, 0);
        assert_int_equal(d.device[i].port, expected[i].port);
        assert_int_equal(d.device[i].loops, expected[i].loops);
        assert_int_equal(d.device[i].below, expected[i].below);
    }
    assert_true(devices_differ(&d));
}

TEST(a_counter_goes_on)
{
    double before[DEVICES_MAX], after[DEVICES_MAX];
    struct devices d;

    devices_find(&d);
    devices_read(&d, before);
    /* More than 32 bits, and than a double's 9 digits. */
    port("mlx5_0", "1", "4: ACTIVE", XMIT, "1000000001001");
    devices_read(&d, after);
    assert_near(after[0] - before[0], 4000000000004.0, 0);
    assert_near(after[1] - before[1], 0, 0);
}

TEST(more_devices_than_there_is_room_for_do_no_harm)
{
    char name[16];
    struct devices d;

    for (int i = 0; i < 2 * DEVICES_MAX; i++) {
        snprintf(name, sizeof name, "veth%d", i);
        interface(name, "up", "1");
    }
    devices_find(&d);
    assert_int_equal(d.n, DEVICES_MAX);
    assert_string_equal(d.device[0].name, "mlx5_0");
}

TEST(where_there_is_no_tree_there_are_no_devices)
{
    struct devices d;

    setenv("ALIDADE_SYSFS", "/nonexistent", 1);
    devices_find(&d);
    setenv("ALIDADE_SYSFS", root, 1);
    assert_int_equal(d.n, 0);
    assert_false(devices_differ(&d));
}

/* --- Who carried a message -------------------------------------------------- */

enum { A_PORT = 1, LO = 2 };

static const struct judge_row {
    const char *name;
    struct {
        const char *name;
        int kind;
        double gbit, sent;
    } device[4];
    double bytes;
    const char *names;
    int most, idle;
    bool differ;
} judge_rows[] = {
    { "one device", { { "eth0", 0, 10, 100 } }, 100, "eth0", 0, -1, false },
    { "the port carried it",
      { { "mlx5_0", A_PORT, 100, 99 }, { "eth0", 0, 10, 1 } },
      100,
      "mlx5_0",
      0,
      -1,
      true },
    { "a port is idle",
      { { "mlx5_0", A_PORT, 100, 0 }, { "eth0", 0, 10, 100 } },
      100,
      "eth0",
      1,
      0,
      true },
    { "even if it is as fast as the interface: RoCE, and its own TCP",
      { { "mlx5_0", A_PORT, 25, 0 }, { "eth0", 0, 25, 100 } },
      100,
      "eth0",
      1,
      0,
      true },
    { "a port much slower than the interface is not missed",
      { { "mlx5_0", A_PORT, 10, 0 }, { "eth0", 0, 100, 100 } },
      100,
      "eth0",
      1,
      -1,
      true },
    { "of two interfaces the slow one",
      { { "eth0", 0, 1, 100 }, { "eth1", 0, 100, 0 } },
      100,
      "eth0",
      0,
      1,
      true },
    { "of two interfaces the fast one",
      { { "eth0", 0, 1, 2 }, { "eth1", 0, 100, 100 } },
      100,
      "eth1",
      1,
      -1,
      true },
    { "interfaces that are alike",
      { { "eth0", 0, 10, 100 }, { "eth1", 0, 10, 0 } },
      100,
      "eth0",
      0,
      -1,
      false },
    { "an interface of unknown rate is not known to be slow",
      { { "eth0", 0, 0, 100 }, { "eth1", 0, 100, 0 } },
      100,
      "eth0",
      0,
      -1,
      false },
    { "two rails",
      { { "mlx5_0", A_PORT, 100, 52 }, { "mlx5_1", A_PORT, 100, 48 } },
      100,
      "mlx5_0+mlx5_1",
      0,
      -1,
      true },
    { "rails together sent more than the interface that sent most",
      { { "mlx5_0", A_PORT, 100, 30 },
        { "mlx5_1", A_PORT, 100, 30 },
        { "eth0", 0, 10, 40 } },
      100,
      "mlx5_0+mlx5_1+eth0",
      2,
      -1,
      true },
    { "the fastest that is idle is named",
      { { "eth0", 0, 1, 100 }, { "eth1", 0, 10, 0 }, { "eth2", 0, 100, 0 } },
      100,
      "eth0",
      0,
      2,
      true },
    { "what loops is not the network's",
      { { "lo", LO, 0, 1000 }, { "eth0", 0, 10, 100 } },
      100,
      "eth0",
      1,
      -1,
      false },
    { "counters that saw too little do not tell",
      { { "mlx5_0", A_PORT, 100, 0 }, { "eth0", 0, 10, 49 } },
      100,
      "",
      -1,
      -1,
      true },
    { "nothing was sent", { { "eth0", 0, 10, 5 } }, 0, "", -1, -1, false },
};

TEST_ROWS(judge_rows, judgement_is)
{
    double sent[DEVICES_MAX] = { 0 };
    struct devices d = { 0 };

    for (; d.n < 4 && row->device[d.n].name != NULL; d.n++) {
        struct net_device *device = &d.device[d.n];

        strcpy(device->name, row->device[d.n].name);
        device->port = row->device[d.n].kind == A_PORT;
        device->loops = row->device[d.n].kind == LO;
        device->rate = 1e9 / 8 * row->device[d.n].gbit;
        device->below = -1;
        sent[d.n] = row->device[d.n].sent;
    }
    const struct carried carried = devices_judge(&d, sent, row->bytes);

    assert_string_equal(carried.names, row->names);
    assert_int_equal(carried.most, row->most);
    assert_int_equal(carried.idle, row->idle);
    assert_int_equal(devices_differ(&d), row->differ);
}
