import { goModules } from "./go.ts";
import type { ModuleRules } from "./module-rules.ts";
import { pythonModules } from "./python.ts";
import { scriptModules } from "./script.ts";

/** The languages whose names are resolved. In the others, uses are found by name only. */
const RULES: readonly ModuleRules[] = [scriptModules, pythonModules, goModules];

const BY_LANGUAGE = new Map(
  RULES.flatMap((rules) => rules.languages.map((language) => [language, rules] as const)),
);

export function rulesOf(language: string): ModuleRules | undefined {
  return BY_LANGUAGE.get(language);
}
