/** Rule names that identify their tool, for report formats that many tools share and that do not always name the tool. */
const OWNERS: readonly (readonly [RegExp, string])[] = [
  [/^(?:lint|assist|parse|format)\/\w/, "biome"],
  [/^[\w-]{1,40}\([\w/-]{1,80}\)$/, "oxlint"],
  [/^SC\d{4}$/, "shellcheck"],
  [/^TS\d{4,5}$/, "tsc"],
  [/^CS\d{4}$/, "dotnet"],
  [/^DL\d{4}$/, "hadolint"],
  [/^MD\d{3}$/, "markdownlint"],
  [/^(?:Layout|Style|Lint|Metrics|Naming|Security|Bundler|Gemspec|Rails)\/[A-Z]/, "rubocop"],
];

/** Returns the tool that a rule belongs to, if its name identifies the tool. */
export function toolOfRule(code: string | undefined): string | undefined {
  return code === undefined ? undefined : OWNERS.find(([shape]) => shape.test(code))?.[1];
}
