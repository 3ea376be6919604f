import { basicPassword, isJwtHeader } from "./checksum.ts";
import { isLiteralPassword, isPassword, isRandomToken, isRandomValue } from "./randomness.ts";
import type { SecretKind } from "./secret-kind.ts";

/** Matches an optional quote, which may be escaped inside a string. */
const QUOTE = "\\\\{0,3}[\"']?";
/** Matches `:` or `=` between a name and its value, with optional quotes and blanks around it. */
const SEPARATOR = `${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE}`;

/** Matches a public host name: its domain is neither an example, nor this machine, nor in a private network. */
const PUBLIC_HOST =
  /^(?!127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|0\.0\.0\.0)(?!(?:[\w-]+\.)*(?:(?:example|host|hostname|domain|site|server|foo|bar)\.(?:com|org|net)|(?:[\w-]+\.)(?:example|test|invalid|local|localhost))\b)(?:[\w-]+\.)+[a-z0-9]{2,24}(?![\w.-])/i;

/** Decodes a password in a URL and drops options after it, as in `secret;AUTH=PLAIN`. */
function decodeUrlPassword(password: string): string {
  return password
    .replace(/;.*$/, "")
    .replaceAll(/%[0-9A-Fa-f]{2}/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
}

const URLS: readonly SecretKind[] = [
  {
    name: "password in a URL",
    marks: [":\\\\{0,2}\\/\\\\{0,2}\\/[^\\s/@]{1,200}@"],
    shape:
      /\b(?<scheme>[a-z][a-z0-9+.-]{1,30}):\\{0,2}\/\\{0,2}\/(?<user>[^\s/:@"'`]{0,100}):(?<secret>[^\s/@"'`\\]{4,200})@(?<host>[^\s"'`]{1,100})/dgi,
    isReal(encoded, { groups = {} }) {
      const { scheme = "", user = "", host = "" } = groups;
      const password = decodeUrlPassword(encoded);
      if (!isLiteralPassword(password) || password === decodeUrlPassword(user) || /^\d{1,5}$/.test(password))
        return false;
      if (isPassword(password)) return true;
      // For a database on a public host, even a plain word counts as a real password; in a web URL it is nearly always
      // an example.
      return password.length >= 6 && !/^(?:https?|ftps?|wss?)$/i.test(scheme) && PUBLIC_HOST.test(host);
    },
  },
  {
    name: "token in a URL",
    marks: [":\\/\\/[\\w.~%-]{20,200}(?::x-oauth-basic)?@"],
    shape:
      /\b(?:https?|ssh|git\+https?):\/\/(?<secret>[\w.~%-]{20,200})(?::x-oauth-basic)?@(?![\w.-]*sentry)/dgi,
    isReal: isRandomValue,
  },
  {
    name: "Azure shared access signature",
    marks: ["[?&;]sig="],
    shape: /[?&;](?:amp;)?sig=(?<secret>[A-Za-z0-9+/%]{40,100}(?:=|%3[Dd])?)/dg,
    isReal: (signature) => isRandomToken(signature.replaceAll(/%[0-9A-Fa-f]{2}/g, "+")),
  },
];

const STRINGS: readonly SecretKind[] = [
  {
    name: "Azure account key",
    marks: ["AccountKey=", "SharedAccessKey="],
    shape: /(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9+/]{43,86}={1,2})/dg,
    isReal: isRandomToken,
  },
  {
    name: "password in a connection string",
    marks: [";\\s?(?:[Pp]assword|[Pp]wd|PWD|PASSWORD)="],
    shape:
      /(?<![\w ])(?<keys>(?:[a-z][a-z ]{1,30}=[^;"'\\\n]{0,200};\s?){1,12})(?:password|pwd)=(?<secret>[^;"'\s\\]{4,200})/dgi,
    isReal: (password, { groups = {} }) =>
      /(?:^|;\s?)(?:server|data source|host|address|addr|dsn|user id|uid|username)=/i.test(
        groups["keys"] ?? "",
      ) &&
      isLiteralPassword(decodeUrlPassword(password)) &&
      !/^[a-z]{1,12}$/.test(password),
  },
  {
    name: "AWS secret key",
    marks: ["[Aa](?:ws|WS)_?[Ss](?:ecret|ECRET)", "[Ss](?:ecret|ECRET)_?(?:[Aa]ccess|ACCESS|[Kk]ey|KEY)"],
    shape: new RegExp(
      `(?:aws_?)?secret_?(?:access_?)?key${SEPARATOR}(?<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])`,
      "dgi",
    ),
    isReal: isRandomToken,
  },
  {
    name: "AWS session token",
    marks: ["[Ss](?:ession|ESSION)_?[Tt](?:oken|OKEN)"],
    shape: new RegExp(`session_?token${SEPARATOR}(?<secret>[A-Za-z0-9+/]{100,2000}={0,2})`, "dgi"),
    isReal: isRandomToken,
  },
  {
    name: "registry credentials",
    marks: ["auth\\\\{0,3}[\"']\\s{0,4}:", "_auth\\s{0,4}="],
    shape: new RegExp(
      `(?:(?<=["'])|(?<=[:\\s]_)|(?<=^_))auth${SEPARATOR}(?<secret>[A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9+/=])`,
      "dg",
    ),
    isReal: isBasicCredential,
  },
  {
    name: "npm registry token",
    marks: [":_authToken", ":_password"],
    shape: new RegExp(`:_(?:authToken|password)${SEPARATOR}(?<secret>[\\w+/=.~-]{12,400})`, "dg"),
    isReal: (value) => isRandomValue(value) || isPassword(decodePrintable(Buffer.from(value, "base64"))),
  },
  {
    name: "WireGuard key",
    marks: ["PrivateKey\\s{0,4}=", "PresharedKey\\s{0,4}="],
    shape: /(?:PrivateKey|PresharedKey)\s{0,4}=\s{0,4}(?<secret>[A-Za-z0-9+/]{43}=)/dg,
    isReal: isRandomToken,
  },
  {
    name: "private JSON web key",
    marks: ['kty\\\\{0,3}"'],
    shape: /\{[^{}]{0,4000}?"d\\{0,3}"\s{0,4}:\s{0,4}\\{0,3}"(?<secret>[\w-]{40,2000})/dg,
    isReal: isRandomToken,
  },
];

/** Names of HTTP headers whose value is a credential. */
const KEY_HEADERS =
  "x-api-key|api-key|x-auth-token|x-access-token|private-token|job-token|deploy-token|x-vault-token|x-goog-api-key|x-amz-security-token|x-shopify-access-token|x-csrf-token|dd-api-key|x-figma-token";

const HEADERS: readonly SecretKind[] = [
  {
    name: "Basic credentials",
    marks: ["[Bb]asic\\s[A-Za-z0-9+/]{12}"],
    shape: /\bbasic\s{1,4}(?<secret>[A-Za-z0-9+/]{12,400}={0,2})(?![A-Za-z0-9+/=])/dgi,
    isReal: isBasicCredential,
  },
  {
    name: "bearer token",
    marks: ["[Bb]earer\\s[\\w.~+/=-]{20}"],
    shape: /\bbearer\s{1,4}(?<secret>[\w.~+/=-]{20,4096})/dgi,
    isReal: isRandomValue,
  },
  {
    name: "Authorization header",
    marks: ["[Aa](?:uthorization|UTHORIZATION)"],
    shape: new RegExp(
      `authorization${SEPARATOR}(?:token|apikey|ssws|key|digest)?[\\s=]{0,4}(?<secret>[\\w.~+/=-]{20,4096})`,
      "dgi",
    ),
    isReal: isRandomValue,
  },
  {
    name: "key in a header",
    marks: [
      "[Xx]-[A-Za-z-]{3,24}\\W",
      "[Aa]pi-[Kk]ey",
      "[Pp]rivate-[Tt]oken",
      "[Jj]ob-[Tt]oken",
      "[Dd]eploy-[Tt]oken",
      "PRIVATE-TOKEN",
      "JOB-TOKEN",
      "DD-API-KEY",
    ],
    shape: new RegExp(`(?<![\\w-])(?:${KEY_HEADERS})${SEPARATOR}(?<secret>[\\w.~+/=-]{20,4096})`, "dgi"),
    isReal: isRandomValue,
  },
];

const COMMANDS: readonly SecretKind[] = [
  {
    name: "curl credentials",
    marks: ["curl\\s"],
    shape: /\bcurl\s.{0,400}?\s(?:-u|--user)[\s=]{0,4}["']?[^\s:"']{1,100}:(?<secret>[^\s"']{4,200})/dg,
    isReal: isPassword,
  },
  {
    name: "credential behind a flag",
    marks: ["--[a-z-]{0,30}(?:password|passwd|token|secret|api-?key)"],
    shape:
      /(?<![\w-])--[a-z-]{0,30}(?:password|passwd|token|secret|api-?key)[=\s]["']?(?<secret>[^\s"']{16,400})/dg,
    isReal: isRandomValue,
  },
  {
    name: "netrc password",
    marks: ["machine\\s"],
    shape:
      /\bmachine\s{1,4}\S{1,200}\s{1,4}login\s{1,4}\S{1,200}\s{1,4}password\s{1,4}(?<secret>\S{4,200})/dg,
    isReal: isPassword,
  },
];

const JWT: SecretKind = {
  name: "JSON web token",
  marks: ["e[wy][\\w-]{10}"],
  shape:
    /(?<=^|[^\w-]|\\[nrt]|%[0-9A-Fa-f]{2})(?<body>e[wy][\w-]{14,4096})\.[\w-]{2,65536}\.[\w-]{0,8192}(?:\.[\w-]{8,65536}\.[\w-]{8,64})?/dg,
  isReal: isJwtHeader,
};

function isBasicCredential(encoded: string): boolean {
  const password = basicPassword(encoded);
  return password !== undefined && isPassword(password);
}

/** Decodes bytes as text; empty if they are not printable. */
function decodePrintable(bytes: Buffer): string {
  const text = bytes.toString("latin1");
  return /^[ -~]*$/.test(text) ? text : "";
}

/** The kinds of secrets that are recognised by the text around them, such as `password=`. */
export const ANNOUNCED_SECRETS: readonly SecretKind[] = [...URLS, ...STRINGS, ...HEADERS, ...COMMANDS, JWT];
