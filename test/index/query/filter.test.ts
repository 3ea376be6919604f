import { describe, expect, it } from "vitest";
import { fileFilter } from "../../../src/index/query/filter.ts";

describe("the path of a search", () => {
  it("is a folder, a file or a glob, also if the folder has a name like a glob", () => {
    const accepts = (path: string, file: string): boolean | undefined =>
      fileFilter({ path })?.({ path: file });
    expect(accepts("app/[user]", "app/[user]/[repo]/page.tsx")).toBe(true);
    expect(accepts("app/[user]/[repo]/page.tsx", "app/[user]/[repo]/page.tsx")).toBe(true);
    expect(accepts("app/[user]", "app/other/page.tsx")).toBe(false);
    expect(accepts("app/[ab].ts", "app/a.ts")).toBe(true);
  });
});
