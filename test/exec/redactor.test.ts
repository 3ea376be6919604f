import { describe, expect, it } from "vitest";
import { maskText, Redactor } from "../../src/exec/redactor.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ";
// Put together here, so that no scanner takes this file for a leak.
const GITHUB = `ghp_${LETTERS}`;
const JWT = ["eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiIxMjM0NTYifQ", "c2lnbmF0dXJlLWhlcmU"].join(".");

const MASKED: readonly (readonly [string, string])[] = [
  [`remote: ${GITHUB} rejected`, "remote: *** rejected"],
  ["AWS key AKIAIOSFODNN7EXAMPLE.", "AWS key ***."],
  ["cloning https://bob:hunter2@example.com/x.git", "cloning https://bob:***@example.com/x.git"],
  ["Authorization: Bearer abc.def-123", "Authorization: Bearer ***"],
  ["DB_PASSWORD=hunter2 started", "DB_PASSWORD=*** started"],
  ['"password": "correct horse"', '"password": "correct horse"'],
  ['"password": "correcthorse"', '"password": "***"'],
  ["password: hunter2hunter2", "password: ***"],
  ["//registry.example.com/:_authToken=abcd-1234", "//registry.example.com/:_authToken=***"],
  ["mysql --password s3cretpw -u root", "mysql --password *** -u root"],
  [`jwt ${JWT} end`, "jwt *** end"],
  ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY", "aws_secret_access_key = ***"],
  ["client_secret=abcDEF123456 next", "client_secret=*** next"],
  ["GET /?access_token=abcDEF123456 200", "GET /?access_token=*** 200"],
  ["sent Bearer abcDEF1234567890xyzABC", "sent Bearer ***"],
  ["machine h login bob password hunter2hunter2", "machine h login bob password ***"],
  ['{"_auth":"Ym9iOmh1bnRlcjI="}', '{"_auth":"***"}'],
  ["curl -sS -u bob:hunter2 https://example.com", "curl -sS -u bob:*** https://example.com"],
  ["mysqldump -h db -uroot -phunter2 shop", "mysqldump -h db -uroot -p*** shop"],
  [`AccountKey=${LETTERS}${LETTERS}==;Endpoint`, "AccountKey=***;Endpoint"],
  [`push dckr_pat_${LETTERS} ok`, "push *** ok"],
  [`GOCSPX-${LETTERS}, hvs.${LETTERS}`, "***, ***"],
  [`figd_${LETTERS}${LETTERS} ATATT3${LETTERS}${LETTERS}`, "*** ***"],
  [`two ${GITHUB} and ${GITHUB}`, "two *** and ***"],
];

/** What compilers and tests print about code that deals with secrets: nothing of it may be touched. */
const UNTOUCHED: readonly string[] = [
  "src/auth.ts(12,5): error TS2322: Type 'token: string' is not assignable to type 'Token'.",
  "error[E0425]: cannot find value `token` in this scope",
  "password: must be at least 8 characters",
  "expected token: Identifier, got: Keyword",
  "FAIL test/token.test.ts > secret = process.env.SECRET",
  "see https://example.com/a@b and mail me@example.com",
  "API_KEY=$API_KEY npm test",
  "next_token = parse_token2(source)",
  "const refresh_token = await client.fetchToken1(id);",
  "docker run -u 1000:1000 image; curl --user-agent pith/1.0 https://example.com:8080/x",
  "Bearer tokens are checked in src/bearer/middleware",
  "mysql -p -h localhost; mysql --protocol=tcp",
  "npm_config_registry is set; sk-fade-in class; task-runner",
];

describe("maskText", () => {
  it.each(MASKED)("%s", (text, masked) => expect(maskText(text)).toBe(masked));
  it.each(UNTOUCHED)("leaves alone: %s", (text) => expect(maskText(text)).toBe(text));

  it("masks private keys, in lines and in one line", () => {
    expect(maskText(keyFile("\n"))).toBe(
      "-----BEGIN RSA PRIVATE KEY-----\n***\n***\n-----END RSA PRIVATE KEY-----\nafter",
    );
    expect(maskText(keyFile("\\n"))).toBe(
      "-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----\\nafter",
    );
  });
});

describe("Redactor", () => {
  it("gives the same whatever the chunks are", () => {
    const text = `${MASKED.map(([line]) => line).join("\n")}\n${UNTOUCHED.join("\n")}\nlast`;
    const whole = maskText(text);
    for (const size of [1, 2, 3, 7, 50, 1_000]) {
      const redactor = new Redactor();
      const out: Buffer[] = [];
      const bytes = Buffer.from(text);
      for (let at = 0; at < bytes.length; at += size) out.push(redactor.push(bytes.subarray(at, at + size)));
      out.push(redactor.end());
      expect(Buffer.concat(out).toString()).toBe(whole);
    }
  });

  it("finds a secret in a line longer than it holds back", () => {
    const redactor = new Redactor();
    const out: Buffer[] = [];
    for (const piece of ["x ".repeat(60_000), GITHUB.slice(0, 20), GITHUB.slice(20), " y".repeat(60_000)])
      out.push(redactor.push(Buffer.from(piece)));
    out.push(redactor.end());
    const text = Buffer.concat(out).toString();
    expect(text).toBe(`${"x ".repeat(60_000)}*** ${"y ".repeat(60_000).trimEnd()}`);
  });

  it("masks what follows an announcement that already went out", () => {
    const redactor = new Redactor();
    const first = redactor.push(Buffer.from("password: "));
    const flushed = redactor.flush();
    const rest = redactor.push(Buffer.from("hunter2hunter2\n"));
    expect(Buffer.concat([first, flushed, rest]).toString()).toBe("password: ***\n");
  });

  it("passes binary and broken UTF-8 unchanged", () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 7 + (i >> 3)) % 256));
    const redactor = new Redactor();
    expect(Buffer.concat([redactor.push(bytes), redactor.end()]).equals(bytes)).toBe(true);
  });
});

function keyFile(separator: string): string {
  return [
    "-----BEGIN RSA PRIVATE KEY-----",
    "MIIEabc",
    "def==",
    "-----END RSA PRIVATE KEY-----",
    "after",
  ].join(separator);
}
