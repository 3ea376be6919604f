import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type ChangedProject, NPM_PROJECTS, SYSTEM_PROJECTS } from "../runs/changed-projects.ts";
import { call } from "../support/client.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";
import { installTools } from "../support/node-tools.ts";

/** Runs the tests of a change with the runner of each language; slow ones only with PITH_TEST_RUNNERS=all. */
const ALL = process.env["PITH_TEST_RUNNERS"] === "all";
const NPM_PACKAGES = ["mocha@11", "jest@29", "ava@6", "vitest@4"];
/** Compilers are slow on a loaded machine. */
const TIMEOUT_MS = 240_000;

/** Programs that keep their toolchains in the home folder, which the server under test does not see. */
const TOOLCHAINS = { RUSTUP_HOME: process.env["RUSTUP_HOME"] ?? join(homedir(), ".rustup") };

const tools = ALL ? installTools("changed-tests", NPM_PACKAGES, { anyNode: true }) : undefined;
const modules = tools && join(tools.folder, "node_modules");

for (const [name, project] of Object.entries(NPM_PROJECTS))
  it.skipIf(modules === undefined)(`runs the chosen tests with ${name}`, { timeout: TIMEOUT_MS }, () =>
    check(project),
  );

for (const [name, project] of Object.entries(SYSTEM_PROJECTS)) {
  const isThere = (ALL || project.quick === true) && works(project);
  if (!isThere) console.warn(`${name} is NOT run here${ALL ? "" : " (PITH_TEST_RUNNERS=all)"}`);
  it.skipIf(!isThere)(`runs the chosen tests with ${name}`, { timeout: TIMEOUT_MS }, () => check(project));
}

async function check({ files, setup, edited, chosen, red, green, program }: ChangedProject): Promise<void> {
  const folder = temporaryRepository(files);
  onTestFinished(() => folder.dispose());
  if (modules !== undefined && program === "node") symlinkSync(modules, join(folder.root, "node_modules"));
  if (program === "phpunit") linkComposerProgram(folder.root, program);
  if (setup !== undefined) {
    const [first, ...rest] = setup;
    execFileSync(first, rest, { cwd: folder.root, stdio: "ignore" });
  }
  const client = await connect(folder.root, { env: TOOLCHAINS });
  const run = async (pattern: RegExp): Promise<void> => {
    const text = await call(client, "build", {
      action: "exec",
      tool: "tests of my changes",
      timeout_ms: TIMEOUT_MS,
    });
    const [first = "", ...others] = text.split("\n");
    expect(first).toContain("2 of 4 test files for 1 changed file: ");
    for (const path of chosen) expect(first).toContain(`${path} (`);
    expect(others[0]).toMatch(/^not chosen: 2 other test files; all: \S/);
    expect(text).toMatch(pattern);
  };
  const source = files[edited] ?? "";
  folder.write(edited, source.replace("* 2", "* 3"));
  await run(red);
  folder.write(edited, source.replace("* 2", "* 1 * 2"));
  await run(green);
}

/** Composer would put the program there. */
function linkComposerProgram(root: string, program: string): void {
  const path = spawnSync("sh", ["-c", `command -v ${program}`], { encoding: "utf8" }).stdout.trim();
  mkdirSync(join(root, "vendor/bin"), { recursive: true });
  symlinkSync(path, join(root, "vendor/bin", program));
}

/** Returns whether the program really runs; a version manager may have installed only its shim. */
function works({ program, probe = ["--version"] }: ChangedProject): boolean {
  return spawnSync(program, probe, { stdio: "ignore", timeout: 60_000 }).status === 0;
}
