/* SPDX-License-Identifier: BSD-3-Clause */
#include "differences.h"

#include <stdlib.h>
#include <string.h>

char *json_shown(const json_t *value)
{
    return given_memory(value == NULL
                            ? strdup("not set")
                            : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY |
                                                    JSON_REAL_PRECISION(15)));
}

/* Names of variables by which a launcher tells its processes who they are. */
static bool is_volatile(const char *name)
{
    static const char *const begin[] = {
        "PMI_", "PMIX_", "HYDI_", "HYDRA_", "OMPI_COMM_", "OMPI_MCA_orte_",
        "OMPI_MCA_ess", "OMPI_ARGV", "OMPI_FILE_", "OMPI_COMMAND", "OMPI_APP_",
        "OMPI_NUM_", "OMPI_FIRST_", "OMPI_UNIVERSE_", "MPI_LOCAL", "SLURM_JOB_",
        "SLURM_STEP", "SLURM_TASK_PID", "OMPI_MCA_initial", "SLURM_SRUN",
        "SLURM_LAUNCH_NODE",
        /* mpirun's own, not its user's */
        "MPIR_CVAR_CH3_INTERFACE_HOSTNAME", "OMPI_MCA_pmix",
        "OMPI_MCA_mpi_oversubscribe", "OMPI_MCA_shmem_RUNTIME_QUERY_hint",
        "OMPI_MCA_hwloc_base_binding_policy", "OMPI_VERSION", "OMPI_TOOL_NAME",
        "OMPI_LIBDIR_LOC", "OMPI_MCA_PREFIXES", "OMPI_WORLD_", "OMPI_MCA_num_",
        "OMPI_MCA_cpu_type", "PRTE_SHARED_FS", "PRTE_LAUNCHED"
    };

    for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
        if (strncmp(name, begin[i], strlen(begin[i])) == 0)
            return true;
    return false;
}

static void say(FILE *to, const char *begin, const char *name, const json_t *a,
                const json_t *b)
{
    char *text[2];

    if (json_equal(a, b) || (a == NULL && b == NULL))
        return;
    text[0] = json_shown(a);
    text[1] = json_shown(b);
    fprintf(to, "%s%s: %.*s / %.*s\n", begin, name, utf8_within(text[0], 160),
            text[0], utf8_within(text[1], 160), text[1]);
    free(text[0]);
    free(text[1]);
}

/* Fields of both objects, and those of one alone. */
static void say_fields(FILE *to, const char *begin, const char *part, json_t *a,
                       json_t *b, bool (*left_out)(const char *))
{
    json_t *of[] = { a, b }, *value;
    const char *name;
    char full[160];

    for (int k = 0; k < 2; k++)
        json_object_foreach(of[k], name, value)
        {
            snprintf(full, sizeof full, "%s%.*s", part, utf8_within(name, 100),
                     name);
            if ((k == 0 || json_object_get(a, name) == NULL) &&
                (left_out == NULL || !left_out(name)))
                say(to, begin, full, json_object_get(a, name),
                    json_object_get(b, name));
        }
}

void environment_diff(FILE *to, const struct variant *a,
                      const struct variant *b, const char *begin)
{
    static const char *const plain[] = { "mpi", "mpi_file", "kernel", "model",
                                         "cpu_quota" };
    json_t *x = a->file[0].environment, *y = b->file[0].environment;

    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        say(to, begin, plain[i], json_object_get(x, plain[i]),
            json_object_get(y, plain[i]));
    say_fields(to, begin, "", json_object_get(x, "hardware"),
               json_object_get(y, "hardware"), NULL);
    say_fields(to, begin, "build ", json_object_get(x, "build"),
               json_object_get(y, "build"), NULL);
    say_fields(to, begin, "", json_object_get(x, "variables"),
               json_object_get(y, "variables"), is_volatile);
}

static const json_t *version_of(const struct result_file *f)
{
    return json_object_get(f->root, "version");
}

void version_diff(FILE *to, const struct variant *a, const struct variant *b)
{
    const struct variant *all[] = { b, a };
    const json_t *first = version_of(&a->file[0]);

    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < all[k]->n; i++) {
            const json_t *other = version_of(&all[k]->file[i]);

            if (other == first || json_equal(other, first))
                continue;
            say(to, "differs: ", "version of Alidade", first, other);
            return;
        }
}

void same_library(FILE *to, const struct variant *a, const struct variant *b,
                  const char *begin)
{
    const char *of_a = text_in(a->file[0].environment, "mpi_file");
    const char *of_b = text_in(b->file[0].environment, "mpi_file");

    if (of_a != NULL && of_b != NULL && strcmp(of_a, of_b) == 0)
        fprintf(to, "%sboth loaded MPI from %s\n", begin, of_a);
}

/* A value of the field that is not that one, in a file of the variant; NULL: none. */
static const json_t *other_value(const struct variant *s, const char *field,
                                 const json_t *value)
{
    for (size_t i = 0; i < s->n; i++) {
        const json_t *other = comparable_field(&s->file[i], field);

        if (other != NULL && !json_equal(value, other))
            return other;
    }
    return NULL;
}

void allowed_diff(FILE *to, const struct variant *a, const struct variant *b,
                  const struct may_differ *may)
{
    char full[120];

    for (size_t i = 0; i < may->n; i++) {
        const char *field = may->field[i];
        const json_t *first = comparable_field(&a->file[0], field);
        const json_t *other = other_value(b, field, first);

        if (other == NULL)
            other = other_value(a, field, first);
        snprintf(full, sizeof full, "%.*s", utf8_within(field, 100), field);
        if (other != NULL)
            say(to, "differs, and was allowed to: ", full, first, other);
    }
}
