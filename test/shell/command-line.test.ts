import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { readCommandLine } from "../../src/shell/command-line.ts";

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
  it.each(PLAIN)("splits words as sh does: %s", (text) => {
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
  it.each(SHELL)("finds the commands of a line that needs a shell: %s", (text, commands) => {
    expect(readCommandLine(text).needsShell).toBe(true);
    expect(commandsOf(text)).toEqual(commands);
  });

  const DOCUMENTS: readonly (readonly [string, string[][]])[] = [
    ["cat > a.md <<'EOF'\nit's (here\nEOF\nnpm test", [["cat"], ["npm", "test"]]],
    ['cat <<-"E F" | wc -l\n\tdon\'t\n\tE F\n', [["cat"], ["wc", "-l"]]],
    ["cat <<A <<B\nit's\nA\nthat's\nB\nls", [["cat"], ["ls"]]],
    ["cat <<EOF\nit's $(id -u) and `pwd`\nEOF", [["id", "-u"], ["pwd"], ["cat"]]],
    [
      `git commit -m "$(cat <<'EOF'\nfix: don't crash :)\nEOF\n)" && git push`,
      [["cat"], ["git", "commit", "-m", "$(cat <<'EOF'\nfix: don't crash :)\nEOF\n)"], ["git", "push"]],
    ],
    // These start no here-document that could hide the commands after it.
    ["cat <<EOF\nrm x", [["cat"], ["rm", "x"]]],
    ["((1<<2))\nrm x\n2", [["rm", "x"], ["2"]]],
    ["echo $[1<<2]\nrm x\n2]", [["echo", "$[1<<2]"], ["rm", "x"], ["2]"]]],
    ["cat <<< 'it'\nrm x", [["cat"], ["rm", "x"]]],
  ];
  it.each(DOCUMENTS)("finds no commands in a here-document but all after it: %j", (text, commands) => {
    expect(commandsOf(text)).toEqual(commands);
  });

  const SUBSTITUTED: readonly (readonly [string, string[]])[] = [
    ["echo ${a:-$(rm x)}", ["rm", "x"]],
    ['echo "${a:-it\'s `rm x`}"', ["rm", "x"]],
    ['echo "$(case y in y) rm x;; esac)"', ["rm", "x"]],
    ["echo $(echo ')'; rm x)", ["rm", "x"]],
    ["echo $'a\\'b' $(rm x)", ["rm", "x"]],
    [": ${a:=$(rm ${x})}", ["rm", "${x}"]],
    ["echo ${a:-'}'$(rm x)'}'}", ["rm", "x"]],
    ["echo `basename \\`rm x\\``", ["rm", "x"]],
    ['a="`\\\\rm x`"', ["rm", "x"]],
    ['echo "$(case "${a#"}"}" in b) rm x;; esac)"', ["rm", "x"]],
    // dash reads this as two subshells.
    ["((rm x))", ["rm", "x"]],
  ];
  it.each(SUBSTITUTED)("finds the command of a substitution: %s", (text, command) => {
    expect(commandsOf(text)).toContainEqual(command);
  });

  it("reads a quoted text with escapes as one word", () => {
    const [command] = readCommandLine(String.raw`printf $'it\'s\t' $"plain" $'x'`).commands;
    expect(command?.map((word) => [word.text, word.expands])).toEqual([
      ["printf", false],
      [String.raw`it\'s\t`, true],
      ["plain", false],
      ["x", false],
    ]);
  });

  const DEEP: readonly string[] = [
    `${"$(echo ".repeat(12)}$(rm x)${")".repeat(12)}`,
    `${'"$(echo '.repeat(12)}$(rm x)${')"'.repeat(12)}`,
    `echo ${"${a:-".repeat(12)}$(rm x)${"}".repeat(12)}`,
    'echo "$[ $(rm ]) ]"',
  ];
  it.each(DEEP)("marks commands that it cannot read as unknown: %s", (deep) => {
    expect(readCommandLine(deep).commands.some(([first]) => first?.expands)).toBe(true);
  });

  it("finds no commands in arithmetic", () => {
    expect(commandsOf("i=$((i + (2 << 1)))")).toEqual([["i=$((i + (2 << 1)))"]]);
  });

  it("rejects text that no shell would run", () => {
    for (const text of ["", "  ", "echo 'open", 'echo "open', "a\0b", "x".repeat(200_000)])
      expect(() => readCommandLine(text)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("reads hostile text in linear time", () => {
    const parts = [
      "$(",
      "`",
      "<",
      "${",
      "<<a ",
      "<<a\n",
      "((<<",
      "${`",
      "a<<b\n`",
      "$[",
      "${a:-",
      "$((",
      "`\\`",
      "${$(",
      "${${${${$(",
    ];
    for (const text of parts.map((part) => part.repeat(Math.min(16_000, 99_000 / part.length))))
      expect(readCommandLine(`x ${text}`).needsShell).toBe(true);
  });
});
