import { goModules } from "./go.ts";
import { jvmNames } from "../names/jvm.ts";
import { csharpNames } from "../names/csharp.ts";
import { phpNames } from "../names/php.ts";
import { rubyNames } from "../names/ruby.ts";
import { createCResolver } from "../c/resolver.ts";
import { createRustResolver } from "../rust/resolver.ts";
import { createNameResolver } from "../names/name-resolver.ts";
import type { NameRules } from "../names/name-rules.ts";
import type { Resolver } from "../entity.ts";
import { createResolver } from "../resolver.ts";
import type { ModuleRules, ModuleTree } from "./module-rules.ts";
import { pythonModules } from "./python.ts";
import { scriptModules } from "./script.ts";

/** The languages in which an import names a file. */
const RULES: readonly ModuleRules[] = [scriptModules, pythonModules, goModules];

/** The languages in which an import names a definition by its full name. */
const NAME_RULES: readonly NameRules[] = [jvmNames, phpNames, csharpNames, rubyNames];

type CreateResolver = (tree: ModuleTree) => Resolver;

const BY_LANGUAGE = new Map<string, CreateResolver>([
  ["rust", createRustResolver],
  ["c", createCResolver],
  ["cpp", createCResolver],
  ...RULES.flatMap((rules) =>
    rules.languages.map((language) => [language, (tree: ModuleTree) => createResolver(tree, rules)] as const),
  ),
  ...NAME_RULES.flatMap((rules) =>
    rules.languages.map(
      (language) => [language, (tree: ModuleTree) => createNameResolver(tree, rules)] as const,
    ),
  ),
]);

/** Returns true if the names of a language are resolved. In the others, uses are found by name only. */
export function isResolved(language: string): boolean {
  return BY_LANGUAGE.has(language);
}

/** Creates what finds the meaning of names in a language; undefined if they are found by name only. */
export function resolverFor(language: string, tree: ModuleTree): Resolver | undefined {
  return BY_LANGUAGE.get(language)?.(tree);
}
