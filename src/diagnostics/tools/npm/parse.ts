import { unknownCommand } from "../../javascript/package-scripts.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { readErrorBlock } from "./block.ts";

const TAGGED = /^npm (error|ERR!|warn|WARN|notice|info|verb|verbose|timing|http|sill|silly)(?: (.*))?$/;
/** What a script's own lines begin with: its package, then its command. */
const SCRIPT = /^> (?:@[\w.-]+\/)?[\w.-]+@\S+ [\w:.@/-]+(?: \S.*)?$/;
const WARN_CODE =
  /^(deprecated|E[A-Z]{4,30}|config|old lockfile|optional|tar|gitignore-fallback|cleanup|exec|using)(?: |$)/;
/** Lines of a warning about several lines: they begin with blanks or with one of these words. */
const WARN_GOES_ON =
  /^(?: |$|(?:While resolving|Found|Could not resolve|Conflicting peer dependency|node_modules\/|peer |peerOptional |\S+@".*" from ))/;

/** What npm says of its own settings and version: it says so at every call, whatever it is called for. */
const OWN_SETTINGS =
  /^(?:Unknown [\w-]+ config\b|config\b|invalid config\b|ignoring workspace config\b|using --|cli npm v|Expanding -|"?[\w-]+"? is being parsed as a normal command line argument|.* will stop working in the next major version of npm\b)/;

/** Lines of an error that npm 8 and 9 print without their tag, for a workspace. */
const ADVICE = /^(?:To see a list of scripts, run:|  npm run\b.{0,300})$/;

interface Warning {
  readonly code: string | undefined;
  readonly lines: string[];
}

/** Reads npm's own words: what made it fail as one diagnostic, and its warnings. */
export function npmParser(sink: Sink): LineParser {
  return new NpmReader(sink);
}

class NpmReader implements LineParser {
  readonly #sink: Sink;
  #errors: string[] = [];
  #warning: Warning | undefined;
  #script = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    const [, tag, said = ""] = TAGGED.exec(text) ?? [];
    if (tag === "error" || tag === "ERR!") return this.#error(said);
    if (tag === "warn" || tag === "WARN") return this.#warn(said);
    // npm puts an empty line before the name of its log.
    if (tag === undefined && text.trim() === "" && this.#errors.length > 0) return true;
    if (tag === undefined && this.#errors.length > 0 && ADVICE.test(text)) return this.#error(text);
    if (tag === undefined) {
      this.end();
      const script = SCRIPT.test(text) || (this.#script && text.startsWith("> "));
      this.#script = script && !this.#script;
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

  #error(said: string): boolean {
    this.#closeWarning();
    // A second code or script begins a second failure: one for each workspace.
    const [begin] = /^(?:code |Lifecycle script )/.exec(said) ?? [];
    if (
      begin !== undefined &&
      this.#errors.some((line) => line.startsWith(begin) || line.startsWith("code "))
    )
      this.end();
    this.#errors.push(said);
    return true;
  }

  #warn(said: string): boolean {
    if (OWN_SETTINGS.test(said)) {
      this.#closeWarning();
      return true;
    }
    const code = WARN_CODE.exec(said)?.[1];
    const rest = code === undefined ? said : said.slice(code.length + 1);
    const open = this.#warning;
    const same = open !== undefined && code === open.code && (code === undefined || /^[ }]|^$/.test(rest));
    if (
      open !== undefined &&
      (same || (code === undefined && open.code === "ERESOLVE")) &&
      WARN_GOES_ON.test(rest)
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
