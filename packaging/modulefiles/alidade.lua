-- SPDX-License-Identifier: BSD-3-Clause
-- Module file for Lmod: copy it to MODULEPATH/alidade/@VERSION@.lua and name your prefix.
help([[MPI micro-benchmarks: alidade --help lists the commands, alidade list the benchmarks.]])
whatis("Name: alidade")
whatis("Version: @VERSION@")
whatis("Description: MPI micro-benchmarks with confidence intervals")

local prefix = "/opt/alidade-openmpi"
-- The MPI that this suite was built with:
-- depends_on("openmpi")
prepend_path("PATH", pathJoin(prefix, "bin"))
prepend_path("MANPATH", pathJoin(prefix, "share/man"))
for _, folder in ipairs({"pt2pt", "collective", "one-sided", "congestion", "guidelines", "baseline", "startup", "system", "application"}) do
    append_path("PATH", pathJoin(prefix, "libexec/alidade/mpi", folder))
end
