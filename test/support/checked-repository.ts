import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { makeFolder } from "./folder.ts";
import { folderAt, type GitFolder, temporaryFolder } from "./git-folder.ts";

const PACKAGES = join(import.meta.dirname, "../../node_modules");

/**
 * Creates a TypeScript project in a repository, with its own copy of the compiler. It is one folder below a folder that
 * the test may change too.
 */
export function makeCheckedRepository(files: Readonly<Record<string, string>> = {}): GitFolder {
  const outer = temporaryFolder();
  const root = join(outer.root, "project");
  const folder = folderAt(root, {
    ".gitignore": "node_modules\ngenerated\n",
    "tsconfig.json":
      '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler", "types": [], "lib": ["es2022"] }, "include": ["src", "generated"] }\n',
    "package.json": '{ "scripts": { "types": "tsc --noEmit", "lint": "tsc --noEmit && echo done" } }\n',
    "src/a.ts": 'import { b } from "./b";\nexport const a: number = b;\n',
    "src/b.ts": "export const b = 1;\n",
    "generated/c.ts": "export const c: number = 1;\n",
    ...files,
  });
  installTypeScript(root);
  folder.git("init", "-q", "-b", "main");
  folder.git("add", "-A");
  folder.git("commit", "-q", "-m", "first");
  return { ...folder, dispose: () => outer.dispose() };
}

function installTypeScript(root: string): void {
  for (const name of ["typescript", "@typescript"])
    cpSync(join(PACKAGES, name), join(root, "node_modules", name), { recursive: true });
  mkdirSync(join(root, "node_modules/.bin"));
  symlinkSync("../typescript/bin/tsc", join(root, "node_modules/.bin/tsc"));
}

/** Variables under which a checker reads nothing of the machine that runs the tests. */
export function checkVariables(home: string = makeFolder()): Record<string, string> {
  return { PATH: [dirname(process.execPath), "/usr/bin", "/bin"].join(delimiter), HOME: home };
}
