import type { Definition } from "./definitions.ts";

/** The form of a query for a name. */
export type Way =
  | "bare"
  | "call"
  | "case"
  | "style"
  | "kind word"
  | "owner"
  | "full"
  | "module"
  | "path"
  | "file";

export interface Question {
  readonly way: Way;
  readonly text: string;
  readonly about: Definition;
  /** The definitions that count as correct. */
  readonly answers: readonly Definition[];
}

/** Creates a pseudo-random generator that returns the same numbers everywhere. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    return state / 0x80_00_00_00;
  };
}

const GROUPS = ["type", "function", "method", "const", "macro", "module"] as const;

/** Picks `count` names, alternating between kinds of definitions, and creates queries of each form for them. */
export function questionsOf(found: readonly Definition[], count: number, seed: number): Question[] {
  const random = randomFrom(seed);
  const all = found.filter(({ isLocal }) => !isLocal);
  const asked = all.filter(({ group }) => group !== "other");
  const byName = new Map<string, Definition[]>();
  const byFolded = new Map<string, Definition[]>();
  for (const one of asked) push(byName, one.name, one);
  for (const one of all) push(byFolded, fold(one.name), one);
  const pools = GROUPS.map((group) => asked.filter((one) => isGood(one) && one.group === group));
  const seen = new Set<string>();
  const questions: Question[] = [];
  for (let turn = 0; seen.size < count && pools.some((pool) => pool.length > 0); turn++) {
    const pool = pools[turn % pools.length] ?? [];
    const [about] = pool.splice(Math.floor(random() * pool.length), 1);
    if (about === undefined || seen.has(about.name)) continue;
    seen.add(about.name);
    questions.push(...waysOf(about, byName.get(about.name) ?? [], byFolded.get(fold(about.name)) ?? []));
  }
  return questions;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Excludes names that are not worth a query: one or two letters, or names that every class has. */
function isGood({ name, isAside, group, owners, language }: Definition): boolean {
  if (isAside || name.length < 3 || /^(?:__\w+__|_+|constructor)$/u.test(name)) return false;
  // Constants of classes are members and are excluded; those of modules are included.
  if (group === "const") return owners.length === 0 || language === "go" || language === "ruby";
  return owners.at(-1) !== name;
}

/** Normalizes case and separators of a name. */
export function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_$-]/gu, "");
}

/** Generic file names, for which the folder's name is used. */
const GENERIC_FILE_NAMES = /^(?:index|mod|__init__|lib|main|init)$/u;

function waysOf(about: Definition, same: readonly Definition[], folded: readonly Definition[]): Question[] {
  const { name, path, group, owners, language } = about;
  const ask = (way: Way, text: string, answers: readonly Definition[]): Question => ({
    way,
    text,
    about,
    answers,
  });
  const spelled = (text: string) => {
    const hasCapital = /[A-Z]/u.test(text);
    const exact = folded.filter((one) => one.name === text);
    const asked = folded.filter((one) => one.group !== "other");
    return exact.length > 0 && hasCapital ? exact : [...new Set([...exact, ...asked])];
  };
  const result = [ask("bare", name, same)];
  if (group === "function" || group === "method") result.push(ask("call", `${name}()`, same));
  const word = WORDS[language]?.[group] ?? WORDS["other"]?.[group];
  if (word !== undefined) result.push(ask("kind word", `${word} ${name}`, same));
  const otherCase = /[A-Z]/u.test(name) ? name.toLowerCase() : name.toUpperCase();
  if (otherCase !== name) result.push(ask("case", otherCase, spelled(otherCase)));
  const style = otherStyle(name);
  if (style !== name) result.push(ask("style", style, spelled(style)));
  const joint = JOINTS[language] ?? ".";
  const owner = owners.at(-1);
  if (owner !== undefined && owner !== name) {
    result.push(
      ask(
        "owner",
        `${owner}${joint}${name}`,
        same.filter((one) => one.owners.at(-1) === owner),
      ),
    );
    const all = owners.join(joint);
    if (owners.length > 1)
      result.push(
        ask(
          "full",
          `${all}${joint}${name}`,
          same.filter((one) => one.owners.join(joint) === all),
        ),
      );
  }
  const file = path.slice(path.lastIndexOf("/") + 1);
  const stem = stemOf(path);
  if (owners.length === 0 && /^[\p{L}_]\w*$/u.test(stem) && file.startsWith(stem) && stem !== name)
    result.push(
      ask(
        "module",
        `${stem}${joint}${name}`,
        same.filter((one) => stemOf(one.path) === stem),
      ),
    );
  result.push(
    ask(
      "path",
      `${path}:${name}`,
      same.filter((one) => one.path === path),
    ),
  );
  result.push(
    ask(
      "file",
      `${file}:${name}`,
      same.filter((one) => one.path.endsWith(file)),
    ),
  );
  return result;
}

/** Returns the module name of a path: `ser` for `ser.rs` and for `ser/mod.rs`. */
function stemOf(path: string): string {
  const [file = "", folder = ""] = path.split("/").reverse();
  const stem = file.replace(/\.\w+$/u, "");
  return GENERIC_FILE_NAMES.test(stem) ? folder : stem;
}

const JOINTS: Readonly<Record<string, string>> = { rust: "::", cpp: "::", c: "::", php: "::", ruby: "::" };

/** Keywords before a name in its definition, by language. */
const WORDS: Readonly<Record<string, Partial<Record<Definition["group"], string>>>> = {
  python: { type: "class", function: "def", method: "def" },
  ruby: { type: "class", method: "def", module: "module" },
  rust: { function: "fn", method: "fn", type: "struct", module: "mod" },
  go: { function: "func", method: "func", type: "type" },
  swift: { function: "func", method: "func", type: "class" },
  kotlin: { function: "fun", method: "fun", type: "class" },
  scala: { function: "def", method: "def", type: "class" },
  lua: { function: "function" },
  c: { type: "struct" },
  other: { type: "class", function: "function", method: "method" },
};

/** Converts between `fooBar` and `foo_bar`. */
function otherStyle(name: string): string {
  if (/^_|_$/u.test(name)) return name;
  if (name.includes("_"))
    return name.toLowerCase().replaceAll(/_+(\w)/gu, (_, next: string) => next.toUpperCase());
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/gu, "_").toLowerCase();
}
