/* SPDX-License-Identifier: BSD-3-Clause */
#include "messages.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

enum { ADVICE = 300 }; /* room kept for the second line */

const struct message messages[MESSAGE_COUNT] = {
    [E01_NOT_ONE_JOB] = { "E01", EXIT_RUN,
                          "The launcher started several processes, but MPI connected none of "
                          "them: usually the launcher belongs to another MPI than the program "
                          "is built with, or srun lacks the right --mpi. Each process would "
                          "have measured itself. Nothing was measured.",
                          "Use the launcher of the library the program is built with." },
    [E02_WRONG_RANKS] = { "E02", EXIT_CANNOT_RUN,
                          "The program cannot run on this number of processes.",
                          "" },
    [E04_CRASH] = { "E04", EXIT_RUN,
                    "A call of MPI touched GPU memory as if it were the host's, and the process "
                    "died of it, before anything was measured: this MPI is not CUDA-aware, or not "
                    "for this operation, kind of memory or path between the ranks.",
                    "Needed is an MPI built with CUDA (Open MPI: ompi_info | grep -i cuda; MPICH: "
                    "mpichversion)." },
    [E05_NO_GPU_SUPPORT] = { "E05", EXIT_CANNOT_RUN,
                             "-d, or D, M, MD, MH or HP as a place, asks for GPU buffers, or -r for computation on a "
                             "GPU, and this build has neither, or this machine has no GPU that it can use.",
                             "Leave out -d, -r and such places to measure host memory." },
    [W05_HOST_MEASURED] = { "W05", EXIT_OK,
                            "D or M was given as the place of a buffer, or -a as the size of a "
                            "GPU's array, on a build without GPU support; or -d without such a "
                            "place, where both sides have one. Existing scripts do so, therefore it is no error; what is "
                            "measured is host memory, and the identity line says mem=H-H.",
                            "" },
    [E06_NO_GPU_FOR_RANK] = { "E06", EXIT_CANNOT_RUN,
                              "A rank has no GPU of its own: there are more ranks on a node than it "
                              "sees GPUs, the launcher does not say which rank of its node it is, or "
                              "two have the same GPU.",
                              "Start one rank for each GPU; --gpu-map=modulo lets ranks share them." },
    [W08_OVERSUBSCRIBED] = { "W08", EXIT_OK,
                             "There are more MPI processes than CPUs they may use. A waiting "
                             "process keeps its CPU busy, so the times measure the scheduler "
                             "rather than MPI. Good enough to see that a program works.",
                             "Start fewer processes for figures that mean something." },
    [E10_NOTHING_FITS] = { "E10", EXIT_RUN,
                           "Even the smallest size of the sweep, or the class, needs more memory "
                           "than there is, or than --mem-limit allows.",
                           "Name smaller sizes (-m), a smaller window (-W), a smaller class "
                           "(--class), or fewer processes per node." },
    [W11_ROWS_LEFT_OUT] = { "W11", EXIT_OK,
                            "The largest sizes of the sweep do not fit in memory; they are left "
                            "out instead of being cut or swapped.",
                            "Raise --mem-limit if that was the limit; else use fewer processes "
                            "per node." },
    [E11_TOO_LARGE] = { "E11", EXIT_CANNOT_RUN,
                        "The message has more elements than an MPI count can hold, and this "
                        "operation cannot be expressed by a larger datatype.",
                        "Name a largest size with -m." },
    [W13_UNCOUNTABLE] = { "W13", EXIT_OK,
                          "Some sizes have more elements than an MPI count can hold, and the "
                          "operation cannot be expressed by a larger datatype: they are left "
                          "out.",
                          "" },
    [E12_USAGE] = { "E12", EXIT_USAGE, "The command line was not understood.",
                    "" },
    [E14_WRONG_DATA] = { "E14", EXIT_WRONG_DATA,
                         "A rank received something else than was sent to it. The figures of "
                         "such an operation are worthless: nothing is measured or, with -c, "
                         "the table ends with the row that failed. An application (is, ft) "
                         "is verified when it has run; its row then says Fail.",
                         "Repeat with -m SIZE:SIZE, if it has sizes; then another transport or algorithm of the "
                         "library, and tell its developers." },
    [E15_NO_PROGRESS] = { "E15", EXIT_RUN,
                          "No repetition has ended for the time given by --timeout. Each rank "
                          "says where it is: the one that names another phase or lap is the one "
                          "to look at. Rows before are complete.",
                          "Start the sweep at the row that hangs (-m SIZE:SIZE); --timeout "
                          "waits longer, 0 for ever." },
    [E16_MPI_ERROR] = { "E16", EXIT_RUN,
                        "An MPI call returned an error; its text follows.",
                        "" },
    [E17_FILE] = { "E17", EXIT_USAGE,
                   "A file named on the command line cannot be used. Found out before "
                   "anything was measured.",
                   "" },
    [E18_MPI_LACKS] = { "E18", EXIT_CANNOT_RUN,
                        "The MPI library this was built with lacks what the program measures, "
                        "or what an option asks for.",
                        "Build against a newer MPI." },
    [E19_EMPTY] = { "E19", EXIT_RUN,
                    "The options leave no row to measure; an empty table is never a "
                    "success.",
                    "" },
    [E20_OUT_OF_MEMORY] = { "E20", EXIT_RUN,
                            "Memory that the plan counted on was not given.",
                            "Name smaller sizes (-m) or a smaller window (-W)." },
    [E21_NOT_WRITTEN] = { "E21", EXIT_RUN,
                          "A file, or standard output, could not be written to its end: the "
                          "device is full, or the file went away. Of --json, FILE.part holds "
                          "the rows.",
                          "" },
    [W21_SHARED_MEMORY] = { "W21", EXIT_OK,
                            "MPI and the kernel disagree about which ranks share a node: usually "
                            "containers on one machine, between which MPI does not use shared "
                            "memory. The identity line counts machines.",
                            "" },
    [W22_FEW_SAMPLES] = { "W22", EXIT_OK,
                          "A percentile was asked for that so few samples cannot show: the "
                          "largest sample stands in its place.",
                          "Leave out -i (or raise it)." },
    [E23_NO_TSC] = { "E23", EXIT_CANNOT_RUN,
                     "The processor's time stamp counter was asked for as the clock. It may "
                     "change its rate, stop, or differ between cores unless the kernel says "
                     "otherwise: its clock source is tsc and the processor's flags have "
                     "constant_tsc and nonstop_tsc.",
                     "Leave out --clock." },
    [W24_TOO_FEW_ELEMENTS] = { "W24", EXIT_OK,
                               "The operation deals a vector out among the ranks, and the smallest "
                               "sizes have less than one element for each: some ranks would "
                               "receive nothing. They are left out.",
                               "" },
    [E24_NO_GNUPLOT] = { "E24", EXIT_CANNOT_RUN,
                         "-G was given, and gnuplot is not in PATH on the node of rank 0. Found "
                         "out before anything was measured.",
                         "Install gnuplot (Debian: gnuplot-nox, Fedora: gnuplot-minimal), or "
                         "leave out -G and draw from --csv." },
    [W25_NO_GRAPH] = { "W25", EXIT_OK,
                       "gnuplot could not draw, or not all; its own words follow. The figures "
                       "are printed and the exit code is that of the measurement.",
                       "" },
    [E26_CANNOT_COUNT] = { "E26", EXIT_CANNOT_RUN,
                           "-P names an event that PAPI cannot count on some rank, together with "
                           "those named before it; or this build has no PAPI. Found out before "
                           "anything was measured.",
                           "papi_avail and papi_native_avail list events; virtual machines often "
                           "have only software events such as perf::PAGE-FAULTS." },
    [W27_NOTHING_MOVES] = { "W27", EXIT_OK,
                            "Of the derived type (-D) no block ends within the smallest sizes, so "
                            "that nothing would move: these rows are left out.",
                            "" },
    [E28_NOT_ONE_NODE] = { "E28", EXIT_CANNOT_RUN,
                           "What is to be measured, or the kind of window, needs memory that "
                           "all ranks share, which only ranks of one node can.",
                           "Start all ranks on one node; of one-sided programs, or choose "
                           "another kind of window (-w)." },
    [E29_LIBRARY] = { "E29", EXIT_CANNOT_RUN,
                      "The program needs a library that configure did not find, or was "
                      "told to leave out.",
                      "Install it (Debian: libfftw3-dev, libucx-dev; Fedora: fftw-devel, "
                      "ucx-devel) and configure again." },
    [W30_NOT_UNIFIED] = { "W30", EXIT_OK,
                          "What is put into a window need not be in the memory that the "
                          "processor reads (MPI_WIN_SEPARATE, or device memory), so that it cannot notice a put "
                          "there; the other operations are measured.",
                          "" },
    [E30_NO_CONNECTION] = { "E30", EXIT_CANNOT_RUN,
                            "A program that measures below MPI could not connect its two ranks: "
                            "rank 1's host is not reached by TCP, UCX did not start, "
                            "or the ranks of a node are in containers that do not see each "
                            "other's processes.",
                            "Measure between ranks that can reach each other this way. For TCP, name an "
                            "address of rank 1's host in ALIDADE_TCP_ADDRESS." },
    [E31_CONNECTION_LOST] = { "E31", EXIT_RUN,
                              "The connection below MPI failed while it was measured, or the "
                              "other rank has died. The job was ended; rows printed so far are "
                              "good.",
                              "" },
    [E32_NO_SUCH_MEMORY] = { "E32", EXIT_CANNOT_RUN,
                             "The kind of memory named for a side (SRC DST) is not there, or not so "
                             "much of it: huge pages that the kernel neither has reserved nor gives "
                             "when asked. It was found out before anything was measured.",
                             "Name smaller sizes (-m), or a smaller window (-W), or reserve "
                             "huge pages (/proc/sys/vm/nr_hugepages)." },
    [E33_GPU_FAILED] = { "E33", EXIT_RUN,
                         "A call of the GPU's runtime library failed apart from what was measured. "
                         "The job was ended; rows printed so far are good.",
                         "" },
    [W34_GPU_UNSEEN] = { "W34", EXIT_OK,
                         "Ranks of a node do not see each other's GPUs, as where a mask shows "
                         "each its own. MPI can then not copy from one to the other directly "
                         "(CUDA IPC): what is measured within a node may go through the host.",
                         "Show every rank all GPUs of its node. Slurm: --gpus-per-node with "
                         "--gpu-bind=none in place of --gpus-per-task." },
    [E35_UNEXPECTED] = { "E35", EXIT_RUN,
                         "The job is not what --expect says: another network path, library, number "
                         "of nodes or memory. Nothing was measured.",
                         "" },
};

