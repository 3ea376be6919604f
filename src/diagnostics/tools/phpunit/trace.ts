import type { FailureDraft } from "../../parsing/draft.ts";

const FRAME =
  /^(\/.{1,1000}|[A-Za-z]:[\\/].{1,1000}|phar:\/\/.{1,1000}|\.{0,2}\/?[\w./\\-]{1,400}\.phpt?):(\d{1,9})$/;
const FOREIGN = /[/\\]vendor[/\\]|^phar:|[/\\]share[/\\]php[/\\]/;

/** Whether the line is a place of a PHP trace: `/app/src/Cart.php:11`. */
export function isPhpFrame(text: string): boolean {
  return FRAME.test(text);
}

/** Gives the failure the place of the first frame of the project; later frames change nothing. */
export function placeAtPhpFrame(draft: FailureDraft, text: string): void {
  const match = draft.file === undefined ? FRAME.exec(text) : null;
  if (match === null || FOREIGN.test(match[1] ?? "")) return;
  draft.file = match[1] ?? "";
  draft.line = Number(match[2]);
}

/** Both sides of a comparison, from the difference or from the sentence. */
export function setPhpComparison(draft: FailureDraft): void {
  const lines = draft.message;
  const at = lines.findIndex(
    (line, i) => line.startsWith("--- Expected") && lines[i + 1]?.startsWith("+++ Actual"),
  );
  if (at >= 0) {
    const hunk = lines.slice(at + 2);
    const side = (sign: string): string =>
      hunk
        .filter((line) => line.startsWith(sign))
        .map((line) => line.slice(1).trim())
        .join("\n");
    draft.expected = side("-");
    draft.received = side("+");
    return;
  }
  const sentence =
    /^Failed asserting that (.{1,2000}) (?:is identical to|matches expected|is equal to|equals) (.{1,2000})\.$/m.exec(
      lines.join("\n"),
    );
  if (sentence === null) return;
  draft.received = sentence[1] ?? "";
  draft.expected = sentence[2] ?? "";
}
