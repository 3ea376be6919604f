import { describe, expect, it } from "vitest";
import { describeLanguages } from "../../src/languages/language-table.ts";
import { languageOf } from "../../src/languages/detect.ts";

describe("languageOf", () => {
  it.each([
    ["src/app.ts", "typescript"],
    ["src/types.d.ts", "typescript"],
    ["C:\\code\\App.TSX", "tsx"],
    ["lib/index.mjs", "javascript"],
    ["a/b.c", "c"],
    ["a/b.hpp", "cpp"],
    ["Dockerfile", "dockerfile"],
    ["deploy/Dockerfile.dev", "dockerfile"],
    ["Gemfile", "ruby"],
    ["home/.bashrc", "bash"],
    ["README.md", "markdown"],
    ["page.blade.php", "php"],
  ])("%s is %s", (path, id) => {
    expect(languageOf(path)?.id).toBe(id);
  });

  it.each([
    ["#!/usr/bin/env python3", "python"],
    ["#!/usr/bin/env -S NODE_ENV=x node --flag", "javascript"],
    ["#!/bin/sh -e", "bash"],
    ["\u{FEFF}#! /usr/local/bin/ruby2.7", "ruby"],
    ["#!/usr/bin/env perl", undefined],
    ["print('python3')", undefined],
    ["", undefined],
  ])("detects a file without an extension that begins with %s", (line, id) => {
    expect(languageOf("bin/tool", line)?.id).toBe(id);
  });

  it("returns undefined for other names", () => {
    for (const path of ["", ".", "LICENSE", "a.unknown", ".gitignore", "dir.ts/"])
      expect(languageOf(path)).toBeUndefined();
  });
});

describe("describeLanguages", () => {
  it("lists each language once, and each extension for one language only", () => {
    const rows = describeLanguages();
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    const files = rows.flatMap((row) => row.files);
    expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([]);
    for (const row of rows) expect(row.holds).not.toBe("");
  });
});
