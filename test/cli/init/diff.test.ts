import { expect, it } from "vitest";
import { unifiedDiff } from "../../../src/cli/init/diff.ts";

it("shows the changed lines with three context lines", () => {
  expect(unifiedDiff("f", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\n5\nnew\n6\n7\n8\n9\n")).toBe(
    "--- f\n+++ f\n@@ -3,6 +3,7 @@\n 3\n 4\n 5\n+new\n 6\n 7\n 8\n",
  );
  expect(unifiedDiff("f", "a\nb\n", "a\nc\n")).toBe("--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
});

it("shows a file that is created and one that is removed", () => {
  expect(unifiedDiff("f", undefined, "a\n")).toBe("--- (no file)\n+++ f\n@@ -0,0 +1,1 @@\n+a\n");
  expect(unifiedDiff("f", "a\r\nb", undefined)).toBe("--- f\n+++ (no file)\n@@ -1,2 +0,0 @@\n-a\n-b\n");
});
