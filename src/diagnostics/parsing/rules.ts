/** Rules whose names tell their tool: reports that many tools write do not always name it. */
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

/** The tool that a rule belongs to, where its name tells. */
export function toolOfRule(code: string | undefined): string | undefined {
  return code === undefined ? undefined : OWNERS.find(([shape]) => shape.test(code))?.[1];
}
