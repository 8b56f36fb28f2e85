/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where ranks and devices are: CPUs, paths, GPUs, network devices, libraries, and what
 * the program where says of a job.
 */
#define _XOPEN_SOURCE 700 /* nftw */
#include "unit_series.h"

#include <ftw.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices/devices.c"
#include "environment/environment.c"
#include "gpu/gpu.h"
#include "job/placement.c"
#include "where/where.h"

/* --- Affinity ------------------------------------------------------------- */

/* Sets of CPUs as text. */

static void add_range(struct affinity *a, int first, int last, int step)
{
    for (int cpu = first; cpu <= last; cpu += step)
        CPU_SET_S((size_t)cpu, sizeof *a, a->part);
}

static const struct list_row {
    const char *text;
    int run[3][3]; /* first, last, step; step 0: there is no more */
} list_rows[] = {
    { "", { { 0 } } },
    { "0", { { 0, 0, 1 } } },
    { "0-3,8", { { 0, 3, 1 }, { 8, 8, 1 } } },
    { "0-1,5000-8191", { { 0, 1, 1 }, { 5000, 8191, 1 } } },
    { "0-254:2", { { 0, 254, 2 } } },
    { "1-8191:2", { { 1, 8191, 2 } } },
    { "3,7", { { 3, 7, 4 } } },
    { "0-8:4,100", { { 0, 8, 4 }, { 100, 100, 1 } } },
    { "0,2,4-7", { { 0, 2, 2 }, { 4, 7, 1 } } },
    { "0-4:2,6-7", { { 0, 4, 2 }, { 6, 7, 1 } } },
};

TEST_ROWS(list_rows, lists_runs_and_strides)
{
    struct affinity a = { 0 };
    char text[256];

    for (size_t i = 0; i < 3 && row->run[i][2] > 0; i++)
        add_range(&a, row->run[i][0], row->run[i][1], row->run[i][2]);
    affinity_list(&a, text, sizeof text);
    assert_string_equal(text, row->text);
}

TEST(says_where_room_ends)
{
    struct affinity a = { 0 };
    char text[12];

    add_range(&a, 0, 1, 1);
    add_range(&a, 3, 4, 1);
    affinity_list(&a, text, sizeof text);
    assert_string_equal(text, "0-1,3-4");
    add_range(&a, 6, 7, 1);
    affinity_list(&a, text, sizeof text);
    assert_string_equal(text, "0-1,3-4...");
}

/* --- Locality ------------------------------------------------------------- */

/* Which paths there are among ranks: against every two of them. */

enum { RANKS = 12 };

static unsigned of_all_pairs(const struct spot *spot, size_t n)
{
    unsigned mask = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            mask |= 1u << path_between(&spot[i], &spot[j]);
    return mask;
}

static int below(unsigned n)
{
    return (int)(unit_uniform() * n);
}

/* Packages of two NUMA nodes each; some ranks are bound to no NUMA node, some
   to no package either. */
static struct spot any_spot(unsigned nodes, unsigned packages)
{
    struct spot spot = { .node = (uint64_t)below(nodes),
                         .package = below(packages + 1) - 1,
                         .numa = -1 };

    if (spot.package >= 0 && below(3) > 0)
        spot.numa = 2 * spot.package + below(2);
    return spot;
}

TEST(neighbours_tell_of_all)
{
    unit_state = 1;
    for (int round = 0; round < 20000; round++) {
        struct spot spot[RANKS];
        const size_t n = (size_t)below(RANKS + 1);
        const unsigned nodes = 1 + (unsigned)below(3);
        const unsigned packages = (unsigned)below(3);

        for (size_t i = 0; i < n; i++)
            spot[i] = any_spot(nodes, packages);
        const unsigned expected = of_all_pairs(spot, n);

        assert_int_equal(paths_among(spot, n, false), expected);
    }
}

