import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { namePartCounter } from "../../src/index/rank/name-parts.ts";
import { createTestIndex, type TestIndex } from "../support/code-index.ts";
import { temporaryRepository, type GitFolder } from "../support/git-folder.ts";

const FILES = {
  "src/Screens.hs": `module Screens where

-- |
-- Show the given desktop on the current monitor. A desktop that another
-- monitor shows is swapped with it.

greedy :: Int -> State -> State
greedy n s
  | n == 0 = s
  | otherwise = s { now = n }

keep :: Int -> State -> State
keep n s
  | n == 0 = s
  | otherwise = s { desktop = n, monitor = n }

{- | Return the title of a document,
   shortened to fit the margin.
-}
short :: Text -> Text
short t
  | size t < 10 = t
  | otherwise = cut 10 t

long :: Text -> Text
long t
  | size t < 10 = t
  | otherwise = title margin t
`,
  "src/Engine.kt": `package org.demo.lazy.modules.loading

class Engine {
    fun awaitJobs() {
        val pending = jobs.filter { it.isLazy }
        pending.forEach { it.join() }
        jobs.clear()
        finished = true
    }
}
`,
};

let folder: GitFolder;
let test: TestIndex;
beforeAll(() => {
  folder = temporaryRepository(FILES);
  test = createTestIndex();
});
afterAll(async () => {
  await test.dispose();
  folder.dispose();
});

const placeIn = async (path: string, query: string) =>
  (await test.search(folder.root, query)).hits.find((hit) => hit.path === path)?.name;

describe("the place shown for a file", () => {
  it("is the function below a Haddock comment, also after an empty line", async () => {
    expect(await placeIn("src/Screens.hs", "swap a desktop with another monitor")).toBe("greedy");
  });

  it("is the function below a comment in brackets whose lines have no mark", async () => {
    expect(await placeIn("src/Screens.hs", "shortened title that fits the margin")).toBe("short");
  });

  it("is never the line that names the package", async () => {
    expect(await placeIn("src/Engine.kt", "loading of lazy modules")).toBe("awaitJobs");
  });
});

describe("the parts of a function's name", () => {
  const countIn = (...names: readonly string[]) =>
    namePartCounter(names.map((name) => ({ kind: "fn", name })));

  it("are counted without the prefix that the functions of the file share", () => {
    const partsIn = countIn("tool_install", "tool_remove", "tool_kernel_name", "usage");
    expect(["tool_install", "tool_kernel_name", "usage", "tool"].map(partsIn)).toEqual([1, 2, 1, 1]);
  });

  it("are all counted if the functions share no prefix, or are too few to tell", () => {
    expect(countIn("read_line", "write_line", "split_words", "join_words")("read_line")).toBe(2);
    expect(countIn("tool_install", "tool_remove")("tool_install")).toBe(2);
  });
});
