import { expect, it } from "vitest";
import { relativePath } from "../../src/index/core.ts";

it.skipIf(process.platform === "win32")("keeps a backslash in the name of a file", () => {
  expect(relativePath("/work", "/work/src/we\\ird.ts")).toBe("src/we\\ird.ts");
  expect(relativePath("/work", "./we\\ird.ts")).toBe("we\\ird.ts");
});
