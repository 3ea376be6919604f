// Generated from the tools' `pureCheck` and `packageManager` by `npm run gen`; edit the tools instead.

/** Names of programs that, with the right options, only check files and change nothing. */
export const CHECK_PROGRAMS: ReadonlySet<string> = new Set([
  "biome",
  "eslint",
  "flake8",
  "mypy",
  "oxlint",
  "prettier",
  "ruff",
  "stylelint",
  "tsc",
  "vue-tsc",
]);

/** Names of programs that run the scripts of a package.json. */
export const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(["bun", "npm", "pnpm", "yarn"]);
