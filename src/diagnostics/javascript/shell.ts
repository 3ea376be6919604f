import type { Found } from "../tool.ts";

const NOT_FOUND = /^(?:\S*\/)?(?:ba|da|z|k)?sh: (?:(?:line )?\d+: )?(\S.{0,500}): (?:command )?not found$/;
const NOT_RECOGNIZED = /^'(.{1,500})' is not recognized as an internal or external command,?$/;

/** What a shell says of a script's command that it does not know. */
export function shellComplaint(text: string): Found | undefined {
  const name =
    text.length < 1_000 ? (NOT_FOUND.exec(text)?.[1] ?? NOT_RECOGNIZED.exec(text)?.[1]) : undefined;
  return name === undefined
    ? undefined
    : { tool: "shell", severity: "error", message: `${name}: command not found` };
}
