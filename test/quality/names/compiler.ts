import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SyntaxKind } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";
import type { Truth } from "../outlines/truth.ts";
import { declarationsOf } from "../outlines/typescript-ast.ts";

/** Returns the definitions that Pith's own TypeScript compiler finds in TypeScript and JavaScript files. */
export function compilerTruth(files: readonly string[]): Map<string, Truth[]> {
  const folder = mkdtempSync(join(tmpdir(), "pith-names-"));
  const config = join(folder, "tsconfig.json");
  // Each file is parsed separately, because its imports declare nothing in it.
  const compilerOptions = { noResolve: true, noLib: true, allowJs: true, types: [] };
  writeFileSync(config, JSON.stringify({ compilerOptions, files }));
  const api = new API();
  try {
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    const found = new Map<string, Truth[]>();
    for (const path of files) {
      const file = program?.getSourceFile(path);
      if (file !== undefined) found.set(path, declarationsOf(file, path, { SyntaxKind }));
    }
    return found;
  } finally {
    api.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
