/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a GPU is: links as the kernel writes them, and a node that hwloc describes. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include "gpu_place.h"

static void put(const char *folder, const char *name, const char *text)
{
    char path[300];
    FILE *to;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

static void drop(const char *folder, const char *name)
{
    char path[300];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

static void a_link_at_rest_and_at_its_best(void **state)
{
    static const char *const files[] = { "current_link_width", "max_link_width",
                                         "current_link_speed",
                                         "max_link_speed" };
    static const char *const texts[] = { "8\n", "16\n", "2.5 GT/s PCIe\n",
                                         "32.0 GT/s PCIe\n" };
    char folder[] = "/tmp/gpu_place.XXXXXX";
    struct gpu_link l;

    (void)state;
    assert_non_null(mkdtemp(folder));
    l = gpu_place_link(folder); /* nothing there */
    assert_int_equal(l.width, 0);
    assert_true(l.speed == 0);
    for (size_t i = 0; i < LENGTH(files); i++)
        put(folder, files[i], texts[i]);
    l = gpu_place_link(folder);
    assert_int_equal(l.width, 8);
    assert_int_equal(l.width_max, 16);
    assert_true(l.speed == 2.5);
    assert_true(l.fastest == 32);
    put(folder, files[2], "Unknown\n");
    l = gpu_place_link(folder);
    assert_true(l.speed == 0);
    for (size_t i = 0; i < LENGTH(files); i++)
        drop(folder, files[i]);
    assert_int_equal(rmdir(folder), 0);
}

static void networks_are_as_far_as_hwloc_says(void **state)
{
    static const struct gpu_network expected[] = {
        { "mlx5_0", "switch" },
        { "eth0", "host bridge" },
        { "mlx5_1", "NUMA node" },
        { "mlx5_2", "machine" },
    };
    const char *source = getenv("ALIDADE_SOURCE");
    char path[4096];
    struct gpu_place p;

    (void)state;
#ifndef HAVE_HWLOC
    skip();
#endif
    snprintf(path, sizeof path, "%s/tests/unit/gpu_node.xml",
             source != NULL ? source : ".");
    setenv("HWLOC_XMLFILE", path, 1);
    gpu_place_find(&p, "0000:01:00.0");
    unsetenv("HWLOC_XMLFILE");
    assert_int_equal(p.networks, LENGTH(expected));
    for (size_t i = 0; i < LENGTH(expected); i++) {
        assert_string_equal(p.network[i].name, expected[i].name);
        assert_string_equal(p.network[i].by, expected[i].by);
    }
    assert_int_equal(p.numa, 0);
}

static void of_a_device_that_is_not_there_nothing_is_known(void **state)
{
    struct gpu_place p;

    (void)state;
    gpu_place_find(&p, "ffff:ff:1f.7");
    assert_int_equal(p.networks, 0);
    assert_int_equal(p.numa, -1);
    assert_int_equal(p.link.width, 0);
}

int main(void)
{
    struct unit_list list = { .n = 0 };

    UNIT_ADD(&list, a_link_at_rest_and_at_its_best);
    UNIT_ADD(&list, networks_are_as_far_as_hwloc_says);
    UNIT_ADD(&list, of_a_device_that_is_not_there_nothing_is_known);
    return unit_run("gpu_place", &list);
}
