import { LANGUAGES } from "./registry.ts";

/** A row of the table of languages in the documentation. */
export interface LanguageRow {
  readonly id: string;
  readonly name: string;
  /** File extensions and complete file names that belong to the language. */
  readonly files: readonly string[];
  readonly holds: string;
  /** How the language is read: by a `grammar` or by a `scanner`. */
  readonly by: string;
}

/** Lists all languages for the generated documentation. */
export function describeLanguages(): LanguageRow[] {
  return LANGUAGES.map(({ id, name, extensions, fileNames = [], holds, outline }) => ({
    id,
    name,
    files: [...extensions, ...fileNames],
    holds,
    by: outline.by,
  }));
}
