# SPDX-License-Identifier: BSD-3-Clause
"""Sentences and files: refusals, text that is cut or repaired, words that were mistyped, and files
that are written whole or not at all.

Arguments, paths and host names are any bytes.  Bytes that are no UTF-8 are in a str as Python reads
them, as lone surrogates (PEP 383): a path with them can be opened, and printed as it was given.
Documents are UTF-8; what goes into one is repaired() first.
"""
import errno
import functools
import os
import re
import signal
import stat
import sys
from difflib import get_close_matches
from typing import (Callable, Dict, Iterable, List, NamedTuple, Optional, Sequence, Tuple, TypeVar,
                    Union)

from .screen import columns_of, shown

WHY = 799  # bytes of a refusal; a longer one is cut
K = TypeVar("K")
T = TypeVar("T")
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Refused(Exception):
    """A sentence that says why nothing was done.  code: the exit code."""

    def __init__(self, why: str, code: int = 1) -> None:
        super().__init__(within(why, WHY))
        self.code = code


class Program:
    """name: the word that sentences on standard error begin with, that of the verb that runs.
    last: what its last line there is, after all that is printed.  quiet: nothing is printed but
    results and errors (--quiet).  only_print: commands are printed, and nothing is fetched, built
    or run (--print)."""

    name = "alidade"
    last = ""
    quiet = only_print = False


def fail(words: str) -> None:
    """Print a sentence about the verb that runs to standard error."""
    sys.stderr.write("%s: %s\n" % (Program.name, words))


WRONG_DATA = 3   # the exit code of programs, and of commands whose runs end with it
WRONG = "(E14)"  # ends what such a run says


def of_suite(name: str, pattern: str) -> str:
    """What a pattern finds in a file of the sources, or of where the suite is installed."""
    try:
        with open(os.path.join(TOP, name), encoding="utf-8", errors="replace") as file:
            found = re.search(pattern, file.read(), re.M)
    except OSError:
        return ""
    return found.group(1) if found else ""


def version() -> str:
    """Of the suite."""
    return (of_suite("configure.ac", r"^AC_INIT\(\[Alidade\], \[([^]]*)") or
            of_suite("environment.sh", "^version='(.*)'") or "unknown")


def plural(n: int, one: str = "", many: str = "s") -> str:
    return one if n == 1 else many


def counted(n: int, what: str) -> str:
    """"1 run", "2 runs"."""
    return "%d %s%s" % (n, what, plural(n))


def decimal(value: float, decimals: int) -> str:
    """With so many decimals, or as many as show three significant digits: "1.20", "0.00400",
    "3.33e-05"."""
    for most in range(decimals, 7):
        text = "%.*f" % (most, value)
        # Zeros before the first other digit are not significant.
        if value == 0 or len(text.replace(".", "").lstrip("-0")) >= 3:
            return text
    return "%.2e" % value


def three_digits(value: float, form: str = "%.3g") -> str:
    """Three significant digits, and no zeros after the point: "0.5", "3330"."""
    text = form % value
    return "%.0f" % float(text) if "e+" in text and value < 1e15 else text


def size_words(size: float) -> str:
    """"8KiB", as benchmarks print sizes."""
    for unit in "B KiB MiB GiB TiB PiB EiB".split():
        if size < 1024 or unit == "EiB":
            return "%.4g%s" % (size, unit)
        size /= 1024
    return ""


def significant(value: float) -> str:
    """Three significant digits, as columns have them: "1.00", "71100", "0.00400"."""
    return three_digits(value, "%#.3g").rstrip(".")


def grouped(things: Iterable[T], key: Callable[[T], K]) -> Dict[K, List[T]]:
    """Those of one key together, in the order in which they are met."""
    found: Dict[K, List[T]] = {}
    for thing in things:
        found.setdefault(key(thing), []).append(thing)
    return found


def some_of(names: Sequence[str], most: int) -> str:
    """"n1, n2 and 62 more": at most so many of them."""
    more = " and %d more" % (len(names) - most) if len(names) > most else ""
    return ", ".join(names[:most]) + more


