import { trimEndOf } from "../../parsing/trim-end.ts";
import { trimBlank } from "../../javascript/diff.ts";
import { isFrame } from "../../javascript/frames.ts";
import { managerCommands, SCRIPT_ANNOUNCEMENTS, unknownCommand } from "../../javascript/package-scripts.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";

export const npm = defineBuildTool({
  id: "npm",
  title: "npm",
  url: "https://docs.npmjs.com/cli",
  ecosystem: "js",
  kinds: ["install", "build", "test", "run"],
  signatures: ["npm error", "npm ERR!", "npm warn", "npm WARN", "npm notice", "npm verb", "npm info", "> "],
  priority: 6,
  parser: npmParser,
  commands: managerCommands("npm"),
  manifests: ["package.json"],
  packageManager: {
    lockFiles: ["package-lock.json"],
    rank: 0,
    workspace: (name) => ["-w", name],
    optionsAfterDashes: ["run", "run-script", "test", "t", "start"],
    runHook: (name, folder) =>
      /^\s*ignore-scripts\s*=\s*true/m.test(folder.nearest(".npmrc") ?? "")
        ? undefined
        : ["npm", "run", name],
  },
  announces: SCRIPT_ANNOUNCEMENTS,
});

const TAGGED = /^npm (error|ERR!|warn|WARN|notice|info|verb|verbose|timing|http|sill|silly)(?: (.*))?$/;
/** Matches the announcement of a script: its package, then its command. */
const SCRIPT = /^> (?:@[\w.-]+\/)?[\w.-]+@\S+ [\w:.@/-]+(?: \S.*)?$/;
const WARN_CODE =
  /^(deprecated|E[A-Z]{4,30}|config|old lockfile|optional|tar|gitignore-fallback|cleanup|exec|using)(?: |$)/;
/** Matches the further lines of a warning, which start with blanks or one of these words. */
const WARNING_CONTINUES =
  /^(?: |$|(?:While resolving|Found|Could not resolve|Conflicting peer dependency|node_modules\/|peer |peerOptional |\S+@".*" from ))/;

/** Matches remarks about npm's own settings and version, which it prints at every call. */
const OWN_SETTINGS =
  /^(?:Unknown [\w-]+ config\b|config\b|invalid config\b|ignoring workspace config\b|using --|cli npm v|Expanding -|"?[\w-]+"? is being parsed as a normal command line argument|.* will stop working in the next major version of npm\b)/;

/** Matches lines of an error that npm 8 and 9 print without their tag, for a workspace. */
const ADVICE = /^(?:To see a list of scripts, run:|  npm run\b.{0,300})$/;

interface Warning {
  readonly code: string | undefined;
  readonly lines: string[];
}

/** Reads npm's own messages: the failure as one diagnostic, and the warnings. */
function npmParser(sink: Sink): LineParser {
  return new NpmReader(sink);
}

