import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { addTruth, type Truth } from "./truth.ts";

/** Maps language ids to the names that ctags uses. */
const LANGUAGES: Readonly<Record<string, readonly string[]>> = {
  python: ["Python"],
  typescript: ["TypeScript"],
  tsx: ["TypeScript"],
  javascript: ["JavaScript"],
  go: ["Go"],
  rust: ["Rust"],
  java: ["Java"],
  c: ["C"],
  cpp: ["C++", "CUDA"],
  csharp: ["C#"],
  ruby: ["Ruby"],
  php: ["PHP"],
  kotlin: ["Kotlin"],
  lua: ["Lua"],
  bash: ["Sh"],
  sql: ["SQL"],
  css: ["CSS", "SCSS"],
  markdown: ["Markdown"],
};

/** Kinds of ctags that are not definitions: imports, labels, heredoc bodies and parameters. */
const NO_DEFINITIONS: Readonly<Record<string, readonly string[]>> = {
  Python: ["namespace", "module", "unknown"],
  Go: ["packageName", "unknown"],
  Ruby: ["library"],
  PHP: ["alias"],
  Sh: ["heredoc", "script"],
  SCSS: ["parameter"],
  SQL: ["label", "ccflag", "variable", "cursor"],
};

/** Kinds that ctags omits by default. They are not expected from Pith, but accepted. */
const ALL_KINDS = ["C", "C++", "CUDA", "Python", "TypeScript", "Java", "C#", "PHP", "SQL"].map(
  (language) => `--kinds-${language}=*`,
);

/** Recognizes tags that ctags reports by mistake, from the tag and its line. */
const ARTEFACTS: Readonly<Record<string, (tag: Tag, line: string) => boolean>> = {
  // ctags reports arrays as functions.
  Sh: ({ name }) => name.endsWith("=") || !/^[\w.:@+-]+$/u.test(name),
  // ctags reports anonymous functions and local variables.
  Kotlin: ({ name, kind, scopeKind }) =>
    name === "<lambda>" || (/^(?:constant|variable)$/u.test(kind) && scopeKind === "method"),
  // ctags reports constraints, and parameters of expression-bodied methods.
  "C#": ({ name, kind }, line) =>
    /\bwhere\b/u.test(line) ||
    (kind === "method" ? !/^[\w~<>@. ]+$/u.test(name) || /^\s*[\w.]+\(/u.test(line) : false) ||
    (kind === "field" && (line.split(name)[0] ?? "").includes("(")),
  // ctags reports lines that only contain the word: a call with a function argument, a comment or a string.
  Lua: ({ name }, line) => {
    const own = escaped(name.split(/[.:]/u).at(-1) ?? name);
    return !new RegExp(`function\\s+[\\w.:]*${own}|${own}["'\\]]*\\s*=\\s*function`, "u").test(line);
  },
  // ctags reports constants that are used rather than assigned.
  Ruby: ({ name, kind }, line) =>
    kind === "constant" && !new RegExp(`\\b${name}\\s*(?:\\|\\|)?=(?![=>~])`, "u").test(line),
  // ctags reports RSpec example groups.
  RSpec: () => true,
  // ctags reports local variables and anonymous classes.
  PHP: ({ name, kind }, line) =>
    name.startsWith("AnonymousClass") ||
    (kind === "variable" && !/\b(?:public|protected|private|var|static|readonly|const)\b/u.test(line)),
  JavaScript: ({ name }) => /^Anonymous(?:Function|Class)/u.test(name),
  TypeScript: ({ name }) => /^anonymous/iu.test(name),
};

/** Returns what ctags finds in the files of one language, or undefined if it does not support the language. */
export function ctagsTruth(files: readonly string[], language: string): Map<string, Truth[]> | undefined {
  const names = LANGUAGES[language];
  const forced = names?.[0];
  if (names === undefined || forced === undefined) return undefined;
  const plain = run(files, names, []);
  const wanted = new Set(plain.map(keyOf));
  const found = new Map<string, Truth[]>();
  // With all kinds enabled, ctags misses the rest of a Java class after `new A() { … }.run()`.
  const more = run(files, names, ALL_KINDS).filter((tag) => !wanted.has(keyOf(tag)));
  for (const tag of [...plain, ...more]) {
    const isOptional =
      !wanted.has(keyOf(tag)) ||
      NO_DEFINITIONS[tag.language]?.includes(tag.kind) === true ||
      ARTEFACTS[tag.language]?.(tag, lineOf(tag)) === true;
    if (!tag.name.startsWith("__anon") && !tag.name.startsWith("anonymous"))
      addTruth(found, tag.path, {
        name: tag.name,
        line: tag.line,
        kind: tag.kind,
        isOptional,
        ...(tag.scope !== undefined && { scope: tag.scope }),
        isLocal: FUNCTION_SCOPE.test(tag.scopeKind ?? ""),
      });
  }
  return found;
}

const FUNCTION_SCOPE = /^(?:function|func|method|singletonMethod|subroutine|constructor|getter|setter)$/u;

interface Tag {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly kind: string;
  readonly language: string;
  readonly scope?: string;
  readonly scopeKind?: string;
}

function escaped(name: string): string {
  return name.replaceAll(/[^\w]+$/gu, "").replaceAll(/[$()*+.?[\\\]^{|}]/gu, "\\$&");
}

let read: { path: string; lines: string[] } = { path: "", lines: [] };

function lineOf({ path, line }: Tag): string {
  if (read.path !== path) read = { path, lines: readFileSync(path, "utf8").split("\n") };
  return read.lines[line - 1] ?? "";
}

function keyOf({ path, line, name, kind }: Tag): string {
  return `${path}\0${line}\0${name}\0${kind}`;
}

function run(files: readonly string[], names: readonly string[], options: readonly string[]): Tag[] {
  const by = names.length > 1 ? [`--languages=${names.join(",")}`] : [`--language-force=${names[0] ?? ""}`];
  const args = ["--output-format=json", "--fields=+nl", "-f", "-", ...by, ...options, "-L", "-"];
  const { stdout, error } = spawnSync("ctags", args, {
    input: files.join("\n"),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (error !== undefined) throw error;
  return stdout.split("\n").flatMap((line) => {
    if (!line.startsWith("{")) return [];
    const tag: Tag & { readonly _type: string } = JSON.parse(line);
    return tag._type === "tag" ? [tag] : [];
  });
}
