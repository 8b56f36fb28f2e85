# SPDX-License-Identifier: BSD-3-Clause
# Spack recipe, for Spack 1.0 or newer: copy it to packages/alidade/package.py of a repository of
# yours, and install with: spack install alidade ^openmpi
# For a release: spack checksum --add-to-package alidade
from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Alidade(AutotoolsPackage, CudaPackage, ROCmPackage):
    """MPI micro-benchmarks that print the tables of the OSU Micro-Benchmarks, with
    confidence intervals, the placement of ranks, and a comparison of MPI libraries."""

    homepage = "@ADDRESS@"
    url = "@ADDRESS@/alidade-@VERSION@.tar.gz"
    git = "@ADDRESS@/alidade.git"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("fftw", default=True, description="Build the NAS FT benchmark")
    variant("papi", default=False, description="Count hardware events (-P)")
    variant("ucx", default=False, description="Measure UCX without MPI")
    variant("osu_layout", default=False, description="Also install as osu_NAME")

    depends_on("c", type="build")
    depends_on("autoconf", type="build", when="@main")
    depends_on("automake", type="build", when="@main")
    depends_on("mpi")
    depends_on("hwloc")
    depends_on("fftw-api@3", when="+fftw")
    depends_on("papi", when="+papi")
    depends_on("ucx", when="+ucx")
    depends_on("python@3.6:", type=("build", "run"))
    depends_on("gnuplot", type="run")

    @when("@main")
    def autoreconf(self, spec, prefix):
        Executable("autoreconf")("-fi")

    def configure_args(self):
        spec = self.spec
        args = [
            "CC=" + spec["mpi"].mpicc,
            "MPIRUN=" + join_path(spec["mpi"].prefix.bin, "mpirun"),
            "--with-hwloc=" + spec["hwloc"].prefix,
        ]
        args += self.with_or_without("fftw")
        args += self.with_or_without("papi")
        args += self.with_or_without("ucx")
        args += self.enable_or_disable("osu-layout", variant="osu_layout")
        if spec.satisfies("+cuda"):
            args.append("--with-cuda=" + spec["cuda"].prefix)
        else:
            args.append("--without-cuda")
        if spec.satisfies("+rocm"):
            args.append("--with-hip=" + spec["hip"].prefix)
        return args
