import { describe, expect, it } from "vitest";
import type { IndexStore, Publication } from "../../src/index/store/store.ts";

/** Tests that every index store must pass. Calling `open` again returns a second connection to the same store. */
export function testIndexStore(
  name: string,
  withStore: (test: (open: () => Promise<IndexStore>) => Promise<void>) => Promise<void>,
): void {
  const record = (text: string) => ({
    chunks: 1,
    // Bytes that are not valid text in any encoding.
    features: Buffer.from([0, 0xff, 0xc3, ...Buffer.from(text)]),
    outline: Buffer.from([0xfe, 0, ...Buffer.from(text)]),
    uses: Buffer.from([0xc3, 0, 0x28, ...Buffer.from(text)]),
  });
  const publication = (projectId: string, more: Partial<Publication> = {}): Publication => ({
    projectId,
    ref: "live",
    records: [],
    changed: [],
    removed: [],
    at: 1_000,
    ...more,
  });

  describe(`${name} as an index store`, () => {
    it("keeps records by key, for every connection", () =>
      withStore(async (open) => {
        const store = await open();
        const { projectId } = await store.project("/a", "/a");
        await store.publish(
          publication(projectId, {
            // Two files with the same content bring the same record twice.
            records: [
              { key: "k1", record: record("one") },
              { key: "k1", record: record("one") },
            ],
            changed: [
              { path: "x", key: "k1" },
              { path: "y", key: "k1" },
            ],
          }),
        );
        const other = await open();
        expect([...(await other.known(["k1", "k2"]))]).toEqual(["k1"]);
        const features = (await other.features(["k1", "k2"])).get("k1") ?? [];
        expect(Buffer.from(features)).toEqual(record("one").features);
        expect(Buffer.from((await other.outline("k1")) ?? [])).toEqual(record("one").outline);
        expect(await other.outline("k2")).toBeUndefined();
        const uses = await other.uses(["k1", "k2"]);
        expect([...uses.keys()]).toEqual(["k1"]);
        expect(Buffer.from(uses.get("k1") ?? [])).toEqual(record("one").uses);
        const many = Array.from({ length: 1_200 }, (_, i) => ({ key: `m${i}`, record: record(`${i}`) }));
        await store.publish(publication(projectId, { records: many }));
        expect((await other.features(many.map(({ key }) => key))).size).toBe(1_200);
        const manyUses = await other.uses(many.map(({ key }) => key));
        expect(Buffer.from(manyUses.get("m1199") ?? [])).toEqual(record("1199").uses);
      }));

    it("keeps one image per repository", () =>
      withStore(async (open) => {
        const store = await open();
        await store.project("/a", "/family");
        expect(await store.image("/family")).toBeUndefined();
        await store.saveImage("/family", Buffer.from("first"));
        const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7) % 256));
        await store.saveImage("/family", bytes);
        expect(bytes.equals((await (await open()).image("/family")) ?? Buffer.alloc(0))).toBe(true);
      }));

    it("keeps manifests, changes them in place, and knows when they are complete", () =>
      withStore(async (open) => {
        const store = await open();
        const { projectId } = await store.project("/a", "/a");
        expect(await store.manifest(projectId, "live")).toBeUndefined();
        const signature = { size: 3, modified: 1.5, changed: 2.25, inode: 2 ** 60, taken: 9 };
        await store.publish(
          publication(projectId, {
            changed: [
              { path: "b", skipped: "binary", signature },
              { path: "a", key: "k" },
            ],
          }),
        );
        expect(await store.manifest(projectId, "live")).toEqual({
          ref: "live",
          publishedAt: 1_000,
          complete: false,
          entries: [
            { path: "a", key: "k" },
            { path: "b", skipped: "binary", signature },
          ],
        });
        await store.publish(
          publication(projectId, { removed: ["b"], complete: true, commit: "abc", at: 2_000 }),
        );
        await store.publish(publication(projectId, { changed: [{ path: "a", key: "k2" }], at: 3_000 }));
        expect(await store.manifest(projectId, "live")).toEqual({
          ref: "live",
          commit: "abc",
          publishedAt: 3_000,
          complete: true,
          entries: [{ path: "a", key: "k2" }],
        });
        expect(await store.manifests(projectId)).toEqual([
          { ref: "live", commit: "abc", publishedAt: 3_000, complete: true, files: 1 },
        ]);
      }));

    it("assigns one project to a root, and keeps refs and projects apart", () =>
      withStore(async (open) => {
        const store = await open();
        const one = await store.project("/one", "/family");
        const two = await store.project("/two", "/family");
        expect((await store.project("/one", "/family")).projectId).toBe(one.projectId);
        expect(one.projectId).not.toBe(two.projectId);
        await store.publish(publication(one.projectId, { changed: [{ path: "a", key: "1" }] }));
        await store.publish(publication(one.projectId, { ref: "main", changed: [{ path: "a", key: "2" }] }));
        await store.publish(publication(two.projectId, { changed: [{ path: "a", key: "3" }] }));
        expect((await store.manifest(one.projectId, "main"))?.entries).toEqual([{ path: "a", key: "2" }]);
        expect((await store.manifest(two.projectId, "live"))?.entries).toEqual([{ path: "a", key: "3" }]);
        expect((await store.projects()).map(({ root }) => root).sort()).toEqual(["/one", "/two"]);
      }));

    it("removes records that no manifest references, once they are old enough", () =>
      withStore(async (open) => {
        const store = await open();
        const gone = await store.project("/gone", "/gone");
        const kept = await store.project("/kept", "/kept");
        await store.publish(
          publication(gone.projectId, {
            records: [{ key: "g", record: record("g") }],
            changed: [{ path: "a", key: "g" }],
          }),
        );
        await store.publish(
          publication(kept.projectId, {
            records: [{ key: "k", record: record("k") }],
            changed: [{ path: "a", key: "k" }],
          }),
        );
        const now = Date.now() + 1_000;
        const clear = (unusedSince: number, at: number) =>
          store.collect({ removedProjects: [gone.projectId], unusedSince, every: 5_000, now: at });
        expect(await clear(0, now)).toEqual({ blobs: 0 });
        expect(await clear(now, now + 1_000)).toEqual({ blobs: 0 });
        expect(await clear(now, now + 6_000)).toEqual({ blobs: 1 });
        expect([...(await store.known(["g", "k"]))]).toEqual(["k"]);
        expect(await store.manifest(gone.projectId, "live")).toBeUndefined();
      }));

    it("removes a project with the data that only it uses, and reports how much", () =>
      withStore(async (open) => {
        const store = await open();
        const one = await store.project("/one", "/family");
        const two = await store.project("/two", "/family");
        const publish = (projectId: string, ...keys: readonly string[]) =>
          store.publish(
            publication(projectId, {
              records: keys.map((key) => ({ key, record: record(key) })),
              changed: [...keys.map((key) => ({ path: key, key })), { path: "b", skipped: "binary" }],
            }),
          );
        await publish(one.projectId, "shared", "own");
        await publish(two.projectId, "shared");
        await store.saveImage("/family", Buffer.from("image"));
        expect(await store.removeProject("nobody")).toBeUndefined();
        expect(await store.removeProject(one.projectId)).toEqual({ manifests: 1, files: 3, blobs: 1 });
        expect(await store.removeProject(one.projectId)).toBeUndefined();
        expect([...(await (await open()).known(["shared", "own"]))]).toEqual(["shared"]);
        expect(await store.image("/family")).toBeDefined();
        expect(await store.removeProject(two.projectId)).toEqual({ manifests: 1, files: 2, blobs: 1 });
        expect(await store.image("/family")).toBeUndefined();
        expect(await store.projects()).toEqual([]);
      }));

    it("accepts concurrent publications of several connections", () =>
      withStore(async (open) => {
        const stores = [await open(), await open(), await open()];
        const keys = Array.from({ length: 60 }, (_, i) => `k${i}`);
        await Promise.all(
          stores.flatMap(async (store, at) => {
            const { projectId } = await store.project(`/p${at}`, "/family");
            // Each connection uses a different order, which must not cause a deadlock.
            const own = [...keys.slice(at * 20), ...keys.slice(0, at * 20)];
            await Promise.all(
              ["live", "main"].map((ref) =>
                store.publish(
                  publication(projectId, {
                    ref,
                    records: own.map((key) => ({ key, record: record(key) })),
                    changed: own.map((key) => ({ path: key, key })),
                  }),
                ),
              ),
            );
          }),
        );
        const [store] = stores;
        expect((await store?.features(keys))?.size).toBe(60);
        for (const { projectId } of (await store?.projects()) ?? [])
          expect((await store?.manifests(projectId))?.map(({ files }) => files)).toEqual([60, 60]);
      }));

    it("remembers unfinished jobs until they end or are reported", () =>
      withStore(async (open) => {
        const store = await open();
        const job = {
          jobId: "j1",
          projectId: "p",
          ref: "live",
          mode: "full",
          status: "running",
          changedFiles: 7,
          startedAt: 5,
          pid: 1,
          host: "h",
        } as const;
        await store.startJob(job);
        await store.startJob({ ...job, jobId: "j2", projectId: "q" });
        expect(await (await open()).jobs("p")).toEqual([job]);
        await store.endJob("j1", "failed", "disk full");
        expect(await store.jobs("p")).toEqual([{ ...job, status: "failed", message: "disk full" }]);
        await store.forgetJob("j1");
        await store.endJob("j2", "done");
        expect(await store.jobs()).toEqual([]);
      }));
  });
}
