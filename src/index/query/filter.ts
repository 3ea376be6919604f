import { languageOf } from "../../languages/detect.ts";
import { PithError } from "../../kernel/errors.ts";
import { compileGlob, InvalidGlob } from "../../security/glob.ts";
import { languageNamed, unknownLanguageError } from "./language-name.ts";

/** Restricts a search to certain files. */
export interface FileFilter {
  /** A folder, a file or a glob, relative to the workspace. */
  readonly path?: string;
  readonly language?: string;
  /**
   * Returns whether some file of the project has this extension, such as `.proto`; only then is it accepted as a
   * language.
   */
  readonly hasExtension?: (extension: string) => boolean;
}

/** Returns whether a search includes the file with this path. */
export type FileTest = (file: { readonly path: string }) => boolean;

/** Creates a test that tells which files a search includes; returns undefined if there are no restrictions. */
export function fileFilter({ path, language, hasExtension }: FileFilter): FileTest | undefined {
  const tests: ((path: string) => boolean)[] = [];
  if (path !== undefined && path !== "" && path !== ".") tests.push(pathTest(path));
  if (language !== undefined && language !== "") tests.push(languageTest(language, hasExtension));
  if (tests.length === 0) return undefined;
  return (file) => tests.every((test) => test(file.path));
}

function pathTest(pattern: string): (path: string) => boolean {
  const clean = pattern.replace(/^\.\//, "").replace(/\/+$/, "");
  const isBelow = (path: string): boolean => path === clean || path.startsWith(`${clean}/`);
  if (!/[*?{[]/.test(clean)) return isBelow;
  try {
    const isMatch = compileGlob(clean);
    // Folders of routes have names such as `[user]`, which would be globs of one letter.
    return (path) => isBelow(path) || isMatch(path);
  } catch (error) {
    if (!(error instanceof InvalidGlob)) throw error;
    throw new PithError(
      "invalid_input",
      `not a valid path glob: ${JSON.stringify(clean)}: ${error.message}`,
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
  // If there is no grammar with the requested name, it may be a file extension.
  const extension = `.${wanted.toLowerCase().replace(/^\./, "")}`;
  if (language === undefined && hasExtension(extension))
    return (path) => path.toLowerCase().endsWith(extension);
  if (language === undefined) throw unknownLanguageError(wanted);
  return (path) => {
    const id = languageOf(path)?.id;
    return id !== undefined && (id === language.id || FAMILIES[language.id] === id);
  };
}

/** Languages whose filter also accepts files of a related language. */
const FAMILIES: Readonly<Record<string, string>> = { typescript: "tsx" };
