import { isRandomValue } from "./randomness.ts";
import type { SecretKind } from "./secret-kind.ts";

/**
 * Names that only a credential has, in any spelling: `client_secret`, `apiKey`, `refresh-token`. `key` and `token` alone
 * are not among them, because they are the names of many other things.
 */
const NAME = [
  "[a-z0-9][_-]?secret",
  "secret[_-]?(?:access[_-]?)?(?:key|token)",
  "(?:api|auth|access|private|account|master|encryption|signing|license|subscription|admin)[_-]?(?:key|token)",
  "(?:refresh|bearer|bot|deploy|personal|oauth|registration)[_-]?token",
  "password|passwd|passphrase",
].join("|");
const QUOTE = "\\\\{0,7}[\"'`]";
const IS = "\\s{0,4}(?:=>?|:=?)\\s{0,4}";
const CHARACTER = "[\\w+/=.~-]";
const VALUE = `${CHARACTER}{20,4096}(?!${CHARACTER})`;

/**
 * The quick test for a name with a value begins with the sign between them, and looks back for the name last, because
 * signs are rarer than the letters that begin a name.
 */
const NAME_END =
  "(?:[Kk]ey|KEY|[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Pp]assw(?:or)?d|PASSW(?:OR)?D|phrase|PHRASE)";
const MARK = `[:=>](?=[=>]?\\s{0,4}(?:${QUOTE})?${CHARACTER}{16})(?<=${NAME_END}(?:(?:${QUOTE})?\\s{0,4}:?[:=>]|${QUOTE}\\s{1,4}value=))`;

const FIELDS: readonly SecretKind[] = [
  {
    name: "credential of a field",
    marks: [MARK],
    shape: new RegExp(`(?:${NAME})(?:${QUOTE})?${IS}${QUOTE}(?<secret>${VALUE})`, "dgi"),
    isReal: isRandomCredential,
  },
  {
    // Without quotes, as in YAML, settings and log lines, a value could be the name of a variable or a function.
    name: "credential of a setting",
    marks: [MARK],
    shape: new RegExp(`(?:${NAME})${IS}(?<secret>${VALUE})(?=\\s|$|\\\\|<|["'\`](?:$|[\\s>/]))`, "dgi"),
    isReal: (value) => /\d/.test(value) && !value.includes(".") && isRandomCredential(value),
  },
];

const OTHERS: readonly SecretKind[] = [
  {
    name: "credential in a query",
    marks: [
      "[?&;](?:amp;)?[\\w-]{0,40}(?:[Tt]oken|[Kk]ey|[Ss]ecret|[Ss]ignature|[Pp]assword)=[\\w%+/=.~-]{20}",
    ],
    shape: new RegExp(
      `[?&;](?:amp;)?(?:[\\w-]{0,20}(?:${NAME})|token|x-(?:amz|goog)-(?:signature|security-token))=(?<secret>[\\w%+/=.~-]{20,4096})`,
      "dgi",
    ),
    isReal: (value) => isRandomValue(value.replaceAll(/%[0-9A-Fa-f]{2}/g, "+")),
  },
  {
    name: "credential in XML",
    marks: [MARK],
    shape: new RegExp(
      `(?:${NAME})(?:>|${QUOTE}\\s{1,4}value=${QUOTE})(?<secret>${CHARACTER}{16,4096}(?!${CHARACTER}))`,
      "dgi",
    ),
    isReal: isRandomCredential,
  },
];

/** Returns whether a value is random, also after decoding it from base64, as in the secrets of Kubernetes. */
function isRandomCredential(value: string): boolean {
  return isRandomValue(value) || isRandomValue(Buffer.from(value, "base64").toString("latin1"));
}

/**
 * Random values whose name says that they are a credential: in JSON, YAML, XML, source code, log lines and the query of a
 * URL.
 */
export const NAMED_SECRETS: readonly SecretKind[] = [...FIELDS, ...OTHERS];
