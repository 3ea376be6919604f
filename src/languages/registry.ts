import { bash } from "./bash/language.ts";
import { c } from "./c/language.ts";
import { cpp } from "./cpp/language.ts";
import { csharp } from "./csharp/language.ts";
import { css } from "./css/language.ts";
import { dockerfile } from "./dockerfile/language.ts";
import { elixir } from "./elixir/language.ts";
import { go } from "./go/language.ts";
import { haskell } from "./haskell/language.ts";
import { html, svelte, vue } from "./html/language.ts";
import { java } from "./java/language.ts";
import { javascript } from "./javascript/language.ts";
import { json } from "./json/language.ts";
import { kotlin } from "./kotlin/language.ts";
import type { Language } from "./language.ts";
import { lua } from "./lua/language.ts";
import { markdown } from "./markdown/language.ts";
import { php } from "./php/language.ts";
import { python } from "./python/language.ts";
import { ruby } from "./ruby/language.ts";
import { rust } from "./rust/language.ts";
import { scala } from "./scala/language.ts";
import { sql } from "./sql/language.ts";
import { swift } from "./swift/language.ts";
import { toml } from "./toml/language.ts";
import { tsx, typescript } from "./typescript/language.ts";
import { yaml } from "./yaml/language.ts";
import { zig } from "./zig/language.ts";

/** All languages that have an outline. */
export const LANGUAGES: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  kotlin,
  c,
  cpp,
  csharp,
  ruby,
  php,
  swift,
  scala,
  bash,
  lua,
  elixir,
  haskell,
  zig,
  markdown,
  json,
  yaml,
  toml,
  html,
  vue,
  svelte,
  css,
  sql,
  dockerfile,
];

const BY_ID = new Map(LANGUAGES.map((language) => [language.id, language]));

export function languageById(id: string): Language | undefined {
  return BY_ID.get(id);
}
