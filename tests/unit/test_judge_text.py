# SPDX-License-Identifier: BSD-3-Clause
"""The judge of results: its text, files and options.

    python3 tests/unit/test_judge_text.py [CLASS...]

tests/run/judge.bats runs each class.
"""
import os
import random
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

FOLDER = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(FOLDER, "scripts"))

from judge import screen, text  # noqa: E402  (found through the line above)
from runner import options  # noqa: E402
from judge.charts import Axis, number, span  # noqa: E402
from judge.documents import Column, Document  # noqa: E402
from judge.plots import Releases  # noqa: E402
from judge.results import json_of, names_of_sets, shown  # noqa: E402
from judge.rows import RowId, ten_digits  # noqa: E402

INPUTS = 500


class TextTest(unittest.TestCase):
    """Text from outside, and figures."""

    def test_cut_text_ends_within_no_character(self) -> None:
        rng = random.Random(1)
        letters = "ax\u00e9\u20ac\U0001f600\udcff"
        for _ in range(INPUTS):
            whole = "".join(rng.choice(letters) for _ in range(rng.randint(0, 12)))
            most = rng.randint(0, 30)
            with self.subTest(whole=whole, most=most):
                cut = text.within(whole, most)
                self.assertTrue(whole.startswith(cut))
                self.assertLessEqual(text.width(cut), most)
                if cut != whole:
                    self.assertGreater(text.width(whole[:len(cut) + 1]), most)

    def test_bytes_of_no_character_become_one_each(self) -> None:
        for raw, repaired in ((b"a\xfcb", "a\ufffdb"), (b"\xe2\x82", "\ufffd\ufffd"),
                              ("\u20ac\t".encode(), "\u20ac\t"), (b"\xef\xbf\xbf", "\ufffd" * 3)):
            with self.subTest(raw=raw):
                self.assertEqual(text.repaired(raw.decode("utf-8", "surrogateescape")), repaired)

    def test_keys_are_sorted_by_their_numbers(self) -> None:
        self.assertLess(text.natural("8 buffers=2"), text.natural("8 buffers=16"))

    def test_small_figures_have_three_digits(self) -> None:
        for value, expected in ((0, "0.00"), (0.9993, "1.00"), (0.5, "0.500"), (0.004, "0.00400"),
                                (3.333e-5, "3.33e-05"), (1234.5, "1234.50"), (-1.5, "-1.50")):
            with self.subTest(value=value):
                self.assertEqual(text.decimal(value, 2), expected)
        for value, expected in ((0.5, "0.5"), (3333, "3330"), (999.9, "1000"), (1e-5, "1e-05")):
            with self.subTest(value=value):
                self.assertEqual(text.three_digits(value), expected)

    def test_sets_of_hosts_have_names_of_their_own(self) -> None:
        self.assertEqual(names_of_sets([()]), ["unknown hosts"])
        self.assertEqual(names_of_sets([("a",), ("a", "b")]), ["a", "a, b"])
        self.assertEqual(names_of_sets(["abcd", "abce"]), ["a, d and 2 more", "a, e and 2 more"])
        rng = random.Random(20)
        for _ in range(INPUTS):
            sets = {frozenset(rng.sample(range(12), rng.randint(0, 12))) for _ in range(20)}
            names = names_of_sets([["n%d" % host for host in sorted(hosts)] for hosts in sets])
            self.assertEqual(len(set(names)), len(sets))

    def test_ten_digits(self) -> None:
        rng = random.Random(12)
        for _ in range(INPUTS):
            figure = rng.lognormvariate(0, 10)
            with self.subTest(figure=figure):
                self.assertAlmostEqual(ten_digits(figure) / figure, 1, 9)
                self.assertLess(len(("%.12g" % ten_digits(figure)).split("e")[0].strip("0.")), 13)

    def test_json_that_c_refuses(self) -> None:
        for word in ("[1e999]", "[9223372036854775808]", '["\\ud800"]', '["\\u0000"]', "[NaN]",
                     "5", '"x"', "[1,]", "[1]x"):
            with self.subTest(word=word):
                self.assertRaises(ValueError, json_of, word)
        self.assertEqual(json_of('["\\u20ac", 9223372036854775807]'), ["\u20ac", 2 ** 63 - 1])

    def test_version_is_that_of_configure(self) -> None:
        with open(os.path.join(FOLDER, "configure.ac"), encoding="utf-8") as file:
            self.assertEqual(re.search(r"AC_INIT\(\[Alidade\], \[(.*?)\]", file.read()).group(1),
                             text.version())


