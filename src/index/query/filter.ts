import { languageOf } from "../../languages/detect.ts";
import { PithError } from "../../kernel/errors.ts";
import { compileOutside } from "../../security/untrusted-regex.ts";
import { languageNamed, noLanguage } from "./language-name.ts";

/** What a caller restricts a search to. */
export interface FileFilter {
  /** A folder, a file or a glob, relative to the workspace. */
  readonly path?: string;
  readonly language?: string;
  /** Whether some file ends in this, such as `.proto`: then it may stand for a language. */
  readonly hasExtension?: (extension: string) => boolean;
}

/** Whether a file is wanted, by its path. */
export type FileTest = (file: { readonly path: string }) => boolean;

/** A test of files; undefined where everything is wanted. */
export function fileFilter({ path, language, hasExtension }: FileFilter): FileTest | undefined {
  const tests: ((path: string) => boolean)[] = [];
  if (path !== undefined && path !== "" && path !== ".") tests.push(pathTest(path));
  if (language !== undefined && language !== "") tests.push(languageTest(language, hasExtension));
  if (tests.length === 0) return undefined;
  return (file) => tests.every((test) => test(file.path));
}

function pathTest(pattern: string): (path: string) => boolean {
  const clean = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
  if (!/[*?{[]/.test(clean)) return (path) => path === clean || path.startsWith(`${clean}/`);
  const regex = globToRegex(clean);
  return (path) => regex.test(path);
}

/** `*` within a name, `**` across folders, `?`, `{a,b}`, `[abc]`. A glob without a slash fits at any depth. */
function globToRegex(glob: string): RegExp {
  let source = "";
  for (let at = 0; at < glob.length; at++) {
    const char = glob[at] ?? "";
    if (glob.startsWith("**/", at)) {
      source += "(?:.*/)?";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      source += ".*";
      at += 1;
    } else if (char === "*") source += "[^/]*";
    else if (char === "?") source += "[^/]";
    else if (char === "{") source += "(?:";
    else if (char === "}") source += ")";
    else if (char === "," && source.includes("(?:")) source += "|";
    else if (char === "[" || char === "]" || char === "-") source += char;
    else source += char.replaceAll(/[.+^$()|\\]/g, String.raw`\$&`);
  }
  const anchored = glob.includes("/") ? source : `(?:.*/)?${source}`;
  try {
    return compileOutside(`^${anchored}(?:/.*)?$`);
  } catch (error) {
    throw new PithError(
      "invalid_input",
      `path: not a glob: ${JSON.stringify(glob)}`,
      { field: "path" },
      { cause: error },
    );
  }
}

function languageTest(
  wanted: string,
  hasExtension: (extension: string) => boolean = () => false,
): (path: string) => boolean {
  const language = languageNamed(wanted);
  // A type of file that has no grammar: its ending tells it.
  const extension = `.${wanted.toLowerCase().replace(/^\./, "")}`;
  if (language === undefined && hasExtension(extension))
    return (path) => path.toLowerCase().endsWith(extension);
  if (language === undefined) throw noLanguage(wanted);
  return (path) => {
    const id = languageOf(path)?.id;
    return id !== undefined && (id === language.id || FAMILIES[language.id] === id);
  };
}

/** Asking for one gives the other as well. */
const FAMILIES: Readonly<Record<string, string>> = { typescript: "tsx" };
