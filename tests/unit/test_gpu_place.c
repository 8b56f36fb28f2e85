/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of a GPU in a node that hwloc describes. */
#include "unit.h"

#ifdef HAVE_CONFIG_H
#    include "config.h"
#endif

#include "gpu/gpu_place.h"

TEST(networks_are_as_far_as_hwloc_says)
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

TEST(of_a_device_that_is_not_there_nothing_is_known)
{
    struct gpu_place p;

    gpu_place_find(&p, "ffff:ff:1f.7");
    assert_int_equal(p.networks, 0);
    assert_int_equal(p.numa, -1);
}
