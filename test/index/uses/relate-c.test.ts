import { afterAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";
import { relatedPlaces } from "./related-places.ts";

const test = createTestIndex();
afterAll(() => test.dispose());

describe("relations in C", () => {
  it("follows includes and declarations, and nothing else", async () => {
    const root = makeFolder({
      "include/lib/save.h":
        "#define LIMIT 3\nenum kind { FLAT, DEEP };\ntypedef struct box { int size; } box_t;\nint save(int n);\n",
      "src/save.c":
        "#include <lib/save.h>\n\nstatic int helper(int n) { return n < LIMIT; }\n\nint save(int n) { return helper(n); }\n",
      "src/use.c":
        '#include "all.h"\n\nint go(box_t *b) { return save(b->size) + FLAT; }\nint other(int save) { return save; }\n',
      "src/all.h": '#include "lib/save.h"\n',
      "src/extern.c": "extern int save(int);\nint far(void) { return save(2); }\n",
      "tools/own.c":
        "static int helper(void) { return 1; }\nstatic int save(void) { return helper(); }\nint main(void) { return save(); }\n",
      "src/forced.c": "int near(void) { return save(3); }\n",
      "include/lib/two.h": "int helper2(void);\n",
      "src/two.c":
        "#include <lib/two.h>\nint helper2(void) { return 1; }\nint use2(void) { return helper2(); }\n",
    });
    const related = (name: string, more: object = {}) => relatedPlaces(test.index, root, name, more);
    expect((await related("save", { path: "src/save.c" })).places).toEqual([
      "src/use.c:3 go",
      "src/extern.c:2? far",
      "src/forced.c:1? near",
    ]);
    expect((await related("helper", { path: "src" })).places).toEqual(["src/save.c:5 save"]);
    expect((await related("helper", { path: "tools" })).places).toEqual(["tools/own.c:2 save"]);
    expect((await related("box_t")).places).toEqual(["src/use.c:3 go"]);
    // The prototype in the header and the definition are one function.
    expect((await related("save", { kind: "fn", path: "include" })).definitions).toEqual([]);
    expect((await related("helper2")).definitions).toMatchObject([{ path: "src/two.c", line: 2 }]);
    expect((await related("helper2", { relation: "callers" })).places).toEqual(["src/two.c:3 use2"]);
    expect((await related("FLAT")).places).toEqual(["src/use.c:3 go"]);
    expect((await related("LIMIT")).places).toEqual(["src/save.c:3 helper"]);
  });
});

describe("relations in C++", () => {
  it("follows namespaces, using declarations, classes and definitions outside of them", async () => {
    const root = makeFolder({
      "store.h":
        "namespace app {\nint save(int n);\nclass Store {\n public:\n  void put();\n  static Store make();\n};\n}\nnamespace other { int save(int n); }\n",
      "store.cpp":
        '#include "store.h"\nnamespace app {\nint save(int n) { return n; }\nvoid Store::put() { this->put(); make(); save(1); }\nStore Store::make() { return Store(); }\n}\n',
      "a.cpp": '#include "store.h"\nint a() { return app::save(1) + other::save(2); }\n',
      "b.cpp":
        '#include "store.h"\nusing namespace app;\nint b(Store s) { s.put(); Store::make(); return save(3); }\n',
      "c.cpp": '#include "store.h"\nusing other::save;\nint c() { return save(4); }\n',
      "d.cpp":
        '#include "store.h"\nclass Big final : public virtual app::Store, Base<int> {\n  void put() { put(); }\n};\nstruct Bits { int a : 3; };\n',
    });
    const related = (name: string, more: object = {}) => relatedPlaces(test.index, root, name, more);
    expect((await related("save", { path: "store.cpp" })).places).toEqual([
      "a.cpp:2 a",
      "b.cpp:3 b",
      "store.cpp:4 Store.put",
    ]);
    expect((await related("Store::make", { path: "store.cpp" })).places).toEqual([
      "b.cpp:3 b",
      "store.cpp:4 Store.put",
    ]);
    expect((await related("Store::put", { path: "store.cpp" })).places).toEqual([
      "store.cpp:4 Store.put",
      "b.cpp:3? b",
    ]);
    expect((await related("Store", { relation: "implementations" })).places).toEqual(["d.cpp:2 Big"]);
    expect((await related("Store.put", { relation: "implementations" })).places).toEqual(["d.cpp:3 Big.put"]);
  });

  it("lists what a macro may give to a member, and calls in tests of a fixture", async () => {
    const root = makeFolder({
      "fixture.h":
        "class Base { public: int size(int a) { return a; } };\nclass DbTest : public Base { public: void compact(int a) {} };\n",
      "db_test.cc":
        '#include "fixture.h"\nTEST_F(DbTest, Empty) {\n  compact(1);\n  EXPECT_EQ(size(2), 2);\n}\nTEST_CASE_METHOD(DbTest, "title") {\n  compact(3);\n}\nvoid other() { compact(4); }\n',
      "far.cc": '#include "unknown.h"\nclass Far : public Hidden { void go() { compact(5); } };\n',
      "list.h": "struct item { int n; LIST_ENTRY(item) next; };\n",
      "list.c":
        '#include "list.h"\nvoid all(struct item *l) { struct item *i; LIST_FOREACH(i, l, next) {} next(); }\n',
    });
    const related = (name: string) => relatedPlaces(test.index, root, name);
    expect((await related("compact")).places).toEqual([
      "far.cc:2? Far.go",
      'db_test.cc:3? "DbTest.Empty"',
      'db_test.cc:7? "title"',
    ]);
    expect((await related("size")).places).toEqual(['db_test.cc:4? "DbTest.Empty"']);
    expect((await related("next")).places).toEqual(["list.c:2? all"]);
  });
});
