import type { Random } from "./random.ts";
import type { Tree } from "./tree.ts";

/** Makes one change to the tree, as people and their tools do. */
export function editOnce(tree: Tree, random: Random): void {
  const files = [...tree.files()];
  const [path, text] = files.length > 0 ? random.pick(files) : ["", ""];
  if (files.length < 3) return createFile(tree);
  random.pick<() => void>([
    () => createFile(tree),
    () => tree.write(path, tree.randomSource(extensionOf(path))),
    // This moves every definition.
    () => tree.write(path, `${"\n".repeat(random.int(1, 9))}${text}`),
    () => tree.write(path, `${text}${tree.randomSource(extensionOf(path))}`),
    () => tree.remove(path),
    () => moveFile(tree, path),
    () => tree.overwriteQuietly(path, renamed(text, random)),
    () => tree.write(path, renamed(text, random)),
    () => writeInBursts(tree, path, random),
    () => tree.setTime(path, new Date(random.pick([0, 1e12, 4e12]) + random.int(0, 1e9))),
  ])();
}

/** Creates the initial tree, in a repository or in a plain folder. */
export function plant(tree: Tree, random: Random, files: number): void {
  for (let i = 0; i < files; i++) createFile(tree);
  if (!random.chance(0.7)) return;
  tree.git("init", "-q", "-b", "main");
  tree.git("add", "-A");
  tree.git("commit", "-q", "-m", "first");
}

/** Commits the current state, so that a later checkout can restore it. */
export function commitAll(tree: Tree): Map<string, string> {
  tree.git("add", "-A");
  tree.git("commit", "-q", "--allow-empty", "-m", "more");
  return tree.files();
}

/** Checks out a commit, so that many files change, appear and disappear at once. */
export function goBackTo(tree: Tree, commit: string, held: ReadonlyMap<string, string>): void {
  const texts = new Map<string, string | undefined>(held);
  for (const path of tree.files().keys()) if (!held.has(path)) texts.set(path, undefined);
  tree.bulk(texts, () => {
    tree.git("add", "-A");
    tree.git("reset", "-q", "--hard", commit);
  });
}

function createFile(tree: Tree): void {
  const path = tree.randomPath();
  tree.write(path, tree.randomSource(extensionOf(path)));
}

function moveFile(tree: Tree, path: string): void {
  const to = `${tree.randomPath().replace(/\.\w+$/, "")}.${extensionOf(path)}`;
  if (to !== path) tree.rename(path, to);
}

/** Writes several times within one tick of the file timestamp clock. */
function writeInBursts(tree: Tree, path: string, random: Random): void {
  let text = tree.files().get(path) ?? "";
  for (let i = random.int(2, 5); i > 0; i--) {
    text = renamed(text, random);
    tree.write(path, text);
  }
}

/** Replaces the text by one of the same size with other names. */
function renamed(text: string, random: Random): string {
  return text.replaceAll(/fn_[a-z]{9}/g, () => `fn_${random.word(9)}`);
}

function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}
