import { PithError } from "../../kernel/errors.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import type { Language } from "../../languages/language.ts";
import { LANGUAGES } from "../../languages/registry.ts";

/** The language that a caller means by its name, one of its endings or what people call it. */
export function languageNamed(wanted: string): Language | undefined {
  const name = wanted.toLowerCase().replace(/^\./, "");
  return (
    LANGUAGES.find(({ id, extensions }) => id === name || extensions.includes(`.${name}`)) ??
    LANGUAGES.find(({ id }) => id === ALIASES[name])
  );
}

/** The id of the language that a caller names, if any; throws for a name that is none. */
export function wantedLanguage(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  const language = languageNamed(name);
  if (language === undefined) throw unknownLanguageError(name);
  return language.id;
}

/** The refusal of a name that is none. */
export function unknownLanguageError(wanted: string): PithError {
  const ids = LANGUAGES.map(({ id }) => id);
  const [nearest] = nearestNames(wanted, ids, 1);
  return new PithError("invalid_input", `language: no language ${JSON.stringify(wanted)}`, {
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
