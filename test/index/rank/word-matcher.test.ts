import { describe, expect, it } from "vitest";
import { parseQuery } from "../../../src/index/query/query.ts";
import { createWordMatcher } from "../../../src/index/rank/place.ts";

const QUESTIONS = [
  "how are connections authenticated when a session expires",
  "decodeIpv6",
  "x_pos of join sets",
  "Größe der Puffer",
  "where is the config parsed",
];
const WORDS =
  `authenticate Authenticator isAuthenticated session_expired SESSIONS expiry connect_all reconnect decode_ipv6 decodeIPv6Address
  xpos x_pos X__POS joinSet join_set JOINSET groesse Größe puffer parse parser reparse parsedConfig cfg conf configuration unrelated
  z q_ $join join$set`.split(/\s+/);

describe("the quick test of a text", () => {
  it.each(QUESTIONS)("never misses a word that matches: %s", (question) => {
    const query = parseQuery(question);
    const matcher = createWordMatcher(
      query,
      query.groups.map(() => 1),
    );
    const matching = WORDS.filter((word) => matcher.groupsOf(word).length > 0);
    expect(matching.length).toBeGreaterThan(0);
    expect(matching.filter((word) => !matcher.mayMatch(`  call(${word}, 1);`))).toEqual([]);
  });

  it("refuses most other texts", () => {
    const query = parseQuery("how are connections authenticated");
    const matcher = createWordMatcher(
      query,
      query.groups.map(() => 1),
    );
    expect(matcher.mayMatch("return total * RATE;")).toBe(false);
  });
});