def natural(key: str) -> list:
    """By which keys and names are sorted: buffers=2 comes before buffers=16, n2 before n10."""
    return [(int(part), "") if part.isdigit() else (-1, part)
            for part in re.split(r"([0-9]+)", key)]


# --- Text from outside --------------------------------------------------------------------------


def within(text: str, most: int) -> str:
    """At most so many bytes of UTF-8 of the text, which do not end within a character."""
    cut = text[:most]
    while width(cut) > most:
        cut = cut[:-1]
    return cut


def repaired(text: str) -> str:
    """The text with U+FFFD for each byte that belongs to no character of XML."""
    if text.isprintable():
        return text
    text = re.sub("[\ufffe\uffff]", "\ufffd" * 3, text)
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def width(text: str) -> int:
    """Of a text in a column, in bytes, as in all tables of Alidade."""
    return len(text.encode("utf-8", "surrogateescape"))


def meant(word: str, words: Iterable[str], dashes: str = "") -> str:
    """" (did you mean WORD?)"; "" if no word is near."""
    near = get_close_matches(word, list(words), 1, 0.75)
    return " (did you mean %s%s?)" % (dashes, near[0]) if near else ""


# --- Standard output ----------------------------------------------------------------------------


class StandardOutput:
    """What is printed, held until the end unless a person reads along: then sentences on standard
    error come first, as those of a C program do, whatever PYTHONUNBUFFERED says."""

    def __init__(self) -> None:
        self.held: List[str] = []
        self.failed = False

    def write(self, text: str) -> None:
        self.held.append(text)
        if not self.failed and sys.stdout is not None and sys.stdout.isatty():
            self.flush()

    def flush(self) -> bool:
        """False: not all was taken."""
        data = shown("".join(self.held), columns_of(1)).encode("utf-8", "surrogateescape")
        self.held = []
        try:
            while data:
                data = data[os.write(1, data):]
        except OSError:
            self.failed = True
        return not self.failed


output = StandardOutput()


# --- Files that are written ---------------------------------------------------------------------


def output_to(about: os.stat_result) -> Optional[int]:
    """Standard output or standard error, if that is the file."""
    for number in 1, 2:
        try:
            if os.path.samestat(os.fstat(number), about):
                return number
        except OSError:
            pass
    return None


def look(path: str) -> Optional[os.stat_result]:
    try:
        return os.stat(path)
    except OSError:
        return None


def is_stream(path: str) -> bool:
    """Is it written at once: a device, a pipe, what standard output goes to?"""
    about = look(path)
    return about is not None and not stat.S_ISDIR(about.st_mode) and \
        (not stat.S_ISREG(about.st_mode) or output_to(about) is not None)


def begin(path: str) -> Tuple[str, Optional[str]]:
    """(the file that gets the contents, the new file beside it or None).  Errors: OSError."""
    path = os.path.realpath(path)
    if os.path.islink(path):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    if os.path.isdir(path):
        raise OSError(errno.EISDIR, os.strerror(errno.EISDIR))
    before = look(path)
    if before is not None and not os.access(path, os.W_OK):
        raise OSError(errno.EACCES, os.strerror(errno.EACCES))
    fresh = os.path.join(os.path.dirname(path), ".alidade-" + os.path.basename(path))
    try:
        if os.path.lexists(fresh):
            os.unlink(fresh)
        os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))
    except OSError:
        if before is None:
            raise
        return path, None
    return path, fresh


def keeps(fresh: str, path: str) -> bool:
    """Can the new file take the name, with the owner and the mode of the file of before?"""
    before = look(path)
    if before is None:
        return True
    try:
        os.chown(fresh, before.st_uid, before.st_gid)
        os.chmod(fresh, stat.S_IMODE(before.st_mode))
    except OSError:
        return False
    return True


