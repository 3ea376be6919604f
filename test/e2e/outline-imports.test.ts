import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, onTestFinished } from "vitest";
import { call } from "../support/client.ts";
import { temporaryRepository } from "../support/git-folder.ts";
import { connect } from "../support/inside.ts";

const FILES = {
  "src/auth/handler.rs": `use crate::auth::Claims;
use std::{
    collections::HashMap,
    sync::Arc,
};

pub struct AuthHandler;

mod tests {
    use super::AuthHandler;

    fn works() {}
}
`,
  "app/models.py": `"""Models."""
import os, sys
from .base import (
    Base,
    Mixin,
)


def lazy():
    import json
    return json
`,
  "web/page.tsx": `import { useState } from "react";
import type { User } from "./user.ts";
const path = require("node:path");
export function Page() { return null; }
`,
  "main.go":
    'package main\n\nimport (\n\t"fmt"\n\t"net/http"\n)\n\nfunc main() { fmt.Println(http.MethodGet) }\n',
  "App.java": "package a.b;\n\nimport java.util.List;\nimport static a.b.Util.join;\n\nclass App {}\n",
  "plain.c": '#include <stdio.h>\n#include "plain.h"\nint main(void) { return 0; }\n',
};

interface Entry {
  readonly kind: string;
  readonly name: string;
  readonly line_start: number;
  readonly line_end: number;
  readonly children?: readonly Entry[];
}

/** The imports as "name@start-end", with the name of the surrounding definition before those inside one. */
function usesIn(entries: readonly Entry[], inside = ""): string[] {
  return entries.flatMap(({ kind, name, line_start, line_end, children = [] }) => [
    ...(kind === "use" ? [`${inside}${name}@${line_start}-${line_end}`] : []),
    ...usesIn(children, `${inside}${name} > `),
  ]);
}

it("an outline shows imports of every language with their lines, and never as definitions", async () => {
  const folder = temporaryRepository(FILES);
  onTestFinished(() => folder.dispose());
  const client = await connect(folder.root);
  const json = async (path: string, more = {}) =>
    JSON.parse(await call(client, "get_file_outline", { path, response_format: "json", ...more })) as {
      symbols: Entry[];
      metadata: { symbol_count: number };
    };
  const rust = await json("src/auth/handler.rs");
  expect(rust.symbols[0]).toEqual({ kind: "use", name: "crate::auth::Claims", line_start: 1, line_end: 1 });
  expect(usesIn(rust.symbols)).toEqual([
    "crate::auth::Claims@1-1",
    "std::{ collections::HashMap, sync::Arc, }@2-5",
    "tests > super::AuthHandler@10-10",
  ]);
  // The entries are three imports, the struct, the module and its function.
  expect(rust.metadata.symbol_count).toBe(6);
  expect(usesIn((await json("src/auth/handler.rs", { depth: "top" })).symbols)).toHaveLength(2);
  expect(usesIn((await json("app/models.py")).symbols)).toEqual([
    "os@2-2",
    "sys@2-2",
    ".base@3-6",
    "lazy > json@10-10",
  ]);
  expect(usesIn((await json("web/page.tsx")).symbols)).toEqual([
    "react@1-1",
    "./user.ts@2-2",
    "node:path@3-3",
  ]);
  expect(usesIn((await json("main.go")).symbols)).toEqual(["fmt@4-4", "net/http@5-5"]);
  expect(usesIn((await json("App.java")).symbols)).toEqual(["java.util.List@3-3", "a.b.Util.join@4-4"]);
  expect(usesIn((await json("plain.c")).symbols)).toEqual(["stdio.h@1-1", "plain.h@2-2"]);

  const markdown = await call(client, "get_file_outline", { path: "main.go", response_format: "markdown" });
  expect(markdown).toContain("- use **net/http** (5-5)");
  const text = await call(client, "get_file_outline", { path: "app/models.py" });
  expect(text).toBe("app/models.py python 11 lines\nimports 2-6: os, sys, .base (+1)\n9 def lazy()");
  for (const name of ["Claims", "react", "json"]) {
    const found = await call(client, "locate_symbol", { name });
    expect(found, name).toMatch(/^No match/);
  }
});

it("an outline keeps the line of imports short, counts the rest, and drops imports before definitions", async () => {
  const imports = Array.from({ length: 300 }, (_, at) => `import package_number_${at}`);
  const folder = temporaryRepository({ "many.py": `${imports.join("\n")}\n\n\ndef after():\n    pass\n` });
  onTestFinished(() => folder.dispose());
  const client = await connect(folder.root);
  const text = await call(client, "get_file_outline", { path: "many.py" });
  const [, line = ""] = text.split("\n");
  const [, names = "", more] = /^imports 1-300: (.*) \(\+(\d+)\)$/.exec(line) ?? [];
  expect(names.split(", ").length + Number(more)).toBe(300);
  expect(encode(line).length).toBeLessThanOrEqual(50);
  const cut = await call(client, "get_file_outline", {
    path: "many.py",
    response_format: "json",
    max_tokens: 500,
  });
  expect(cut).toContain('"name":"after"');
});
