/** A stretch of text to be masked: from (inclusive), to (exclusive). */
export type Range = readonly [number, number];

/**
 * A text that has none of these holds no secret we know of. One pass over it is what masking costs in nearly all
 * output, so keep the list short and each entry rare.
 */
const TRIGGER =
  /AKIA|ASIA|gh[pousr]_|github_pat_|gl(?:pat|dt|rt|ptt)-|xox[abeoprs]-|[sr]k_(?:live|test)_|\bsk-|AIza|npm_|pypi-|\bhf_|\bSG\.|do[opr]_v1_|shp(?:at|ca|pa|ss)_|dckr_pat_|GOCSPX-|\bhvs\.|sntrys_|whsec_|lin_api_|rubygems_|AGE-SECRET|atlasv1|ATATT3|\bsbp_|figd_|\bgsk_|tskey-|AccountKey|_auth\b|\bcurl |mysql|[Bb]earer |eyJ|:\/\/[^\s/@]{1,200}@|[Aa]uthorization|AUTHORIZATION|[Pp]assw|PASSW|[Ss]ecret|SECRET|[Tt]oken|TOKEN|(?:[Aa]pi|API|[Aa]ccess|ACCESS)[-_]?(?:[Kk]ey|KEY)|CREDENTIAL|-----BEGIN /g;

/** Shapes that are secrets wherever they stand. */
const SHAPES: readonly RegExp[] = [
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g,
  /\bgh[pousr]_[A-Za-z0-9]{36,255}\b/g,
  /\bgithub_pat_[A-Za-z0-9_]{22,255}\b/g,
  /\bgl(?:pat|dt|rt|ptt)-[A-Za-z0-9_-]{20,255}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,255}/g,
  /\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,255}\b/g,
  /\bsk-(?:proj|ant|svcacct|admin|or)-[A-Za-z0-9_-]{20,255}/g,
  /\bsk-[A-Za-z0-9]{32,255}\b/g,
  /\bAIza[0-9A-Za-z_-]{35}/g,
  /\bnpm_[A-Za-z0-9]{36}\b/g,
  /\bpypi-[A-Za-z0-9_-]{50,255}/g,
  /\bhf_[A-Za-z0-9]{30,255}\b/g,
  /\bSG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/g,
  /\bdo[opr]_v1_[a-f0-9]{64}\b/g,
  /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b/g,
  /\bdckr_pat_[A-Za-z0-9_-]{20,255}/g,
  /\bGOCSPX-[A-Za-z0-9_-]{20,255}/g,
  /\bhvs\.[A-Za-z0-9_-]{24,255}/g,
  /\bsntrys_[A-Za-z0-9_+/=-]{20,4096}/g,
  /\bwhsec_[A-Za-z0-9+/=]{24,255}/g,
  /\blin_api_[A-Za-z0-9]{32,255}\b/g,
  /\brubygems_[a-f0-9]{48}\b/g,
  /\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b/g,
  /\b[A-Za-z0-9]{8,32}\.atlasv1\.[A-Za-z0-9_-]{40,255}/g,
  /\bATATT3[A-Za-z0-9_=-]{50,255}/g,
  /\bsbp_[a-f0-9]{40}\b/g,
  /\bfigd_[A-Za-z0-9_-]{36,255}/g,
  /\bgsk_[A-Za-z0-9]{40,255}\b/g,
  /\btskey-[a-z]{1,20}-[A-Za-z0-9-]{16,255}/g,
  /\beyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,4096}\.[A-Za-z0-9_-]{8,4096}/g,
];

/** The words that announce a secret. */
const NAME = "(?:password|passwd|passphrase|secret|token|api[-_]?key|access[-_]?key|private[-_]?key)";

/** Texts that announce a secret; the first group is what they announce. */
const ANNOUNCED: readonly RegExp[] = [
  // scheme://user:password@host
  /:\/\/[^\s/:@]{0,100}:([^\s/@]{1,200})@/dg,
  /\b[Aa]uthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:[Bb]earer|[Bb]asic|[Tt]oken)\s{1,4}([^\s"']{6,4096})/dg,
  // NAME=value as in the environment
  /\b[A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)[A-Z0-9_]{0,60}=["']?([^\s"'$]{4,4096})/dg,
  // _authToken= and _password= of .npmrc, and "_auth": of a tool that prints it
  /_(?:authToken|auth|password)["']?\s{0,4}[=:]\s{0,4}["']?([^\s"'$]{4,4096})/dg,
  // name: "value", quoted
  new RegExp(`${NAME}["']?\\s{0,4}[:=]\\s{0,4}["']([^"'\\s]{6,4096})["']`, "dgi"),
  // name=value with letters and digits: words alone are more often types and names than secrets, and calls are code
  new RegExp(
    `\\b(?:[a-z]{1,20}[-_]){0,3}${NAME}\\s{0,4}[:=]\\s{0,4}(?=[^\\s"'<>()]{0,200}\\d)(?=[^\\s"'<>()]{0,200}[A-Za-z])(?![^\\s"'<>()$,;]{1,200}\\()([^\\s"'<>()$,;]{8,4096})`,
    "dgi",
  ),
  // a bearer's token without its header
  /\b[Bb]earer\s{1,4}(?=[A-Za-z._~+/-]{0,200}\d)([A-Za-z0-9._~+/-]{20,4096})/dg,
  // the storage keys of Azure's connection strings
  /\bAccountKey=([A-Za-z0-9+/=]{40,200})/dg,
  // a line of .netrc
  /\blogin\s{1,4}\S{1,200}\s{1,4}password\s{1,4}(\S{4,200})/dg,
  // curl -u name:password, mysql -ppassword
  /\bcurl\s.{0,400}?(?:-u|--user)[\s=]{0,4}["']?[^\s:"']{1,100}:([^\s"'$]{4,200})/dg,
  /\bmysql\w{0,10}\s.{0,400}?\s-p([^\s"'$-][^\s"'$]{3,200})/dg,
  // --password value
  new RegExp(`--?(?:[a-z-]{0,30})${NAME}[= ]["']?([^\\s"'$-][^\\s"'$]{3,4096})`, "dgi"),
];

/** Where the secrets of a text stand, in order, without overlap. The text is whole lines, or one piece of a line. */
export function findSecrets(text: string): Range[] {
  const ranges: Range[] = [];
  TRIGGER.lastIndex = 0;
  for (let hit = TRIGGER.exec(text); hit !== null; hit = TRIGGER.exec(text)) {
    const from = text.lastIndexOf("\n", hit.index) + 1;
    const next = text.indexOf("\n", hit.index);
    const to = next < 0 ? text.length : next;
    for (const [start, end] of secretsOfLine(text.slice(from, to))) ranges.push([from + start, from + end]);
    TRIGGER.lastIndex = Math.max(to, hit.index + 1);
  }
  return ranges;
}

function secretsOfLine(line: string): Range[] {
  const found: Range[] = [];
  for (const shape of SHAPES)
    for (const match of line.matchAll(shape)) found.push([match.index, match.index + match[0].length]);
  for (const pattern of ANNOUNCED)
    for (const match of line.matchAll(pattern)) {
      const range = match.indices?.[1];
      if (range !== undefined) found.push(range);
    }
  return merge(found);
}

function merge(ranges: Range[]): Range[] {
  const merged: Range[] = [];
  for (const [from, to] of ranges.sort((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last === undefined || from >= last[1]) merged.push([from, to]);
    else if (to > last[1]) merged[merged.length - 1] = [last[0], to];
  }
  return merged;
}