def write_file(path: Optional[str], text: Union[str, bytes]) -> None:
    """Write the file whole, or leave the file of before; without a name nothing is written.

    A new file of the same folder takes the name at the end, with the mode and the owner of before.
    Where the name must stay with the file that has it, the contents are copied into it.  Links are
    followed; what is_stream() says is written at once.  Errors: Refused.
    """
    if path is None:
        return
    data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
    try:
        if is_stream(path):
            write_stream(path, data)
            return
        place, fresh = begin(path)
        try:
            if fresh:
                write_into(fresh, data)
            if fresh and keeps(fresh, place):
                os.rename(fresh, place)
            else:
                write_into(place, data)
        finally:
            if fresh and os.path.lexists(fresh):
                os.unlink(fresh)
    except OSError as error:
        raise Refused("'%s' could not be written: %s" % (path, error.strerror))


def write_into(path: str, data: bytes) -> None:
    """The file is not cut before all is in it, nor begun where there is no room for all."""
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o666), "wb") as file:
        try:
            os.posix_fallocate(file.fileno(), 0, len(data) + 1)
        except OSError as error:
            if error.errno == errno.ENOSPC:
                raise
        file.write(data)
        file.flush()
        file.truncate()


def write_stream(path: str, data: bytes) -> None:
    """What standard output goes to has one place at which both go on."""
    about = os.stat(path)
    number = output_to(about)
    if number is not None:
        output.flush()
    elif stat.S_ISFIFO(about.st_mode):
        # A reader that leaves is a failure to write, and does not end the process.
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    to = os.dup(number) if number is not None else os.open(path, os.O_WRONLY | os.O_TRUNC)
    with open(to, "wb") as file:
        file.write(data)


def are_same(a: str, b: str) -> bool:
    """Do two names mean one file, be it there or not?  A device takes what both write."""
    x, y = look(a), look(b)
    if x is not None and y is not None:
        return os.path.samestat(x, y) and not stat.S_ISCHR(x.st_mode)
    return os.path.realpath(a) == os.path.realpath(b)


def check_writable(names: Sequence[Optional[str]]) -> None:
    """Can these files be written?  Nothing is left or changed.  Errors: Refused."""
    paths = [path for path in names if path is not None]
    for i, path in enumerate(paths):
        try:
            if is_stream(path):
                if not os.access(path, os.W_OK):
                    raise OSError(errno.EACCES, os.strerror(errno.EACCES))
            else:
                _, fresh = begin(path)
                if fresh is not None:
                    os.unlink(fresh)
        except OSError as error:
            raise Refused("cannot write to '%s': %s" % (path, error.strerror))
        if any(are_same(path, other) for other in paths[:i]):
            raise Refused("cannot write to '%s': another option names the same file" % path)


# --- What the words of tables, notes and verdicts mean: the rows of doc/words.md ------------------

PAGE = os.path.join(TOP, "doc/words.md")


class Entry(NamedTuple):
    """words: that have this meaning.  where: who prints them."""

    words: List[str]
    where: str
    text: str


@functools.lru_cache(maxsize=1)
def entries() -> List[Entry]:
    try:
        with open(PAGE, encoding="utf-8") as file:
            rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+) \|$", file.read(), re.M)
    except OSError:  # it is not installed: nothing is explained
        return []
    return [Entry(words.split(", "), where, text.replace("`", "")) for words, where, text in rows
            if words != "word"]


def plain(word: str) -> str:
    """A word as it is looked for: without its unit, "#" and ":", in small letters, whatever the
    percentile or the baseline."""
    word = re.sub(r" *\([^)]*\)$", "", word.strip("#: ")).strip().lower()
    return re.sub(r"^p[0-9.]+\b", "p99", re.sub("^ratio to\\b.*", "ratio", word))


def single(word: str) -> str:
    return re.sub("(?<=[a-z]{2})s$", "", plain(word))


def meanings(word: str) -> List[Entry]:
    """Of the word, or else of one that differs in number, as rack from racks."""
    return [entry for entry in entries() if plain(word) in map(plain, entry.words)] or \
        [entry for entry in entries() if single(word) in map(single, entry.words)]


def meaning(word: str) -> str:
    """The first; "": it is not known."""
    return next((entry.text for entry in meanings(word)), "")
