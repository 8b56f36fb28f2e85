/* SPDX-License-Identifier: BSD-3-Clause */
#include "messages.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { ADVICE = 300 }; /* room kept for the second line */

const struct message messages[MESSAGE_COUNT] = {
    [E01_NOT_ONE_JOB] = { "E01", EXIT_RUN,
                          "Start the program with the launcher of its own MPI library; srun "
                          "needs --mpi=pmix for Open MPI, and --mpi=pmi2 for most others." },
    [E02_WRONG_RANKS] = { "E02", EXIT_CANNOT_RUN,
                          "Start as many ranks as the message says; -n of the launcher sets "
                          "their number." },
    [W03_MIXED_PAIRS] = { "W03", EXIT_OK,
                          "Choose --pairs=cyclic or list the pairs, or start the ranks so that "
                          "all pairs are alike." },
    [E04_CRASH] = { "E04", EXIT_RUN,
                    "Use an MPI library built with CUDA or ROCm (Open MPI: ompi_info --parsable "
                    "--all | grep cuda_support:value prints true, or ompi_info | grep "
                    "accelerator names rocm; MPICH: mpichversion)." },
    [E05_NO_GPU_SUPPORT] = { "E05", EXIT_CANNOT_RUN,
                             "An NVIDIA GPU needs a build with CUDA (configure --with-cuda), an "
                             "AMD GPU one with HIP (--with-hip), and nvidia-smi or rocm-smi must "
                             "show it in the same job. For other GPUs use OMB. To measure host "
                             "memory, leave out -d, -r, --compute and the words for buffers." },
    [W05_HOST_MEASURED] = { "W05", EXIT_OK,
                            "To measure GPU memory, use a build with GPU support, a node with a "
                            "GPU and -d cuda or rocm, with the words D D if the program takes "
                            "SRC DST." },
    [E06_NO_GPU_FOR_RANK] = { "E06", EXIT_CANNOT_RUN,
                              "Start one rank for each GPU, or let ranks share GPUs with "
                              "--gpu-map=modulo." },
    [W07_BINDING] = { "W07", EXIT_OK,
                      "Bind each rank to a core of its own: mpirun --bind-to core, mpiexec "
                      "-bind-to core, srun --cpu-bind=cores." },
    [W08_OVERSUBSCRIBED] = { "W08", EXIT_OK,
                             "Start at most one rank for each CPU; use this setup only to see "
                             "that a program works." },
    [W09_SLOW_DEVICE] = { "W09", EXIT_OK,
                          "Choose the device or the transport (UCX: UCX_NET_DEVICES; libfabric: "
                          "FI_PROVIDER; Open MPI: ompi_info shows whether UCX is in); "
                          "--expect=device=NAME makes this an error." },
    [E10_NOTHING_FITS] = { "E10", EXIT_RUN,
                           "Choose smaller sizes (-m), a smaller window (-W) or one buffer for "
                           "it (-b single), a smaller class (--class), a greater --mem-limit if "
                           "you set it, or fewer processes on each node. Enlarge /dev/shm if it "
                           "is named, in containers by --shm-size=1g, or use -w create." },
    [W11_ROWS_LEFT_OUT] = { "W11", EXIT_OK,
                            "Raise --mem-limit if you set it; otherwise choose smaller sizes "
                            "(-m), or start fewer processes on each node. Enlarge /dev/shm if it "
                            "is named, in containers by --shm-size=1g, or use -w create." },
    [E11_TOO_LARGE] = { "E11", EXIT_CANNOT_RUN, "Choose smaller sizes (example: -m 1:1G)." },
    [E12_USAGE] = { "E12", EXIT_USAGE,
                    "--help of the program shows all options with their values." },
    [E14_WRONG_DATA] = { "E14", EXIT_WRONG_DATA,
                         "Find out how often: --verify=1000, in a table with sizes also -m "
                         "SIZE:SIZE. Repeat it on other hosts, try another transport or "
                         "algorithm of MPI, and tell its developers." },
    [E15_NO_PROGRESS] = { "E15", EXIT_RUN,
                          "Repeat the row that hangs (-m SIZE:SIZE) with a debugger; if the "
                          "system is only slow, raise --timeout (0: wait forever)." },
    [E16_MPI_ERROR] = { "E16", EXIT_RUN,
                        "Look for the text or the code in the documentation of the MPI library. "
                        "If a size is named, repeat the run with it alone (-m SIZE:SIZE)." },
    [E17_FILE] = { "E17", EXIT_USAGE,
                   "Choose a new path in a folder that exists and that you may write to." },
    [E18_MPI_LACKS] = { "E18", EXIT_CANNOT_RUN,
                        "Build with a newer MPI library; or leave out the option, if the message "
                        "names one." },
    [E19_EMPTY] = { "E19", EXIT_RUN,
                    "Choose other sizes (-m) or a smaller type (-T mpi_char, also taken by "
                    "--protocol=omb), or another --start if all iterations were discarded as "
                    "late; --dry-run lists the rows of a command line." },
    [E20_OUT_OF_MEMORY] = { "E20", EXIT_RUN,
                            "Choose smaller sizes (-m), a smaller window (-W), or fewer "
                            "processes on each node." },
    [E21_NOT_WRITTEN] = { "E21", EXIT_RUN,
                          "Free some space, or choose another file, and repeat the run." },
    [W21_SHARED_MEMORY] = { "W21", EXIT_OK,
                            "Run all ranks of a machine in one container; to count each "
                            "container as a node, set ALIDADE_NODE_ID to its name. If there are "
                            "no containers, try another version of the MPI." },
    [W22_FEW_SAMPLES] = { "W22", EXIT_OK, "Leave out -i, or raise it." },
    [E23_NO_TSC] = { "E23", EXIT_CANNOT_RUN,
                     "Leave out --clock; the program then chooses a clock that works on all "
                     "nodes." },
    [E24_NO_GNUPLOT] = { "E24", EXIT_CANNOT_RUN,
                         "Install gnuplot (Debian: gnuplot-nox, Fedora: gnuplot-minimal), or "
                         "replace -G by --csv=FILE and plot the file elsewhere." },
    [W25_NO_GRAPH] = { "W25", EXIT_OK,
                       "Try another format (tty, png, pdf, svg), or write the results with "
                       "--csv=FILE and plot them elsewhere." },
    [E26_CANNOT_COUNT] = { "E26", EXIT_CANNOT_RUN,
                           "List the events with papi_avail and papi_native_avail (Debian: "
                           "papi-tools). Virtual machines often have only software events such "
                           "as perf::PAGE-FAULTS, containers often none." },
    [E28_NOT_ONE_NODE] = { "E28", EXIT_CANNOT_RUN,
                           "Start all ranks on one node; for one-sided programs you can choose "
                           "another window type instead (-w)." },
    [E29_LIBRARY] = { "E29", EXIT_CANNOT_RUN,
                      "Install the library (Debian: libfftw3-dev, libucx-dev; Fedora: "
                      "fftw-devel, ucx-devel), then run configure and make again." },
    [W30_NOT_UNIFIED] = { "W30", EXIT_OK,
                          "Use host memory, and an MPI library whose windows have the model "
                          "MPI_WIN_UNIFIED." },
    [E30_NO_CONNECTION] = { "E30", EXIT_CANNOT_RUN,
                            "Choose ranks that can reach each other this way; for TCP set "
                            "ALIDADE_TCP_ADDRESS to another address of rank 1's host." },
    [E31_CONNECTION_LOST] = { "E31", EXIT_RUN,
                              "Read the messages of the other rank first, then check the network "
                              "and repeat the run." },
    [W31_LEFT_OUT] = { "W31", EXIT_OK,
                       "The line above names the rows and the cause. Choose other sizes (-m, "
                       "--sizes), another type (-T) or other values of the option; some sections "
                       "need another MPI library, or host memory." },
    [E32_NO_SUCH_MEMORY] = { "E32", EXIT_CANNOT_RUN,
                             "Choose another type, smaller sizes (-m) or a smaller window (-W), "
                             "or reserve huge pages in /proc/sys/vm/nr_hugepages." },
    [E33_GPU_FAILED] = { "E33", EXIT_RUN,
                         "Check the GPU with nvidia-smi or rocm-smi and repeat the run." },
    [W34_GPU_UNSEEN] = { "W34", EXIT_OK,
                         "Show every rank all GPUs of its node; under Slurm use --gpus-per-node "
                         "with --gpu-bind=none instead of --gpus-per-task." },
    [E35_UNEXPECTED] = { "E35", EXIT_RUN,
                         "Change the launcher's options until the ranks run as expected, or "
                         "correct --expect." },
    [E36_VIOLATED] = { "E36", EXIT_RUN,
                       "The lines \"# Violated\" name the sizes and the faster way; choose "
                       "another algorithm of the MPI library for them (doc/guidelines.md)." },
    [W36_NO_EFFECT] = { "W36", EXIT_OK, "Leave the option out; the results are the same." },
    [W37_THREADS] = { "W37", EXIT_OK,
                      "Use fewer threads and no progress thread (MPICH: "
                      "MPIR_CVAR_ASYNC_PROGRESS=0; Intel MPI: I_MPI_ASYNC_PROGRESS=0), or give "
                      "each rank more CPUs: mpirun --bind-to none, mpiexec -bind-to none, "
                      "I_MPI_PIN=off, srun --cpus-per-task=N." },
    [E38_SIGNAL] = { "E38", EXIT_RUN,
                     "If it is SIGBUS, look with df /dev/shm whether that is full; in containers "
                     "use --shm-size=1g. Else repeat the row alone (-m SIZE:SIZE). Report the "
                     "message to those who make the MPI library if it has a call of MPI, "
                     "otherwise to those who make Alidade." },
    [W39_GPU_TURNS] = { "W39", EXIT_OK,
                        "Start MPS with nvidia-cuda-mps-control -d and repeat the run, or give "
                        "each rank a GPU of its own." },
    [W40_FOREIGN_LOAD] = { "W40", EXIT_OK,
                           "Look for the process with ps -eo psr,pcpu,args, and bind the ranks "
                           "to other cores, or ask for a node of your own." },
    [E41_WRONG_RESULT] = { "E41", EXIT_RUN,
                           "Look for a preloaded library that replaces such calls, and repeat "
                           "the run without it; otherwise report the message to those who make "
                           "the MPI library." },
    [E42_LIMIT] = { "E42", EXIT_RUN,
                    "Raise the limit (ulimit -u; in containers --pids-limit, which is pids.max "
                    "of the control group), or use fewer threads or processes (-t), or fewer "
                    "ranks on each node." },
    [E43_NOT_TAKEN] = { "E43", EXIT_USAGE, "Leave it out; --help lists what the program takes." },
};

