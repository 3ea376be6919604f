import { describe, expect, it } from "vitest";
import { linksText, usesText } from "./uses-text.ts";

describe("the uses of names in TypeScript and JavaScript", () => {
  it("lists free names with their roles, and no parameters or local variables", async () => {
    const text = `import { parse } from "./parse.ts";
export function load(path: string, options: Options = DEFAULTS): Result {
  const text = read(path);
  for (const line of text.lines) keep(line);
  return parse(text, options) as Result;
}
class Loader extends Base<Item> implements Port {
  run(parse: Parser) { return parse(this.path, super.run); }
}
const again = (parse) => parse(1), other = async ({ a, b: c }, [d] = LIST) => { c(a, d, b); };
`;
    expect(await usesText(text, "typescript")).toEqual([
      "1: parse import",
      "2: Options type, DEFAULTS read, Result type",
      "3: read call",
      "4: lines read unknown, keep call",
      "5: parse call, Result type",
      "7: Base inheritance, Item type, Port inheritance",
      "8: Parser type, path read self, run read super",
      "10: a read key, b read key, LIST read, b read",
    ]);
  });

  it("does not take the name of a function in an expression for a call", async () => {
    const text = `var load = function load(n) { return load(n - 1); };
exports.save = function save() { load(); };
function walk() {}
var start = function walk() { walk(); };
`;
    expect(await usesText(text, "javascript")).toEqual([
      "1: load call local",
      "2: exports read, load call",
      "4: walk call local",
    ]);
  });

  it("tells local definitions and shadowed names apart", async () => {
    const text = `import { save, Kind } from "./save";
function outer() {
  function save() {}
  save();
  { const Kind = 1; use(Kind); }
  return Kind;
}
try { save(); } catch (save) { save(); }
const f = save => save.name;
save();
function generic<Kind>(a: Kind): Kind { return a; }
type Box<Kind> = { value: Kind };
`;
    expect(await usesText(text, "typescript")).toEqual([
      "1: save import, Kind import",
      "4: save call local",
      "5: use call",
      "6: Kind read",
      "8: save call",
      "9: name read unknown",
      "10: save call",
    ]);
  });

  it("does not take the type that an arrow function returns for its parameter", async () => {
    const text = `const make = (text: string): Kind => {
  return new Error(text) as Kind;
};
const f = ok ? (a): Kind => a as Kind : Kind => Kind;
`;
    expect(await usesText(text, "typescript")).toEqual([
      "1: Kind type",
      "2: Error call, Kind type",
      "4: ok read, Kind type, Kind type",
    ]);
  });

  it("reads names in templates and JSX, but none in text, comments and regular expressions", async () => {
    const text = `const a = \`x \${format(\`y \${inner}\`)} z\`; // format
const b = /format['"]/g.test(input) ? "format" : 1 / half / 2;
const view = <Panel title="Don't format" on={click}>Don't {show(item)} <b>format</b><Menu.Item /></Panel>;
after();
`;
    expect(await usesText(text, "tsx")).toEqual([
      "1: format call, inner read",
      "2: test call unknown, input read, format string unknown, half read",
      "3: Panel call, click read, show call, item read, Menu read, Item call previous",
      "4: after call",
    ]);
  });

  it("reads import and export statements in all their forms", async () => {
    const text = `import a, { b as c, type D } from "./m";
import * as ns from "../n.js";
import type { E } from "pkg/sub";
import "./side";
export { f as g, h } from "./o";
export * from "./p";
export * as q from "./r";
export { a as default, c };
const { s, t: u } = require("./v"), w = require("./w").x;
const lazy = await import("./y");
export default class Z {}
module.exports = { s, renamed: u };
exports.one = s;
`;
    expect(await linksText(text, "typescript")).toEqual([
      "1 import ./m default>a b>c D",
      "2 import ../n.js *>ns",
      "3 import pkg/sub E",
      "4 import ./side",
      "5 export ./o f>g h",
      "6 export ./p *all*",
      "7 export ./r *>q",
      "8 export (own) a>default c",
      "9 import ./v s t>u",
      "9 import ./w x>w",
      "10 import ./y =>lazy",
      "11 export (own) Z>default",
      "12 export (own) s u>renamed",
      "13 export (own) s>one",
    ]);
  });

  it("reads the scripts of a component file with the lines of the file", async () => {
    const text = `<template><p>{{ load }}</p></template>
<script lang="ts">
import { load } from "./load";
load();
</script>
`;
    expect(await usesText(text, "vue")).toEqual(["3: load import", "4: load call", "1: load read unknown"]);
  });
});
