import { LANGUAGES } from "./registry.ts";

/** One row of the table of languages. */
export interface LanguageRow {
  readonly id: string;
  readonly name: string;
  /** File name endings and whole file names. */
  readonly files: readonly string[];
  readonly holds: string;
  /** `grammar` or `scanner`. */
  readonly by: string;
}

/** The languages as data, for the generated documentation. */
export function describeLanguages(): LanguageRow[] {
  return LANGUAGES.map(({ id, name, extensions, fileNames = [], holds, outline }) => ({
    id,
    name,
    files: [...extensions, ...fileNames],
    holds,
    by: outline.by,
  }));
}
