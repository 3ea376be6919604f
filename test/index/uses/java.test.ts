import { afterAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";
import { relatedPlaces } from "./related-places.ts";

const test = createTestIndex();
afterAll(() => test.dispose());

describe("relations in Java", () => {
  const files = {
    "src/main/java/a/Store.java": `package a;
public class Store extends Base {
  public static final int LIMIT = 1;
  public Store(int size) { put(size); missing(); }
  public void put(int x) { this.put(LIMIT); }
  public static Store open() { return new Store(LIMIT); }
  public static class Entry { void put() { log(); } }
  void log() {}
}
`,
    "src/main/java/a/Base.java": `package a;
abstract class Base { void start() { Runnable r = new Runnable() { public void run() { start(); } }; } }
`,
    "src/test/java/a/StoreTest.java": `package a;
class StoreTest { void same() { Store store = new Store(2); store.put(3); new Store(1).start(); } }
`,
    "src/main/java/b/User.java": `package b;
import a.Store;
import static a.Store.open;
import static a.Store.*;
class User extends Store {
  User() { super(1); start(); open(); Store.open(); Store.Entry e = null; int l = LIMIT; a.Store.open(); }
  void own(int start) { int open = start; Runnable r = Store::open; }
}
`,
    "src/main/java/c/Other.java": `package c;
import a.*;
class Other { Store s; void go(Object Store) { open(); } Class<?> k = Store.class; }
class Store2 extends javax.swing.JFrame { void go() { start(); } }
`,
    "src/main/java/d/Store.java": "package d;\nclass Store { Store s; }\n",
  };
  it("follows packages, imports and full names to a class, and says of members only what the class proves", async () => {
    const root = makeFolder(files);
    const related = async (name: string, relation = "uses", more: object = {}): Promise<string[]> =>
      (await relatedPlaces(test.index, root, name, { relation, ...more })).places;
    const path = "src/main/java/a";
    expect(await related("Store", "uses", { path })).toMatchInlineSnapshot(`
      [
        "src/main/java/a/Store.java:6 Store.open",
        "src/main/java/b/User.java:5 User",
        "src/main/java/b/User.java:6 User",
        "src/main/java/b/User.java:7 User.own",
        "src/main/java/c/Other.java:3 Other.go",
        "src/test/java/a/StoreTest.java:2 StoreTest.same",
      ]
    `);
    expect(await related("Store", "implementations", { path })).toMatchInlineSnapshot(`
      [
        "src/main/java/b/User.java:5 User",
      ]
    `);
    expect(await related("Store.open")).toMatchInlineSnapshot(`
      [
        "src/main/java/b/User.java:6 User",
        "src/main/java/b/User.java:7 User.own",
      ]
    `);
    expect(await related("Base.start")).toMatchInlineSnapshot(`
      [
        "src/main/java/b/User.java:6 User",
        "src/main/java/a/Base.java:2? run",
        "src/main/java/c/Other.java:4? Store2.go",
        "src/test/java/a/StoreTest.java:2? StoreTest.same",
      ]
    `);
    expect(await related("Store.put")).toMatchInlineSnapshot(`
      [
        "src/main/java/a/Store.java:4 Store",
        "src/main/java/a/Store.java:5 Store.put",
        "src/test/java/a/StoreTest.java:2? StoreTest.same",
      ]
    `);
    expect(await related("Store.LIMIT")).toMatchInlineSnapshot(`
      [
        "src/main/java/a/Store.java:5 Store.put",
        "src/main/java/a/Store.java:6 Store.open",
        "src/main/java/b/User.java:6 User",
      ]
    `);
    expect(await related("Store.log")).toMatchInlineSnapshot(`
      [
        "src/main/java/a/Store.java:7 Entry.put",
      ]
    `);
    expect(await related("User", "callees")).toMatchInlineSnapshot(`
      [
        "src/main/java/a/Base.java:2 Base.start",
        "src/main/java/a/Store.java:6 Store.open",
      ]
    `);
  });

  it("proves no use in Kotlin, whose local variables are not read", async () => {
    const root = makeFolder({
      "a/Store.java": "package a;\npublic class Store {}\n",
      "a/Use.kt": "package a\nfun use() {\n  val made = Store()\n}\n",
    });
    const { places } = await relatedPlaces(test.index, root, "Store");
    expect(places).toEqual(["a/Use.kt:3? use"]);
  });
});

describe("classes without a name, references to methods and fields in Java", () => {
  const files = {
    "src/Saver.java": "interface Saver {\n  void save();\n}\n",
    "src/Store.java": `class Store implements Saver {
  private int size;
  public void save() { new Empty() {}; }
  public void save(int times) {}
  Saver other() {
    return new Saver() {
      @Override public void save() { size(); }
    };
  }
  int size() { return size + this.size; }
  Object refer() { return java.util.List.of((Runnable) this::save, (Runnable) Empty::new, this.size()); }
}
class Empty {}
`,
  };

  it("lists classes without a name and their methods as implementations, and overloads only as possible", async () => {
    const root = makeFolder(files);
    const related = async (name: string, more: object) => await relatedPlaces(test.index, root, name, more);
    const relation = "implementations";
    expect((await related("Saver", { relation })).places).toEqual([
      "src/Store.java:1 Store",
      "src/Store.java:6 anonymous in other",
    ]);
    expect((await related("Saver.save", { relation })).places).toEqual([
      "src/Store.java:3 Store.save",
      "src/Store.java:4? Store.save",
      "src/Store.java:7 save",
    ]);
  });

  it("takes references to methods and constructors for calls, and tells methods from fields", async () => {
    const root = makeFolder(files);
    const related = async (name: string, more: object) => await relatedPlaces(test.index, root, name, more);
    const relation = "callers";
    expect((await related("Empty", { relation })).places).toEqual([
      "src/Store.java:3 Store.save",
      "src/Store.java:11 Store.refer",
    ]);
    expect((await related("Store.save", { relation })).places).toEqual(["src/Store.java:11 Store.refer"]);
    const { definitions, places } = await related("size", { path: `${root}/src` });
    expect(definitions.map(({ kind, line }) => `${kind} ${line}`)).toEqual(["method 10", "field 2"]);
    expect(places).toEqual([
      "src/Store.java:7? save",
      "src/Store.java:11 Store.refer",
      "src/Store.java:10 Store.size",
    ]);
  });
});
