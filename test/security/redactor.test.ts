import { describe, expect, it } from "vitest";
import { Redactor } from "../../src/security/redactor.ts";
import { maskText } from "../../src/security/secrets/mask.ts";

// The secret is assembled at run time, so that no scanner reports this file as a leak.
const DASHES = "-----";
const GITHUB = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");
const KEY_LINES = ["MC4CAQAwBQYDK2VwBCIEIJ1xQmE0v7kZbT9sPq2Yd8Wc", "Rr5LhX3uFgN6oJtAiS4eUyVw"];

describe("Redactor", () => {
  it("gives the same result for all chunk sizes", () => {
    const text = `remote: ${GITHUB} rejected\nplain\n${keyFile("\n")}\n${keyFile("\\n")}\nlast`;
    const whole = maskText(text);
    for (const size of [1, 2, 3, 7, 50, 1_000]) expect(through(text, size)).toBe(whole);
  });

  it("finds a secret in a line that is longer than the buffer", () => {
    const redactor = new Redactor();
    const out: Buffer[] = [];
    for (const piece of ["x ".repeat(60_000), GITHUB.slice(0, 20), GITHUB.slice(20), " y".repeat(60_000)])
      out.push(redactor.push(Buffer.from(piece)));
    out.push(redactor.end());
    const text = Buffer.concat(out).toString();
    expect(text).toBe(`${"x ".repeat(60_000)}(secret-masked) ${"y ".repeat(60_000).trimEnd()}`);
  });

  it("masks a secret whose name was already released", () => {
    const redactor = new Redactor();
    const first = redactor.push(Buffer.from("Authorization: Bearer "));
    const flushed = redactor.flush();
    const rest = redactor.push(Buffer.from("q7Xv2LmZ9TkR4bNc8WsY1pDh\n"));
    expect(flushed.toString()).toBe("Authorization: Bearer ");
    expect(Buffer.concat([first, flushed, rest]).toString()).toBe("Authorization: Bearer (secret-masked)\n");
  });

  it("keeps no reference to a chunk that the reader reuses", () => {
    const redactor = new Redactor();
    const chunk = Buffer.from("abcd");
    redactor.push(chunk);
    chunk.fill("x");
    expect(redactor.push(Buffer.from("e\n")).toString()).toBe("abcde\n");
  });

  it("passes binary and broken UTF-8 unchanged", () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7 + (i >> 3)) % 256));
    const redactor = new Redactor();
    expect(Buffer.concat([redactor.push(bytes), redactor.end()]).equals(bytes)).toBe(true);
  });

  it("reports the place of each secret once", () => {
    const redactor = new Redactor();
    const out = redactor.push(Buffer.from(`one\ntwo ${GITHUB} ${GITHUB}\n${keyFile("\n")}\n`)).toString();
    const places = redactor.masked
      .filter(({ isFirst }) => isFirst)
      .map(({ offset }) => out.slice(offset, offset + 8));
    expect(places).toEqual(["(secret-", "(secret-", "(key-mas"]);
    redactor.push(Buffer.from("nothing\n"));
    expect(redactor.masked).toEqual([]);
  });

  it("keeps the colours around a coloured secret", () => {
    const red = `\u001B[31m${GITHUB.slice(0, 9)}\u001B[1m${GITHUB.slice(9)}\u001B[0m`;
    expect(through(`token ${red} end\n`, 1_000)).toBe(
      "token \u001B[31m(secret-masked)\u001B[1m\u001B[0m end\n",
    );
  });
});

describe("private keys", () => {
  it("masks private keys on several lines and on one", () => {
    expect(maskText(keyFile("\n"))).toBe(
      `${DASHES}BEGIN PRIVATE KEY${DASHES}\n(key-masked)\n(key-masked)\n${DASHES}END PRIVATE KEY${DASHES}\nafter`,
    );
    expect(maskText(keyFile("\\n"))).toBe(
      `${DASHES}BEGIN PRIVATE KEY${DASHES}(key-masked)${DASHES}END PRIVATE KEY${DASHES}\\nafter`,
    );
  });

  it("leaves code unchanged that only mentions a key", () => {
    const code = [
      `if (text.startsWith("${DASHES}BEGIN PRIVATE KEY${DASHES}")) {`,
      "  return",
      "}",
      `const HEAD = "${DASHES}BEGIN RSA PRIVATE KEY${DASHES}"`,
      "else",
      `${DASHES}BEGIN PRIVATE KEY${DASHES}`,
      "...",
      `${DASHES}END PRIVATE KEY${DASHES}`,
    ].join("\n");
    expect(maskText(code)).toBe(code);
    expect(through(code, 1_000)).toBe(code);
  });

  it("masks a key inside quotes and comments of a source file", () => {
    const lines = [
      `${DASHES}BEGIN EC PRIVATE KEY${DASHES}`,
      ...KEY_LINES,
      `${DASHES}END EC PRIVATE KEY${DASHES}`,
    ];
    const quoted = lines.map((line) => `  "${line}\\n" +`).join("\n");
    expect(maskText(quoted)).toBe(
      [
        `  "${DASHES}BEGIN EC PRIVATE KEY${DASHES}\\n" +`,
        '  "(key-masked)\\n" +',
        '  "(key-masked)\\n" +',
        `  "${DASHES}END EC PRIVATE KEY${DASHES}\\n" +`,
      ].join("\n"),
    );
    const commented = lines.map((line) => `// ${line}`).join("\n");
    expect(maskText(commented).split("\n").slice(1, -1)).toEqual(["// (key-masked)", "// (key-masked)"]);
  });
});

function through(text: string, size: number): string {
  const redactor = new Redactor();
  const out: Buffer[] = [];
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) out.push(redactor.push(bytes.subarray(at, at + size)));
  out.push(redactor.end());
  return Buffer.concat(out).toString();
}

function keyFile(separator: string): string {
  return [
    `${DASHES}BEGIN PRIVATE KEY${DASHES}`,
    ...KEY_LINES,
    `${DASHES}END PRIVATE KEY${DASHES}`,
    "after",
  ].join(separator);
}
