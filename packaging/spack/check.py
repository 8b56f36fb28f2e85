# SPDX-License-Identifier: BSD-3-Clause
"""check.py PACKAGE CONFIGURE - the recipe for Spack, without Spack: substitutes for Spack's words record what it says.

Each option that the recipe gives to configure for any variant must be one that configure knows, and each package
whose prefix it asks for must be one that it depends on.
"""
import importlib.util, itertools, os, re, subprocess, sys, types

variants, needed, versions = {}, {}, []


def depends_on(spec, when="", **kind):
    needed[re.split("[@+:]", spec)[0].replace("fftw-api", "fftw")] = when


class Base:
    """AutotoolsPackage and what a recipe may call of it."""

    def with_or_without(self, name, variant=None):
        return [("--with-" if self.spec.chosen[variant or name] else "--without-") + name]

    def enable_or_disable(self, name, variant=None):
        return [("--enable-" if self.spec.chosen[variant or name] else "--disable-") + name]


class Spec:
    """A build of chosen variants."""

    def __init__(self, chosen):
        self.chosen = chosen

    def satisfies(self, text):
        return self.chosen[text[1:]] == (text[0] == "+")

    def __getitem__(self, name):
        when = needed[name]
        assert not when or self.satisfies(when), "%s is only there %s" % (name, when)
        return types.SimpleNamespace(prefix=Prefix("/" + name), mpicc="/mpi/bin/mpicc")


class Prefix(str):
    bin = property(lambda self: self + "/bin")


def substitute(name, **words):
    module = sys.modules[name] = types.ModuleType(name)
    module.__dict__.update(words)


for name in "spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems":
    substitute(name)
substitute("spack_repo.builtin.build_systems.autotools", AutotoolsPackage=Base)
# They bring a variant, and what it needs.
for name, kind, library in ("cuda", "CudaPackage", "cuda"), ("rocm", "ROCmPackage", "hip"):
    substitute("spack_repo.builtin.build_systems." + name, **{kind: type(kind, (), {})})
    variants[name] = False
    needed[library] = "+" + name
substitute("spack.package", license=lambda name: None, version=lambda *words, **more: versions.append(words),
         variant=lambda name, default, description: variants.update({name: default}), depends_on=depends_on,
         when=lambda condition: lambda function: function, join_path=os.path.join, Executable=None)

found = importlib.util.spec_from_file_location("package", sys.argv[1])
recipe = importlib.util.module_from_spec(found)
found.loader.exec_module(recipe)
known = subprocess.run([sys.argv[2], "--help"], stdout=subprocess.PIPE, check=True).stdout.decode()
tried = set()
for values in itertools.product([False, True], repeat=len(variants)):
    package = recipe.Alidade()
    package.spec = Spec(dict(zip(variants, values)))
    tried.update(package.configure_args())
for argument in sorted(tried):
    option = argument.partition("=")[0].replace("--without-", "--with-").replace("--disable-", "--enable-")
    assert option in ("CC", "MPIRUN") or re.search(r"%s\b" % option, known), "configure does not know " + argument
assert versions and len(tried) > 10, tried
print("configure knows all %d: %s" % (len(tried), " ".join(sorted(tried))))