const char *message_reason(enum exit_code code)
{
    switch (code) {
    case EXIT_OK:
        return "ok";
    case EXIT_USAGE:
        return "usage";
    case EXIT_WRONG_DATA:
        return "wrong data";
    case EXIT_CANNOT_RUN:
        return "cannot run here";
    default:
        return "run-time failure";
    }
}

enum exit_code message_print(enum message_id id, const char *program,
                             const char *format, ...)
{
    const struct message *m = &messages[id];
    char line[2048];
    va_list arguments;
    size_t n;

    n = (size_t)snprintf(line, sizeof line, "# alidade: %s %s: %s: ",
                         m->number[0] == 'E' ? "error" : "warning", m->number,
                         program);
    va_start(arguments, format);
    vsnprintf(line + n, sizeof line - n - ADVICE, format, arguments);
    va_end(arguments);
    /* Texts of MPI libraries may have lines of their own, without the mark. */
    for (char *c = line; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
    n = strlen(line);
    snprintf(line + n, sizeof line - n, "%s%s\n",
             m->advice[0] != '\0' ? "\n#   " : "", m->advice);
    fflush(stdout);
    fputs(line, stderr);
    fflush(stderr);
    return m->code;
}

void messages_document(FILE *to)
{
    fputs("# Messages\n\n"
          "Everything a program can say on stderr, by number. Errors (E) end "
          "the run with the exit code given; warnings (W) do not. Made from "
          "`c/util/base/messages.c` by `make doc`; do not edit.\n",
          to);
    for (int i = 0; i < MESSAGE_COUNT; i++) {
        fprintf(to, "\n## %s\n\n%s", messages[i].number, messages[i].meaning);
        if (messages[i].advice[0] != '\0')
            fprintf(to, "\n\nWhat to do: %s", messages[i].advice);
        if (messages[i].number[0] == 'E')
            fprintf(to, "\n\nExit code %d.", messages[i].code);
        fputc('\n', to);
    }
}