TEST(ranks_that_share_a_node_are_seen_from_elsewhere)
{
    struct spot spot[] = { { 7, 0, 0 }, { 3, 0, 0 }, { 3, 1, 2 } };

    assert_int_equal(paths_among(spot, LENGTH(spot), true), 1u << INTER_NODE);
    assert_int_equal(paths_among(spot, LENGTH(spot), false), 1u << INTER_NODE | 1u << SAME_NODE);
}

/* A node whose memory is one NUMA node for all its packages. */
TEST(one_numa_node_may_hold_several_packages)
{
    struct spot spot[] = { { 0, 1, 0 }, { 0, 0, 0 }, { 0, 1, 0 } };

    assert_int_equal(paths_among(spot, LENGTH(spot), false), 1u << SAME_NUMA);
}

TEST(a_single_rank_has_no_path)
{
    struct spot spot = { 0, 0, 0 };

    assert_int_equal(paths_among(&spot, 1, false), 0);
    assert_int_equal(paths_among(&spot, 1, true), 0);
}

/* --- Crowding ------------------------------------------------------------- */

/* Which ranks must share CPUs. */

enum { CPUS = 7 };

static struct affinity cpus(unsigned bits)
{
    struct affinity a = { 0 };

    for (int i = 0; i < CPUS; i++)
        if (bits >> i & 1)
            CPU_SET_S((size_t)i, sizeof a, a.part);
    return a;
}

static const struct crowd {
    const char *name;
    int n;
    unsigned bits[4];
    int found;
    unsigned members;
} crowds[] = {
    { "one CPU each", 3, { 1, 2, 4 }, 0, 0 },
    { "all CPUs for all", 3, { 7, 7, 7 }, 0, 0 },
    { "two on one CPU", 2, { 2, 2 }, 2, 3 },
    { "two on one CPU, others apart", 4, { 1, 4, 2, 4 }, 2, 0xa },
    { "three on two CPUs", 3, { 3, 3, 3 }, 3, 7 },
    { "a bound one moves one that is not", 2, { 3, 1 }, 0, 0 },
    { "and that one another", 3, { 3, 6, 1 }, 0, 0 },
    { "one too many in all", 3, { 3, 1, 2 }, 3, 7 },
    { "of some nothing is known", 3, { 0, 1, 0 }, 0, 0 },
    { "no ranks", 0, { 0 }, 0, 0 },
};

TEST_ROWS(crowds, those_that_share_are_found)
{
    struct affinity set[4];
    bool member[4] = { false };

    for (int i = 0; i < row->n; i++)
        set[i] = cpus(row->bits[i]);
    assert_int_equal(crowded(set, row->n, member), row->found);
    for (int i = 0; i < row->n; i++)
        assert_int_equal(member[i], row->members >> i & 1);
}

/* --- Libraries ------------------------------------------------------------ */

/* Which mapped files are communication libraries. */

static const struct file_row {
    const char *name, *path, *library;
} file_rows[] = {
    { "a transport", "/usr/lib/x86_64-linux-gnu/libucp.so.0.0.0", "libucp" },
    { "with a hash in its name", "/opt/w/libucp-1a2b3c.so.0", "libucp" },
    { "whatever its folder", "/opt/libucp/lib/libfabric.so.1.18.1", "libfabric" },
    { "without a version", "/usr/lib/libxpmem.so", "libxpmem" },
    { "of a GPU", "/usr/local/cuda/lib64/libcudart.so.12.4.127", "libcudart" },
    { "not its neighbor", "/usr/lib/libcudadebugger.so.1", "none" },
    { "a plug-in of it", "/usr/lib/ucx/libuct_ib.so.0", "none" },
    { "the C library", "/usr/lib/x86_64-linux-gnu/libc.so.6", "none" },
    { "a file of another kind", "/tmp/libucp.json", "none" },
    { "a folder of that name", "/opt/libucp.so.0/x", "none" },
};

TEST_ROWS(file_rows, file_is)
{
    const struct known_library *const known_as = find_known(basename(row->path));

    assert_string_equal(known_as != NULL ? known_as->name : "none", row->library);
}

/* --- Gpu map -------------------------------------------------------------- */

/* Which GPU a rank gets: every policy, for nodes of 0 to 8 of them. */

