import { execFileSync, spawnSync } from "node:child_process";
import { rgPath } from "@vscode/ripgrep";
import { describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { numbers } from "../support/numbers.ts";
import { connect, pithInside } from "../support/inside.ts";

const WORDS = [
  "alpha",
  "Alpha",
  "beta",
  "beta_two",
  "a.b",
  "f(x)",
  "-dash",
  "--flag",
  "ünï",
  "",
  "  alpha beta",
];
const NAMES = [
  "a.ts",
  "b.py",
  "src/c.ts",
  "src/deep/d.rs",
  ".hidden/e.ts",
  "src/deep/f.md",
  "g+h.txt",
  "made/out.ts",
];

/** A tree of small files with words in a random order, some of them ignored by git. */
function randomTree(random: () => number): Record<string, string> {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  const line = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(WORDS)).join(" ");
  const files = NAMES.map((name) => [
    name,
    Array.from({ length: 6 }, line).join("\n") + (random() < 0.2 ? "" : "\n"),
  ]);
  return { ...Object.fromEntries(files), ".gitignore": "made/\n", ".ignore": "*.md\n" };
}

type Flags = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** Flags of ripgrep, which the tool accepts as arguments of the same names. */
const FLAGS: readonly Flags[] = [
  {},
  { "-i": true },
  { "-w": true },
  { "-F": true },
  { "-v": true },
  { "-o": true },
  { "-x": true },
  { "-S": true },
  { "-A": 1 },
  { "-B": 1 },
  { "-C": 1 },
  { "-A": 2, "-B": 0 },
  { "-m": 1 },
  { "-t": "ts" },
  { "-T": "ts" },
  { "-g": "*.ts" },
  { "-g": "!*.ts" },
  { "-g": "src/**" },
  { "-i": true, "-w": true, "-C": 1 },
  { "-F": true, "-v": true, "-A": 1 },
  { "-U": true },
];
const PATTERNS = [
  "alpha",
  "Alpha",
  "beta\\b",
  "a.b",
  "f\\(x\\)",
  "-dash",
  "--flag",
  "ünï",
  "^$",
  "a.*a",
  "(?i)ALPHA",
];
const FIXED = ["a.b", "f(x)", "-dash", "beta_two"];
const PLACES: readonly (readonly string[])[] = [
  [],
  ["src"],
  ["a.ts"],
  ["a.ts", "src/deep"],
  ["made/out.ts", "src"],
  ["src", "src/c.ts"],
];

/** The output of ripgrep with hidden files, which Pith always searches. */
function ripgrep(folder: string, args: readonly string[]): string[] {
  const own = ["--no-config", "--hidden", "--glob=!.git", "--no-heading", "-nH", "--sort=path"];
  const { stdout } = spawnSync(rgPath, [...own, ...args], { cwd: folder, encoding: "utf8" });
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(/^\.\//, ""));
}

/** The same without ignored files. Globs of ripgrep include them again, while ours only narrow a search. */
function ripgrepNarrowed(folder: string, args: readonly string[], places: readonly string[]): string[] {
  const isIgnored = (line: string): boolean =>
    ["made/out.ts", "src/deep/f.md"].some((path) => line.startsWith(path) && !places.includes(path));
  return ripgrep(folder, ["--no-context-separator", ...args]).filter((line) => !isIgnored(line));
}

function asArguments(flags: Flags, pattern: string, places: readonly string[]): string[] {
  const options = Object.entries(flags).flatMap(([name, value]) =>
    value === true ? [name] : [name, String(value)],
  );
  return [...options, "-e", pattern, ...(places.length === 0 ? ["./"] : places)];
}

interface Match {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly context?: boolean;
}

describe("grep finds what ripgrep finds", () => {
  it("over MCP, with ripgrep's flags as arguments, several paths, globs and types", async () => {
    const random = numbers(16);
    // One tree: every pair of flags and places occurs in it, and the patterns are drawn for each pair.
    const folder = makeFolder(randomTree(random));
    execFileSync("git", ["init", "-q"], { cwd: folder });
    const client = await connect(folder, { args: ["--toolsets", "files"] });
    for (const flags of FLAGS)
      for (const place of PLACES) {
        const patterns = flags["-F"] === true ? FIXED : PATTERNS;
        const pattern = patterns[Math.floor(random() * patterns.length)] ?? "";
        const args = { ...flags, pattern, ...(place.length === 0 ? {} : { path: place }) };
        const reply = await call(client, "grep", { ...args, max_tokens: 9_000, response_format: "json" });
        const { matches } = JSON.parse(reply) as { matches: readonly Match[] };
        const found = matches.map(({ path, line, text, context }) =>
          [path, line, text].join(context ? "-" : ":"),
        );
        if (flags["-o"] !== true) expect(new Set(found).size).toBe(found.length);
        const expected = ripgrepNarrowed(folder, asArguments(flags, pattern, place), place);
        // A file that is in two of the given paths is shown once.
        const once = (lines: readonly string[]): string[] => [...new Set(lines)].sort();
        expect([args, once(found)]).toEqual([args, once(expected)]);
      }
  });

  it("on the command line, line for line in the same order", async () => {
    const folder = makeFolder(randomTree(numbers(4)));
    execFileSync("git", ["init", "-q"], { cwd: folder });
    const lines: readonly (readonly [args: readonly string[], places?: readonly string[]])[] = [
      [["alpha"]],
      [
        ["-in", "alpha"],
        ["a.ts", "src"],
      ],
      // The flag -r of GNU grep is not one of ripgrep, which always searches recursively.
      [["-rnw", "beta"], ["."]],
      [["-C1", "-F", "a.b"]],
      [["-ie", "-dash", "-e", "--flag"]],
      [["-l", "alpha"]],
      [["-c", "alpha"], ["src"]],
      [["-o", "be\\w+", "-t", "ts"]],
      [
        ["-A", "1", "-m", "1", "alpha", "--"],
        ["a.ts", "b.py"],
      ],
      [["-v", "-g", "!*.ts", "alpha"]],
      [["--no-ignore", "-g", "*.md", "alpha"]],
      [["-UP", "alpha(?=\\n)"]],
    ];
    for (const [args, places = []] of lines) {
      const own = await pithInside(["grep", ...args, ...places], folder);
      const theirs = args.map((arg) => (arg === "-rnw" ? "-nw" : arg));
      const expected = ripgrep(folder, [...theirs, ...(places.length === 0 ? ["./"] : places)]);
      expect([args, own.stdout.split("\n").slice(0, -1)]).toEqual([args, expected]);
      expect([args, own.status]).toEqual([args, expected.length === 0 ? 1 : 0]);
    }
  });
});
