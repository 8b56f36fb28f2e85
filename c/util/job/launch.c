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

/* The number that follows these words, with which an MPI begins to say what it is; 0 if they do
   not. */
static int number_after(const char *words)
{
    const size_t n = strlen(words);
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length;

    if (SIMULATED)
        return 0;
    PMPI_Get_library_version(text, &length);
    return strncmp(text, words, n) == 0
               ? number_of_variable(text + n, 0, INT_MAX, 0)
               : 0;
}

int launch_openmpi(void)
{
    return number_after("Open MPI v");
}

/* Intel MPI runs programs that were built for MPICH, and MPICH those that were built for it. */
static bool is_intel(void)
{
    return number_after("Intel(R) MPI Library ") > 0;
}

static const bool built_for_intel =
#ifdef I_MPI_VERSION
    true;
#else
    false;
#endif

/* The first that is there counts: those of another launcher may be left from an outer
   job, so the own one of this MPI comes before them: Open MPI's is not Hydra's. */
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
};
enum { LAUNCHERS = sizeof launcher / sizeof *launcher, FIRST_WORD_US = 100000 };

/* Cray's launcher PALS gives each process its number, but not how many there are. */
static const char *const rank_alone = "PALS_RANKID";

static int first_launcher(void)
{
    return launch_openmpi() > 0;
}

static int number_from(const char *variable)
{
    return number_of_variable(getenv(variable), 0, INT_MAX, 0);
}

int launch_rank(void)
{
    for (int i = first_launcher(); i < LAUNCHERS; i++)
        if (getenv(launcher[i].size) != NULL && getenv(launcher[i].rank))
            return number_from(launcher[i].rank);
    return number_from(rank_alone);
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
        "MPI_LOCALRANKID",
        "OMPI_COMM_WORLD_LOCAL_RANK",
        "MPI_LOCALRANKID",
        "PALS_LOCAL_RANKID",
        "MV2_COMM_WORLD_LOCAL_RANK",
        "MVP_COMM_WORLD_LOCAL_RANK",
        "FLUX_TASK_LOCAL_ID",
        "JSM_NAMESPACE_LOCAL_RANK",
        "PMI_LOCAL_RANK",
        "SLURM_LOCALID",
    };
    const char *variable;

    for (size_t i = (size_t)first_launcher(); i < sizeof names / sizeof *names;
         i++)
        if (getenv(names[i]) != NULL)
            return number_from(names[i]);
    return launch_promised(&variable) > 1 ? -1 : 0;
}

int launch_promised(const char **variable)
{
    for (int i = first_launcher(); i < LAUNCHERS; i++)
        if (getenv(launcher[i].size) != NULL) {
            *variable = launcher[i].size;
            return number_from(launcher[i].size);
        }
    *variable = getenv(rank_alone) != NULL ? rank_alone : NULL;
    return *variable != NULL ? launch_rank() + 1 : 0;
}

bool launch_complains(void)
{
    const char *variable;

    (void)launch_promised(&variable);
    return launch_rank() == (variable == rank_alone ? 1 : 0);
}

const char *launch_command(void)
{
    if (SIMULATED)
        return "smpirun";
#ifdef BUILD_LAUNCHER
    if (is_intel() == built_for_intel)
        return BUILD_LAUNCHER;
#endif
    return launch_openmpi() || is_intel() ? "mpirun" : "mpiexec";
}

const char *launch_name(void)
{
    const char *const slash = strrchr(launch_command(), '/');

    return slash != NULL ? slash + 1 : launch_command();
}

const char *launch_root(void)
{
    /* Other launchers than an MPI's have other options. */
    return geteuid() == 0 && launch_openmpi() &&
                   strncmp(launch_name(), "mpi", 3) == 0
               ? " --allow-run-as-root"
               : "";
}

const char *launch_word(const char *word, char text[LAUNCH_WORD])
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
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
    snprintf(text, room, "%s%s -n %d%s %s", launch_word(command, words[0]),
             launch_root(), ranks, place, launch_word(program, words[1]));
}
