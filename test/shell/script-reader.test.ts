import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { readScript } from "../../src/shell/script-reader.ts";
import type { Script, Stage } from "../../src/shell/script-syntax.ts";

/** The text of each stage, grouped by list and pipeline; a group comes with its own lists. */
function stagesOf(text: string): unknown {
  const script = readScript(text);
  return "unread" in script ? script.unread : shape(script, text);
}

function shape({ lists }: Script, text: string): unknown {
  const stage = ({ group, from, to }: Stage): unknown =>
    group === undefined ? text.slice(from, to) : [text.slice(from, to), shape(group, text)];
  return lists.map(({ pipelines }) =>
    pipelines.map(({ joinedBy, isNegated, stages }) =>
      [joinedBy ?? "", isNegated ? "!" : "", ...stages.map(stage)].filter((one) => one !== ""),
    ),
  );
}

describe("readScript", () => {
  it.each<[string, unknown]>([
    ["npm test 2>&1 | tail -5", [[["npm test 2>&1", "tail -5"]]]],
    ["a; b && c || d\ne", [[["a"]], [["b"], ["&&", "c"], ["||", "d"]], [["e"]]]],
    [
      "cd x && CI=1 npm t > 'o ut' 2>&1; echo \"$?\"",
      [[["cd x"], ["&&", "CI=1 npm t > 'o ut' 2>&1"]], [['echo "$?"']]],
    ],
    ["(cd a && b) 2>&1 | c", [[[["(cd a && b) 2>&1", [[["cd a"], ["&&", "b"]]]], "c"]]]],
    ["{ a; b; } | c", [[[["{ a; b; }", [[["a"]], [["b"]]]], "c"]]]],
    ["a <<EOF | b\nx | y\nEOF\nc", [[["a <<EOF", "b"]], [["c"]]]],
    ["a <<-'E 1' 3>&1\n\tx\n\tE 1\nb", [[["a <<-'E 1' 3>&1"]], [["b"]]]],
    ["a # b | c\n# d\ne", [[["a"]], [["e"]]]],
    ["a \\\n | b", [[["a", "b"]]]],
    [
      "a |\n b &&\n c",
      [
        [
          ["a", "b"],
          ["&&", "c"],
        ],
      ],
    ],
    ["! a|b |& c", [[["!", "a", "b", "c"]]]],
    [
      'echo "a;b" \'c|d\' e\\;f $\'g\\\'h\' ${i:-"j k"} $((1 + (2 * 3))) `date` $(a "$(b | c)")',
      [[['echo "a;b" \'c|d\' e\\;f $\'g\\\'h\' ${i:-"j k"} $((1 + (2 * 3))) `date` $(a "$(b | c)")']]],
    ],
    ["[[ -f a && $b == *.(c|d) ]] && e", [[["[[ -f a && $b == *.(c|d) ]]"], ["&&", "e"]]]],
    [
      "awk '{ if ($1 > 2) print \"x|y\" }' < f >> g &> h",
      [[["awk '{ if ($1 > 2) print \"x|y\" }' < f >> g &> h"]]],
    ],
    ["# nothing", []],
  ])("splits a script into its stages: %j", (text, expected) => {
    expect(stagesOf(text)).toEqual(expected);
  });

  it.each([
    ["sleep 1 &", "a background &"],
    ["for i in 1 2; do a | b; done", '"for"'],
    ["if a; then b; fi", '"if"'],
    ["f() { a; }; f", "a function or pattern in brackets"],
    ["a=(1 2)", "a function or pattern in brackets"],
    ["diff <(a) <(b)", "a process substitution"],
    ["((i++))", "arithmetic"],
    ["a <<EOF\nx", "a here document"],
    ["a <<EOF\n$(b)\nEOF", "a here document"],
    ["echo 'open", "an open quote"],
    ["a {fd}> x", "a named stream"],
    ["a\r\nb", "a carriage return"],
    ["a | | b", "an unexpected |"],
    ["a &&", "an unexpected end"],
    ["a )", "an unexpected )"],
    ["; a", "an unexpected ;"],
    ["a >", "an unexpected >"],
  ])("rejects unsupported syntax and names it: %j", (text, why) => {
    expect(stagesOf(text)).toBe(why);
  });

  it("accepts only scripts that bash accepts, among random combinations", () => {
    const pieces = [
      "a",
      "b c",
      "|",
      "||",
      "&&",
      ";",
      "\n",
      "(",
      ")",
      "{ ",
      "; }",
      "'",
      '"',
      "$(",
      "> x",
      "2>&1",
      "# d",
      "\\",
      "!",
    ];
    let seed = 7;
    const next = (): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31);
    const texts = Array.from({ length: 4_000 }, () =>
      Array.from({ length: 1 + (next() % 7) }, () => pieces[(next() >> 8) % pieces.length]).join(" "),
    ).filter((text) => !("unread" in readScript(text)));
    expect(texts.length).toBeGreaterThan(200);
    // One bash checks the syntax of all texts and runs none of them.
    const check =
      'while IFS= read -r -d "" text; do bash -n -c "$text" 2>/dev/null || printf "%s\\0" "$text"; done';
    const { stdout } = spawnSync("bash", ["-c", check], {
      input: texts.map((text) => `${text}\0`).join(""),
      encoding: "utf8",
    });
    expect(stdout.split("\0").filter((text) => text.trim() !== "")).toEqual([]);
  });

  it("rejects very deep nesting quickly", () => {
    for (const text of [
      "(".repeat(50_000),
      "$(".repeat(50_000),
      "{ ".repeat(50_000),
      "a|".repeat(50_000),
      "'".repeat(99_999),
    ])
      expect(readScript(text)).toHaveProperty("unread");
  });
});
