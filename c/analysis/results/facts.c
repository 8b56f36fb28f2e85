/* SPDX-License-Identifier: BSD-3-Clause */
#include "facts.h"

#include <stdlib.h>
#include <string.h>

const struct fact facts[] = {
    { "MPI", { "environment", "mpi" }, FACT_HOSTS },
    { "ranks", { "environment", "ranks" } },
    { "nodes", { "environment", "nodes" } },
    { "path of messages", { "environment", "path" }, FACT_HOSTS },
    { "bound to", { "environment", "bound" } },
    { "memory of sender and receiver", { "environment", "memory" } },
    { "start of an iteration", { "method", "start" } },
    { "buffers", { "method", "buffers" } },
    { "verified", { "method", "verified" }, FACT_DATA },
    { "processor", { "environment", "hardware", "processor" }, FACT_HOSTS },
    { "number of CPUs",
      { "environment", "hardware", "cpus_online" },
      FACT_HOSTS },
    { "number of cores", { "environment", "hardware", "cores" }, FACT_HOSTS },
    { "number of NUMA nodes",
      { "environment", "hardware", "numa_nodes" },
      FACT_HOSTS },
    { "L3 cache", { "environment", "hardware", "l3_bytes" }, FACT_HOSTS },
    { "governor", { "environment", "hardware", "governor" }, FACT_HOSTS },
    { "frequency boost", { "environment", "frequency", "boost" }, FACT_HOSTS },
    { "CPU quota", { "environment", "cpu_quota" }, FACT_HOSTS },
    { "oversubscribed", { "environment", "oversubscribed" } },
    { "kernel", { "environment", "kernel" }, FACT_HOSTS },
    { "clock", { "environment", "clock", "name" } },
    { "GPU", { "environment", "gpu", "runtime" } },
    { "turns on a GPU", { "environment", "gpu", "takes_turns" } },
    { "compiler", { "environment", "build", "compiler_version" } },
    { "flags", { "environment", "build", "flags" } },
    { "library", { "environment", "mpi_text" }, FACT_HOSTS },
    { "Alidade", { "version" } },
    { "first run", { "started" }, FACT_FREE },
};
const size_t facts_of_runs = sizeof facts / sizeof *facts;

char *fact_of_run(const struct result_file *f, const struct fact *fact)
{
    const json_t *value = f->root;

    if ((fact->kind & FACT_DATA) != 0 &&
        json_is_null(json_object_get(f->method, "buffers")))
        value = NULL;
    for (int i = 0; i < 3 && fact->path[i] != NULL; i++)
        value = json_object_get(value, fact->path[i]);
    if (json_is_string(value))
        return given_memory(strdup(json_string_value(value)));
    if (value == NULL || json_is_null(value) || json_is_boolean(value))
        return given_memory(strdup(json_is_true(value)    ? "yes"
                                   : json_is_false(value) ? "no"
                                                          : ""));
    return given_memory(json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY |
                                              JSON_REAL_PRECISION(6)));
}

char *fact_of_variant(const struct variant *s, const struct fact *fact)
{
    char *first = fact_of_run(&s->file[0], fact), *longer;
    bool same = true;

    for (size_t i = 1; i < s->n && same; i++) {
        char *other = fact_of_run(&s->file[i], fact);

        if (first[0] == '\0') {
            free(first);
            first = other;
            continue;
        }
        same = other[0] == '\0' || strcmp(first, other) == 0;
        free(other);
    }
    if (same || (fact->kind & FACT_FREE) != 0)
        return first;
    if (asprintf(&longer, "%s, ...", first) < 0)
        memory_is_short();
    free(first);
    return longer;
}
