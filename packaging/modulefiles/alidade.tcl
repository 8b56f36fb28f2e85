#%Module1.0
# SPDX-License-Identifier: BSD-3-Clause
# Module file for Environment Modules and Lmod: copy it to MODULEPATH/alidade/@VERSION@ and name
# your prefix.
module-whatis "MPI micro-benchmarks with confidence intervals"
proc ModulesHelp {} {
    puts stderr "MPI micro-benchmarks: alidade --help lists the commands, alidade list the benchmarks."
}
set prefix /opt/alidade-openmpi
# The MPI that this suite was built with:
# prereq openmpi
prepend-path PATH $prefix/bin
prepend-path MANPATH $prefix/share/man
# An empty entry stands for the pages of the system.
append-path MANPATH {}
foreach folder {pt2pt collective one-sided congestion guidelines baseline startup system application} {
    append-path PATH $prefix/libexec/alidade/mpi/$folder
}
