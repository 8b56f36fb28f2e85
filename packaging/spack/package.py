# SPDX-License-Identifier: BSD-3-Clause
# Spack recipe: copy it to var/spack/repos/.../packages/alidade/package.py of a repository
# of yours, and install with: spack install alidade ^openmpi
from spack.package import *


class Alidade(AutotoolsPackage, CudaPackage, ROCmPackage):
    """MPI micro-benchmarks that print the tables of the OSU Micro-Benchmarks, with
    confidence intervals, the placement of ranks, and a comparison of MPI libraries."""

    homepage = "https://a-seed-d8113a6e.example/alidade"
    git = "https://a-seed-d8113a6e.example/alidade.git"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("fftw", default=True, description="Build the NAS FT benchmark")
    variant("papi", default=False, description="Count hardware events (-P)")
    variant("ucx", default=False, description="Measure UCX without MPI")
    variant("osu_layout", default=False, description="Also install as osu_NAME")

    depends_on("c", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake", type="build")
    depends_on("mpi")
    depends_on("hwloc")
    depends_on("fftw-api@3", when="+fftw")
    depends_on("papi", when="+papi")
    depends_on("ucx", when="+ucx")
    depends_on("gnuplot", type="run")

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

    def setup_run_environment(self, env):
        for folder in ("pt2pt", "collective", "one-sided", "congestion", "guidelines", "baseline", "startup", "system", "application"):
            env.prepend_path("PATH", join_path(self.prefix.libexec, "alidade", "mpi", folder))
