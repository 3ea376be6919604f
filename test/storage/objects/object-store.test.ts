import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PithError } from "../../../src/kernel/errors.ts";
import { encodeKey } from "../../../src/storage/objects/aws-signature.ts";
import { checkObjectStore } from "../../../src/storage/objects/check-object-store.ts";
import { openObjectStore } from "../../../src/storage/objects/open-object-store.ts";
import type { ObjectStore } from "../../../src/storage/objects/object-store.ts";
import { makeFolder } from "../../support/folder.ts";
import { S3_BUCKET, S3_CREDENTIALS, startS3, type S3Server } from "../../support/s3-server.ts";

const NONE = { accessKey: "", secretKey: "", sessionToken: "" };
let server: S3Server;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "pith-objects-"));
  server = await startS3(join(folder, "s3"));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function s3(query: string, credentials = S3_CREDENTIALS, bucket = S3_BUCKET): ObjectStore {
  return openObjectStore(`s3://${bucket}/some/prefix?${query}`, credentials);
}

const STORES: readonly (readonly [string, () => ObjectStore])[] = [
  ["an S3-compatible server", () => s3(`endpoint=${encodeURIComponent(server.endpoint)}`)],
  ["a folder", () => openObjectStore(pathToFileURL(makeFolder()).href, NONE)],
];

describe.each(STORES)("%s", (_name, open) => {
  it("stores, returns and removes objects, whatever their bytes and keys", async () => {
    const store = open();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251));
    for (const key of ["log/2026-11/abc", "odd (key)!*'~ ä+=&/b c"]) {
      expect(await store.get(key)).toBeUndefined();
      await store.put(key, bytes);
      expect((await store.get(key))?.equals(bytes)).toBe(true);
      await store.remove(key);
      await store.remove(key);
      expect(await store.get(key)).toBeUndefined();
    }
    await store.put("empty", Buffer.alloc(0));
    expect(await store.get("empty")).toHaveLength(0);
  });

  it("says where it is, without credentials", () => {
    expect(open().place).toMatch(/^(?:s3:\/\/team\/some\/prefix\/|file:\/\/\/.*)$/);
    expect(open().place).not.toContain("S3RVER");
  });
});

describe("a folder that several users share", () => {
  it("gives its permissions to what is in it, whatever the umask of a user is", async () => {
    const root = makeFolder();
    chmodSync(root, 0o2770);
    const store = openObjectStore(pathToFileURL(root).href, NONE);
    await store.put("log/2026-11/abc", Buffer.from("x"));
    const modes = ["log", "log/2026-11", "log/2026-11/abc"].map(
      (path) => statSync(join(root, path)).mode & 0o7777,
    );
    expect(modes).toEqual([0o2770, 0o2770, 0o660]);
    expect(await checkObjectStore(store, true)).toBeUndefined();
    expect(readdirSync(root)).toEqual(["log"]);
  });

  it("is checked by a write, unless a login only reads", async () => {
    const reading = { ...openObjectStore(pathToFileURL(makeFolder()).href, NONE) };
    reading.put = () => Promise.reject(new PithError("store_unavailable", "read only"));
    expect(await checkObjectStore(reading, false)).toBeUndefined();
    expect(await checkObjectStore(reading, true)).toMatchObject({ message: "read only" });
  });
});

describe("an S3-compatible server", () => {
  it("that refuses a request is reported with its answer, and never with the secret key", async () => {
    const endpoint = `endpoint=${encodeURIComponent(server.endpoint)}`;
    const cases = [
      [s3(endpoint, { ...S3_CREDENTIALS, secretKey: "wrong-word" }), /HTTP 403 SignatureDoesNotMatch$/],
      [s3(endpoint, { ...S3_CREDENTIALS, accessKey: "nobody" }), /HTTP 403 InvalidAccessKeyId$/],
      [s3(endpoint, S3_CREDENTIALS, "nosuch"), /HTTP 404 NoSuchBucket$/],
    ] as const;
    for (const [store, message] of cases)
      for (const work of [() => store.put("k", Buffer.from("x")), () => store.get("k")]) {
        const error: Error = await work().then(
          () => new Error("it succeeded"),
          (thrown: Error) => thrown,
        );
        expect(error).toMatchObject({ code: "store_unavailable", message: expect.stringMatching(message) });
        expect(`${error.message}${JSON.stringify(error)}`).not.toContain("wrong-word");
      }
  });

  it("that cannot be reached is reported with the reason", async () => {
    const store = s3("endpoint=http://127.0.0.1:2");
    await expect(store.get("k")).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("s3://team/some/prefix/: connect ECONNREFUSED"),
    });
  });
});

describe("a folder", () => {
  it("never shows a file that is not complete, and leaves none behind", async () => {
    const place = makeFolder();
    const store = openObjectStore(pathToFileURL(place).href, NONE);
    // The folder of the object is a file, so it cannot be written.
    writeFileSync(join(place, "log"), "");
    await expect(store.put("log/a", Buffer.from("x"))).rejects.toMatchObject({ code: "store_unavailable" });
    await store.put("base/a", Buffer.from("x"));
    expect(readdirSync(join(place, "base"))).toEqual(["a"]);
    expect(existsSync(join(place, "log/a"))).toBe(false);
  });
});

it("a folder that is not mounted is an error, and neither empty nor made anew", async () => {
  const place = join(makeFolder(), "mount", "pith");
  const store = openObjectStore(pathToFileURL(place).href, NONE);
  const steps = [
    () => store.put("log/a", Buffer.from("x")),
    () => store.get("log/a"),
    () => store.remove("log/a"),
  ];
  for (const step of steps)
    await expect(step()).rejects.toMatchObject({
      code: "store_unavailable",
      message: expect.stringContaining("ENOENT: no such file or directory"),
      suggestion: expect.stringMatching(/^Mount the folder/),
    });
  expect(existsSync(place)).toBe(false);
});

it("refuses a wrong URL with what is allowed, without repeating it", () => {
  for (const [url, problem] of [
    ["http://host/x", /is not s3:/],
    ["s3://key:hidden@bucket/x", /without credentials/],
    ["s3://bucket/x?endpoint=host", /endpoint that is not/],
    ["s3://bucket/x?key=hidden", /unknown parameter, key/],
    ["file://host/x", /is not s3:/],
    ["hidden", /is not s3:/],
  ] as const) {
    const open = () => openObjectStore(url, S3_CREDENTIALS);
    expect(open).toThrowError(problem);
    expect(open).not.toThrowError(/hidden/);
  }
  expect(() => openObjectStore("s3://bucket", NONE)).toThrowError(/needs credentials/);
});

it("encodes keys as servers do before they check the signature", () => {
  expect(encodeKey("a b/ü*'()!~-_.")).toBe("a%20b/%C3%BC%2A%27%28%29%21~-_.");
});
