import { isShown, SAMPLE_KINDS } from "../quality/masking/secret-samples.ts";
import { Random } from "../torture/random.ts";

/** One secret of each kind; a line with nothing else is not repeated inside of other text. */
const SECRETS = SAMPLE_KINDS.map(({ name, make, isLine = false }) => ({
  name,
  isLine,
  ...make(new Random(`ways ${name}`)),
}));
export const LINES = SECRETS.flatMap(({ line }) => line.split("\n"));
export const INLINE = SECRETS.filter(({ isLine, line }) => !isLine && !line.includes("\n"));

const xml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Files in which programs mention the secrets: as text, as complaints and tests, in a report, in comments. */
export const SECRET_FILES = {
  "secrets.txt": `${LINES.join("\n")}\n`,
  "compiler.txt": INLINE.map(({ line }, index) => `src/a.c:${index + 1}:5: error: ${line}\n`).join(""),
  "tests.tap": `TAP version 13\n${INLINE.map(({ line }, index) => `not ok ${index + 1} - ${line.replaceAll("#", "")}\n`).join("")}1..${INLINE.length}\n`,
  "report.xml": `<testsuites><testsuite name="s" tests="${INLINE.length}" failures="${INLINE.length}">${INLINE.map(
    ({ line }, index) =>
      `<testcase classname="s" name="case ${index} ${xml(line)}"><failure message="${xml(line)}">at a.js:1:2 ${xml(line)}</failure></testcase>`,
  ).join("\n")}</testsuite></testsuites>`,
  "code.py": INLINE.map(
    ({ line }, index) => `# ${line}\ndef function_${index}():\n    return ${index}\n\n`,
  ).join(""),
};

/** Every secret that is visible in a text, with the way by which it came there. */
export function seenIn(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].flatMap(([way, text]) =>
    SECRETS.filter(({ secret }) => isShown(text, secret)).map(({ name }) => `${name} in ${way}`),
  );
}
