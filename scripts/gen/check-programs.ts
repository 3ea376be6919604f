import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";

/**
 * Writes the names of programs that may only check as a module of its own, because every command is compared with them and most need none of the
 * build tools.
 */
export function checkProgramsModule(): string {
  const programs = buildTools
    .filter((tool) => tool.pureCheck !== undefined)
    .flatMap((tool) => tool.programs ?? [tool.id])
    .sort();
  const managers = buildTools.filter((tool) => tool.packageManager !== undefined).map(({ id }) => id);
  return [
    "// Generated from the tools' `pureCheck` and `packageManager` by `npm run gen`; edit the tools instead.",
    "",
    "/** Names of programs that, with the right options, only check files and change nothing. */",
    "export const CHECK_PROGRAMS: ReadonlySet<string> = new Set([",
    ...[...new Set(programs)].map((program) => `  ${JSON.stringify(program)},`),
    "]);",
    "",
    "/** Names of programs that run the scripts of a package.json. */",
    `export const SCRIPT_RUNNERS: ReadonlySet<string> = new Set(${JSON.stringify(managers.sort()).replaceAll(",", ", ")});`,
    "",
  ].join("\n");
}
