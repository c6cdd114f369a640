# SPDX-License-Identifier: Apache-2.0
"""The files of one revision, and what a scanner of braces can say about our C++ without a compiler."""
import bisect
import functools
import io
import pathlib
import re
import subprocess
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ("annotate", "evolution", "driver", "cmake", "tests", "docs")
PRODUCT = ("annotate/", "evolution/", "driver/")
SOURCES = (".h", ".cuh", ".cpp", ".cu")
HEADERS = (".h", ".cuh")

# Comments, raw strings, strings, characters; a quote between digits separates them and opens nothing.
LITERAL = re.compile(r"""(?P<comment>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
    |(?P<raw>\bu?8?L?R"(?P<mark>[^()\s]*)\(.*?\)(?P=mark)")
    |(?P<digits>(?<=[0-9a-fA-F])'(?=[0-9a-fA-F]))
    |(?P<text>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')""", re.S | re.X)


def git(*words, binary=False):
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True)
    if done.returncode:
        raise SystemExit(f"git {' '.join(words)}: {done.stderr.decode().strip()}")
    return done.stdout if binary else done.stdout.decode()


def files_of(revision):
    """{path: bytes} of a git revision; of the folders as they lie here, which needs no git, if it is `.`."""
    if revision == ".":
        places = [place for folder in FOLDERS for place in sorted((ROOT / folder).rglob("*"))]
        return {place.relative_to(ROOT).as_posix(): place.read_bytes() for place in [*sorted(ROOT.glob("*.md")), *places]
                if place.is_file() and "__pycache__" not in place.parts}
    with tarfile.open(fileobj=io.BytesIO(git("archive", "--format=tar", revision, binary=True))) as archive:
        return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


def text_of(content):
    return content.decode("utf-8", "replace")


@functools.lru_cache(maxsize=None)
def blanked(text, keep_strings=False):
    """The text with comments and what stands in quotes blanked; every line stays where it is."""
    def blank(match):
        if match["digits"]:
            return " "
        if keep_strings and not match["comment"]:
            return match[0]
        filler = "" if match["comment"] else match[0][0]
        body = re.sub(r"[^\n]", " ", match[0])
        return body if match["comment"] or len(body) < 2 else filler + body[1:-1] + match[0][-1]
    return LITERAL.sub(blank, text)


def without_preprocessor(text):
    """Directives blanked with their continued lines."""
    return re.sub(r"(?m)^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", lambda found: re.sub(r"[^\n]", " ", found[0]), text)


TYPE = re.compile(r"(?:template\s*<.*>\s*)?(?:export\s+|typedef\s+)?(?:struct|class|union)\b[^=()]*", re.S)
SPACE = re.compile(r'(?:inline\s+)?namespace\b|extern\s*"')


def outside_parentheses(text):
    """The text with every pair of parentheses and what is in it as `()`."""
    while (shorter := re.sub(r"\([^()]*\)", "\0", text)) != text:
        text = shorter
    return text.replace("\0", "()")


def body_end(code, begin):
    """Where the brace at `begin` is closed."""
    depth = 0
    for brace in re.compile(r"[{}]").finditer(code, begin):
        depth += 1 if brace[0] == "{" else -1
        if depth == 0:
            return brace.start()
    return len(code) - 1


def functions(text):
    """[(first line, last line)], counted from 1, of the functions of a source as clang-format sets it. Members of
    classes count, lambdas belong to the function around them."""
    code = without_preprocessor(blanked(text))
    ends = [match.start() for match in re.finditer("\n", code)]
    found = []
    begin = at = 0                                # of the declaration that is read, and how far it is read
    while step := re.compile(r"[{};]").search(code, at):
        place, at = step.start(), step.end()
        if step[0] != "{":
            begin = at
            continue
        head = re.sub(r"^\s*(?:(?:public|private|protected)\s*:\s*)*", "", code[begin:place])
        flat = outside_parentheses(re.sub(r"\[\[.*?\]\]|(?<=\boperator)\s*[^\s\w(]+", " ", head, flags=re.S))
        if SPACE.match(head) or TYPE.fullmatch(flat):
            begin = at                            # read on inside
        elif "()" not in flat or re.search(r"[^=!<>]=(?!=)", flat):
            at = body_end(code, place) + 1        # a list of values; its declaration goes on
        elif re.search(r"\(\)[\s\w]*:.*[\w>]\s*$", flat, re.S):
            at = body_end(code, place) + 1        # a member's initialiser; the body is still to come
        else:
            end = body_end(code, place)
            first = place - len(head)
            found.append((bisect.bisect_left(ends, first) + 1, bisect.bisect_left(ends, end) + 1))
            begin = at = end + 1
    return found


INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]*)[>"]', re.M)


def includes(text):
    """What a source includes, as it is written; includes inside of raw strings are text and do not count."""
    code = blanked(text, keep_strings=True)
    code = re.sub(r'R"([^()\s]*)\(.*?\)\1"', "", code, flags=re.S)
    return INCLUDE.findall(code)
