/**
 * Distinguishes credentials from names, words and placeholders. All checks take linear time, and are chosen so that a
 * truly random value of the usual length practically never fails them.
 */

/**
 * Matches words that occur in made-up credentials, all in one case; only one in millions of random tokens contains one
 * of them.
 */
const MADE_UP_WORDS = new RegExp(
  [
    "example",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "redacted",
    "masked",
    "dummy",
    "deadbeef",
    "xxxxxx",
    "abcdefg",
  ]
    .flatMap((word) => [word, word.toUpperCase(), word.charAt(0).toUpperCase() + word.slice(1)])
    .concat("1234567")
    .join("|"),
);

/** Returns whether the body of a token with a provider's prefix looks random. */
export function isRandomToken(body: string): boolean {
  if (MADE_UP_WORDS.test(body)) return false;
  // Rejects text of small letters and separators: a random token of this length has a digit or a capital letter.
  if (body.length >= 20 && /^[a-z_.-]*$/.test(body) && /[-_.]/.test(body)) return false;
  return isVaried(body) && !isSequence(body);
}

/**
 * Returns whether a text has at least half as many different characters as random text of the same length and alphabet.
 */
function isVaried(token: string): boolean {
  const text = token.replaceAll(/[-_.]/g, "");
  const different = new Set(text).size;
  const alphabet = /^[0-9a-f]*$|^[0-9A-F]*$/.test(text) ? 16 : /^[0-9a-z]*$|^[0-9A-Z]*$/.test(text) ? 36 : 62;
  const expected = alphabet * (1 - (1 - 1 / alphabet) ** text.length);
  return different >= expected / 2;
}

/** Returns whether most characters repeat or neighbour an earlier one, as in `abc123` and `a1b2c3`. */
function isSequence(text: string): boolean {
  return [1, 2].some((distance) => {
    let steps = 0;
    for (let at = distance; at < text.length; at++)
      if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - distance)) <= 1) steps++;
    return steps >= (text.length - distance) * 0.6;
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HEX = /^(?:[0-9a-f]{24,}|[0-9A-F]{24,})$/;

/** Returns whether a value without a provider's prefix looks random: hexadecimal, a UUID, or letters and digits without words. */
export function isRandomValue(value: string): boolean {
  if (value.length < 16 || !/^[\w+/=.~%-]+$/.test(value) || value.includes("..")) return false;
  if (UUID.test(value) || HEX.test(value)) return isRandomToken(value.replaceAll("-", ""));
  if (isEncodedText(value)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(value)).length;
  if (kinds < 2) return false;
  return isRandomToken(value) && countKindChanges(value) * 6 >= value.length && !isWordy(value);
}

/** Returns whether a value is base64 of readable text such as `joe:secret`; random bytes are hardly ever all printable. */
function isEncodedText(value: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(value)) return false;
  const decoded = Buffer.from(value, "base64").toString("latin1");
  return decoded.length >= 9 && /^[\t\n\r -~]+$/.test(decoded);
}

/** Counts the changes between lower case, upper case and digits, which are rarer in words and numbers. */
function countKindChanges(text: string): number {
  let changes = 0;
  let last = "";
  for (const character of text) {
    const kind = /\d/.test(character)
      ? "0"
      : /[a-z]/.test(character)
        ? "a"
        : /[A-Z]/.test(character)
          ? "A"
          : "";
    if (kind === "") continue;
    if (last !== "" && kind !== last) changes++;
    last = kind;
  }
  return changes;
}

/** The most common pairs of letters in English text and identifiers. */
const COMMON_PAIRS: ReadonlySet<string> = new Set(
  (
    "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro " +
    "ic ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so " +
    "rs un lo wa ge ie wh ee wi em ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl " +
    "ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep tt " +
    "oc fa ef cu rn sc gi da yo cr cl du ga qu ue ff ba ey ls va um pp ua up lu go ht ru ug ds lt pi rc rr eg au ck " +
    "ew mu br bi pt ak pu ui rg ib tl ny ki rk ys ob mm fu ph og ms ye ud mb ip ub oi rl gu dr hr cc tw ft wn nu af"
  ).split(" "),
);

/** Returns whether most adjacent letters are pairs that are common in words. */
export function isWordy(text: string): boolean {
  const lower = text.toLowerCase();
  let pairs = 0;
  let common = 0;
  for (let at = 1; at < lower.length; at++) {
    const pair = lower.slice(at - 1, at + 1);
    if (!/^[a-z]{2}$/.test(pair)) continue;
    pairs++;
    if (COMMON_PAIRS.has(pair)) common++;
  }
  return pairs >= 5 && common * 4 >= pairs * 3;
}

/** Words that stand for a password in examples, and default passwords of common servers. */
const PLACEHOLDER_WORDS =
  /p[a@4]ss(?:w[o0]?rd|wd|phrase)?|word|pwd|pw|secret|token|key|credentials?|user(?:name)?|name|login|admin(?:istrator)?|root|guest|postgres(?:ql)?|mysql|mariadb|redis|mongo(?:db)?|rabbitmq|database|test(?:ing|er)?|example|sample|demo|dummy|fake|default|change(?:it|d)?|foo|bar|baz|qux|spam|eggs|tiger|scott|value|string|letmein|abc|123|qwerty|hunter2|here|none|null|undefined|empty|true|false|todo|your|my|the|some|new|old|wrong|bad|good|invalid|valid|super|very|long|secure|strong|random|local|dev|prod|app|api|auth|access|client|server|proxy|host|private|public|is|not|me/gi;

/** Returns whether a value consists of placeholder words (`my_secret_password1!`) or describes a password (`wrong-pass`). */
function isPlaceholder(value: string): boolean {
  const plain = value.replaceAll(/[\s+]/g, "");
  if (/^[-_.\d!@#$:;/&|%~^]{0,5}$/.test(plain.replace(PLACEHOLDER_WORDS, ""))) return true;
  return /pass|token|secret/i.test(plain) && !/\d.*\d.*\d/.test(plain) && isWordy(plain);
}

/** Matches expressions, variable references and blanks to fill in. */
const NOT_LITERAL = /[$<>{}()[\]`|]|^%|%[sdv](?![0-9A-Fa-f])|^[.*xX•_-]+$|\.\.\.|\*\*\*|…/;

/** Returns whether a value could be a real password: long, of mixed characters and not a placeholder. */
export function isPassword(value: string): boolean {
  if (!isLiteralPassword(value) || value.length < 8) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  if (kinds >= 3 && (/\d/.test(value) || !isWordy(value))) return true;
  return (
    (kinds === 2 && /\d/.test(value) && /[A-Za-z]/.test(value) && !isWordy(value)) || isRandomValue(value)
  );
}

/** Returns whether a value is a literal password: not an expression, a blank to fill in or a placeholder. */
export function isLiteralPassword(value: string): boolean {
  if (value.length < 4 || NOT_LITERAL.test(value) || MADE_UP_WORDS.test(value)) return false;
  return !isPlaceholder(value) && isVariedPassword(value);
}

/** Rejects passwords such as `aaaa`, `1234` and `----`. */
function isVariedPassword(value: string): boolean {
  return new Set(value).size >= 4 && !isSequence(value);
}
