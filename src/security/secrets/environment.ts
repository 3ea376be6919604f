import { isPassword, isRandomToken, isRandomValue } from "./randomness.ts";
import type { Range } from "./secret-kind.ts";

/** Matches names of environment variables whose value is probably a credential. */
const CREDENTIAL_NAME =
  /(?:^|_)(?:PASSWORD|PASSWD|PASSPHRASE|PASS|SECRET|TOKEN|APIKEY|API_KEY|ACCESS_KEY|SECRET_KEY|PRIVATE_KEY|ENCRYPTION_KEY|SIGNING_KEY|MASTER_KEY|AUTH_KEY|ACCOUNT_KEY|APP_KEY|HMAC_KEY|JWT_KEY|CREDENTIALS?|AUTH|COOKIE|SALT|PAT|(?<=_)PWD)(?:_|$|\d)/i;
/** Matches names of variables whose value only describes a credential, such as its file or its expiry. */
const ABOUT_CREDENTIAL =
  /_(?:ID|NAME|FILE|PATH|DIR|URL|URI|HOST|PORT|SOCK|TTL|TIMEOUT|EXPIRY|EXPIRES|LENGTH|SIZE|COUNT|LIMIT|PREFIX|SUFFIX|TYPE|KIND|ALG|ALGORITHM|METHOD|MODE|ENABLED|HASH|SHA\d*|FINGERPRINT|VERSION|HEADER|ISSUER|AUDIENCE|USER|ENDPOINT|REGION)$/i;

/** Matches a line printed by `env`, `export -p`, `declare -x` or `set`, or of a file of such lines. */
const ASSIGNMENT =
  /^\s{0,8}(?:[+$>]\s{1,2})?(?:export\s{1,4}|declare\s{1,4}-\w{1,4}\s{1,4}|setenv\s{1,4}|set\s{1,4}|SET\s{1,4}|ENV\s{1,4}|\$env:)?(?<name>[A-Za-z_]\w{1,80})(?<is>\s{0,4}=\s{0,4})(?<quote>\\{0,3}["']?)(?<value>[^\s"'\\]{8,4096})\k<quote>\s{0,4}(?:#.{0,200})?$/d;
/** Matches an assignment before a command: `TOKEN=… npm publish`. */
const INLINE =
  /(?<![\w$.=-])(?<name>[A-Z][A-Z0-9_]{2,80})=\\{0,5}["']?(?<value>[\w+/=.~%-]{16,4096})(?![\w+/=.~%-])/dg;
/** Matches an assignment in a list of strings, as `docker inspect` prints it, or in a quoted word of a command. */
const QUOTED = /(?<quote>["'])(?<name>[A-Z][A-Z0-9_]{2,80})=(?<value>[^"'\\\s]{8,4096})\\{0,3}\k<quote>/dg;

/**
 * Finds credentials among the variables that a line sets. A file of variables may use any name and blanks around the `=`;
 * elsewhere only the format that shells print counts, since `name = value` is code in many languages.
 */
export function environmentSecrets(line: string, isVariablesFile: boolean): Range[] {
  const whole = ASSIGNMENT.exec(line);
  if (whole !== null) {
    const { name = "", is = "", value = "" } = whole.groups ?? {};
    const isPrinted = is === "=" && /^[A-Z_][A-Z0-9_]*$/.test(name);
    const range = whole.indices?.groups?.["value"];
    if (range === undefined || !(isVariablesFile || isPrinted)) return [];
    return isCredential(name, value) ? [range] : [];
  }
  const isInline = (name: string, value: string): boolean => isCredentialName(name) && isRandomValue(value);
  return [...findAssignments(line, INLINE, isInline), ...findAssignments(line, QUOTED, isCredential)];
}

function findAssignments(
  line: string,
  shape: RegExp,
  isReal: (name: string, value: string) => boolean,
): Range[] {
  const found: Range[] = [];
  for (const match of line.matchAll(shape)) {
    const { name = "", value = "" } = match.groups ?? {};
    const range = match.indices?.groups?.["value"];
    if (range !== undefined && isReal(name, value)) found.push(range);
  }
  return found;
}

function isCredential(name: string, value: string): boolean {
  // A URL does not count here, because passwords in URLs are found separately, and a path is not a credential.
  if (/^[A-Za-z][\w+.-]*:\/\//.test(value)) return false;
  if (/^(?:\.{0,2}\/|[A-Za-z]:\\)/.test(value) && !isRandomValue(value)) return false;
  if (isCredentialName(name)) return isPassword(value);
  return value.length >= 24 && isMixed(value) && isRandomValue(value) && isRandomToken(value);
}

function isCredentialName(name: string): boolean {
  return CREDENTIAL_NAME.test(name) && !ABOUT_CREDENTIAL.test(name) && !/PUBLIC/i.test(name);
}

/**
 * Returns whether a value has small letters, capitals and digits. Digests, commit ids and UUIDs look as random as
 * secrets but lack one of these.
 */
function isMixed(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && !/[/.]/.test(value.slice(0, -1));
}

/** Matches names of files that hold only settings and credentials, one per line. */
const VARIABLES_FILE =
  /(?:^|\/)(?:\.env(?:\.[\w.-]+)?|[\w.-]*\.env|\.envrc|\.flaskenv|\.dev\.vars|\.npmrc|\.pypirc|\.netrc|_netrc|\.pgpass|\.s3cfg|\.boto|\.my\.cnf|\.aws\/(?:credentials|config)|credentials(?:\.ini)?|secrets?\.(?:env|ini|toml|properties))$/i;

/** Returns whether a file's name marks it as a file of variables, such as `.env`. */
export function isVariablesFile(path: string): boolean {
  return VARIABLES_FILE.test(path.replaceAll("\\", "/"));
}