static const struct mapping {
    const char *text;
    int visible, ranks;
    int device[8]; /* of local ranks 0, 1, ... */
} mappings[] = {
    { "auto", 1, 1, { 0 } },
    { "auto", 1, 4, { 0, 0, 0, 0 } }, /* a mask of its own, or the same: later */
    { "auto", 2, 4, { 0, 1, GPU_REFUSED, GPU_REFUSED } },
    { "auto", 4, 4, { 0, 1, 2, 3 } },
    { "auto", 4, 2, { 0, 1 } },
    { "strict", 1, 2, { 0, GPU_REFUSED } },
    { "strict", 2, 2, { 0, 1 } },
    { "modulo", 1, 4, { 0, 0, 0, 0 } },
    { "modulo", 2, 4, { 0, 1, 0, 1 } },
    { "modulo", 4, 8, { 0, 1, 2, 3, 0, 1, 2, 3 } },
    { "none", 4, 2, { GPU_ANY, GPU_ANY } },
    { "3,1", 4, 3, { 3, 1, GPU_REFUSED } },
    { "3,1", 2, 2, { GPU_REFUSED, 1 } },
    { "0,0", 1, 2, { 0, 0 } },
    { "MODULO", 2, 3, { 0, 1, 0 } },
};

TEST_ROWS(mappings, mapping_is)
{
    struct gpu_asked map;

    assert_null(gpu_map_parse(&map, row->text));
    for (int i = 0; i < row->ranks; i++) {
        char why[200] = "";

        assert_int_equal(gpu_map_device(&map, i, row->visible, why, sizeof why), row->device[i]);
        assert_int_equal(why[0] != '\0', row->device[i] == GPU_REFUSED);
    }
}

/* Word for word; no local rank is needed where nothing is chosen. */
static const struct refusal_row {
    const char *map;
    int rank, visible, device;
    const char *why;
} refusal_rows[] = {
    { "auto", 4, 2, GPU_REFUSED,
      "local rank 4, but 2 visible GPUs: start fewer ranks per node, or let "
      "them share with --gpu-map=modulo" },
    { "auto", -1, 2, GPU_REFUSED,
      "the launcher does not set a local rank, so none of 2 GPUs can be "
      "chosen; --gpu-map=none leaves the choice to the environment" },
    { "strict", 1, 1, GPU_REFUSED,
      "local rank 1, but 1 visible GPU: start fewer ranks per node, or let "
      "them share with --gpu-map=modulo" },
    { "0", 1, 1, GPU_REFUSED, "local rank 1, but --gpu-map names 1 device" },
    { "7", 0, 2, GPU_REFUSED, "--gpu-map names device 7, but only 2 are visible" },
    { "none", -1, 4, GPU_ANY, "" },
    { "auto", -1, 1, 0, "" },
};

TEST_ROWS(refusal_rows, refusals_say_why)
{
    struct gpu_asked map;
    char why[200] = "";

    assert_null(gpu_map_parse(&map, row->map));
    assert_int_equal(gpu_map_device(&map, row->rank, row->visible, why, sizeof why), row->device);
    assert_string_equal(why, row->why);
}

TEST(other_words_are_refused)
{
    static const char *const texts[] = { "",   "automatic", "1,",  ",1",   "1,,2",
                                         "-1", "1 2",       "0x1", "99999" };
    struct gpu_asked map;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_non_null(gpu_map_parse(&map, texts[i]));
}

/* --- Devices -------------------------------------------------------------- */

/* The devices of a node, in a tree of files that looks like /sys. */

static char root[] = "/tmp/alidade-devices-XXXXXX";

/* Write a line into a file below the root, which is never empty meanwhile, and make the folders
   above it. */
static void put(const char *name, const char *line)
{
    char path[4096], fresh[4096 + 4];
    FILE *file;

    snprintf(path, sizeof path, "%s/class/%s", root, name);
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    snprintf(fresh, sizeof fresh, "%s.new", path);
    file = fopen(fresh, "w");
    assert_non_null(file);
    fprintf(file, "%s\n", line);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(fresh, path), 0);
}

