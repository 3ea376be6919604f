import { describe, expect, it } from "vitest";
import { ANNOUNCED_SECRETS } from "../../../src/security/secrets/announced-secrets.ts";
import { LineMasker } from "../../../src/security/secrets/mask.ts";
import { NAMED_SECRETS } from "../../../src/security/secrets/named-secrets.ts";
import { PROVIDER_TOKENS } from "../../../src/security/secrets/provider-tokens.ts";

/** Pieces of which a long line makes an engine step back, where an expression lets it. */
const PIECES = [
  "a",
  "A",
  "0",
  "=",
  "-",
  "%",
  "\\n",
  '\\"',
  "a=b;",
  "Server=a;",
  "://a:b",
  "://",
  "eyJ",
  "eyJhbGciOi",
  "eyJ.",
  "aB3/",
  "ghp_",
  "xoxb-1-",
  "sk-ant-a-",
  "curl -u ",
  "Cookie: a=b; ",
  "Cookie: a",
  "export ",
  "PASSWORD=",
  "--token",
  '"kty" {"d"',
  "{",
  "machine a login b ",
  "-----BEGIN PRIVATE KEY-----",
  "Basic ",
  "api_key=",
  'client_secret: "',
  "?token=",
  "?a-a-access_token=",
  "password:    ",
  "<password>",
  "secret",
  "authorization: ",
  "\u001B[1m",
  "\u001B]",
];

/** Where each character would look at all others, such a line takes a minute; a test that ends is the proof. */
const LENGTH = 200_000;

describe("masking takes a time that grows with the text, not faster", () => {
  it.each(PIECES.map((piece) => [JSON.stringify(piece), piece] as const))("in a line of %s", (_, piece) => {
    const line = piece.repeat(LENGTH / piece.length);
    for (const isVariablesFile of [false, true]) {
      const masked = new LineMasker({ isVariablesFile }).next(`${line}!`)?.text ?? line;
      expect(masked.length).toBeLessThanOrEqual(line.length + 1);
    }
  });

  it("with every kind of secret at the end of a long line", () => {
    for (const { marks } of [...PROVIDER_TOKENS, ...ANNOUNCED_SECRETS, ...NAMED_SECRETS])
      for (const mark of marks)
        expect(() => new LineMasker().next(`${"a.b/c-d ".repeat(5_000)}${mark}`)).not.toThrow();
  });
});
