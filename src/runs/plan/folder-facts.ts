import type { packageManagers } from "../../diagnostics/registry/tool-names.ts";
import type { FolderFacts, PackageFacts } from "../../diagnostics/tool.ts";
import { compileGlob } from "../../security/glob.ts";
import { type FolderFiles, readFolder } from "../../workspace/files/folder-files.ts";

/** Reads the facts about a folder (its files and package.json) by which build tools decide whether they fit it. */
export async function folderFacts(folder: string, root: string): Promise<FolderFacts> {
  const tools = await import("../../diagnostics/registry/tool-names.ts");
  const files = readFolder(folder, root);
  return {
    has: (name) => (name.includes("/") ? files.hasBelow(name) : files.names.some(nameMatcher(name))),
    nearest: (name) => files.nearest(name)?.text,
    names: (path) => files.namesBelow(path),
    read: (path) => files.readBelow(path),
    packageJson: packageFacts(files, tools.packageManagers),
  };
}

/** Makes a function that tests file names against a name or a glob such as `*.csproj`. */
export function nameMatcher(pattern: string): (name: string) => boolean {
  return pattern.includes("*") ? compileGlob(pattern) : (name) => name === pattern;
}

const DEPENDENCY_GROUPS = [
  "dependencies",
  "devDependencies",
  "optionalDependencies",
  "peerDependencies",
] as const;

function packageFacts(files: FolderFiles, managers: typeof packageManagers): PackageFacts | undefined {
  const found = files.nearest("package.json");
  const manifest = found === undefined ? undefined : readObject(found.text);
  if (manifest === undefined) return undefined;
  const groups = DEPENDENCY_GROUPS.map((group) => textsOf(manifest[group]));
  return {
    scripts: textsOf(manifest["scripts"]),
    dependencies: Object.assign({}, ...groups.reverse()) as Record<string, string>,
    packageManager: managerOf(manifest, files, managers),
  };
}

/** Returns the package manager that package.json names, or else the one whose lock file is found. */
function managerOf(
  manifest: Readonly<Record<string, unknown>>,
  files: FolderFiles,
  managers: typeof packageManagers,
): string {
  const named = textsOf(manifest)["packageManager"]?.split("@")[0];
  const byLock = managers.find(({ packageManager }) =>
    packageManager.lockFiles.some((lock) => files.nearest(lock) !== undefined),
  );
  return (managers.find(({ id }) => id === named) ?? byLock ?? managers.at(-1))?.id ?? "";
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
    // package.json may be invalid because it is being edited; then the folder is treated as one without a package.json.
    return undefined;
  }
}