class ScreenTest(unittest.TestCase):
    """What a terminal shows."""

    ROWS = """# Size             Value(us)        Median(us)              Runs
8                       1.00            1.0035                 8
1048576                20.00                 -                 8  slower (by much)"""

    def setUp(self) -> None:
        os.environ["NO_COLOR"] = "1"

    def tearDown(self) -> None:
        del os.environ["NO_COLOR"]

    def test_each_line_fits_or_is_a_command(self) -> None:
        for before, after, is_error in (
                (self.ROWS, """# Size   Value(us)  Median(us)  Runs
8             1.00      1.0035     8
1048576      20.00           -     8
    slower (by much)""", False),
                ("# one two three four five six seven eight nine ten",
                 "# one two three four five six seven\n#   eight nine ten", False),
                ("p-1: mpirun -n 2 build/mpi/pt2pt/latency -m 8:8 --json=p-1.json",) * 2 + (False,),
                ("repeat: 3 of 8 runs failed; their output is in the folder r",
                 "repeat: 3 of 8 runs failed; their output\n    is in the folder r", True)):
            with self.subTest(before=before):
                self.assertEqual(screen.shown(before, 40, is_error), after)
        self.assertEqual(screen.shown(self.ROWS, 0), self.ROWS)

    def test_answers_fit_80_columns_and_lose_no_word(self) -> None:
        folder, wide = os.path.join(FOLDER, "tests/run/answers"), 0
        for name in sorted(os.listdir(folder)):
            if not name.endswith(".txt"):
                continue
            with open(os.path.join(folder, name), errors="surrogateescape") as file:
                lines = [line for line in file.read().split("\n") if line.startswith("#")
                         or screen.is_row(line) and line[0] not in "<{"]
            shown = screen.shown("\n".join(lines), 80).split("\n")
            wide += sum(len(line) > 80 for line in lines)
            self.assertEqual([line for line in shown if len(line) > 80], [], name)
            self.assertEqual(re.findall("[^# ]+", " ".join(shown)),
                             re.findall("[^# ]+", " ".join(lines)), name)
        self.assertGreater(wide, 500)

    def test_verdicts_and_errors_have_colors_where_these_are_wanted(self) -> None:
        row = "bw  to 8B  1  1.2  slower (1 of its rows)\n# slower: so much\n"
        red, end = screen.RED, "\033[0m"
        with mock.patch.dict(os.environ, {"TERM": "xterm", "NO_COLOR": ""}):
            self.assertEqual(screen.shown(row, 80),
                             row.replace("  slower", "  %sslower%s" % (red, end)))
            self.assertEqual(screen.shown("compare: no\n", 80, is_error=True),
                             "%scompare:%s no\n" % (red, end))
            os.environ["TERM"] = "dumb"
            self.assertEqual(screen.shown(row, 80), row)
            os.environ.update(TERM="xterm", NO_COLOR="1")
            self.assertEqual(screen.shown(row, 80), row)


class PageTest(unittest.TestCase):
    """Numbers, and the axes of charts."""

    def test_digits_that_are_known(self) -> None:
        for value, width, expected in ((1.23456, 0, "1.23"), (1.23456, 0.01, "1.23"),
                                       (1.23456, 0.0001, "1.235"), (1.23456, 3, "1.2"),
                                       (12345.6, 4, "12346"), (12345.6, 400, "12300"),
                                       (12345.6, 1e9, "12000"), (0.00123, 1, "0.0012"),
                                       (0, 1, "0"), (0, 0, "0.00"), (-3, -1, "-3.00")):
            with self.subTest(value=value, width=width):
                self.assertEqual(number(value, width), expected)
        self.assertEqual(span(1.2, 1.19, 1.22), "1.19\u20131.22")
        self.assertEqual(span(120, 90, 170), "90\u2013170")

    def test_ticks(self) -> None:
        for axis, expected in (
                (Axis(8, 32, 0, 1, True, True), [8, 16, 32]),
                (Axis(1, 1 << 20, 0, 1, True, True), [1, 16, 256, 4096, 65536, 1 << 20]),
                (Axis(3, 40, 0, 1, True), [5, 10, 20]), (Axis(3, 40000, 0, 1, True),
                                                         [10, 100, 1000, 10000]),
                (Axis(1.5, 3.2, 0, 1, True), [1.5, 2, 2.5, 3]),
                (Axis(0, 13, 0, 1, False), [0, 2, 4, 6, 8, 10, 12])):
            with self.subTest(axis=axis):
                self.assertEqual(axis.ticks(), expected)

    def test_names_of_many_releases_do_not_lie_on_each_other(self) -> None:
        for n in 1, 2, 18, 48, 200:
            with self.subTest(n=n):
                names = [("mpich", "5.0.%d" % k) for k in range(n)]
                chart = Releases(RowId("latency", "2 ranks", 8, "8", "us"), names)
                axis = Axis(0, max(1, n - 1), chart.LEFT, 300, False)
                labels = chart.x_labels(axis)
                at = [float(x) for x in re.findall(r'x="([0-9.]+)"[^>]*rotate', labels)]
                self.assertTrue(all(b - a >= 16 for a, b in zip(at, at[1:])), at)
                self.assertEqual(len(at), n if n <= 18 else len(at))

    def test_a_table_in_markdown_has_its_cells_whatever_they_are(self) -> None:
        d = Document()
        d.table([Column("a|b", left=True), Column("c")]).row("| x |\ny", "1")
        lines = d.markdown().split("\n")
        self.assertEqual(lines[2:5], ["| a\\|b | c |", "|---|---:|", "| \\| x \\| y | 1 |"])

    def test_numbers_in_sentences_are_those_of_json(self) -> None:
        value = {"a": [1e20, 0.1 + 0.2, 2.0, 3, None, True, "\u20ac"]}
        self.assertEqual(shown(value, 6), '{"a":[1e+20,0.3,2.0,3,null,true,"\u20ac"]}')


