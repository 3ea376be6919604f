import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import type { ObjectFormat } from "./private-git.ts";

export interface RepositoryShape {
  readonly format: ObjectFormat;
  /** Object folders of other repositories that are read as well. */
  readonly alternates?: readonly string[];
  /** What HEAD names: a commit's id. Left out, a branch that does not exist. */
  readonly head?: string;
  readonly bare?: boolean;
  /** Rules of info/exclude. */
  readonly excludes?: readonly string[];
}

/**
 * Makes a git directory by its files: a spawn of `git init` costs more and copies the user's templates, hooks among
 * them. It appears under its name when complete, so a process killed half-way leaves no half repository.
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

/** Says which other object folders a repository reads. */
export async function writeAlternates(gitDir: string, folders: readonly string[]): Promise<void> {
  const text = folders.map((folder) => `${quoteAlternate(folder)}\n`).join("");
  const file = join(gitDir, "objects", "info", "alternates");
  if (existsSync(file) && readFileSync(file, "utf8") === text) return;
  const draft = `${file}.${randomId(12)}`;
  await writeFile(draft, text);
  await rename(draft, file);
}

/**
 * Content goes in and out as the bytes that are on the disk. This file outranks every .gitattributes of the tree, so no
 * line end, keyword or encoding is converted and no filter program is asked for.
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

/** One folder a line; a name with a line break is written as a C string. */
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
    // Another process was faster, and its repository is as good.
    if (errno !== "ENOTEMPTY" && errno !== "EEXIST" && errno !== "EPERM") throw error;
  }
}
