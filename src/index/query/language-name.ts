import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { Language } from "../../languages/language.ts";
import { LANGUAGES } from "../../languages/registry.ts";

/** Finds a language by its id, a file extension or a common alias. */
export function languageNamed(wanted: string): Language | undefined {
  const name = wanted.toLowerCase().replace(/^\./, "");
  return (
    LANGUAGES.find(({ id, extensions }) => id === name || extensions.includes(`.${name}`)) ??
    LANGUAGES.find(({ id }) => id === ALIASES[name])
  );
}

/** Returns the id of the language with this name, or undefined if no name is given; throws for an unknown name. */
export function wantedLanguage(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const language = languageNamed(name);
  if (language === undefined) throw unknownLanguageError(name);
  return language.id;
}

/** Creates the error for an unknown language name. */
export function unknownLanguageError(wanted: string): PithError {
  const ids = LANGUAGES.map(({ id }) => id);
  const [nearest] = nearestNames(wanted, ids, 1);
  return new PithError("invalid_input", `unknown language ${JSON.stringify(wanted)}`, {
    suggestion: nearest === undefined ? `Use one of: ${ids.join(", ")}.` : `Did you mean ${nearest}?`,
    field: "language",
  });
}

const ALIASES: Readonly<Record<string, string>> = {
  golang: "go",
  "c++": "cpp",
  "c#": "csharp",
  shell: "bash",
  node: "javascript",
};
