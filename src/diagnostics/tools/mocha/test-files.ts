import { compileGlob, InvalidGlob } from "../../../security/glob.ts";
import type { FolderFacts, TestFolder } from "../../tool.ts";

const SETTINGS = ["js", "cjs", "mjs", "yaml", "yml", "json", "jsonc"].map((ending) => `.mocharc.${ending}`);
const ENDING = /\.[cm]?js$/;
/** Options by which Mocha finds other files than by their names on the command line. */
const OWN_RULES = /\b(?:spec|recursive|extension|ignore|file|exclude|sort)\b/;

/** The texts of Mocha's settings. */
export function mochaSettings(folder: FolderFacts): string[] {
  const manifest = /"mocha"\s*:\s*\{[^}]*\}/.exec(folder.nearest("package.json") ?? "")?.[0];
  return [
    ...SETTINGS.flatMap((name) => folder.nearest(name) ?? []),
    ...(manifest === undefined ? [] : [manifest]),
  ];
}

/** The test files that a command names by files, folders and patterns, or those of the folder `test`. */
export function mochaFiles({ paths, words, folder }: TestFolder): readonly string[] {
  const options = words.filter(({ text }) => text.startsWith("-"));
  const isRecursive = options.some(({ text }) => text === "--recursive");
  const isPlain = options.every(({ text }) =>
    /^--(?:recursive|bail|exit|colors?|check-leaks|timeout=\d+)$/.test(text),
  );
  if (!isPlain || mochaSettings(folder).some((text) => OWN_RULES.test(text))) return [];
  const specs = words.filter((word) => !options.includes(word));
  // A shell replaces an unquoted pattern by names before Mocha sees it, and knows no `**`.
  if (specs.some(({ text, expands }) => expands && text.includes("**"))) return [];
  const named = specs.length === 0 ? ["test"] : specs.map(({ text }) => text.replace(/^\.\/|\/$/g, ""));
  try {
    const fits = named.map((spec) =>
      /[*?[{]/.test(spec) ? compileGlob(spec) : fileOrBelow(spec, isRecursive),
    );
    return paths.filter((path) => !path.includes("node_modules/") && fits.some((fit) => fit(path)));
  } catch (error) {
    if (!(error instanceof InvalidGlob)) throw error;
    // Mocha reports the pattern when it runs.
    return [];
  }
}

function fileOrBelow(spec: string, isRecursive: boolean): (path: string) => boolean {
  return (path) => {
    if (path === spec) return true;
    const rest = path.startsWith(`${spec}/`) ? path.slice(spec.length + 1) : "";
    return ENDING.test(rest) && (isRecursive || !rest.includes("/"));
  };
}
