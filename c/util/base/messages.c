/* SPDX-License-Identifier: BSD-3-Clause */
#include "messages.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { ADVICE = 300 }; /* room kept for the second line */

const struct message messages[MESSAGE_COUNT] = {
    [E01_NOT_ONE_JOB] = { "E01", EXIT_RUN,
                          "The launcher started several processes, but MPI did not connect them. "
                          "Usually the launcher belongs to another MPI library, or srun lacks "
                          "the right --mpi. Nothing was measured, because each process would "
                          "have measured itself.",
                          "Start the program with the launcher of its own MPI library; srun "
                          "needs --mpi=pmix for Open MPI, and --mpi=pmi2 for most others." },
    [E02_WRONG_RANKS] = { "E02", EXIT_CANNOT_RUN,
                          "The program cannot run on this number of ranks.",
                          "Start as many ranks as the message says; -n of the launcher sets "
                          "their number." },
    [W03_MIXED_PAIRS] = { "W03", EXIT_OK,
                          "Some pairs of ranks are on one node, and others on two. The values "
                          "mix two paths, memory and network, and are those of neither.",
                          "Choose --pairs=cyclic or list the pairs, or start the ranks so that "
                          "all pairs are alike." },
    [E04_CRASH] = { "E04", EXIT_RUN,
                    "An MPI call used GPU memory as if it were host memory, and the process "
                    "crashed. The MPI library is not GPU-aware, or not for this operation, "
                    "memory type or path between the ranks. Nothing was measured.",
                    "Use an MPI library built with CUDA or ROCm (Open MPI: ompi_info --parsable "
                    "--all | grep cuda_support:value prints true, or ompi_info | grep "
                    "accelerator names rocm; MPICH: mpichversion)." },
    [E05_NO_GPU_SUPPORT] = { "E05", EXIT_CANNOT_RUN,
                             "GPU buffers (-d) or GPU computation (-r, --compute) were "
                             "requested, but this build has no support for such GPUs, or no "
                             "usable GPU was found. The words D, F, M, MD, MH and HP without -d "
                             "are taken for H where there is no GPU (W05), but not SRC DST that "
                             "differ.",
                             "An NVIDIA GPU needs a build with CUDA (configure --with-cuda), an "
                             "AMD GPU one with HIP (--with-hip), and nvidia-smi or rocm-smi must "
                             "show it in the same job. For other GPUs use OMB. To measure host "
                             "memory, leave out -d, -r, --compute and the words for buffers." },
    [W05_HOST_MEASURED] = { "W05", EXIT_OK,
                            "A GPU option has no effect. The build has no GPU support, no GPU is "
                            "seen, or -d was given without words for the buffers. OMB's scripts "
                            "use such options, so this is no error; the header line shows which "
                            "memory is measured (mem).",
                            "To measure GPU memory, use a build with GPU support, a node with a "
                            "GPU and -d cuda or rocm, with the words D D if the program takes "
                            "SRC DST." },
    [E06_NO_GPU_FOR_RANK] = { "E06", EXIT_CANNOT_RUN,
                              "A rank has no GPU of its own. The node has more ranks than "
                              "visible GPUs, the launcher gives no local rank, or two ranks have "
                              "the same GPU.",
                              "Start one rank for each GPU, or let ranks share GPUs with "
                              "--gpu-map=modulo." },
    [W07_BINDING] = { "W07", EXIT_OK,
                      "The ranks are badly bound. Either some of them must share a core although "
                      "their node has enough CPUs, or they may move among several NUMA nodes. "
                      "The times depend on what the operating system does, and change from run "
                      "to run.",
                      "Bind each rank to a core of its own: mpirun --bind-to core, mpiexec "
                      "-bind-to core, srun --cpu-bind=cores." },
    [W08_OVERSUBSCRIBED] = { "W08", EXIT_OK,
                             "There are more ranks than CPUs that they may use. Waiting ranks "
                             "poll, so the times reflect the operating system's scheduler, not "
                             "MPI.",
                             "Start at most one rank for each CPU; use this setup only to see "
                             "that a program works." },
    [W09_SLOW_DEVICE] = { "W09", EXIT_OK,
                          "Messages between nodes did not go over the fastest network device "
                          "that is up. The MPI library fell back to another transport, or its "
                          "settings name another device. The values are those of the device that "
                          "carried the bytes. The devices' own counters show this, in messages "
                          "sent before the table.",
                          "Choose the device or the transport (UCX: UCX_NET_DEVICES; libfabric: "
                          "FI_PROVIDER; Open MPI: ompi_info shows whether UCX is in); "
                          "--expect=device=NAME makes this an error." },
    [E10_NOTHING_FITS] = { "E10", EXIT_RUN,
                           "Even the smallest message size, or the problem class, needs more "
                           "memory than there is, or than --mem-limit allows.",
                           "Choose smaller sizes (-m), a smaller window (-W) or one buffer for "
                           "it (-b single), a smaller class (--class), a greater --mem-limit if "
                           "you set it, or fewer processes on each node. Enlarge /dev/shm if it "
                           "is named, in containers by --shm-size=1g, or use -w create." },
    [W11_ROWS_LEFT_OUT] = { "W11", EXIT_OK,
                            "The largest message sizes do not fit in memory. Their rows are left "
                            "out; all other rows are measured.",
                            "Raise --mem-limit if you set it; otherwise choose smaller sizes "
                            "(-m), or start fewer processes on each node. Enlarge /dev/shm if "
                            "it is named, in containers by --shm-size=1g, or use -w create." },
    [E11_TOO_LARGE] = { "E11", EXIT_CANNOT_RUN,
                        "The message has more elements than an MPI count can hold, and this "
                        "operation cannot use a larger datatype instead.",
                        "Choose smaller sizes (example: -m 1:1G)." },
    [E12_USAGE] = { "E12", EXIT_USAGE,
                    "The command line has a mistake. The message names the option and says what "
                    "is wrong with it.",
                    "--help of the program shows all options with their values." },
    [E14_WRONG_DATA] = { "E14", EXIT_WRONG_DATA,
                         "A rank received other data than was sent to it, so no result of this "
                         "operation can be trusted. The message says in how many of the verified "
                         "iterations, and where the first is wrong. The run ends before this "
                         "row; with -c the table ends with it, with --verify the run goes on. An "
                         "application (is, ft) is verified after its run; its row says Fail.",
                         "Find out how often: --verify=1000, in a table with sizes also -m "
                         "SIZE:SIZE. Repeat it on other hosts, try another transport or "
                         "algorithm of MPI, and tell its developers." },
    [E15_NO_PROGRESS] = { "E15", EXIT_RUN,
                          "No iteration ended within the time given by --timeout. Each rank says "
                          "its row, the iterations made in this phase of the row, the "
                          "messages (in collectives blocks) that these sent and received, and its "
                          "MPI call with the functions below it. Ranks of a host that say the same "
                          "are one line, and the states of the fewest ranks come first. The late "
                          "rank has another call, other functions or fewer iterations, or says "
                          "nothing. Rows printed so far are complete, and are in the files of "
                          "--json and --csv.",
                          "Repeat the row that hangs (-m SIZE:SIZE) with a debugger; if the "
                          "system is only slow, raise --timeout (0: wait forever)." },
    [E16_MPI_ERROR] = { "E16", EXIT_RUN,
                        "An MPI call returned an error. The message has the rank, its row and "
                        "the call, as E15 does, and ends with the text of the MPI library.",
                        "Look for the text or the code in the documentation of the MPI library. If "
                        "a size is named, repeat the run with it alone (-m SIZE:SIZE)." },
    [E17_FILE] = { "E17", EXIT_USAGE,
                   "A file or folder of the command line cannot be written. Nothing was measured.",
                   "Choose a new path in a folder that exists and that you may write to." },
    [E18_MPI_LACKS] = { "E18", EXIT_CANNOT_RUN,
                        "The MPI library of this build lacks what the program measures, or what "
                        "an option needs.",
                        "Build with a newer MPI library; or leave out the option, if the message "
                        "names one." },
    [E19_EMPTY] = { "E19", EXIT_RUN,
                    "The options leave no row to measure or to print. An empty table counts as a "
                    "failure.",
                    "Choose other sizes (-m) or a smaller type (-T mpi_char, also taken by "
                    "--protocol=omb), or another --start if all iterations were discarded as "
                    "late; --dry-run lists the rows of a command line." },
    [E20_OUT_OF_MEMORY] = { "E20", EXIT_RUN,
                            "Memory allocation failed although the estimate said that it would "
                            "fit.",
                            "Choose smaller sizes (-m), a smaller window (-W), or fewer "
                            "processes on each node." },
    [E21_NOT_WRITTEN] = { "E21", EXIT_RUN,
                          "A file or standard output could not be written completely. The device "
                          "is full, or the file or its reader is gone. FILE.part holds the rows "
                          "of --json=FILE and --csv=FILE.",
                          "Free some space, or choose another file, and repeat the run." },
    [W21_SHARED_MEMORY] = { "W21", EXIT_OK,
                            "MPI and the kernel disagree about which ranks share a node. The "
                            "ranks are in several containers of one machine, or this MPI does "
                            "not see that they share memory. Machines count.",
                            "Run all ranks of a machine in one container; to count each "
                            "container as a node, set ALIDADE_NODE_ID to its name. If there are "
                            "no containers, try another version of the MPI." },
    [W22_FEW_SAMPLES] = { "W22", EXIT_OK,
                          "There are too few samples for the percentile. The slowest sample is "
                          "printed instead.",
                          "Leave out -i, or raise it." },
    [E23_NO_TSC] = { "E23", EXIT_CANNOT_RUN,
                     "--clock=tsc needs a time stamp counter that never stops, keeps its rate "
                     "and agrees between cores. The kernel says so if its clock source is tsc "
                     "and the processor has the flags constant_tsc and nonstop_tsc, and on arm64 "
                     "if it is arch_sys_counter; a node lacks one of these.",
                     "Leave out --clock; the program then chooses a clock that works on all "
                     "nodes." },
    [E24_NO_GNUPLOT] = { "E24", EXIT_CANNOT_RUN,
                         "-G needs gnuplot, which is not in PATH on the node of rank 0. Nothing "
                         "was measured.",
                         "Install gnuplot (Debian: gnuplot-nox, Fedora: gnuplot-minimal), or "
                         "replace -G by --csv=FILE and plot the file elsewhere." },
    [W25_NO_GRAPH] = { "W25", EXIT_OK,
                       "gnuplot could not draw all plots. The message ends with its own text. "
                       "The results are printed, and the exit code is that of the measurement.",
                       "Try another format (tty, png, pdf, svg), or write the results with "
                       "--csv=FILE and plot them elsewhere." },
    [E26_CANNOT_COUNT] = { "E26", EXIT_CANNOT_RUN,
                           "PAPI cannot count an event of -P on some rank, or not together with "
                           "the events before it, or this build has no PAPI. Nothing was "
                           "measured.",
                           "List the events with papi_avail and papi_native_avail (Debian: "
                           "papi-tools). Virtual machines often have only software events such "
                           "as perf::PAGE-FAULTS, containers often none." },
    [E28_NOT_ONE_NODE] = { "E28", EXIT_CANNOT_RUN,
                           "The program, or this type of window, needs memory that all ranks "
                           "share. Only ranks of one node can share memory.",
                           "Start all ranks on one node; for one-sided programs you can choose "
                           "another window type instead (-w)." },
    [E29_LIBRARY] = { "E29", EXIT_CANNOT_RUN,
                      "The program needs a library that configure did not find, or was told to "
                      "leave out.",
                      "Install the library (Debian: libfftw3-dev, libucx-dev; Fedora: "
                      "fftw-devel, ucx-devel), then run configure and make again." },
    [W30_NOT_UNIFIED] = { "W30", EXIT_OK,
                          "The polling test was skipped: with this window the target's CPU may "
                          "not see a put by reading memory. The other operations are measured.",
                          "Use host memory, and an MPI library whose windows have the model "
                          "MPI_WIN_UNIFIED." },
    [E30_NO_CONNECTION] = { "E30", EXIT_CANNOT_RUN,
                            "A transport baseline could not connect its two ranks. TCP does not "
                            "reach the host of rank 1, UCX did not start, or the containers of "
                            "the two ranks hide each other's processes.",
                            "Choose ranks that can reach each other this way; for TCP set "
                            "ALIDADE_TCP_ADDRESS to another address of rank 1's host." },
    [E31_CONNECTION_LOST] = { "E31", EXIT_RUN,
                              "The connection of a transport baseline failed during the "
                              "measurement, or the other rank died. Rows printed so far are "
                              "valid.",
                              "Read the messages of the other rank first, then check the network "
                              "and repeat the run." },
    [W31_LEFT_OUT] = { "W31", EXIT_OK,
                       "Rows that were requested, or a section of the table, cannot be measured "
                       "and are left out: their size, the type, the number of ranks, this MPI "
                       "library or this memory does not permit them. All other rows are "
                       "measured. Sizes smaller than an element are named only if -m gives the "
                       "smallest size, or --sizes lists them.",
                       "The line above names the rows and the cause. Choose other sizes (-m, "
                       "--sizes), another type (-T) or other values of the option; some sections "
                       "need another MPI library, or host memory." },
    [E32_NO_SUCH_MEMORY] = { "E32", EXIT_CANNOT_RUN,
                             "The memory type of a buffer (SRC DST) is not available, or not "
                             "enough of it. For huge pages the kernel has none reserved and "
                             "gives none on request. Nothing was measured.",
                             "Choose another type, smaller sizes (-m) or a smaller window (-W), "
                             "or reserve huge pages in /proc/sys/vm/nr_hugepages." },
    [E33_GPU_FAILED] = { "E33", EXIT_RUN,
                         "A call of the GPU's runtime library failed outside of the measured "
                         "operation. Rows printed so far are valid.",
                         "Check the GPU with nvidia-smi or rocm-smi and repeat the run." },
    [W34_GPU_UNSEEN] = { "W34", EXIT_OK,
                         "Ranks of a node do not see each other's GPUs, for example because "
                         "CUDA_VISIBLE_DEVICES (AMD: ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES) "
                         "shows each rank its own only. MPI then cannot copy directly between "
                         "them, and may use host memory instead.",
                         "Show every rank all GPUs of its node; under Slurm use --gpus-per-node "
                         "with --gpu-bind=none instead of --gpus-per-task." },
    [E35_UNEXPECTED] = { "E35", EXIT_RUN,
                         "The run does not match --expect, for example in its network path, its "
                         "library or its number of nodes. Nothing was measured.",
                         "Change the launcher's options until the ranks run as expected, or "
                         "correct --expect." },
    [E36_VIOLATED] = { "E36", EXIT_RUN,
                       "A collective is slower than the same operation made of other "
                       "collectives, by more than --margin, and --gate was given. The table is "
                       "complete.",
                       "The lines \"# Violated\" name the sizes and the faster way; choose "
                       "another algorithm of the MPI library for them (doc/guidelines.md)." },
    [W36_NO_EFFECT] = { "W36", EXIT_OK,
                        "An option, or a number without an option, has no effect: OMB accepts it in this "
                        "program, or another option decides.",
                        "Leave the option out; the results are the same." },
    [W37_THREADS] = { "W37", EXIT_OK,
                      "A rank runs more threads than it may use CPUs, or the ranks of a node do "
                      "so together. Threads that wait poll, so the times reflect the operating "
                      "system's scheduler, not MPI. Often the launcher bound the rank to a "
                      "single core, or the MPI library has a progress thread, which counts too.",
                      "Use fewer threads and no progress thread (MPICH: MPIR_CVAR_ASYNC_PROGRESS=0; "
                      "Intel MPI: I_MPI_ASYNC_PROGRESS=0), or give each rank more CPUs: "
                      "mpirun --bind-to none, mpiexec -bind-to none, I_MPI_PIN=off, "
                      "srun --cpus-per-task=N." },
    [E38_SIGNAL] = { "E38", EXIT_RUN,
                     "A signal such as SIGSEGV, or a call of exit, ends the process, because the MPI library, one "
                     "below it or this program failed. Then the signal goes to the handler of "
                     "the MPI library, or makes a core file. Most launchers return 128 and its "
                     "number.",
                     "If it is SIGBUS, look with df /dev/shm whether that is full; in containers "
                     "use --shm-size=1g. Else repeat the row alone (-m SIZE:SIZE). Report the message to those who make "
                     "the MPI library if it has a call of MPI, otherwise to those who make Alidade." },
    [W39_GPU_TURNS] = { "W39", EXIT_OK,
                        "Ranks share a GPU, and their processes take turns on it, because NVIDIA's "
                        "Multi-Process Service (MPS) does not run. A message waits for the turn of "
                        "the other process: 150 us instead of 13 on an H100.",
                        "Start MPS with nvidia-cuda-mps-control -d and repeat the run, or give each "
                        "rank a GPU of its own." },
    [W40_FOREIGN_LOAD] = { "W40", EXIT_OK,
                           "Another process runs on the CPU of a rank, which would have it all if it "
                           "were alone. The rank waits for its turn for some milliseconds now and "
                           "then, so means are too high. The median (--columns=median) suffers less.",
                           "Look for the process with ps -eo psr,pcpu,args, and bind the "
                           "ranks to other cores, or ask for a node of your own." },
    [E41_WRONG_RESULT] = { "E41", EXIT_RUN,
                           "Ranks cannot agree, because a call of MPI that the program makes for "
                           "itself (PMPI_Allreduce) gave a wrong result. Either the result "
                           "contradicts a rank, or a rank ends with an error that no rank found.",
                           "Look for a preloaded library that replaces such calls, and repeat the run without "
                           "it; otherwise report the message to those who make the MPI library." },
    [E42_LIMIT] = { "E42", EXIT_RUN,
                    "The system refused to create a thread or a process. A limit holds for all "
                    "threads and processes of a user, another one for those of a container or a "
                    "job. The kernel also refuses if it has no memory left for them.",
                    "Raise the limit (ulimit -u; in containers --pids-limit, which is pids.max of "
                    "the control group), or use fewer threads or processes (-t), or fewer ranks "
                    "on each node." },
};

