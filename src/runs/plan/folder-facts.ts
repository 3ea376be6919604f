import type { FolderFacts, PackageFacts } from "../../diagnostics/tool.ts";
import { compileGlob } from "../../security/glob.ts";
import { type FolderFiles, readFolder } from "../../workspace/files/folder-files.ts";

/** What the named tools look at to tell whether they fit a folder. */
export function folderFacts(folder: string, root: string): FolderFacts {
  const files = readFolder(folder, root);
  return {
    has: (name) => files.names.some(nameMatcher(name)),
    nearest: (name) => files.nearest(name)?.text,
    packageJson: packageFacts(files),
  };
}

/** Tests file names against a name or against a glob such as `*.csproj`. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  return pattern.includes("*") ? compileGlob(pattern) : (name) => name === pattern;
}

const DEPENDENCY_GROUPS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;
/** Which manager writes which lock file; the first that is found counts. */
const LOCKS: readonly (readonly [string, PackageFacts["packageManager"]])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];

function packageFacts(files: FolderFiles): PackageFacts | undefined {
  const found = files.nearest("package.json");
  const manifest = found === undefined ? undefined : readObject(found.text);
  if (manifest === undefined) return undefined;
  const groups = DEPENDENCY_GROUPS.map((group) => textsOf(manifest[group]));
  return {
    scripts: textsOf(manifest["scripts"]),
    dependencies: Object.assign({}, ...groups.reverse()) as Record<string, string>,
    packageManager: managerOf(manifest, files),
  };
}

function managerOf(
  manifest: Readonly<Record<string, unknown>>,
  files: FolderFiles,
): PackageFacts["packageManager"] {
  const named = textsOf(manifest)["packageManager"]?.split("@")[0];
  for (const manager of ["npm", "pnpm", "yarn", "bun"] as const) if (named === manager) return manager;
  return LOCKS.find(([lock]) => files.nearest(lock) !== undefined)?.[1] ?? "npm";
}

function textsOf(value: unknown): Record<string, string> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null ? { ...value } : undefined;
  } catch {
    // A manifest that is being edited: the folder then has no package facts.
    return undefined;
  }
}