class NpmReader implements LineParser {
  readonly #sink: Sink;
  #errors: string[] = [];
  #warning: Warning | undefined;
  #inScript = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const [, tag, content = ""] = TAGGED.exec(text) ?? [];
    if (tag === "error" || tag === "ERR!") return this.#error(content);
    if (tag === "warn" || tag === "WARN") return this.#warn(content);
    // An empty line does not end the error, because npm prints one before the name of its log.
    if (tag === undefined && text.trim() === "" && this.#errors.length > 0) return true;
    if (tag === undefined && this.#errors.length > 0 && ADVICE.test(text)) return this.#error(text);
    if (tag === undefined) {
      this.end();
      const script = SCRIPT.test(text) || (this.#inScript && text.startsWith("> "));
      this.#inScript = script && !this.#inScript;
      const complaint = script ? undefined : unknownCommand(text);
      if (complaint !== undefined) this.#sink.diagnostic(complaint);
      return script || complaint !== undefined;
    }
    return true;
  }

  end(): void {
    this.#closeWarning();
    const found = this.#errors.length === 0 ? undefined : readErrorBlock(this.#errors);
    this.#errors = [];
    if (found !== undefined) this.#sink.diagnostic(found);
  }

  #error(content: string): boolean {
    this.#closeWarning();
    // A second error code or failed script starts a second failure: npm prints one per workspace.
    const [begin] = /^(?:code |Lifecycle script )/.exec(content) ?? [];
    if (
      begin !== undefined &&
      this.#errors.some((line) => line.startsWith(begin) || line.startsWith("code "))
    )
      this.end();
    this.#errors.push(content);
    return true;
  }

  #warn(content: string): boolean {
    if (OWN_SETTINGS.test(content)) {
      this.#closeWarning();
      return true;
    }
    const code = WARN_CODE.exec(content)?.[1];
    const rest = code === undefined ? content : content.slice(code.length + 1);
    const open = this.#warning;
    const same = open !== undefined && code === open.code && (code === undefined || /^[ }]|^$/.test(rest));
    if (
      open !== undefined &&
      (same || (code === undefined && open.code === "ERESOLVE")) &&
      WARNING_CONTINUES.test(rest)
    ) {
      open.lines.push(rest);
      return true;
    }
    if (open !== undefined && code === open.code && rest.trim() === "}") return true;
    this.#closeWarning();
    if (rest.trim() !== "") this.#warning = { code, lines: [rest] };
    return true;
  }

  #closeWarning(): void {
    const warning = this.#warning;
    this.#warning = undefined;
    if (warning === undefined) return;
    this.#sink.diagnostic({
      severity: "warning",
      message: warning.lines.join("\n").trim(),
      ...(warning.code === undefined ? {} : { code: warning.code }),
    });
  }
}

/** Matches the word for the kind of error that npm prints before a message. */
const KIND =
  /^(?:40[134]|notarget|notsup|engine|JSON\.parse|gyp ERR!|gyp|network|enoent|eexist|nospc|typeerror|audit|signal|stack)(?: |$)/;
/** Matches the line in which npm 8 and 9 name the workspace in words. */
const IN_WORKSPACE = /^ +(?:in (workspace)|at (location)): (.*)$/;
const FIELD = /^(code|errno|syscall|path|dest|command|cwd|location|workspace|request to|pkgid|file) (.*)$/;
const NOISE =
  /^(?:A complete log of this run|For a full report see:|See .* for a full report|\s*\S*_logs[\\/]\S+|\s*\S*eresolve-report\.txt|(?:Error: )?command failed$)/;
const HELP =
  /^(?:To see a list of|Fix the (?:upstream|dependency)|Note(?::| that you)|In most cases|Did you mean|If you |This is (?:probably|related|either)|Please (?:try|make sure)|You can rerun|Run "npm help)/;
const USAGE = /^Usage:$/;
/** Matches the fields of an error object below its stack. */
const OBJECT_FIELD = /^ +[\w$[\]]+: ['"\d{[-]/;

/**
 * Builds one diagnostic from consecutive error lines without their `npm error`; undefined if they only name npm's log.
 */
function readErrorBlock(lines: readonly string[]): Found | undefined {
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
      // The line above the usage text says what the command is for, so it is dropped too.
      const content = trimBlank(message);
      if (content.length > 2 && content.at(-2) === "") message.splice(content.length - 1);
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
  const content = help.filter((line) => line !== "");
  return {
    severity: "error",
    message: message.length === 0 ? failed : withCommand(dropRepeats(message).join("\n"), fields),
    ...(path !== undefined && path.endsWith(".json") ? { file: path } : {}),
    // A code that is a number is the exit code of a program and does not name the problem.
    ...(code === undefined || /^\d+$/.test(code) ? {} : { code }),
    ...(content.length > 0 ? { help: [content.join(" ")] } : {}),
  };
}

/**
 * Completes "Lifecycle script `build` failed with error:" with the exit code, the command and the workspace, as far as
 * they are known.
 */
function withCommand(message: string, fields: ReadonlyMap<string, string>): string {
  const details = [fields.get("code"), fields.get("command")].filter((field) => field !== undefined);
  const workspace = fields.get("workspace")?.replace(/(?<=.)@[^@/]*$/, "");
  const named =
    workspace === undefined ? message : message.replace(/ failed with error:/, ` failed in ${workspace}:`);
  return named.endsWith(":") ? trimEndOf([named, details.join(", ")].join(" "), ": ") : named;
}

function dropRepeats(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => line !== "" || lines[index - 1] !== "");
}
