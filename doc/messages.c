/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints doc/messages.md: make doc.  Programs print what to do, base/catalogue.def; the causes
   are for this page alone. */
#include "base/messages.h"
#include "hang/hang.h"

static const char *const meanings[MESSAGE_COUNT] = {
    [E01_NOT_ONE_JOB] =
        "The launcher started several processes, but MPI did not connect them. Usually the "
        "launcher belongs to another MPI library, or srun lacks the right --mpi. Nothing was "
        "measured, because each process would have measured itself.",
    [E02_WRONG_RANKS] = "The program cannot run on this number of ranks.",
    [W03_MIXED_PAIRS] =
        "Some pairs of ranks are on one node, and others on two. The values mix two paths, memory "
        "and network, and are those of neither.",
    [E04_CRASH] =
        "An MPI call used GPU memory as if it were host memory, and the process crashed. The MPI "
        "library is not GPU-aware, or not for this operation, memory type or path between the "
        "ranks. Rows before it are kept.",
    [E05_NO_GPU_SUPPORT] =
        "GPU buffers (-d) or GPU computation (-r, --compute) were requested, but this build has "
        "no support for such GPUs, or no usable GPU was found. The words D, F, M, MD, MH and HP "
        "without -d are taken for H where there is no GPU (W05), but not SRC DST that differ.",
    [W05_HOST_MEASURED] =
        "A GPU option has no effect. The build has no GPU support, no GPU is seen, or -d was "
        "given without words for the buffers. OMB's scripts use such options, so this is no "
        "error; the header line shows which memory is measured (mem).",
    [E06_NO_GPU_FOR_RANK] =
        "A rank has no GPU of its own. The node has more ranks than visible GPUs, the launcher "
        "gives no local rank, or two ranks have the same GPU.",
    [W07_BINDING] =
        "The ranks are badly bound. Either some of them must share a core although their node has "
        "enough CPUs, or they may move among several NUMA nodes. The times depend on what the "
        "operating system does, and change from run to run.",
    [W08_OVERSUBSCRIBED] =
        "There are more ranks than CPUs that they may use. Waiting ranks poll, so the times "
        "reflect the operating system's scheduler, not MPI.",
    [W09_SLOW_DEVICE] =
        "Messages between nodes did not go over the fastest network device that is up. The MPI "
        "library fell back to another transport, or its settings name another device. The values "
        "are those of the device that carried the bytes. The devices' own counters show this, in "
        "messages sent before the table.",
    [E10_NOTHING_FITS] =
        "Even the smallest message size, or the problem class, needs more memory than there is, "
        "or than --mem-limit allows.",
    [W11_ROWS_LEFT_OUT] =
        "The largest message sizes do not fit in memory. Their rows are left out; all other rows "
        "are measured.",
    [E11_TOO_LARGE] =
        "The message has more elements than an MPI count can hold, and this operation cannot use "
        "a larger datatype instead.",
    [E12_USAGE] =
        "The command line has a mistake. The message names the option and says what is wrong with "
        "it.",
    [E14_WRONG_DATA] =
        "A rank received other data than was sent to it, so no result of this operation can be "
        "trusted. The message says in how many of the verified iterations, and where the first is "
        "wrong. The run ends before this row; with -c the table ends with it, with --verify the "
        "run goes on. An application (is, ft) is verified after its run; its row says Fail.",
    [E15_NO_PROGRESS] =
        "No iteration ended within the time given by --timeout. Each rank says its row, the "
        "iterations made in this phase of the row, the messages (in collectives blocks) that "
        "these sent and received, and its MPI call with the functions below it. Ranks of a host "
        "that say the same are one line, and the states of the fewest ranks come first. The late "
        "rank has another call, other functions or fewer iterations, or says nothing. Rows "
        "printed so far are complete, and are in the files of --json and --csv.",
    [E16_MPI_ERROR] =
        "An MPI call returned an error. The message has the rank, its row and the call, as E15 "
        "does, and ends with the text of the MPI library.",
    [E17_FILE] = "A file or folder of the command line cannot be written. Nothing was measured.",
    [E18_MPI_LACKS] =
        "The MPI library of this build lacks what the program measures, or what an option needs.",
    [E19_EMPTY] =
        "The options leave no row to measure or to print. An empty table counts as a failure.",
    [E20_OUT_OF_MEMORY] = "Memory allocation failed although the estimate said that it would fit.",
    [E21_NOT_WRITTEN] =
        "A file or standard output could not be written completely. The device is full, or the "
        "file or its reader is gone. FILE.part holds what was written of --json=FILE and --csv=FILE.",
    [W21_SHARED_MEMORY] =
        "MPI and the kernel disagree about which ranks share a node. The ranks are in several "
        "containers of one machine, or this MPI does not see that they share memory. Machines "
        "count.",
    [W22_FEW_SAMPLES] =
        "There are too few samples for the percentile. The slowest sample is printed instead.",
    [E23_NO_TSC] =
        "--clock=tsc needs a time stamp counter that never stops, keeps its rate and agrees "
        "between cores. The kernel says so if its clock source is tsc and the processor has the "
        "flags constant_tsc and nonstop_tsc, and on arm64 if it is arch_sys_counter; a node lacks "
        "one of these.",
    [E24_NO_GNUPLOT] =
        "-G needs gnuplot, which is not in PATH on the node of rank 0. Nothing was measured.",
    [W25_NO_GRAPH] =
        "gnuplot could not draw all plots. Its own text is printed before the message. The "
        "results are printed, and the exit code is that of the measurement.",
    [E26_CANNOT_COUNT] =
        "PAPI cannot count an event of -P on some rank, or not together with the events before "
        "it, or this build has no PAPI. Nothing was measured.",
    [E28_NOT_ONE_NODE] =
        "The program, or this type of window, needs memory that all ranks share. Only ranks of "
        "one node can share memory.",
    [E29_LIBRARY] =
        "The program needs a library that configure did not find, or was told to leave out.",
    [W30_NOT_UNIFIED] =
        "The polling test was skipped: with this window the target's CPU may not see a put by "
        "reading memory. The other operations are measured.",
    [E30_NO_CONNECTION] =
        "A transport baseline could not connect its two ranks. TCP does not reach the host of "
        "rank 1, UCX did not start, or the containers of the two ranks hide each other's "
        "processes.",
    [E31_CONNECTION_LOST] =
        "The connection of a transport baseline failed during the measurement, or the other rank "
        "died. Rows printed so far are valid.",
    [W31_LEFT_OUT] =
        "Rows that were requested, or a section of the table, cannot be measured and are left "
        "out: their size, the type, the number of ranks, this MPI library or this memory does not "
        "permit them. All other rows are measured. Sizes smaller than an element are named only "
        "if -m gives the smallest size, or --sizes lists them.",
    [E32_NO_SUCH_MEMORY] =
        "The memory type of a buffer (SRC DST) is not available, or not enough of it. For huge "
        "pages the kernel has none reserved and gives none on request. Nothing was measured.",
    [E33_GPU_FAILED] =
        "A call of the GPU's runtime library failed outside of the measured operation. Rows "
        "printed so far are valid.",
    [W34_GPU_UNSEEN] =
        "Ranks of a node do not see each other's GPUs, for example because CUDA_VISIBLE_DEVICES "
        "(AMD: ROCR_VISIBLE_DEVICES, HIP_VISIBLE_DEVICES) shows each rank its own only. MPI then "
        "cannot copy directly between them, and may use host memory instead.",
    [E35_UNEXPECTED] =
        "The run does not match --expect, for example in its network path, its library or its "
        "number of nodes. Nothing was measured.",
    [E36_VIOLATED] =
        "A collective is slower than the same operation made of other collectives, by more than "
        "--margin, and --gate was given. The table is complete.",
    [W36_NO_EFFECT] =
        "An option, or a number without an option, has no effect: OMB accepts it in this program, "
        "or another option decides.",
    [W37_THREADS] =
        "A rank runs more threads than it may use CPUs, or the ranks of a node do so together. "
        "Threads that wait poll, so the times reflect the operating system's scheduler, not MPI. "
        "Often the launcher bound the rank to a single core, or the MPI library has a progress "
        "thread, which counts too.",
    [E38_SIGNAL] =
        "A signal such as SIGSEGV, or a call of exit, ends the process, because the MPI library, "
        "one below it or this program failed. Then the signal goes to the handler of the MPI "
        "library, or makes a core file, and launchers return 128 and its number, or its number alone "
        "as MPICH does. After a call of exit, the code is that of this message.",
    [W39_GPU_TURNS] =
        "Ranks share a GPU, and their processes take turns on it, because NVIDIA's Multi-Process "
        "Service (MPS) does not run. A message waits for the turn of the other process: 150 us "
        "instead of 13 on an H100.",
    [W40_FOREIGN_LOAD] =
        "Another process runs on the CPU of a rank, which would have it all if it were alone. The "
        "rank waits for its turn for some milliseconds now and then, so means are too high. The "
        "median (--columns=median) suffers less.",
    [E41_WRONG_RESULT] =
        "Ranks cannot agree, because a call of MPI that the program makes for itself "
        "(PMPI_Allreduce) gave a wrong result. Either the result contradicts a rank, or a rank "
        "ends with an error that no rank found.",
    [E42_LIMIT] =
        "The system refused to create a thread or a process. A limit holds for all threads and "
        "processes of a user, another one for those of a container or a job. The kernel also "
        "refuses if it has no memory left for them.",
    [E43_NOT_TAKEN] =
        "The option exists, but this program has no use for it, so a job of many programs "
        "(suite, run-suite) skips the program and does not fail.",
};

static void print_page(FILE *to)
{
    fputs("# Messages\n\n"
          "This page lists every numbered message that a program can print on "
          "stderr. An error (E) ends the run with the exit code given; after a "
          "warning (W) the run continues. The lines of a warning begin with #, "
          "those of an error do not. `make doc` writes this page from "
          "`doc/messages.c` and `c/util/base/catalogue.def`; do not edit it.\n",
          to);
    for (int i = 0; i < MESSAGE_COUNT; i++) {
        fprintf(to, "\n## %s\n%s", messages[i].number, meanings[i]);
        if (messages[i].number[0] == 'E')
            fprintf(to, " Exit code %d.", messages[i].code);
        fprintf(to, "\nWhat to do: %s\n", messages[i].advice);
        if (i == E15_NO_PROGRESS)
            fprintf(to, "In MPI_Init: %s\nIn MPI_Finalize: %s\n", watchdog_at_start,
                    watchdog_at_end);
    }
}

int main(void)
{
    print_page(stdout);
    return 0;
}