static int remove_one(const char *path, const struct stat *s, int flag, struct FTW *at)
{
    (void)s, (void)flag, (void)at;
    return remove(path);
}

static void remove_tree(void)
{
    nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

#define PORT(adapter) "infiniband/" adapter "/ports/"
#define XMIT          "1/counters/port_xmit_data"
#define OCTETS        "device/telemetry/hni_sts_tx_ok_octets"

static const struct {
    const char *name, *line;
} tree[] = {
    { PORT("mlx5_0") "1/state", "4: ACTIVE" },
    { PORT("mlx5_0") XMIT, "1000" },
    { PORT("mlx5_0") "1/rate", "100 Gb/sec (4X EDR)" },
    { PORT("mlx5_1") "1/state", "1: DOWN" },
    { PORT("mlx5_1") XMIT, "5" },
    { PORT("mlx5_1") "2/state", "4: ACTIVE" },
    { PORT("mlx5_1") "2/counters/port_xmit_data", "25" },
    { PORT("mlx5_1") "2/rate", "40 Gb/sec (4X QDR)" },
    { PORT("rdmap0") "1/state", "4: ACTIVE" },
    { PORT("rdmap0") "1/hw_counters/tx_bytes", "77" },
    { PORT("rocep1") "1/state", "4: ACTIVE" },
    { PORT("rocep1") "1/hw_counters/ip4OutOctets", "30" },
    { PORT("rocep1") "1/hw_counters/ip6OutOctets", "4" },
    { PORT("silent") "1/state", "4: ACTIVE" },
    { PORT("silent") "1/hw_counters/duplicate_request", "1" },
    /* Slingshot of two generations, and a third that is down; hsn0 sends through cxi0. */
    { "cxi/cxi0/" OCTETS, "5000" },
    { "cxi/cxi0/device/port/link", "up" },
    { "cxi/cxi0/device/port/speed", "BS_200G" },
    { "cxi/cxi1/" OCTETS, "70" },
    { "cxi/cxi1/device/port/0/link/state", "up" },
    { "cxi/cxi1/device/port/0/link/speed", "ck400G" },
    { "cxi/cxi2/" OCTETS, "9" },
    { "cxi/cxi2/device/port/link", "starting" },
    { "net/hsn0/operstate", "up" },
    { "net/hsn0/statistics/tx_bytes", "40" },
    { "net/hsn0/device/cxi/cxi0/uevent", "" },
    { "net/hsn0/speed", "200000" },
    { "net/eth0/operstate", "up" },
    { "net/eth0/statistics/tx_bytes", "200" },
    { "net/eth0/device/vendor", "0x1" },
    { "net/eth0/speed", "1000" },
    { "net/eth1/operstate", "down" },
    { "net/eth1/statistics/tx_bytes", "300" },
    { "net/eth1/device/vendor", "0x1" },
    { "net/bond0/operstate", "up" },
    { "net/bond0/statistics/tx_bytes", "200" },
    { "net/bond0/lower_eth0/ifindex", "2" },
    { "net/calico/operstate", "up" },
    { "net/calico/statistics/tx_bytes", "60" },
    { "net/calico/speed", "10000" },
    { "net/ib0/operstate", "up" },
    { "net/ib0/statistics/tx_bytes", "900" },
    { "net/ib0/type", "32" },
    { "net/ib0/dev_port", "0" },
    { "net/ib0/device/infiniband/mlx5_0/node_type", "1: CA" },
    { "net/lo/operstate", "unknown" },
    { "net/lo/statistics/tx_bytes", "10" },
    { "net/bonding_masters", "bond0" },
};

BEFORE_TESTS
{
    assert_non_null(mkdtemp(root));
    setenv("ALIDADE_SYSFS", root, 1);
    for (size_t i = 0; i < LENGTH(tree); i++)
        put(tree[i].name, tree[i].line);
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
        { "cxi0", 200, 5000 - 40, true, false, -1 },
        { "cxi1", 400, 70, true, false, -1 },
        { "eth0", 1, 200, false, false, -1 },
        { "hsn0", 200, 40, false, false, 4 },
        { "ib0", 0, 900, false, false, 0 },
        { "calico", 0, 60, false, false, -1 },
        { "lo", 0, 10, false, true, -1 },
    };
    double sent[DEVICES_MAX];
    struct devices d;

    devices_find(&d);
    assert_near(devices_rate(&d), 0, 0); /* some say none */
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
    put(PORT("mlx5_0") XMIT, "1000000001001");
    devices_read(&d, after);
    assert_near(after[0] - before[0], 4000000000004.0, 0);
    assert_near(after[1] - before[1], 0, 0);
}

