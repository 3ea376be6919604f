import { trimBlank } from "../../javascript/diff.ts";
import { isFrame } from "../../javascript/frames.ts";
import type { Found } from "../../tool.ts";

/** Words that npm repeats before the text of an error of their kind. */
const KIND =
  /^(?:40[134]|notarget|notsup|engine|JSON\.parse|gyp ERR!|gyp|network|enoent|eexist|nospc|typeerror|audit|signal|stack)(?: |$)/;
/** npm 8 and 9 name the workspace in words. */
const IN_WORKSPACE = /^ +(?:in (workspace)|at (location)): (.*)$/;
const FIELD = /^(code|errno|syscall|path|dest|command|cwd|location|workspace|request to|pkgid|file) (.*)$/;
const NOISE =
  /^(?:A complete log of this run|For a full report see:|See .* for a full report|\s*\S*_logs[\\/]\S+|\s*\S*eresolve-report\.txt|(?:Error: )?command failed$)/;
const HELP =
  /^(?:To see a list of|Fix the (?:upstream|dependency)|Note(?::| that you)|In most cases|Did you mean|If you |This is (?:probably|related|either)|Please (?:try|make sure)|You can rerun|Run "npm help)/;
const USAGE = /^Usage:$/;
/** The fields of an error object, printed below its stack. */
const OBJECT_FIELD = /^ +[\w$[\]]+: ['"\d{[-]/;

/** One diagnostic of a block of npm's error lines, their `npm error` taken off; undefined where it only names its log. */
export function readErrorBlock(lines: readonly string[]): Found | undefined {
  const fields = new Map<string, string>();
  const message: string[] = [];
  const help: string[] = [];
  let target = message;
  for (const raw of lines) {
    const kind = raw.startsWith("404 Not Found") ? undefined : KIND.exec(raw)?.[0];
    const line = (kind === undefined ? raw : raw.slice(kind.length).trimStart()).trimEnd();
    const where = IN_WORKSPACE.exec(line);
    if (where !== null) {
      fields.set(where[1] ?? "location", where[3] ?? "");
      continue;
    }
    const [, name = "", value = ""] = FIELD.exec(line) ?? [];
    if (USAGE.test(line)) {
      // The line above says what the command is for.
      const said = trimBlank(message);
      if (said.length > 2 && said.at(-2) === "") message.splice(said.length - 1);
      break;
    }
    if (NOISE.test(line) || isFrame(line) || OBJECT_FIELD.test(line) || /^\}?$/.test(line.trim())) {
      if (line === "" && target.length > 0) target.push("");
    } else if (name !== "" && target === message) fields.set(name, value);
    else {
      if (HELP.test(line.trim())) target = help;
      if (target.at(-1) !== line) target.push(target === help ? line.trim() : line);
    }
  }
  return toDiagnostic(fields, trimBlank(message), help);
}

function toDiagnostic(
  fields: ReadonlyMap<string, string>,
  message: readonly string[],
  help: readonly string[],
): Found | undefined {
  const code = fields.get("code");
  const command = fields.get("command");
  if (message.length === 0 && code === undefined) return undefined;
  const failed = `Command failed with code ${code ?? ""}${command === undefined ? "" : `: ${command}`}`;
  const path = fields.get("path") ?? fields.get("file");
  const said = help.filter((line) => line !== "");
  return {
    severity: "error",
    message: message.length === 0 ? failed : withCommand(squeeze(message).join("\n"), fields),
    ...(path !== undefined && path.endsWith(".json") ? { file: path } : {}),
    // A number is a program's exit code, no name of what is wrong.
    ...(code === undefined || /^\d+$/.test(code) ? {} : { code }),
    ...(said.length > 0 ? { help: [said.join(" ")] } : {}),
  };
}

/** "Lifecycle script `build` failed with error:" goes on with fields; of workspaces it says which. */
function withCommand(message: string, fields: ReadonlyMap<string, string>): string {
  const details = [fields.get("code"), fields.get("command")].filter((field) => field !== undefined);
  const workspace = fields.get("workspace")?.replace(/(?<=.)@[^@/]*$/, "");
  const named =
    workspace === undefined ? message : message.replace(/ failed with error:/, ` failed in ${workspace}:`);
  return named.endsWith(":") ? [named, details.join(", ")].join(" ").replace(/[: ]+$/, "") : named;
}

function squeeze(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "");
}
