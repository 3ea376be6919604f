import { javascript } from "./javascript/language.ts";
import type { Language } from "./language.ts";
import { python } from "./python/language.ts";
import { tsx, typescript } from "./typescript/language.ts";

/** Every language with an outline. */
export const LANGUAGES: readonly Language[] = [typescript, tsx, javascript, python];

const BY_ID = new Map(LANGUAGES.map((language) => [language.id, language]));

/** The language with this id, if there is one. */
export function languageById(id: string): Language | undefined {
  return BY_ID.get(id);
}
