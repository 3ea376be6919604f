import { expect, it } from "vitest";
import { fixturesOf } from "../fixtures.ts";

/** Formats that users' logs had and parsers once missed, each with a real output that has it. */
const SEEN: Readonly<Record<string, readonly string[]>> = {
  "Gradle's names of tests": ["gradle/public-junit-5", "gradle/test"],
  "PHPStan's table after other text": ["phpstan/public-table"],
  "PHPStan's table in a narrow terminal": ["phpstan/narrow", "phpstan/wrapped-heading"],
  "progress before a path": ["gcc/progress"],
  "cl and the project behind its message": ["msvc/public-project"],
  "PHP's fatal errors over two lines": ["php/wrapped-fatal"],
  "a place inside MSBuild's message": ["dotnet/delphi-inside"],
  "lines without a severity": ["cppcheck/list"],
  "CMake without a place": ["cmake/no-place"],
  ".NET's terminal logger, wrapped": ["dotnet/terminal-hard-wrapped", "dotnet/terminal-hard-wrapped-name"],
  "Go's old times": ["go-test/seconds", "go-test/seconds-gccgo"],
  "go test -count": ["go-test/count", "go-test/count-flaky"],
  "no tests to run": ["go-test/no-tests-to-run"],
  "a panic after PASS": ["go-test/main-panic-after-pass"],
  "expected failures only": ["pytest/xfail-only"],
  "tests on Android devices": ["gradle/android-ci", "gradle/android-assertion"],
  "forge and solc": ["forge/test", "solc/forge-build"],
  "frames of dependencies": ["exunit/dependency-frames", "gradle/public-junit-5"],
  "boxes of composer and pnpm": ["composer/box", "pnpm/v10-ignored-scripts"],
  "Cypress's tables": ["cypress/public-failures", "cypress/windows"],
  gosec: ["gosec/public"],
  "cargo-audit": ["cargo-audit/clap-issue"],
  Flow: ["flow/check"],
  SQLFluff: ["sqlfluff/lint", "sqlfluff/parse"],
  "Code Climate's JSON": ["gitlab-code-quality/codeclimate-stream", "gitlab-code-quality/positions"],
  "path:line message": ["cppcheck/list"],
  "lists separated by tabs": ["cppcheck/tabs"],
  javadoc: ["javac/javadoc"],
  "gfortran's included files": ["gcc/fortran-include"],
  "remarks of Intel's compilers": ["gcc/icpc-report"],
  "Rolldown's warnings": ["rolldown/public-warning", "rolldown/public-cjs"],
  "the word missing beside a place": ["make/add-missing"],
  "runs inside runs": ["mocha/inner-run", "jest/inner-run", "vitest/inner-run", "pytest/inner-session"],
  "tests that ran again": ["maven/reruns", "gotestsum/rerun-fails", "playwright/retry-line", "pytest/reruns"],
};

it.each(Object.entries(SEEN))("%s is tested with real output", (_, names) => {
  const found = names.map((path) => {
    const [tool = "", name] = path.split("/");
    return fixturesOf(tool).find((one) => one.name === name)?.case;
  });
  for (const one of found) {
    expect(one?.origin).toMatch(/^(?:captured|public)$/);
    expect(one?.snapshot).toBeDefined();
    expect(one?.gap).toBeUndefined();
  }
});
