import { PithError } from "../kernel/errors.ts";
import { compareText } from "../kernel/nearest.ts";

/** Matches a label such as `gpu` or `os=linux`: short enough to display, and without list separators. */
const LABEL = /^[a-zA-Z0-9][\w.:/+-]{0,62}(?:=[\w.:/+-]{1,64})?$/;
const MAX_LABELS = 32;
export const LABEL_RULE = "Write labels as NAME or NAME=VALUE: gpu, os=linux.";

/** Validates labels that a user wrote, and sorts them. */
export function readLabels(texts: readonly string[], where: string): string[] {
  const labels = [...new Set(texts.map((text) => text.trim()))].sort(compareText);
  const bad = labels.find((label) => !LABEL.test(label));
  if (bad !== undefined)
    throw new PithError("invalid_input", `${where}: ${JSON.stringify(bad.slice(0, 80))} is no label`, {
      suggestion: LABEL_RULE,
    });
  if (labels.length > MAX_LABELS)
    throw new PithError(
      "invalid_input",
      `${where}: ${labels.length} labels; at most ${MAX_LABELS} are taken`,
    );
  return labels;
}

/** Labels that every worker has without configuration. */
export function ownLabels(machine: { readonly platform: string; readonly arch: string }): string[] {
  const system = { win32: "windows", darwin: "macos" }[machine.platform] ?? machine.platform;
  return [`os=${system}`, `arch=${machine.arch}`];
}
