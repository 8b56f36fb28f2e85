/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.h - comes before a program's file where that is compiled for the suite:
 *             gives its main the name SUITE_MAIN (mpi/Makefile.inc).
 */
#ifndef SUITE_PROGRAM_H
#define SUITE_PROGRAM_H

#undef main /* SimGrid's compiler has a name of its own for it */
#define main SUITE_MAIN
int main(int argc, char **argv);

#endif
