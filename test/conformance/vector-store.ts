import { describe, expect, it } from "vitest";
import { quantise } from "../../src/semantic/quantise.ts";
import { encodeSlices } from "../../src/semantic/slices.ts";
import type { SpaceModel, VectorStore } from "../../src/semantic/store.ts";

/** Tests that every vector store must pass. Calling `open` again returns a second connection to the same store. */
export function testVectorStore(
  name: string,
  withStore: (test: (open: () => Promise<VectorStore>) => Promise<void>) => Promise<void>,
): void {
  const model: SpaceModel = {
    provider: "ollama",
    model: "toy",
    dimensions: 0,
    documentPrefix: "doc: ",
    queryPrefix: "q: ",
  };
  const chunk = (number: number) => `chunk${String(number).padStart(6, "0")}`;
  const vector = (number: number) =>
    quantise(Float32Array.of(Math.cos(number / 100), Math.sin(number / 100), 0.25));

  describe(`${name} as a vector store`, () => {
    it("keeps the space of a model separate from those of other models", () =>
      withStore(async (open) => {
        const store = await open();
        const space = await store.space(model, 5);
        expect(space).toMatchObject({ ...model, width: 0, lastUsed: 5 });
        const again = await (await open()).space({ ...model, queryPrefix: "question: " }, 9);
        expect(again).toMatchObject({ spaceId: space.spaceId, queryPrefix: "question: ", lastUsed: 9 });
        const others = [
          { ...model, model: "other" },
          { ...model, dimensions: 2 },
          { ...model, documentPrefix: "" },
        ];
        const ids = await Promise.all(others.map(async (one) => (await store.space(one, 1)).spaceId));
        expect(new Set([space.spaceId, ...ids]).size).toBe(4);
        await store.save(space.spaceId, [{ chunk: "a", vector: vector(1) }]);
        expect((await store.spaces())[0]).toMatchObject({ spaceId: space.spaceId, width: 3 });
        expect([...(await store.known(ids[0] ?? 0, ["a"]))]).toEqual([]);
      }));

    it("stores slices and vectors by name, for every connection", () =>
      withStore(async (open) => {
        const store = await open();
        const { spaceId } = await store.space(model, 1);
        const slices = encodeSlices([{ chunk: "a", lineStart: 1, lineEnd: 9 }]);
        await store.saveSlices([
          { key: "k", slices },
          { key: "empty", slices: encodeSlices([]) },
        ]);
        const many = Array.from({ length: 1_200 }, (_, i) => ({ chunk: chunk(i), vector: vector(i) }));
        await store.save(spaceId, many);
        await store.save(spaceId, many.slice(0, 3));
        const other = await open();
        const read = await other.slices(["k", "empty", "no"]);
        expect([...read.keys()].sort()).toEqual(["empty", "k"]);
        expect(Buffer.from(read.get("k") ?? []).toString()).toBe("a 1 8");
        expect((await other.known(spaceId, [...many.map(({ chunk }) => chunk), "no"])).size).toBe(1_200);
        const back = await other.vectors(spaceId, [chunk(7), "no"]);
        expect([...back.keys()]).toEqual([chunk(7)]);
        const found = back.get(chunk(7));
        expect(found?.scale).toBeCloseTo(vector(7).scale, 5);
        for (const [at, code] of vector(7).codes.entries())
          expect(Math.abs((found?.codes[at] ?? 0) - code)).toBeLessThanOrEqual(1);
      }));

    it("gives a chunk to one process at a time, until the claim expires", () =>
      withStore(async (open) => {
        const [one, two] = [await open(), await open()];
        const { spaceId } = await one.space(model, 1);
        const first = { owner: "one", now: 100, until: 200 };
        expect([...(await one.claim(spaceId, ["a", "b"], first))].sort()).toEqual(["a", "b"]);
        expect([...(await one.claim(spaceId, ["a"], { ...first, until: 300 }))]).toEqual(["a"]);
        expect([...(await two.claim(spaceId, ["a", "c"], { owner: "two", now: 150, until: 250 }))]).toEqual([
          "c",
        ]);
        await one.release(spaceId, ["a"]);
        expect([...(await two.claim(spaceId, ["a", "b"], { owner: "two", now: 160, until: 260 }))]).toEqual([
          "a",
        ]);
        expect([...(await two.claim(spaceId, ["b"], { owner: "two", now: 250, until: 350 }))]).toEqual(["b"]);
        expect([...(await one.claim(spaceId, ["d"], { owner: "gone", now: 250, until: 350 }))]).toEqual([
          "d",
        ]);
        await two.dropClaims((owner) => owner === "gone");
        expect([...(await one.claim(spaceId, ["b", "d"], { owner: "one", now: 260, until: 360 }))]).toEqual([
          "d",
        ]);
        await two.save(spaceId, [{ chunk: "b", vector: vector(1) }]);
        expect([...(await one.claim(spaceId, ["b"], { owner: "one", now: 260, until: 360 }))]).toEqual(["b"]);
      }));

    it("removes old vectors that no blob needs, and unused models", () =>
      withStore(async (open) => {
        const store = await open();
        const { spaceId } = await store.space(model, Date.now());
        const old = await store.space({ ...model, model: "old" }, 1);
        await store.saveSlices([
          { key: "held", slices: encodeSlices([{ chunk: "a", lineStart: 1, lineEnd: 2 }]) },
          { key: "gone", slices: encodeSlices([{ chunk: "b", lineStart: 1, lineEnd: 2 }]) },
        ]);
        for (const space of [spaceId, old.spaceId])
          await store.save(space, [
            { chunk: "a", vector: vector(1) },
            { chunk: "b", vector: vector(2) },
          ]);
        const held = new Set(["held"]);
        expect(await store.collect({ held, unusedSince: 0 })).toEqual({ vectors: 0 });
        const later = Date.now() + 60_000;
        await store.space(model, later + 1);
        await store.collect({ held, unusedSince: later });
        expect([...(await store.known(spaceId, ["a", "b"]))]).toEqual(["a"]);
        expect((await store.slices(["held", "gone"])).size).toBe(1);
        expect((await store.spaces()).map(({ model }) => model)).toEqual(["toy"]);
      }));
  });
}
