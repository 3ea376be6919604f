import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { readSmallText } from "../../kernel/files/small-file.ts";
import type { ObjectFormat } from "./private-git.ts";

export interface RepositoryShape {
  readonly format: ObjectFormat;
  /** Object folders of other repositories from which this repository may read objects. */
  readonly alternates?: readonly string[];
  /** Id of the commit to which HEAD points. By default HEAD points to a branch that does not exist. */
  readonly head?: string;
  readonly bare?: boolean;
  /** Ignore rules that are written to `info/exclude`. */
  readonly excludes?: readonly string[];
}

/**
 * Creates a git directory by writing its files. Running `git init` would be slower and would copy the user's templates
 * with their hooks. The directory gets its name when it is complete, so a killed process leaves no partial repository.
 */
export async function makeRepository(gitDir: string, shape: RepositoryShape): Promise<void> {
  if (existsSync(join(gitDir, "HEAD"))) return;
  const parent = dirname(gitDir);
  await makePrivateFolder(parent);
  const draft = join(parent, `.new-${randomId(12)}`);
  await mkdir(join(draft, "objects", "info"), { recursive: true, mode: 0o700 });
  await mkdir(join(draft, "objects", "pack"));
  await mkdir(join(draft, "refs"));
  await mkdir(join(draft, "info"));
  await writeFile(join(draft, "config"), configText(shape));
  await writeFile(join(draft, "info", "attributes"), RAW_ATTRIBUTES);
  if (shape.excludes !== undefined)
    await writeFile(join(draft, "info", "exclude"), `${shape.excludes.join("\n")}\n`);
  if (shape.alternates !== undefined) await writeAlternates(draft, shape.alternates);
  await writeFile(join(draft, "HEAD"), `${shape.head ?? "ref: refs/heads/none"}\n`);
  await publish(draft, gitDir);
}

/** Sets the object folders of other repositories from which a repository reads. */
export async function writeAlternates(gitDir: string, folders: readonly string[]): Promise<void> {
  const text = folders.map((folder) => `${quoteAlternate(folder)}\n`).join("");
  const file = join(gitDir, "objects", "info", "alternates");
  if (readSmallText(file) === text) return;
  const draft = `${file}.${randomId(12)}`;
  await writeFile(draft, text);
  await rename(draft, file);
}

/**
 * Git attributes with which files are stored and checked out byte by byte. They take precedence over every
 * .gitattributes file of the tree, so git converts no line ending, keyword or encoding and runs no filter program.
 */
const RAW_ATTRIBUTES = "* -text -eol -ident -filter -working-tree-encoding\n";

function configText({ format, bare = true }: RepositoryShape): string {
  const sha256 = format === "sha256";
  return [
    "[core]",
    `\trepositoryformatversion = ${sha256 ? 1 : 0}`,
    `\tbare = ${bare}`,
    "\tfilemode = true",
    ...(sha256 ? ["[extensions]", "\tobjectformat = sha256"] : []),
    "[gc]",
    "\tauto = 0",
    "",
  ].join("\n");
}

/**
 * Formats a path for git's `alternates` file, which has one path per line; a path with a line break is quoted like a C
 * string.
 */
function quoteAlternate(folder: string): string {
  if (!/["\n]/.test(folder)) return folder;
  return `"${folder.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`;
}

async function publish(draft: string, gitDir: string): Promise<void> {
  try {
    await rename(draft, gitDir);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const errno = errnoOf(error);
    // Another process has created the same repository first, and its result is used.
    if (errno !== "ENOTEMPTY" && errno !== "EEXIST" && errno !== "EPERM") throw error;
  }
}
