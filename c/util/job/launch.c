/* SPDX-License-Identifier: BSD-3-Clause */
#include "launch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "base/simulation.h"
#include "mpi_features.h"

/* What the library is: "OpenMPI-4.1.4", "SimGrid-3.32". */
static void name_library(char name[64])
{
    /* What comes before its version. */
    static const struct {
        const char *says, *brand;
    } known[] = {
        { "Open MPI", "OpenMPI" },
        { "MVAPICH2", "MVAPICH2" },
        { "MVAPICH", "MVAPICH" },
        { "Intel(R) MPI", "IntelMPI" },
        { "MPICH", "MPICH" },
        { "SMPI", "SimGrid" },
        { "", "MPI" },
    };
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    const char *version;
    int length, i = 0;

    PMPI_Get_library_version(text, &length);
    while (strstr(text, known[i].says) == NULL)
        i++;
    version = strstr(text, known[i].says) + strlen(known[i].says);
    version += strcspn(version, "0123456789");
    snprintf(name, 64, "%s-%.*s", known[i].brand, (int)strspn(version, "0123456789."), version);
}

/* The major version of the library, if that is its name; else 0. */
static int version_of(const char *brand)
{
    const size_t n = strlen(brand);
    char name[64] = "";

    if (!SIMULATED)
        name_library(name);
    return strncmp(name, brand, n) == 0 ? number_of_variable(name + n, 0, INT_MAX, 0) : 0;
}

int launch_openmpi(void)
{
    return version_of("OpenMPI-");
}

/* Intel MPI runs programs that were built for MPICH, and MPICH those that were built for it. */
static bool is_intel(void)
{
    return version_of("IntelMPI-") > 0;
}

static const bool built_for_intel =
#ifdef I_MPI_VERSION
    true;
#else
    false;
#endif

/* The first that is there counts: those of another launcher may be left from an outer
   job, so the own one of this MPI comes before them: Open MPI's is not Hydra's.  Without a size:
   Cray's PALS gives each process its number, but not how many there are. */
static const struct {
    const char *size, *rank;
} launcher[] = {
    { "PMI_SIZE", "PMI_RANK" },
    { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK" },
    { "PMI_SIZE", "PMI_RANK" },
    { "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK" },
    { "SLURM_STEP_NUM_TASKS", "SLURM_PROCID" },
    { "FLUX_JOB_SIZE", "FLUX_TASK_RANK" },
    { "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_RANK" },
    { NULL, "PALS_RANKID" },
};
enum { LAUNCHERS = sizeof launcher / sizeof *launcher, FIRST_WORD_US = 100000 };

static int first_launcher(void)
{
    return launch_openmpi() > 0;
}

static int number_from(const char *variable)
{
    return number_of_variable(getenv(variable), 0, INT_MAX, 0);
}

/* What the launcher says: so many processes, or at least so many, by that variable, and the number
   of this one.  Of no launcher: 0 and 0. */
struct said {
    const char *variable;
    bool at_least;
    int processes, rank;
};

static struct said said(void)
{
    for (int i = first_launcher(); i < LAUNCHERS; i++) {
        const bool alone = launcher[i].size == NULL;
        const char *const by = alone ? launcher[i].rank : launcher[i].size;

        if (getenv(by) != NULL)
            return (struct said){ by, alone, number_from(by) + alone,
                                  number_from(launcher[i].rank) };
    }
    return (struct said){ .variable = NULL };
}

int launch_rank(void)
{
    return said().rank;
}

int launch_promised(void)
{
    return said().processes;
}

int launch_leave(int code)
{
    if (code != 0 && launch_rank() > 0)
        usleep(FIRST_WORD_US);
    return code;
}

int launch_local_rank(void)
{
    /* The last is that of Slurm, within whose jobs others start ranks too. */
    static const char *const names[] = {
        "MPI_LOCALRANKID",    "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
        "PALS_LOCAL_RANKID",  "MV2_COMM_WORLD_LOCAL_RANK",  "MVP_COMM_WORLD_LOCAL_RANK",
        "FLUX_TASK_LOCAL_ID", "JSM_NAMESPACE_LOCAL_RANK",   "PMI_LOCAL_RANK",
        "SLURM_LOCALID",
    };
    for (size_t i = (size_t)first_launcher(); i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]) != NULL)
            return number_from(names[i]);
    return launch_promised() > 1 ? -1 : 0;
}

static const char *launch_command(void)
{
    if (SIMULATED)
        return "smpirun";
#ifdef BUILD_LAUNCHER
    if (is_intel() == built_for_intel)
        return BUILD_LAUNCHER;
#endif
    return launch_openmpi() || is_intel() ? "mpirun" : "mpiexec";
}

enum exit_code launch_check(int ranks, char library[64])
{
    const struct said launcher_says = said();

    name_library(library);
    if (ranks > 1 || launcher_says.processes <= 1)
        return EXIT_OK;
    /* Rank 0 says it; where the launcher gives ranks alone, rank 1, the first that knows. */
    if (launcher_says.rank == launcher_says.at_least)
        message_print(E01_NOT_ONE_JOB,
                      "the launcher started %s%d processes, but MPI sees 1 "
                      "(%s=%s;). This program is linked with %s, whose launcher is "
                      "%s. Nothing was measured.",
                      launcher_says.at_least ? "at least " : "", launcher_says.processes,
                      launcher_says.variable, getenv(launcher_says.variable), library,
                      launch_command());
    return EXIT_RUN;
}

const char *launch_name(void)
{
    const char *const slash = strrchr(launch_command(), '/');

    return slash != NULL ? slash + 1 : launch_command();
}

const char *launch_root(void)
{
    /* Other launchers than an MPI's have other options. */
    return geteuid() == 0 && launch_openmpi() && strncmp(launch_name(), "mpi", 3) == 0
               ? " --allow-run-as-root"
               : "";
}

const char *launch_word(const char *word, char text[LAUNCH_WORD])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_./:=,+@%-";
    size_t n = 0;

    if (*word != '\0' && word[strspn(word, plain)] == '\0')
        return word;
    text[n++] = '\'';
    for (; *word != '\0' && n < LAUNCH_WORD - 6; word++) {
        if (*word == '\'')
            n += (size_t)sprintf(text + n, "'\\'");
        text[n++] = *word;
    }
    text[n++] = '\'';
    text[n] = '\0';
    return text;
}

void launch_example(char *text, size_t room, int ranks, const char *program)
{
    const char *const command = launch_command(), *place = "";
    char words[2][LAUNCH_WORD];

    /* Other launchers, srun and smpirun, have other options. */
    if (strncmp(launch_name(), "mpi", 3) == 0) {
        if (launch_openmpi())
            place = " --oversubscribe";
        if (ranks <= sysconf(_SC_NPROCESSORS_ONLN))
            place = " --bind-to core";
    }
    snprintf(text, room, "%s%s -n %d%s %s", launch_word(command, words[0]), launch_root(), ranks,
             place, launch_word(program, words[1]));
}