const char *message_reason(enum exit_code code)
{
    return code == EXIT_OK           ? "ok"
           : code == EXIT_USAGE      ? "usage"
           : code == EXIT_WRONG_DATA ? "wrong data"
           : code == EXIT_CANNOT_RUN ? "cannot run here"
                                     : "run-time failure";
}

static bool is_error(const struct message *m)
{
    return m->number[0] == 'E';
}

const char *message_program = "alidade";
bool message_printed;
struct refusal *message_kept;

enum exit_code message_print(enum message_id id, const char *format, ...)
{
    const struct message *m = &messages[id];
    const bool error = is_error(m);
    char line[2048];
    const char *text;
    va_list arguments;
    size_t n;

    n = (size_t)snprintf(line, sizeof line, "%salidade: %s %s: %s: ", error ? "" : "# ",
                         error ? "error" : "warning", m->number, message_program);
    text = line + n;
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - n - ADVICE, format, arguments);
    va_end(arguments);
    /* Texts of MPI libraries may have lines of their own. */
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    message_printed |= error;
    if (error && message_kept != NULL) {
        refusal_because(message_kept, id, "%s", text);
        if (m->code == EXIT_USAGE || m->code == EXIT_CANNOT_RUN)
            return m->code;
    }
    n = strlen(line);
    snprintf(line + n, sizeof line - n, "\n%s   %s\n", error ? " " : "#", m->advice);
    fflush(stdout);
    fputs(line, stderr);
    fflush(stderr);
    return m->code;
}

void refusal_because(struct refusal *r, enum message_id id, const char *format, ...)
{
    va_list arguments;

    if (r->why[0] != '\0')
        return;
    r->id = id;
    va_start(arguments, format);
    vsnprintf(r->why, sizeof r->why, format, arguments);
    va_end(arguments);
}

enum exit_code refusal_print(const struct refusal *r, bool speaks)
{
    if (r->why[0] == '\0')
        return EXIT_OK;
    if (speaks)
        message_print(r->id, "%s", r->why);
    return messages[r->id].code;
}
