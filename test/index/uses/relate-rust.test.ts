import { afterAll, describe, expect, it } from "vitest";
import { createTestIndex } from "../../support/code-index.ts";
import { makeFolder } from "../../support/folder.ts";
import { relatedPlaces } from "./related-places.ts";

const test = createTestIndex();
afterAll(() => test.dispose());

describe("relations in Rust", () => {
  const files = {
    "Cargo.toml": '[workspace]\nmembers = ["core", "app"]\n',
    "core/Cargo.toml": '[package]\nname = "my-core"\n',
    "core/src/lib.rs":
      "mod save;\npub mod shapes;\n#[macro_use]\nmod macros;\npub use self::save::{save, store as keep};\n#[cfg(test)]\nmod tests {\n    use super::*;\n    #[test]\n    fn saves() { save(5); }\n}\n",
    "core/src/save.rs":
      "pub fn save(n: u8) -> u8 { n }\npub fn store() { save(1); hidden(); }\nfn hidden() {}\nfn shadow(save: fn()) { save() }\n",
    "core/src/shapes/mod.rs":
      "pub mod round;\npub struct Shape { pub size: u8 }\npub enum Kind { Flat, Deep }\npub trait Area { fn area(&self) -> u8; }\n",
    "core/src/shapes/round.rs":
      "use super::{Area, Kind::*, Shape};\nimpl Shape {\n    pub fn new() -> Self { Self::build() }\n    fn build() -> Self { log!(Flat); Shape { size: 1 } }\n}\nimpl Area for Shape {\n    fn area(&self) -> u8 { self.grow() }\n}\nimpl Shape { fn grow(&self) -> u8 { crate::save(2) } }\n",
    "core/src/macros.rs": "macro_rules! log { ($x:expr) => { $x }; }\n",
    "app/Cargo.toml":
      '[package]\nname = "app"\n[dependencies]\nengine = { package = "my-core", path = "../core" }\n',
    "app/src/main.rs":
      "use engine::{keep, save as put, shapes::Shape};\nmod save;\nfn main() {\n    put(3);\n    keep();\n    let shape = Shape::new();\n    shape.grow();\n    save::save();\n    engine::save(4);\n}\n",
    "app/src/save.rs": "pub fn save() {}\n",
  };

  it("follows modules, crates, aliases, re-exports and globs, and nothing else", async () => {
    const root = makeFolder(files);
    const related = (name: string, more: object = {}) => relatedPlaces(test.index, root, name, more);
    expect((await related("save", { path: "core", kind: "fn" })).places).toEqual([
      "app/src/main.rs:4 main",
      "app/src/main.rs:9 main",
      "core/src/lib.rs:5 -",
      "core/src/lib.rs:10 saves",
      "core/src/save.rs:2 store",
      "core/src/shapes/round.rs:9 Shape.grow",
    ]);
    expect((await related("save", { path: "app", kind: "fn" })).places).toEqual(["app/src/main.rs:8 main"]);
    expect((await related("store")).places).toEqual(["app/src/main.rs:5 main", "core/src/lib.rs:5? -"]);
    expect((await related("hidden")).places).toEqual(["core/src/save.rs:2 store"]);
    expect((await related("Flat")).places).toEqual(["core/src/shapes/round.rs:4 Shape.build"]);
    expect((await related("log")).places.join()).toContain("core/src/shapes/round.rs:4");
  });

  it("says of methods only what the type proves", async () => {
    const root = makeFolder(files);
    const related = (name: string, more: object = {}) => relatedPlaces(test.index, root, name, more);
    expect((await related("Shape::new")).places).toEqual(["app/src/main.rs:6 main"]);
    expect((await related("Shape::build")).places).toEqual(["core/src/shapes/round.rs:3 Shape.new"]);
    expect((await related("Shape::grow")).places).toEqual([
      "core/src/shapes/round.rs:7 Shape.area",
      "app/src/main.rs:7? main",
    ]);
    expect((await related("Area", { relation: "implementations" })).places).toEqual([
      "core/src/shapes/round.rs:6 Shape",
    ]);
  });

  it("lists all modules among which conditions choose one", async () => {
    const root = makeFolder({
      "Cargo.toml": '[package]\nname = "one"\n',
      "src/lib.rs":
        'cfg_if! {\n    if #[cfg(unix)] {\n        mod unix;\n        use unix as sys;\n    } else {\n        mod windows;\n        use windows as sys;\n    }\n}\n#[cfg(a)]\n#[path = "a.rs"]\nmod imp;\n#[cfg(not(a))]\n#[path = "b.rs"]\nmod imp;\npub use self::sys::Handle;\npub fn go() { Handle::open(); imp::start(); }\n',
      "src/unix.rs": "pub struct Handle;\nimpl Handle { pub fn open() {} }\n",
      "src/windows.rs": "pub struct Handle;\nimpl Handle { pub fn open() {} }\n",
      "src/a.rs": "pub fn start() {}\n",
      "src/b.rs": "pub fn start() {}\n",
    });
    const related = (name: string, path: string) => relatedPlaces(test.index, root, name, { path });
    for (const path of ["src/unix.rs", "src/windows.rs"])
      expect((await related("Handle::open", path)).places).toEqual(["src/lib.rs:17? go"]);
    for (const path of ["src/a.rs", "src/b.rs"])
      expect((await related("start", path)).places).toEqual(["src/lib.rs:17? go"]);
  });

  it("knows the modules around a file in the folder of an inline module, and words inside of a macro", async () => {
    const root = makeFolder({
      "Cargo.toml": '[package]\nname = "one"\n',
      "src/lib.rs": "pub struct Path;\nmod gen {\n    mod clone;\n}\nmod item;\n",
      "src/gen/clone.rs": "impl Clone for crate::Path { fn clone(&self) -> Self { crate::Path } }\n",
      "src/item.rs":
        "fn go(input: Input) {\n    let vis: Visibility = input.parse();\n    if input.peek(Token![use]) || input.peek(Token![match]) { vis.is_inherited(); }\n    with!(|other| other.is_inherited());\n}\nimpl Visibility { fn is_inherited(&self) {} }\n",
    });
    const related = (name: string) => relatedPlaces(test.index, root, name);
    expect((await related("Path")).places).toEqual(["src/gen/clone.rs:1 Path.clone"]);
    expect((await related("is_inherited")).places).toEqual(["src/item.rs:3? go", "src/item.rs:4? go"]);
  });
});

it("takes a type and the blocks of its methods for one definition", async () => {
  const root = makeFolder({
    "Cargo.toml": '[package]\nname = "shop"\n',
    "src/lib.rs":
      "pub struct Cart;\nimpl Cart { pub fn new() -> Cart { Cart } }\nimpl Default for Cart { fn default() -> Self { Cart } }\npub fn f(c: Cart) {}\n",
  });
  const { definitions } = await relatedPlaces(test.index, root, "Cart");
  expect(definitions).toMatchObject([{ kind: "struct", line: 1 }]);
});
