/** Languages that can use each other's definitions; the name of the group. A language without an entry is on its own. */
const FAMILIES: Readonly<Record<string, string>> = {
  typescript: "script",
  tsx: "script",
  javascript: "script",
  vue: "script",
  svelte: "script",
  java: "jvm",
  kotlin: "jvm",
  scala: "jvm",
  c: "c",
  cpp: "c",
};

/** Returns a name that is the same for languages whose files can use each other's definitions. */
export function languageFamily(language: string): string {
  return FAMILIES[language] ?? language;
}