/* A driver that keeps what it has read says since when. */
TEST(a_counter_that_is_kept_is_read_until_it_is_fresh)
{
    double sent[DEVICES_MAX];
    struct devices d;

    put("cxi/cxi1/" OCTETS, "70@1000.000000001");
    devices_find(&d);
    const pid_t driver = fork();
    if (driver == 0) {
        usleep(50000);
        put("cxi/cxi1/" OCTETS, "1170@1001.000000001");
        _exit(0);
    }
    devices_read(&d, sent);
    assert_int_equal(waitpid(driver, NULL, 0), driver);
    assert_string_equal(d.device[5].name, "cxi1");
    assert_near(sent[5], 1170, 0);
    /* It is not waited for without end. */
    devices_read(&d, sent);
    assert_near(sent[5], 1170, 0);
}

TEST(more_devices_than_there_is_room_for_do_no_harm)
{
    char name[64];
    struct devices d;

    for (int i = 0; i < 2 * DEVICES_MAX; i++) {
        snprintf(name, sizeof name, "net/veth%d/operstate", i);
        put(name, "up");
        snprintf(name, sizeof name, "net/veth%d/statistics/tx_bytes", i);
        put(name, "1");
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

/* clang-format off */
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
    { "the port carried it", { { "mlx5_0", A_PORT, 100, 99 }, { "eth0", 0, 10, 1 } }, 100, "mlx5_0", 0, -1, true },
    { "a port is idle", { { "mlx5_0", A_PORT, 100, 0 }, { "eth0", 0, 10, 100 } }, 100, "eth0", 1, 0, true },
    { "even if it is as fast as the interface: RoCE, and its own TCP",
      { { "mlx5_0", A_PORT, 25, 0 }, { "eth0", 0, 25, 100 } }, 100, "eth0", 1, 0, true },
    { "a port much slower than the interface is not missed",
      { { "mlx5_0", A_PORT, 10, 0 }, { "eth0", 0, 100, 100 } }, 100, "eth0", 1, -1, true },
    { "of two interfaces the slow one", { { "eth0", 0, 1, 100 }, { "eth1", 0, 100, 0 } }, 100, "eth0", 0, 1, true },
    { "of two interfaces the fast one", { { "eth0", 0, 1, 2 }, { "eth1", 0, 100, 100 } }, 100, "eth1", 1, -1, true },
    { "interfaces that are alike", { { "eth0", 0, 10, 100 }, { "eth1", 0, 10, 0 } }, 100, "eth0", 0, -1, false },
    { "an interface of unknown rate is not known to be slow",
      { { "eth0", 0, 0, 100 }, { "eth1", 0, 100, 0 } }, 100, "eth0", 0, -1, false },
    { "two rails", { { "mlx5_0", A_PORT, 100, 52 }, { "mlx5_1", A_PORT, 100, 48 } }, 100,
      "mlx5_0+mlx5_1", 0, -1, true },
    { "rails together sent more than the interface that sent most",
      { { "mlx5_0", A_PORT, 100, 30 }, { "mlx5_1", A_PORT, 100, 30 }, { "eth0", 0, 10, 40 } }, 100,
      "mlx5_0+mlx5_1+eth0", 2, -1, true },
    { "the fastest that is idle is named",
      { { "eth0", 0, 1, 100 }, { "eth1", 0, 10, 0 }, { "eth2", 0, 100, 0 } }, 100, "eth0", 0, 2,
      true },
    { "what loops is not the network's", { { "lo", LO, 0, 1000 }, { "eth0", 0, 10, 100 } }, 100,
      "eth0", 1, -1, false },
    { "counters that saw too little do not tell",
      { { "mlx5_0", A_PORT, 100, 0 }, { "eth0", 0, 10, 49 } }, 100, "", -1, -1, true },
    { "nothing was sent", { { "eth0", 0, 10, 5 } }, 0, "", -1, -1, false },
};
/* clang-format on */

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

/* --- Preflight ------------------------------------------------------------ */

/* What where finds on several hosts: who is named, and how many hosts have it. */

enum { JOB = 6, HOSTS = 3 };

/* Ranks 0, 1, 2, 0, 1, 2 of hosts h0, h1, h2, where nothing is wrong. */
struct ranks {
    struct preflight found[JOB];
    struct environment_rank of[JOB];
    unsigned char bad_on[JOB];
    struct finding finding[FINDINGS];
};

static void begin(struct ranks *r)
{
    memset(r, 0, sizeof *r);
    for (int i = 0; i < JOB; i++) {
        r->found[i] = (struct preflight){ .shm_free = 1e12,
                                          .memlock = INFINITY,
                                          .can_lock = true,
                                          .vm_error = PREFLIGHT_ALONE,
                                          .cpus = 2,
                                          .usable = 4,
                                          .ranks = JOB / HOSTS,
                                          .threads = 1 };
        r->of[i].node = i % HOSTS;
        snprintf(r->of[i].host, sizeof r->of[i].host, "h%d", i % HOSTS);
    }
}

static void judge(struct ranks *r)
{
    preflight_judge(r->found, JOB, r->of, r->bad_on, r->finding);
}

TEST(nothing_is_wrong)
{
    struct ranks r;

    begin(&r);
    judge(&r);
    for (int k = 0; k < FINDING_HWLOC; k++) {
        assert_false(r.finding[k].bad);
        assert_int_equal(r.finding[k].nodes, 0);
    }
    assert_string_equal(r.finding[FINDING_MEMLOCK].word, "ok");
}

/* Two ranks of h1 and one of h2: two hosts, and the first rank is named. */
TEST(hosts_are_counted_once)
{
    const struct finding *memlock;
    struct ranks r;

    begin(&r);
    r.found[1].can_lock = r.found[4].can_lock = r.found[5].can_lock = false;
    r.found[1].memlock = r.found[4].memlock = r.found[5].memlock = 65536;
    judge(&r);
    memlock = &r.finding[FINDING_MEMLOCK];
    assert_true(memlock->bad);
    assert_int_equal(memlock->nodes, 2);
    assert_string_equal(memlock->why, "a rank cannot lock memory; rank=1; "
                                      "limit=66 KB; tried=67109 KB; host=h1; "
                                      "hosts with it=2 of 3;");
    assert_int_equal(r.bad_on[0], 0);
    assert_int_equal(r.bad_on[1], 1 << FINDING_MEMLOCK);
    assert_int_equal(r.bad_on[2], 1 << FINDING_MEMLOCK);
}

TEST(findings_are_apart)
{
    struct ranks r;

    begin(&r);
    r.found[0].shm_free = 9.5 * PREFLIGHT_SHARED; /* for 9 of 10 ranks */
    r.found[0].ranks = r.found[0].usable = 10;
    r.found[1].shm_free = 8 * PREFLIGHT_SHARED; /* for the fewest that are thought of */
    r.found[2].threads = 3;
    judge(&r);
    assert_int_equal(r.finding[FINDING_SHM].nodes, 1);
    assert_int_equal(r.finding[FINDING_THREADS].nodes, 1);
    assert_non_null(strstr(r.finding[FINDING_THREADS].why, "host=h2;"));
    assert_int_equal(r.bad_on[0], 1 << FINDING_SHM);
    assert_int_equal(r.bad_on[2], 1 << FINDING_THREADS);
}
