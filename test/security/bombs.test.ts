import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { call, connect } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { peakMemoryOf } from "../support/peak-memory.ts";

const MEGABYTE = 1024 * 1024;

it("does not unpack data that is small in a repository but huge when unpacked", async () => {
  const folder = temporaryRepository({ "a.py": "def answer():\n    return 1\n" });
  try {
    // Git stores these files in a few hundred kilobytes.
    folder.write("bomb.py", Buffer.alloc(100 * MEGABYTE, "a = 1\n"));
    folder.git("add", "-A");
    folder.git("commit", "-q", "-m", "bomb");
    folder.remove("bomb.py");
    const client = await connect(folder.root);
    const { pid } = client.transport as { pid?: number };
    expect(await call(client, "search_code", { query: "answer", ref: "main" })).toContain("a.py:1");
    await call(client, "get_file_outline", { path: "bomb.py", ref: "main" });
    expect(peakMemoryOf(pid)).toBeLessThan(320 * MEGABYTE);
  } finally {
    folder.dispose();
  }
});

it("handles archives and files that claim to be huge", async () => {
  const work = makeFolder({ "a.py": "def answer():\n    return 1\n" });
  writeFileSync(join(work, "sparse.py"), "def sparse():\n    pass\n");
  truncateSync(join(work, "sparse.py"), 20 * 1024 * MEGABYTE);
  writeFileSync(join(work, "zip.gz"), gzipSync(Buffer.alloc(50 * MEGABYTE)));
  const client = await connect(work);
  const { pid } = client.transport as { pid?: number };
  expect(await call(client, "search_code", { query: "answer" })).toContain("a.py:1");
  expect(await call(client, "read", { file_path: "zip.gz" })).toContain("not_text");
  await call(client, "get_file_outline", { path: "sparse.py" });
  expect(peakMemoryOf(pid)).toBeLessThan(320 * MEGABYTE);
});

it("expands no XML entity of a report", async () => {
  const entities = Array.from({ length: 30 }, (_, i) => `<!ENTITY e${i + 1} "&e${i};&e${i};&e${i};">`).join(
    "",
  );
  const xml = `<!DOCTYPE x [<!ENTITY e0 "boom"><!ENTITY out SYSTEM "file:///etc/passwd">${entities}]>
<testsuite name="s" tests="1" failures="1"><testcase name="t"><failure message="&e30;&out;">x</failure></testcase></testsuite>`;
  const work = makeFolder({ "report.xml": xml });
  const client = await connect(work);
  const { pid } = client.transport as { pid?: number };
  const said = await call(client, "build", { action: "exec", tool: "cat report.xml; exit 1" });
  expect(said).toContain("exit 1");
  expect(said).not.toMatch(/boomboom|root:/);
  expect(peakMemoryOf(pid)).toBeLessThan(320 * MEGABYTE);
});
