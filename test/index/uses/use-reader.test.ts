import { describe, expect, it } from "vitest";
import type { ViewFile } from "../../../src/index/live/view.ts";
import { createRecorder } from "../../../src/index/store/recorder.ts";
import { pathFacts } from "../../../src/index/text/paths.ts";
import { createUseReader } from "../../../src/index/uses/use-reader.ts";
import { openIndexStore } from "../../../src/storage/sqlite/index-store.ts";
import { makeFolder } from "../../support/folder.ts";

describe("reading the uses of names from the index", () => {
  it("returns what was recorded of a blob, read once for many files", async () => {
    const folder = makeFolder();
    const store = await openIndexStore(`${folder}/index.db`);
    const recorder = createRecorder();
    const bytes = Buffer.from('import { a } from "./a";\na();\n');
    const [record] = await recorder.record([{ key: "k", bytes, language: "typescript" }]);
    if (record === undefined) throw new Error("nothing was recorded");
    const { projectId } = await store.project(folder, folder);
    const records = [{ key: "k", record }];
    await store.publish({ projectId, ref: "live", records, changed: [], removed: [], at: 1 });
    const file = (path: string, key: string): ViewFile => ({
      path,
      key,
      segment: 0,
      document: 0,
      facts: pathFacts(path),
    });
    const reader = createUseReader(store);
    await reader.load([file("a.ts", "k"), file("copy.ts", "k"), file("gone.ts", "none")]);
    await recorder.close();
    await store.close();
    // Everything was loaded before the store was closed.
    expect(await reader.factsOf(file("copy.ts", "k"))).toEqual({
      uses: [
        { name: "a", line: 1, role: "import", receiver: "none" },
        { name: "a", line: 2, role: "call", receiver: "none" },
      ],
      links: [{ kind: "import", line: 1, module: "./a", names: [{ name: "a", as: "a" }], all: false }],
      marks: new Map(),
      isModule: true,
    });
  });
});
