# SPDX-License-Identifier: BSD-3-Clause
"""The words that tables, notes and verdicts print, and what they mean.

A test holds every heading, note and verdict of the sources to this list, or to the fields of the
JSON files, which describe the columns of programs.
"""
import re
from typing import List, NamedTuple

# "WORD, WORD: who prints it", and below it what it means there.
TEXT = """
us: all commands
  Microseconds.
median: compare, report
  Each run gives the median over its iterations; this is the median over the runs, with their range.
Ratio: compare, report
  The time relative to the baseline, which is the first variant: above 1 is slower, also in rows of
  bandwidths. Of a size class it is the geometric mean over its rows.
Ratio: guidelines
  The median of the operation divided by that of the fastest mock-up. Above 1, something else that
  MPI offers does the same work in less time.
Ratio: one-sided programs with --target
  The first column divided by "In MPI": what it costs that the target does not wait in MPI.
Ratio: tune
  The time of the tuned algorithm divided by that of the default: below 1 is faster.
Ratio: layers
  The time of MPI divided by that of the layer below it, or of bandwidths the inverse.
95% interval: compare, report, tune
  The ratio lies in it with a probability of 95%.
Sizes: compare
  A size class: the rows of message sizes up to this one, judged together, because a class needs
  fewer runs than a single size. --classes rows judges each row.
Rows: compare
  The number of rows in the size class.
Row: compare, report, accept
  What tells a row from others of its program: the size in bytes, the type, and what else the
  program varies. What all rows have in common stands above the table.
Benchmark, Program, Operation: compare, accept, tune
  The program that was measured; alidade which NAME prints its file.
faster: compare, history
  It takes less time than the baseline, by more than the margin (--margin), and the runs are enough
  to be sure of it for all classes of the table together.
slower: compare, history
  It takes more time than the baseline, by more than the margin (--margin), and the runs are enough
  to be sure of it for all classes of the table together.
same: compare, history
  The difference is within the margin (--margin).
mixed: compare, history
  Some rows of the class are surely faster or slower, and the class as a whole is not. The line
  says at which sizes.
undecided: compare, history
  The runs differ too much to say faster, slower or the same. In brackets is how many more runs
  would probably decide it; a quieter machine helps, too.
margin: compare
  The smallest difference that matters (--margin), 3% unless you say otherwise.
baseline: compare
  The first variant, with which the others are compared.
variant: compare, report
  What is compared: a build, a setting, a launcher, a release.
differs: compare
  A field, variable or library that is not the same in both variants, although nobody allowed it.
Release: history
  A version of an MPI. Its line has the median of its runs, their range, and the step to it.
Value: repeat
  The median over runs of what each run prints in its first column, such as Avg Latency(us).
Median: repeat
  The median over runs of the medians over iterations. Quote it, with Next Low and Next High as
  its error bar.
Next Low, Next High: repeat
  The median of the next run is between them with a probability of 95%. "-": there are fewer than
  five runs, or they are too far apart.
Spread: repeat
  The standard deviation over runs, in percent of their mean.
Runs: repeat
  The number of runs with a valid value.
Size: all programs
  The size of a message in bytes. PROGRAM --help says which message is meant.
Avg Latency, Latency, Per Message: programs that print times
  Computed from the mean over ranks of the mean over iterations. PROGRAM --help says how.
Bandwidth, MB/s: programs that print bandwidths
  Millions of bytes of payload per second: what moved, divided by the mean time.
Messages/s: programs of many pairs
  Messages per second, of all pairs together.
Min Latency, Max Latency, Min Comm., Max Comm.: collectives with -f
  The smallest and the largest of the ranks' means.
CI95 Low, CI95 High: programs with --columns=ci_low,ci_high
  The median of this run is between them with a probability of 95%. Runs differ by more: use repeat
  for the next run.
CI95 Low, CI95 High: guidelines
  The ratio is between them with a probability of 95%.
Iter. Min, Iter. Max: programs with --columns=min,max
  The smallest and the largest value over iterations.
Std Dev: programs with --columns=stddev
  The standard deviation over iterations, in percent of their mean.
P99 Tail Lat, P99 Tail BW, Tail Lat, Tail BW: programs with -z
  The time that so many percent of the samples do not exceed, or the rate that they reach.
P99: report
  How many times longer than the median the slowest hundredth of the iterations take.
Validation: programs with -c
  Pass, or Fail if data were wrong in the row, on any rank.
Transmit Size: programs with -D
  The bytes of the message that move; Size is the extent of the type.
Alg. BW, Bus BW: collectives with --columns=algbw,busbw
  The bandwidth of the operation, and that of the links if the algorithm is the best one.
25% Matching, Median Matching, 75% Matching: bisection
  So many percent of the matchings have at most this bandwidth.
MB/s per Rank: ring, exchange, random_ring
  What a rank sends and receives, divided by the mean time of the slowest rank.
All, Each: hot spots
  The payload of all peers together, and of each, divided by the mean time.
Local, All Local, Each Local: one-sided programs with -s flush_local
  The time until the origin may use its buffers again, or the payload divided by it. It is neither a
  latency nor a bandwidth.
Congestors MB/s: impact
  What all congestors sent while the victims were loaded, divided by the time.
Pure Comm.: non-blocking collectives
  The start and the wait without computation, measured in a separate pass; mean over ranks.
Coll. Init, MPI_Test, MPI_Wait: non-blocking collectives with -f
  The parts of an iteration; mean over iterations, then over ranks.
MPI_Isend, MPI_Irecv: host_overhead with -f
  The time inside these calls.
Send, Receive: host_overhead
  The time inside the MPI calls for one message, of the sender and of the receiver.
its Wait: host_overhead with -f
  The time inside MPI_Wait for the call in the column before it.
Of Full: halo, overlap_bw
  The bandwidth with computation, in percent of the bandwidth without it.
Own Loss: noise
  What the rank loses without communication, in percent.
Mop/s: nas programs
  Millions of operations per second, as NAS counts them.
Run Time, Outside: nas programs
  The time of the whole run, and what of it was spent outside MPI.
Number of Sender threads, Number of Receiver threads: latency_mt
  As OMB prints them.
Number of forked processes in sender, Number of forked processes in receiver: latency_mp
  As OMB prints them.
Repeat: repeat
  How many runs were made and failed, how far an interval reaches from its median at most (widest),
  what was wanted (--precision), and why there are no more runs (stop).
Apart: repeat
  In these rows the runs differ so much that no interval predicts the next run. Look at the
  placement of the ranks (where), and at other work on the machine.
Groups: repeat
  The runs of this row fall into two groups: lower and upper are their medians, lower-runs and
  upper-runs say how many runs are in each. Bind the ranks, or quote both groups.
changes: repeat
  How often a run and the next one are of different groups. Few changes: the machine changed
  meanwhile. Many: each run falls into either group at random.
lower, upper: repeat
  The medians of the two groups into which the runs fall.
Disturbed: repeat, compare, examine
  At least half of the runs of these rows were disturbed: they say little of the machine.
Drift: repeat, compare, report
  The last third of the runs took longer or shorter than the first: the machine changed meanwhile.
Differ: repeat
  The runs differ in what they were measured with: a library, a variable, the command, the machine.
limit: accept
  The greatest time (<=) or the least bandwidth (>=) that passes. It was learned from runs
  (--learn), or set by hand.
measured: accept
  The median over runs of the medians of the runs, on the worst set of hosts.
result: accept
  pass, FAIL, MISSING or wide.
pass: accept
  The row is within its limit.
FAIL: accept
  The row is beyond its limit. One run can miss a limit by chance: measure again before you blame
  a node.
MISSING: accept
  The row has a limit and was not measured, or half of its runs or more do not count.
wide: accept
  The row is within its limit, but the limit is more than 25% slower than the median of the runs that it
  was learned from, because these differ: it finds large faults only.
Placement: accept, compare
  The number of ranks, where they are relative to each other, and the memory of sender and
  receiver.
What, Typical host, Best to worst host: examine
  What was measured; the median of the hosts' medians; and the least and greatest of these.
Odd: examine
  A host or a pair of hosts that differs from most others in five runs or more, and in three
  quarters of all.
Ranks, From, To: tune
  The number of ranks, and the sizes, for which the algorithm is the fastest.
Default, Tuned: tune
  The time of the algorithm that MPI chooses by itself, and of the fastest one, in new runs.
Algorithm: tune
  The name by which the MPI library knows the fastest algorithm.
MPI adds: layers
  The time of MPI minus that of the layer below it.
best: gpu-matrix
  The best iteration: the shortest time or the highest bandwidth.
ok: gpu-probe
  The data arrived, and they were right.
wrong: gpu-probe
  The data arrived, and they were wrong.
crash: gpu-probe
  A process died, as a rule because MPI read GPU memory as if it were host memory.
fails: gpu-probe
  MPI returned an error.
hangs: gpu-probe
  Nothing moved for 15 seconds.
no: gpu-probe
  It is not possible here; the reason follows the table.
GPU-direct: gpu-probe
  Does MPI move GPU memory without a copy in host memory? "probably": it is faster than such copies
  at the largest sizes. Only a profiler proves it.
precision: programs with --columns=stop
  The row ended because its median is known to 1% (--precision).
enough: programs with --columns=stop
  The row ended before its median was known to 1%, since runs differ from each other by more.
  --budget=1s gives it more time.
budget: programs with --columns=stop
  The row ended because its time was used up (--budget), before its median was known to 1%.
count: programs with --columns=stop
  The row ended after the iterations that were asked for (-i).
disturbed: all programs, accept
  The kernel took the CPU from a rank while the row was measured. Keep other work off these CPUs
  and measure again.
few iterations: all programs, accept
  Some batches were disturbed, and the time was over before 20 others were made. Raise --budget.
speed changed: all programs, accept
  A core was over 10% faster or slower after the row than before it.
many tests: non-blocking collectives with -t
  The computation is cut into pieces so short that the calls of MPI_Test outweigh them.
suspect: all programs
  The value cannot be right, for the reason that the line gives. Do not use it.
wrong data: all programs
  What arrived is not what was sent. The line says how often, and where first.
left out: all programs
  There was no time (--total) or memory for these rows.
ranks, nodes: the header line
  The number of MPI processes, and of nodes that they run on.
path: the header line
  Where two partners are: same-numa, same-socket, same-node, inter-node, mixed, or self with one
  rank.
mem: the header line
  The memory of the send and of the receive buffer: H-H is host memory on both ends.
bound: the header line
  The smallest unit that contains the CPUs of every rank: core, numa, socket, none or mixed.
start: the header line
  How ranks are brought together before an iteration (--start), unless it is the default.
mpi: the header line
  The MPI library and its version.
gpu: the header line
  own: each rank has a GPU; shared: some ranks share one.
device: the header line
  The network devices that carried messages between nodes.
crossover: staged_latency, staged_bw, gpu-matrix
  The size from which direct transfers, or copies staged in host memory, are faster.
Pairs: pair_matrix, pair_bw
  The number of pairs with this path, and the median of their values (typical).
Outliers: pair_matrix, pair_bw
  A pair, or all pairs of a rank or host, that differ from what is typical of their path.
Guideline: guidelines
  In how many rows a mock-up is faster than the operation (violated), or may be (undecided).
Violated: guidelines
  Something else that MPI offers does the same work in less time at these sizes.
Undecided: guidelines
  Whether a mock-up is faster at these sizes is not known.
P99 Loaded, P99 Alone, P99 Impact, P99 Low, P99 High: impact
  What the columns without P99 have, made from the 99th percentile over iterations.
Slower: impact
  Victims that take longer while the congestors are at work, and how many times as long.
Victims: impact
  The ranks whose messages are measured, and the congestors that disturb them.
Per entry: match_queue
  What each entry of a queue adds to the time of a message.
CPU left: overlap_bw
  The share of the CPU that remains for computation at 99% of the bandwidth.
Noise: noise
  A rank that loses 0.5% of its time or more in a fixed period.
Timer tick: noise
  The period of the kernel's timer, which all CPUs have, and the time that it takes.
Quantum: noise
  A fixed count of operations in registers; whatever makes it longer comes from outside.
Lost, Detours, Detours/s, Longest, Period: noise
  The share of time that the rank lost; how often in a second; the longest time at once; and the
  period in which it repeats.
Polling: where
  The threads of the MPI library that run all the time, though the rank does not call MPI.
Core, NUMA, Socket: where
  The number of the unit that holds all CPUs of the rank; "-": several, or unknown.
Nearest network: where
  The network device nearest to the CPUs of the rank, and the smallest unit that has both.
Preflight: where
  What about this node gets in the way of MPI, one problem in each line.
Ranks not shown: where, noise
  They are left out, because nothing about them is special; --json=FILE has all.
Operation, Datatype, Reduction: collectives
  What the rows below it measure.
Window creation, Synchronization, Target: one-sided programs
  How the window was made, how an epoch ends (-s), and what the target does meanwhile.
Times in us: guidelines
  The columns are medians over iterations, of the slowest rank of each.
Difference from: staged_latency, staged_bw
  The time of the other ways minus that of the first.
Over: programs of mpi/baseline
  The transport that carried the messages.
Grid, Block: halo
  How the ranks are arranged, and how much data each has.
Median: programs
  The median over the iterations of this run.
Completion: programs
  The mean over iterations of the time of the slowest rank.
Slowest Rank: programs
  The rank that is slowest most often, and in how many percent of the iterations.
Outliers: programs
  Samples far outside, in percent. They are counted and never dropped.
Drift: programs
  The median of the last third of the samples relative to that of the first, in percent.
Eff. Samples, Tau: programs
  The number of samples that do not depend on each other: the samples divided by Tau, the time
  after which they no longer do.
batch: programs
  Iterations of about a millisecond, between which the program looks how precise the row is.
H-H, D-D, H-D, D-H, MD-MD: programs
  The memory of the sender and of the receiver: H is that of the host, D of the GPU, MD managed.
same-numa, same-socket, same-node, inter-node: programs
  Where partners are: in one NUMA node, on one socket, on one node, or on different nodes.
size class: compare
  The rows of a range of message sizes, judged together, because a class needs fewer runs.
gate: compare
  The last line of --gate: PASSED or FAILED, and why. Undecided classes pass.
step: history
  A size class that a release makes faster or slower than the release before it.
widest, wanted: repeat
  How far the interval of a row reaches from its median at most, and how far it may (--precision).
Step, Part: init, nas programs
  The part of the run whose time the line has.
"""


class Entry(NamedTuple):
    """words: that have this meaning.  where: who prints them."""

    words: List[str]
    where: str
    text: str


def entries() -> List[Entry]:
    found = re.findall("^(\\S.*?): (.*)\n((?:  .*\n)+)", TEXT, re.M)
    return [Entry(words.split(", "), where, " ".join(text.split())) for words, where, text in found]


def plain(word: str) -> str:
    """A word as it is looked for: without its unit, "#" and ":", in small letters, whatever the
    percentile or the baseline."""
    word = re.sub(r" *\([^)]*\)$", "", word.strip("#: ")).strip().lower()
    return re.sub(r"^p[0-9.]+\b", "p99", re.sub("^ratio to\\b.*", "ratio", word))


def meanings(word: str) -> List[Entry]:
    """Of a word, however it is written."""
    return [entry for entry in entries() if plain(word) in map(plain, entry.words)]
