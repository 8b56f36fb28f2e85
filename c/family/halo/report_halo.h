/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_halo.h - the table of halo: the time of an exchange, the rate at which a rank
 *                 sends, and its share of the rate without computation.
 */
#ifndef REPORT_HALO_H
#define REPORT_HALO_H

#include "report/report.h"

extern const struct report report_halo;

#endif
