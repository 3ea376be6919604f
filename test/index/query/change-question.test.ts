import { describe, expect, it } from "vitest";
import { changeQuestion } from "../../../src/index/changes/change-question.ts";

const CHANGES: readonly (readonly [string, object])[] = [
  ["what changed", {}],
  ["What changed?", {}],
  ["what has changed so far", {}],
  ["what's changed", {}],
  ["what did I change", {}],
  ["what have we changed in this repo?", {}],
  ["my uncommitted changes", {}],
  ["show me my uncommitted changes", {}],
  ["list all the local changes", {}],
  ["my changes", {}],
  ["can you please tell me what changed?", {}],
  ["could you show me my staged changes", { isStaged: true }],
  ["staged changes", { isStaged: true }],
  ["what are the staged changes", { isStaged: true }],
  ["what changed since main", { range: "main", isSinceFork: true }],
  ["changes since v1.2.0", { range: "v1.2.0", isSinceFork: true }],
  ["diff against origin/main", { range: "origin/main", isSinceFork: true }],
  ["what is different compared to the branch release/2", { range: "release/2", isSinceFork: true }],
  ["what changed since the last commit", {}],
  ["what changed in the last commit", { range: "HEAD~1..HEAD" }],
  ["changes in the last 3 commits", { range: "HEAD~3..HEAD" }],
  ["what has changed over the last two commits", { range: "HEAD~2..HEAD" }],
  ["what changed within the past 12 commits?", { range: "HEAD~12..HEAD" }],
  ["changes in HEAD~3..HEAD", { range: "HEAD~3..HEAD" }],
  ["what changed main...feature/x", { range: "main...feature/x" }],
  ["changes between v1 and v2", { range: "v1..v2" }],
  ["what changed from v1 to v2?", { range: "v1..v2" }],
  ["changes in commit 3f2a91c", { range: "3f2a91c~1..3f2a91c" }],
  ["what changed in src/app", { path: "src/app" }],
  ["what changed since main in src/app/a.ts", { range: "main", isSinceFork: true, path: "src/app/a.ts" }],
];

const SEARCHES = [
  "what changed event handler",
  "what changed the price",
  "changes",
  "diff",
  "changelog",
  "onChange handler",
  "what changes when a user logs in",
  "what is new in the parser",
  "my changes are lost after a restart",
  "staged rollout",
  "uncommitted transaction",
  "where are changes recorded",
  "changes to the cart are not saved",
  "how does changed state reach the view",
  "detect what changed between two objects",
  "list changes of the watcher",
  "what has been changed by the migration script when it fails",
  "local changes overwritten by sync error",
  "diff algorithm",
  "what did I change\nbroke the build",
];

describe("a question about changes", () => {
  it.each(CHANGES)("is seen in %j", (text, expected) => {
    const { refs: _, ...found } = changeQuestion(text) ?? { refs: ["none"], missing: true };
    expect(found).toEqual(expected);
  });

  it.each(SEARCHES)("is not seen in %j", (text) => {
    expect(changeQuestion(text)).toBeUndefined();
  });

  it("takes linear time", () => {
    expect(changeQuestion(`what changed in ${"a/".repeat(50_000)}`)).toBeUndefined();
    expect(changeQuestion("show ".repeat(20_000))).toBeUndefined();
  });
});