const char message_at_start[] =
    "The processes do not reach each other. Check whether all hosts started theirs, whether "
    "launcher and MPI library belong together, and whether a firewall or a wrong network "
    "interface separates the hosts. Try one host, then two. Of each host at most four ranks say this.";
const char message_at_end[] =
    "The table is not affected. Look for a rank that has crashed or that reports another phase. "
    "If there is none, try another transport of the MPI library, and host memory: the library "
    "waits for the network or the GPU.";

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

bool message_printed;
struct refusal *message_kept;

enum exit_code message_print(enum message_id id, const char *program,
                             const char *format, ...)
{
    const struct message *m = &messages[id];
    const bool error = is_error(m);
    char line[2048];
    const char *text;
    va_list arguments;
    size_t n;

    n = (size_t)snprintf(line, sizeof line,
                         "%salidade: %s %s: %s: ", error ? "" : "# ",
                         error ? "error" : "warning", m->number, program);
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
    snprintf(line + n, sizeof line - n, "\n%s   %s\n", error ? " " : "#",
             m->advice);
    fflush(stdout);
    fputs(line, stderr);
    fflush(stderr);
    return m->code;
}

void refusal_because(struct refusal *r, enum message_id id, const char *format,
                     ...)
{
    va_list arguments;

    if (r->why[0] != '\0')
        return;
    r->id = id;
    va_start(arguments, format);
    vsnprintf(r->why, sizeof r->why, format, arguments);
    va_end(arguments);
}

enum exit_code refusal_print(const struct refusal *r, const char *program,
                             bool speaks)
{
    if (r->why[0] == '\0')
        return EXIT_OK;
    if (speaks)
        message_print(r->id, program, "%s", r->why);
    return messages[r->id].code;
}
