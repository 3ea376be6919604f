import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../src/runs/command-line.ts";

function commandsOf(text: string): string[][] {
  return readCommandLine(text).commands.map((words) => words.map((word) => word.text));
}

const PLAIN: readonly string[] = [
  "npm test",
  "  make   check\tall ",
  `grep -n "two words" 'single $quoted' back\\ slash`,
  `echo "" '' a""b`,
  `echo "a\\"b" 'it'\\''s' "c\\\\d" "keep\\n"`,
  "node -e 1+1 --flag=value -- -x",
  `echo a=b --x={1} 100% a,b @ ^ +`,
  'echo "$" a$ "100 $"',
];

describe("readCommandLine", () => {
  it.each(PLAIN)("reads the words as sh does: %s", (text) => {
    const read = readCommandLine(text);
    expect(read.needsShell).toBe(false);
    const byShell = execFileSync("sh", ["-c", `for word in ${text}; do printf '%s\\0' "$word"; done`]);
    expect(commandsOf(text)).toEqual([byShell.toString().split("\0").slice(0, -1)]);
  });

  const SHELL: readonly (readonly [string, string[][]])[] = [
    [
      "tsc --noEmit && eslint .",
      [
        ["tsc", "--noEmit"],
        ["eslint", "."],
      ],
    ],
    ["a || b; c | d & e", [["a"], ["b"], ["c"], ["d"], ["e"]]],
    ["make 2>&1 | tee out.log", [["make"], ["tee", "out.log"]]],
    ["make > 'my log' 2> err -k", [["make", "-k"]]],
    ["cat < in >> out", [["cat"]]],
    [
      "echo $(rm -rf x) end",
      [
        ["rm", "-rf", "x"],
        ["echo", "$(rm -rf x)", "end"],
      ],
    ],
    [
      "echo `id -u`",
      [
        ["id", "-u"],
        ["echo", "`id -u`"],
      ],
    ],
    [
      'echo "in $(git status) quotes"',
      [
        ["git", "status"],
        ["echo", "in $(git status) quotes"],
      ],
    ],
    ["FOO=bar npm test", [["FOO=bar", "npm", "test"]]],
    ["cd sub", [["cd", "sub"]]],
    ["ls *.ts", [["ls", "*.ts"]]],
    ["ls ~/x", [["ls", "~/x"]]],
    ["echo {a,b}", [["echo", "{a,b}"]]],
    ["echo $HOME", [["echo", "$HOME"]]],
    ["a\nb", [["a"], ["b"]]],
    ["a # not an argument", [["a"]]],
    ["(cd x && make)", [["cd", "x"], ["make"]]],
  ];
  it.each(SHELL)("needs a shell: %s", (text, commands) => {
    expect(readCommandLine(text).needsShell).toBe(true);
    expect(commandsOf(text)).toEqual(commands);
  });

  it("refuses what no shell would run", () => {
    for (const text of ["", "  ", "echo 'open", 'echo "open', "a\0b", "x".repeat(200_000)])
      expect(() => readCommandLine(text)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("reads hostile text in linear time", () => {
    for (const text of ["$(".repeat(20_000), "`".repeat(50_000), "<".repeat(50_000), "${".repeat(20_000)])
      expect(readCommandLine(`x ${text}`).needsShell).toBe(true);
  });
});
