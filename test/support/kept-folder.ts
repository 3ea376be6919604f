import { onTestFinished } from "vitest";
import type { GitFolder } from "./git-folder.ts";

/** Registers the folder for removal when the test ends. */
export function kept(folder: GitFolder): GitFolder {
  onTestFinished(() => folder.dispose());
  return folder;
}
