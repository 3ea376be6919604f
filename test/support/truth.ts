import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { TestIndex } from "./code-index.ts";

/** Compares every answer about Python definitions with a plain scan of the real files. */
export interface Truth {
  /** Checks the answers for a folder. Names that existed at an earlier check are queried too, and must be gone. */
  holds(root: string, step: string): Promise<void>;
}

export function createTruth(test: TestIndex): Truth {
  const names = new Set<string>(["never_defined"]);
  return {
    async holds(root, step) {
      const real = scan(root);
      for (const places of real.values()) for (const { name } of places) names.add(name);
      const located = await Promise.all([...names].map((name) => test.locate(root, name)));
      const answered = located.flatMap(({ hits, metadata }) => {
        expect(metadata, step).toMatchObject({ freshness_status: "fresh", indexing_status: "ready" });
        return hits.filter((hit) => hit.match === undefined && hit.kind !== "import");
      });
      expect(answered.map((hit) => `${hit.path}:${hit.lineStart} ${hit.name}`).sort(), step).toEqual(
        [...real].flatMap(([path, all]) => all.map(({ name, line }) => `${path}:${line} ${name}`)).sort(),
      );
      expect(
        answered.filter((hit) => hit.stale === true),
        step,
      ).toEqual([]);
      await Promise.all([...real].map(([path, places]) => outlineHolds({ root, path, places, step })));
      await Promise.all([...names].map((name) => searchHolds({ root, name, step })));
    },
  };

  async function outlineHolds(asked: { root: string; path: string; places: Places; step: string }) {
    const { root, path, places, step } = asked;
    const { symbols, stale } = await test.index.outline({ root, path, depth: "all" });
    expect(stale, step).toBe(false);
    expect(
      symbols.map(({ name, lineStart }) => ({ name, line: lineStart })),
      `${step}: ${path}`,
    ).toEqual(places);
  }

  async function searchHolds(asked: { root: string; name: string; step: string }) {
    const { root, name, step } = asked;
    const { hits, metadata } = await test.search(root, name, { level: "concise" });
    expect(metadata.freshness_status, step).toBe("fresh");
    for (const hit of hits) {
      expect(isRealFile(root, hit.path), `${step}: ${hit.path}`).toBe(true);
      const shown = linesOf(root, hit.path).slice(hit.lineStart - 1, hit.lineEnd);
      expect(hit.content, `${step}: ${hit.path}`).toBe(shown.join("\n"));
    }
  }
}

type Places = readonly { readonly name: string; readonly line: number }[];
type Scan = ReadonlyMap<string, Places>;

/** Returns every definition in every file that git lists, or that a plain folder contains. */
function scan(root: string): Scan {
  const found = new Map<string, Places>();
  for (const path of filesOf(root)) {
    if (!path.endsWith(".py") || !isRealFile(root, path)) continue;
    const places = linesOf(root, path).flatMap((line, i) => {
      const name = /^def (\w+)/.exec(line)?.[1];
      return name === undefined ? [] : [{ name, line: i + 1 }];
    });
    found.set(path, places);
  }
  return found;
}

function filesOf(root: string): ReadonlySet<string> {
  const list = (...args: string[]): string[] => {
    const output = execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.split("\0").filter((path) => path !== "");
  };
  try {
    const cached = list("ls-files", "-z", "--cached", "--recurse-submodules");
    return new Set([...cached, ...list("ls-files", "-z", "--others", "--exclude-standard")]);
  } catch {
    // The folder is not a git repository.
    const output = execFileSync("find", [".", "-type", "f", "-name", "*.py"], {
      cwd: root,
      encoding: "utf8",
    });
    return new Set(output.split("\n").map((path) => path.replace(/^\.\//, "")));
  }
}

/** True if the path is neither a symbolic link nor below one. */
function isRealFile(root: string, path: string): boolean {
  try {
    return (
      realpathSync(join(root, path)) === join(realpathSync(root), path) &&
      lstatSync(join(root, path)).isFile()
    );
  } catch {
    // Git lists the file, but it does not exist.
    return false;
  }
}

function linesOf(root: string, path: string): string[] {
  return readFileSync(join(root, path), "utf8").split("\n");
}