class FileTest(unittest.TestCase):
    """What cannot be written; tests/run/files.bats has what can, under every kind of name."""

    def test_is_said_and_left(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path, link = os.path.join(folder, "answer"), os.path.join(folder, "link")
            text.write_file(path, "before")
            os.symlink("link", link)
            for where, why in ((folder, "Is a directory"), ("/dev/full", "No space left"),
                               (folder + "/no/x", "No such file or directory"),
                               (link, "Too many levels of symbolic links")):
                with self.subTest(where=where):
                    with self.assertRaisesRegex(text.Refused, "could not be written: " + why):
                        text.write_file(where, "words")
            with self.assertRaisesRegex(text.Refused, "another option names the same file"):
                text.check_writable([path, os.path.join(folder, ".", "answer")])
            text.check_writable(["/dev/null", "/dev/null", None])
            self.assertEqual(sorted(os.listdir(folder)), ["answer", "link"])
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "before")


class OptionTest(unittest.TestCase):
    """Options as the help of a command has them."""

    USAGE = """Usage: x
Options:
  -m, --margin PERCENT  it, or
                        something [3]
  -r, --rows            it
  --allow FIELD         it
  --time TIME           it [as long as it takes]
  --runs N              it
  --bind core|none      it

Example:
  --none N  it
"""

    def parsed(self, argv: list, **how: object) -> options.Options:
        return options.parse(self.USAGE, argv, **how)

    def test_help_has_the_options_of_all(self) -> None:
        """Where nothing follows those of the command, and where something does."""
        usage = "Usage: x\n\nOptions:\n  --runs N  it\n"
        for end in "", "\nExamples:\n  x\n":
            with self.subTest(end=end):
                self.assertEqual(options.help_of(usage + end, False), usage +
                                 "  -q, --quiet    print only results and errors\n"
                                 "  -h, --help     print this help\n"
                                 "  -v, --version  print the version\n" + end)
        self.assertEqual(list(options.options_in(usage, False)),
                         ["runs", "quiet", "help", "version"])
        # Of a command that has a plan, unless it says itself what its --print does.
        self.assertEqual(list(options.options_in(usage, True)),
                         ["runs", "print", "quiet", "help", "version"])
        own = usage + "  --print   mine\n"
        self.assertEqual(options.help_of(own, True), options.help_of(own, False))

    def test_forms(self) -> None:
        x, y = "method.x", "environment.path"
        for argv, margin, rows, allow, words in (
                (["a", "b"], 0.03, False, [], ["a", "b"]),
                (["a", "-m", "5", "b"], 0.05, False, [], ["a", "b"]),
                (["-rm5%", "a"], 0.05, True, [], ["a"]),
                (["--allow", x, "--allow=" + y, "-"], 0.03, False, [x, y], ["-"])):
            with self.subTest(argv=argv):
                o = self.parsed(argv)
                self.assertEqual((o.margin, o.rows, o.allow, o.words), (margin, rows, allow, words))
        self.assertEqual(self.parsed(["a", "--", "-r", "--", "b"]).further, ["-r", "--", "b"])
        self.assertEqual(self.parsed(["-r", "a", "-m", "--"], first=1).words, ["a", "-m", "--"])
        self.assertEqual(self.parsed(["a", "-r", "b", "-x"], first=2).words, ["a", "b", "-x"])
        for text, seconds in (("90", 90), ("1.5m", 90), ("2h", 7200), ("0.1", 1), ("0", 0)):
            self.assertEqual(self.parsed(["--time", text]).time, seconds)
        self.assertEqual(self.parsed(["--runs", "3"]).runs, 3)


class QuotedTest(unittest.TestCase):
    """Words of commands that are printed."""

    def test_a_shell_reads_the_word(self) -> None:
        rng = random.Random(3)
        words = ["", "a b", "a,b", "it's", "x=y", "\u00e4", "$x", "a\nb", "~", "#", "\\"]
        words += ["".join(rng.choice("a ,'\"$`\\!*?[]{}()<>|&;~#%^=+-.\t\u20ac") for _ in range(9))
                  for _ in range(300)]
        text = "for word in %s; do printf '%%s\\0' \"$word\"; done" % options.command_line(words)
        said = subprocess.check_output(["sh", "-c", text]).decode()
        self.assertEqual(said.split("\0")[:-1], words)


if __name__ == "__main__":
    unittest.main()
