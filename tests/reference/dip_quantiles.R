# SPDX-License-Identifier: BSD-3-Clause
# Print the table of c/util/dip_p.c: quantiles of sqrt(n) dip of n independent
# uniform numbers, by simulation.  Two minutes.
# usage: Rscript dip_quantiles.R
suppressMessages(library(diptest))
set.seed(20250101)
tail <- c(.5, .2, .1, .05, .02, .01, .005, .002, .001)
for (n in c(4, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000)) {
    samples <- if (n <= 500) 100000 else 40000
    scaled <- sqrt(n) * replicate(samples, dip(runif(n)))
    cat(n, sprintf("%.4f", quantile(scaled, 1 - tail, type = 1)), "\n")
}
