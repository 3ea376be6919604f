import { c } from "./c/language.ts";
import { cpp } from "./cpp/language.ts";
import { csharp } from "./csharp/language.ts";
import { go } from "./go/language.ts";
import { java } from "./java/language.ts";
import { javascript } from "./javascript/language.ts";
import type { Language } from "./language.ts";
import { python } from "./python/language.ts";
import { rust } from "./rust/language.ts";
import { tsx, typescript } from "./typescript/language.ts";

/** Every language with an outline. */
export const LANGUAGES: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  c,
  cpp,
  csharp,
];

const BY_ID = new Map(LANGUAGES.map((language) => [language.id, language]));

/** The language with this id, if there is one. */
export function languageById(id: string): Language | undefined {
  return BY_ID.get(id);
}
