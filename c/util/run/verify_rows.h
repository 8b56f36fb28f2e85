/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify_rows.h - each row once, untimed and verified, before any is measured.
 */
#ifndef VERIFY_ROWS_H
#define VERIFY_ROWS_H

#include "job.h"

/*
 * One untimed iteration of every row, with known contents: it opens connections, so
 * that no first use colours a row, and shows whether every rank receives what was sent
 * to it.  Collective; EXIT_OK, or the code to leave with.  With -c a wrong row does not
 * end the run: job->rows ends with it.
 */
enum exit_code verify_rows(struct job *job);

#endif
