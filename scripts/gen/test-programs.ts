import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";

/**
 * Writes the names of programs that do nothing but run tests as a module of its own, because a command is planned before the build tools and their
 * parsers are loaded.
 */
export function testProgramsModule(): string {
  const isOnlyForTests = (program: string): boolean =>
    buildTools
      .filter((tool) => tool.id === program || tool.programs?.includes(program) === true)
      .every((tool) => tool.kinds.every((kind) => kind === "test"));
  const programs = buildTools
    .flatMap((tool) => tool.programs ?? [])
    .filter((program) => isOnlyForTests(program))
    .sort();
  return [
    "// Generated from the tools' `programs` by `npm run gen`; edit the tools instead.",
    "",
    "/** Names of programs that do nothing but run tests. */",
    "export const TEST_PROGRAMS: ReadonlySet<string> = new Set([",
    ...[...new Set(programs)].map((program) => `  ${JSON.stringify(program)},`),
    "]);",
    "",
  ].join("\n");
}
