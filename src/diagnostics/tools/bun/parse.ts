import { isFrame, stackFrame } from "../../javascript/frames.ts";
import { unknownCommand } from "../../javascript/package-scripts.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { BunTestRun } from "./test-run.ts";

const TEST = /^bun test v\d/;
const INSTALL = /^bun (?:install|add|update|remove|i) v\d/;
const CODE = /^ *\d+ \| /;
const CARET = /^ *\^$/;
const HEAD = /^(error|warn|note|\w*Error)(?: \[\w+\])?: (.*)$/;
const SCRIPT = /^error: (?:script "[^"]{1,200}" (?:exited with|was terminated)|Script not found ")/;
const NO_FILES =
  /^(?:The following filters did not match any test files:|error: 0 test files matching|No tests found!)/;
const END_OF_INSTALL = /^(?:\d+ packages? installed|Checked \d+ installs?|Saved lockfile|Done!)/;

interface Pending {
  readonly severity: "error" | "warning";
  readonly message: string[];
  readonly stack: string[];
}

/** Reads `bun test`, `bun install`, `bun build` and what Bun says of a script that throws. */
export function bunParser(sink: Sink): LineParser {
  return new BunReader(sink);
}

class BunReader implements LineParser {
  readonly #sink: Sink;
  #run: BunTestRun | undefined;
  #installing: string[] | undefined;
  #help: string[] = [];
  #pointed = false;
  #code = false;
  #pending: Pending | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (text.length > 20_000) return false;
    if (TEST.test(text)) {
      this.end();
      this.#run = new BunTestRun(this.#sink);
      return true;
    }
    if (NO_FILES.test(text)) return this.#noTests(text);
    if (this.#run !== undefined) {
      this.#run.take(text);
      if (!this.#run.open) this.#run = undefined;
      return true;
    }
    if (INSTALL.test(text)) {
      this.end();
      this.#installing = [];
      return true;
    }
    return this.#pendingGoesOn(text) || this.#frame(text) || this.#install(text) || this.#script(text);
  }

  end(): void {
    this.#run?.end();
    this.#run = undefined;
    this.#closePending();
    this.#closeInstall();
    this.#installing = undefined;
  }

  #noTests(text: string): boolean {
    this.#run = undefined;
    this.#sink.summary({ passed: 0, failed: 0, skipped: 0, total: 0 });
    this.#sink.diagnostic({ severity: "error", message: text.replace(/^error: /, "") });
    return true;
  }

  /** The code of the place comes first, then a caret, then what is wrong, then where. */
  #frame(text: string): boolean {
    const [, word = "", said = ""] = this.#pointed ? (HEAD.exec(text) ?? []) : [];
    this.#pointed = CARET.test(text) && this.#code;
    this.#code = CODE.test(text) || this.#pointed;
    if (word === "") return false;
    const plain = word === "error" || word === "warn" || word === "note";
    this.#pending = {
      severity: word === "warn" || word === "note" ? "warning" : "error",
      message: [plain ? said : `${word}: ${said}`],
      stack: [],
    };
    return true;
  }

  #pendingGoesOn(text: string): boolean {
    const pending = this.#pending;
    if (pending === undefined) return false;
    if (isFrame(text) && stackFrame(text) !== undefined) {
      pending.stack.push(text);
      return true;
    }
    if (text.trim() !== "" && pending.stack.length === 0 && pending.message.length < 40 && !CODE.test(text)) {
      pending.message.push(text);
      return true;
    }
    this.#closePending();
    return false;
  }

  #closePending(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const frames = pending.stack.map(stackFrame).filter((frame) => frame !== undefined);
    const place = (frames.find((frame) => !frame.foreign) ?? frames[0])?.place;
    this.#sink.diagnostic({ severity: pending.severity, message: pending.message.join("\n"), ...place });
  }

  /** The errors that follow each other are one failure and its consequence. */
  #install(text: string): boolean {
    const errors = this.#installing;
    if (errors === undefined) return false;
    const [, word = "", said = ""] = HEAD.exec(text) ?? [];
    if (word === "error") errors.push(said);
    else if (word === "note" && errors.length > 0) this.#help.push(said);
    else {
      this.#closeInstall();
      if (word === "warn") this.#sink.diagnostic({ severity: "warning", message: said });
      if (END_OF_INSTALL.test(text)) this.#installing = undefined;
      return word === "warn";
    }
    return true;
  }

  #closeInstall(): void {
    const errors = this.#installing ?? [];
    const help = this.#help;
    if (this.#installing !== undefined) this.#installing = [];
    this.#help = [];
    if (errors.length > 0)
      this.#sink.diagnostic({
        severity: "error",
        message: errors.join("\n"),
        ...(help.length > 0 ? { help } : {}),
      });
  }

  #script(text: string): boolean {
    const complaint = unknownCommand(text);
    if (complaint !== undefined) this.#sink.diagnostic(complaint);
    const mine = SCRIPT.test(text);
    if (mine) this.#sink.diagnostic({ severity: "error", message: text.slice("error: ".length) });
    return mine || complaint !== undefined;
  }
}
