import { describe, expect, it } from "vitest";
import { parserOf } from "../../../src/diagnostics/formats/format-parser.ts";
import type { OutputFormat } from "../../../src/diagnostics/formats/output-format.ts";
import { defineBuildTool } from "../../../src/diagnostics/tool.ts";
import type { Found } from "../../../src/diagnostics/tool.ts";
import { probeSink } from "../../../src/diagnostics/parsing/probe-sink.ts";

interface Reading {
  readonly found: readonly Found[];
  /** The lines that the parser said are its own. */
  readonly taken: readonly string[];
}

function read(format: OutputFormat, ...lines: string[]): Reading {
  const found: Found[] = [];
  const taken: string[] = [];
  const tool = defineBuildTool({
    id: "acme-lint",
    title: "Acme Lint",
    url: "https://acme.example/lint",
    ecosystem: "general",
    kinds: ["lint"],
    signatures: [".acme"],
    format,
  });
  const parser = parserOf(
    tool,
    probeSink((one) => found.push(one)),
  );
  for (const [index, text] of lines.entries())
    if (parser?.take({ text, number: index + 1, stream: "stdout" }) === true) taken.push(text);
  parser?.end();
  return { found, taken };
}

describe("A format table", () => {
  it("reads the example of the guide", () => {
    const format = {
      sections: [{ pattern: /^(?<file>\S.{0,300}\.acme)$/, until: /^\S/ }],
      complaints: [
        {
          pattern:
            /^ {2}(?<line>\d{1,7}):(?<column>\d{1,7}) {2}(?<severity>error|warning) {2}(?<message>\S.*) {2}\[(?<code>[a-z-]{1,60})\]$/,
          inSection: true,
        },
      ],
      continuation: [/^ {17}(?<help>\S.*)$/],
      noise: /^acme-lint: \d+ problems?$/,
    };
    const row = '  12:5  warning  Variable "total" is never used  [no-unused]';
    const { found, taken } = read(
      format,
      row,
      "src/cart.acme",
      row,
      "                 Remove it or export it.",
      "acme-lint: 1 problem",
      row,
    );
    expect(found).toEqual([
      {
        file: "src/cart.acme",
        line: 12,
        column: 5,
        severity: "warning",
        code: "no-unused",
        message: 'Variable "total" is never used',
        help: ["Remove it or export it."],
      },
    ]);
    expect(taken).toHaveLength(4);
  });

  it("takes severities from its own words, the common ones, the pattern, the section and the table, in this order", () => {
    const format: OutputFormat = {
      severities: { gut: "info" },
      severity: "warning",
      sections: [{ pattern: /^== bad$/, severity: "error" }],
      complaints: [
        { pattern: /^(?<severity>\w+): (?<message>.*)$/, severity: "info" },
        { pattern: /^- (?<message>.*)$/, inSection: true },
        /^\* (?<message>.*)$/,
      ],
    };
    const { found } = read(format, "gut: a", "FATAL: b", "odd: c", "== bad", "- d", "* e");
    expect(found.map((one) => `${one.message} ${one.severity}`)).toEqual([
      "a info",
      "b error",
      "c info",
      "d error",
      "e warning",
    ]);
  });

  it("counts columns from 1 and ends a range behind its last column", () => {
    const pattern =
      /^(?<file>\w+) (?<line>\d+):(?<column>\d+)-(?:(?<endColumn>\d+)|last (?<lastColumn>\d+)) (?<message>.*)$/;
    expect(read({ complaints: [pattern], firstColumn: 0 }, "a 3:0-4 m").found).toEqual([
      { file: "a", line: 3, column: 1, endLine: 3, endColumn: 5, severity: "error", message: "m" },
    ]);
    expect(read({ complaints: [pattern] }, "a 3:1-last 4 m").found).toMatchObject([
      { endLine: 3, endColumn: 5 },
    ]);
  });

  it("fills templates from groups of any name", () => {
    const format = {
      complaints: [
        {
          pattern: /^would fix (?<file>\S+) \((?<rules>.*)\)$/,
          message: "not formatted: {rules}",
          help: "fix {file}",
        },
      ],
    };
    expect(read(format, "would fix a.x (tabs)").found).toEqual([
      { file: "a.x", severity: "error", message: "not formatted: tabs", help: ["fix a.x"] },
    ]);
  });

  it("joins continuation lines, adds related places and skips quoted source", () => {
    const format: OutputFormat = {
      complaints: [{ pattern: /^E (?<message>.*)$/, quotedLines: 1 }],
      related: [/^ {2}see (?<file>\S+):(?<line>\d+)$/],
      continuation: [
        { pattern: /^ {2}\.\.\.(?<message>.*)$/, join: " " },
        { pattern: /^ {2}Fix:$/, subtitle: true },
        { pattern: /^ {4}(?<help>.*)$/, below: /Fix/ },
        /^ {2}at (?<file>\S+)$/,
        /^ {4}/,
      ],
    };
    const lines = [
      "E one",
      "E quoted, not an error",
      "  ...two",
      "    ignored",
      "  at a.x",
      "  Fix:",
      "    three",
      "  see b.x:9",
    ];
    // A complaint's own pattern comes before the quoted source.
    expect(read(format, lines[0] ?? "", "source", ...lines.slice(2)).found).toEqual([
      {
        severity: "error",
        message: "one two",
        file: "a.x",
        help: ["three"],
        related: [{ file: "b.x", line: 9 }],
      },
    ]);
    expect(read(format, ...lines).found).toHaveLength(2);
  });

  it("leaves an unproven complaint to other tools until a continuation line follows", () => {
    const format = {
      complaints: [{ pattern: /^(?<code>[a-z-]+): (?<message>.*)$/, unproven: true }],
      continuation: [/^(?<file>\S+):(?<line>\d+)$/],
    };
    expect(read(format, "name: text", "other").found).toEqual([]);
    expect(read(format, "name: text", "a.x:3")).toEqual({
      found: [{ severity: "error", code: "name", message: "text", file: "a.x", line: 3 }],
      taken: ["a.x:3"],
    });
  });

  it("finds fields inside the finished message", () => {
    const format = {
      complaints: [/^E (?<message>.*)$/],
      continuation: [/^ {2}(?<message>.*)$/],
      inMessage: [/^(?<message>[\s\S]*) \((?<code>\w+)\)$/],
    };
    expect(read(format, "E one", "  two (rule)").found).toEqual([
      { severity: "error", code: "rule", message: "one\ntwo" },
    ]);
  });

  it("reports no complaint without a message and ends messages that are too long", () => {
    const format = {
      complaints: [/^E(?: (?<message>.*))?$/],
      continuation: [/^ (?<message>.*)$/],
      maxMessageLines: 2,
    };
    const { found, taken } = read(format, "E", "E a", " b", " c");
    expect(found).toEqual([{ severity: "error", message: "a\nb" }]);
    expect(taken).toEqual(["E", "E a", " b"]);
  });

  it("takes lines that others print too only once it has been seen", () => {
    const format = { complaints: [/^E (?<message>.*)$/], noiseOnceSeen: /^Done$/ };
    expect(read(format, "Done", "E a", "Done").taken).toEqual(["E a", "Done"]);
  });

  it("takes columns from the marks below the source that a heading announces", () => {
    const format = {
      sections: [{ pattern: /^In (?<file>\S+) line (?<line>\d+):$/, quotedLines: 1 }],
      complaints: [{ pattern: /^\s*(?<mark>\^-*\^?) (?<message>.*)$/, inSection: true }],
    };
    const { found, taken } = read(format, "In a.x line 9:", "echo $1", "     ^^ quote this", "^ and this");
    expect(found).toEqual([
      { file: "a.x", line: 9, column: 6, endLine: 9, endColumn: 8, severity: "error", message: "quote this" },
      { file: "a.x", line: 9, column: 1, severity: "error", message: "and this" },
    ]);
    expect(taken).toHaveLength(4);
  });

  it("removes the indentation of a complaint from its further lines", () => {
    const format = {
      complaints: [/^(?<indent>\s*)E (?<message>.*)$/],
      continuation: [/^ {2}(?<message>.*)$/],
    };
    expect(read(format, "    E one", "      two").found).toEqual([
      { severity: "error", message: "one\ntwo" },
    ]);
  });

  it("reads a message that is quoted as JSON", () => {
    const format = { complaints: [/^level=(?<severity>\w+) msg=(?<messageJson>".*")$/] };
    expect(read(format, 'level=warning msg="no \\"main\\" here"').found).toEqual([
      { severity: "warning", message: 'no "main" here' },
    ]);
  });
});
