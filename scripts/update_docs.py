#!/usr/bin/python3
"""Writes the outputs shown in README.md and the pages below docs/ anew, by running their commands.

usage: update_docs.py SIGSTAB

Reads the pages as tests/docs/docs_test.cpp does: in a console block a line "$ command" is run by sh in a folder that the page's
commands share; a block after <!-- file: NAME --> is written to that file. Outputs that hold a line "..." are left alone (and
named where they no longer match), as are blocks after <!-- not run -->.
"""
import os, pathlib, subprocess, sys, tempfile


def output_of(command, folder, binary):
    env = dict(os.environ, PATH=f"{binary.parent}:{os.environ['PATH']}")
    return subprocess.run(["sh", "-c", command], cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True).stdout.splitlines()


def matches(shown, got):
    """Whether lines are those shown, where "..." stands for any number of them."""
    if not shown:
        return not got
    if shown[0] == "...":
        return any(matches(shown[1:], got[skip:]) for skip in range(len(got) + 1))
    return bool(got) and shown[0] == got[0] and matches(shown[1:], got[1:])


def updated(block, folder, binary):
    lines, shown = [], []
    commands = []  # (command, shown output)
    for line in block:
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands:
            commands[-1][1].append(line)
    for command, shown in commands:
        got = output_of(command, folder, binary)
        lines.append("$ " + command)
        lines += shown if "..." in shown else got
        if "..." in shown and not matches(shown, got):
            print(f"change by hand what is shown of: $ {command}", file=sys.stderr)
    return lines


def update(page, binary):
    result, block, language, name, skipped = [], None, "", "", False
    with tempfile.TemporaryDirectory() as folder:
        for line in page.read_text().splitlines():
            if block is None:
                result.append(line)
                if line.startswith("```"):
                    block, language = [], line[3:]
                elif line.startswith("<!-- file: "):
                    name = line[11:line.index(" -->")]
                elif line == "<!-- not run -->":
                    skipped = True
            elif line.startswith("```"):
                if name:
                    pathlib.Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
                    pathlib.Path(folder, name).write_text("\n".join(block) + "\n")
                elif language == "console" and not skipped:
                    block = updated(block, folder, binary)
                result += block + [line]
                block, name, skipped = None, "", False
            else:
                block.append(line)
    page.write_text("\n".join(result) + "\n")


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        update(page, pathlib.Path(sys.argv[1]).resolve())


main()
