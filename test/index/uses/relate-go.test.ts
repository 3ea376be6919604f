import { afterAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";
import { relatedPlaces } from "./related-places.ts";

const test = createTestIndex();
afterAll(() => test.dispose());

describe("relations in Go", () => {
  const files = {
    "go.mod": "module example.com/app // comment\n\nreplace (\n\texample.com/lib v1.2.0 => ./third/lib\n)\n",
    "store/go-store.go":
      "package store\n\nfunc Save(n int) int { return helper(n) }\n\ntype Store struct{ Base }\n\nfunc (s *Store) Put() { s.Get(); s.Save() }\n",
    "store/more.go":
      "package store\n\ntype Base struct{}\n\nfunc (b Base) Get() {}\n\nfunc helper(n int) int { return n }\n\nfunc local(Save func()) { Save() }\n",
    "store/open_linux.go": "package store\n\nfunc open() {}\n",
    "store/open_windows.go": "package store\n\nfunc open() {}\n",
    "store/use.go": "package store\n\nfunc Start() { open() }\n",
    "store/save_test.go":
      'package store_test\n\nimport (\n\t"testing"\n\n\t"example.com/app/store"\n)\n\nfunc TestSave(t *testing.T) { store.Save(5) }\n',
    "third/lib/lib.go": "package lib\n\nfunc Save() {}\n",
    "vendor/example.com/other/other.go": "package other\n\nfunc Save() {}\n",
    "main.go":
      'package main\n\nimport (\n\t"example.com/app/store"\n\tl "example.com/lib"\n\t"example.com/other"\n)\n\nfunc main() {\n\tstore.Save(1)\n\tl.Save()\n\tother.Save()\n\tvar s store.Store\n\ts.Put()\n\tstore.Store.Put(s)\n}\n',
    "dot.go": 'package main\n\nimport . "example.com/app/store"\n\nvar _ = Save(2)\n',
    "other/x.go":
      'package other\n\nimport "strings"\n\nfunc Save() {}\n\nvar table = map[string]int{Key: 1}\nvar named = index{Key: 2}\n\nconst Key = "k"\n',
  };

  it("follows modules, replacements, packages and aliases, and nothing else", async () => {
    const root = makeFolder(files);
    const related = (name: string, more: object = {}) => relatedPlaces(test.index, root, name, more);
    expect((await related("Save", { path: "store" })).places).toEqual([
      "dot.go:5 -",
      "main.go:10 main",
      "store/save_test.go:9 TestSave",
    ]);
    expect((await related("Save", { path: "third" })).places).toEqual(["main.go:11 main"]);
    expect((await related("helper")).places).toEqual(["store/go-store.go:3 Save"]);
    expect((await related("open", { path: "store/open_linux.go" })).places).toEqual([
      "store/use.go:3? Start",
    ]);
    expect((await related("Key")).places).toEqual(["other/x.go:7 -", "other/x.go:8? -"]);
  });

  it("says of methods only what the receiver proves", async () => {
    const root = makeFolder(files);
    const related = (name: string, more: object = {}) => relatedPlaces(test.index, root, name, more);
    expect((await related("Store.Put")).places).toEqual(["main.go:14? main", "main.go:15 main"]);
    expect((await related("Base.Get")).places).toEqual(["store/go-store.go:7 Store.Put"]);
    expect((await related("Base")).places).toEqual(["store/go-store.go:5 Store", "store/more.go:5 Base.Get"]);
    expect((await related("Base", { relation: "implementations" })).places).toEqual([
      "store/go-store.go:5 Store",
    ]);
  });

  it("lists the types with the methods of an interface, also of those that it embeds, as possible", async () => {
    const root = makeFolder({
      "go.mod": "module m\n",
      "shape.go":
        "package m\n\ntype Shape interface {\n\tDrawer\n\tArea() int\n}\n\ntype Drawer interface{ Draw() }\n",
      "box.go": "package m\n\ntype Box struct{}\n\nfunc (b *Box) Area() int { return 1 }\n",
      "box_draw.go": "package m\n\nfunc (b *Box) Draw() {}\n",
      "pen.go": "package m\n\ntype Pen struct{}\n\nfunc (p Pen) Draw() {}\n",
      "other/box.go": "package other\n\ntype Box struct{}\n\nfunc (b Box) Area() int { return 2 }\n",
    });
    const implementing = async (name: string): Promise<string[]> =>
      (await relatedPlaces(test.index, root, name, { relation: "implementations" })).places;
    expect(await implementing("Shape")).toEqual(["box.go:3? Box"]);
    expect(await implementing("Drawer.Draw")).toEqual(["box_draw.go:3? Box.Draw", "pen.go:5? Pen.Draw"]);
  });

  it("finds the import paths of a project without go.mod", async () => {
    const root = makeFolder({
      "a/a.go": "package a\n\nfunc Do() {}\n",
      "b/c/c.go": 'package c\n\nimport "code.example/x/a"\n\nfunc Go() { a.Do() }\n',
      "main.go": 'package main\n\nimport "code.example/x/b/c"\n\nfunc main() { c.Go() }\n',
    });
    expect((await relatedPlaces(test.index, root, "Do")).places).toEqual(["b/c/c.go:5 Go"]);
  });
});
