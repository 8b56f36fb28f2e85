# SPDX-License-Identifier: BSD-3-Clause
"""run.py SOURCE WORK MPICC MPIRUN - the steps of github.yml and gitlab.yml, as a runner of theirs would take them.

The project that they test is made up: an MPI of two commits, which installs links to the real one. Measuring takes a
few seconds instead of 15 minutes, and only the first programs are measured. Words of the services (${{ }}, uses:)
are those that the files have today: another one is an error.
"""
import os, re, subprocess, sys
import yaml

source, work, mpicc, mpirun = sys.argv[1:]
FILES = os.path.join(source, "packaging", "ci")


def git(folder, *words):
    return subprocess.run(["git", "-C", folder, "-c", "user.name=n", "-c", "user.email=e"] + list(words), check=True,
                          stdout=subprocess.PIPE).stdout.decode().strip()


def project(folder):
    """An MPI with a configure script, and two commits; the commit before the last."""
    os.makedirs(folder)
    git(folder, "init", "-q")
    with open(folder + "/configure", "w") as file:
        file.write("""#!/bin/sh
prefix=$(printf '%%s\\n' "$@" | sed -n 's/^--prefix=//p')
for name in mpicc mpirun; do
    [ $name = mpicc ] && real='%s' || real='%s'
    printf '#!/bin/sh\\nexec %%s "$@"\\n' "$real" >$name
    chmod +x $name
done
printf 'all:\\n\\ninstall:\\n\\tmkdir -p %%s/bin\\n\\tcp mpicc mpirun %%s/bin\\n' "$prefix" "$prefix" >Makefile
""" % (mpicc, mpirun))
    os.chmod(folder + "/configure", 0o755)
    for n in "one", "two":
        with open(folder + "/NEWS", "w") as file:
            file.write(n + "\n")
        git(folder, "add", "-A")
        git(folder, "commit", "-qm", n)
    return git(folder, "rev-parse", "HEAD~1")


def shell(text, folder, env):
    """Run a step, but quickly.  0: not slower, 2: slower, as two equal MPIs are now and then."""
    text = text.replace("--time 15m", "--time 10 --runs 2 --limit 120")
    text = re.sub("-m 8?:64K", "-m 8:8", text)
    text = re.sub(r"-- allgather [\w ]* --", "-- allreduce --", text).replace("latency bw", "latency")
    print("+ " + text.strip(), flush=True)
    code = subprocess.run(["bash", "-eo", "pipefail", "-c", text], cwd=folder, env=env).returncode
    assert code in (0, 2), "the step exits with code %d" % code


def expand(text, words):
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda found: words[found.group(1)], str(text))


def there(folder, *names):
    for name in names:
        assert os.path.getsize(os.path.join(folder, name)), name


def github(folder):
    words = {"github.workspace": folder, "github.event.before": project(folder)}
    with open(FILES + "/github.yml") as file:
        job, = yaml.safe_load(file)["jobs"].values()
    env = dict(os.environ, GITHUB_ENV=folder + "/../env", GITHUB_STEP_SUMMARY=folder + "/../summary")
    env.update((name, expand(value, words)) for name, value in job["env"].items())
    open(env["GITHUB_ENV"], "w").close()
    for step in job["steps"]:
        assert set(step) <= {"run", "uses", "with", "if"} and step.get("if", "always()") == "always()", step
        if "run" in step:
            shell(expand(step["run"], words), folder, env)
            with open(env["GITHUB_ENV"]) as file:
                env.update(line.rstrip("\n").split("=", 1) for line in file)
        elif step["uses"].startswith("actions/upload-artifact@"):
            there(folder, *step["with"]["path"].split())
        else:
            assert step["uses"].startswith("actions/checkout@"), step
    there(folder, "../summary")


def gitlab(folder):
    before = project(folder)
    with open(FILES + "/gitlab.yml") as file:
        jobs = yaml.safe_load(file)
    base = jobs.pop(".compare")
    for job in jobs.values():
        assert job["extends"] == ".compare", job
        env = dict(os.environ, CI_PROJECT_DIR=folder, CI_COMMIT_BEFORE_SHA=before)
        env.update((name, str(value).replace("$CI_PROJECT_DIR", folder)) for name, value in base["variables"].items())
        # One shell, as there.
        shell("\n".join(base["before_script"] + job["script"]), folder, env)
        artifacts = base["artifacts"]
        there(folder, artifacts["reports"]["junit"], *artifacts["paths"])
        os.remove(os.path.join(folder, artifacts["reports"]["junit"]))


os.environ["HOME"] = os.path.join(work, "home")
os.makedirs(os.environ["HOME"])
os.symlink(source, os.path.join(os.environ["HOME"], "alidade"))
github(os.path.join(work, "github", "project"))
gitlab(os.path.join(work, "gitlab", "project"))
