import { trimBlank } from "../../javascript/diff.ts";
import { isFrame, projectPlace } from "../../javascript/frames.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

export const next = defineBuildTool({
  id: "next",
  title: "Next.js",
  url: "https://nextjs.org",
  ecosystem: "js",
  kinds: ["build"],
  signatures: [
    "Failed to compile",
    "Compiled with warnings",
    "Turbopack build failed",
    "Linting and checking",
    "Error occurred prerendering page",
    "⨯ ",
    "▲ Next.js",
  ],
  priority: 6,
  parser: nextParser,
  commands: [
    {
      name: "next.build",
      description: "Build for production",
      detect: (folder) =>
        folder.packageJson?.dependencies["next"] === undefined ? undefined : "package.json depends on next",
      argv: () => ["npx", "--no-install", "next", "build"],
    },
  ],
  ownsIndented: /^ {3}▲ Next\.js \d/,
});

const FAILED =
  /^(?:> |\[| ?⚠ )?(?:Failed to compile\.?|Compiled with warnings\.?|(?:Error: )?Turbopack build failed with \d+ errors?:)/;
const LINTING = /^ *(?:info {2}- )?Linting(?: and checking validity of types)?/;
const FILE = /^\.{1,2}[\\/]\S.*$|^[\w@-]+(?:[\\/][^\s\\/:]+)+\.[cm]?[jt]sx?(?::\d+:\d+)?$/;
/** Matches what webpack appends to the name of a file that went through loaders. */
const LOADERS = /\.webpack\[.*$|!=!.*$/;
const LINT = /^(\d{1,9}):(\d{1,9}) {1,3}(Error|Warning): (.*)$/;
/** Matches ESLint's findings as Create React App prints them. */
const LINE = /^ {2}Line (\d{1,9})(?::(\d{1,9}))?: {1,3}(\S.*)$/;
const RULE = /^(.*\S) {2,}([@\w][\w@/-]*)$/;
const KIND = /^(Type error|Syntax error|Lint error|Parsing error): (.*)$/;
const FRAME = /^ *(?:> *)?\d+ \||^ +[|:`]|^ *[│╭╰·]/;
const BOX = /^ *[,╭][-─]+\[(.+)\]$/;
const URL = /^https:\/\/\S+$/;
const TRACE =
  /^(?:Import traces?(?: for requested module)?:|Example usage|Caused by:|Stack backtrace:|Require stack:)/;
const OVER =
  /^(?:> Build failed because|Next\.js build worker exited|error: build failed|info {2}- |npm (?:error|ERR!)| ELIFECYCLE|error Command failed|Build failed because)/;
const PRERENDER = /^Error occurred prerendering page "(.{1,500})"\./;
const MARKED = /^ ?(⨯|⚠) (\S.*)$/;
const MAX_LINES = 60;

/**
 * Patterns for the lines between Turbopack's announcement of an error and its message: the quoted code and its frame.
 */
const CODE = [FRAME, URL, BOX, /^Ecmascript file had an error$/, /^ *\^+$/];

interface Pending {
  readonly place: Place;
  readonly lines: string[];
  skipping: boolean;
}

/** Reads errors and warnings of `next build` and Create React App. */
function nextParser(sink: Sink): LineParser {
  return new NextReader(sink);
}

class NextReader implements LineParser {
  readonly #sink: Sink;
  #isOpen = false;
  #inWarnings = false;
  #pending: Pending | undefined;
  #isBlank = false;
  #page: { readonly head: string; readonly lines: string[] } | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (text.length > 20_000) return false;
    if (FAILED.test(text)) {
      this.end();
      this.#isOpen = true;
      this.#inWarnings = text.includes("warnings");
      return true;
    }
    if (LINTING.test(text)) {
      this.end();
      this.#isOpen = true;
      return true;
    }
    return this.#readPrerender(text) || (this.#isOpen && this.#readInside(text)) || this.#readMarked(text);
  }

  end(): void {
    this.#close();
    this.#closePage();
    this.#isOpen = false;
  }

  #readInside(text: string): boolean {
    if (OVER.test(text)) {
      this.end();
      return true;
    }
    const pending = this.#pending;
    // A file name directly below another one does not start an error; such lines show how the module came to be
    // imported.
    const apart = pending === undefined || !pending.skipping || this.#isBlank;
    this.#isBlank = text.trim() === "";
    if (apart && FILE.test(text) && text.length < 4_000) {
      this.#close();
      const file = text.replace(LOADERS, "");
      this.#pending = { place: colonPlace(file) ?? { file }, lines: [], skipping: false };
      return true;
    }
    if (pending === undefined) return false;
    return this.#lint(pending, text) || this.#continues(pending, text);
  }

  #lint(pending: Pending, text: string): boolean {
    const [, line, column, word, content = ""] = LINT.exec(text) ?? [];
    const [, row, col, other = ""] = LINE.exec(text) ?? [];
    if (line === undefined && row === undefined) return false;
    const [, message = "", rule] = RULE.exec(content + other) ?? ["", content + other];
    const place = { file: pending.place.file, line: Number(line ?? row) };
    const at = column ?? col;
    this.#sink.diagnostic({
      tool: "eslint",
      severity: word === "Warning" || (word === undefined && this.#inWarnings) ? "warning" : "error",
      ...place,
      ...(at === undefined ? {} : { column: Number(at) }),
      message,
      ...(rule === undefined ? {} : { code: rule }),
    });
    return true;
  }

  #continues(pending: Pending, text: string): boolean {
    if (
      pending.lines.length > MAX_LINES ||
      (text.trim() !== "" && pending.lines.length === 0 && text.startsWith(" ✓"))
    ) {
      this.#close();
      return false;
    }
    pending.skipping ||= TRACE.test(text.trim());
    if (!pending.skipping || URL.test(text)) pending.lines.push(text);
    return true;
  }

  #close(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const found = readBlock(pending, this.#inWarnings ? "warning" : "error");
    if (found.message !== "") this.#sink.diagnostic(found);
  }

  #readPrerender(text: string): boolean {
    const page = PRERENDER.exec(text)?.[1];
    if (page !== undefined) {
      this.end();
      this.#page = { head: `Error occurred prerendering page "${page}"`, lines: [] };
      return true;
    }
    const open = this.#page;
    if (open === undefined) return false;
    const over =
      /^(?:Export encountered|> Export|Next\.js build worker)/.test(text) || open.lines.length >= 30;
    if (!over) open.lines.push(text.replace(/ \{$/, ""));
    if (over || text === "}") this.#closePage();
    return !over || text.startsWith("Export encountered");
  }

  #closePage(): void {
    const page = this.#page;
    this.#page = undefined;
    if (page === undefined) return;
    const end = page.lines.findIndex((line) => isFrame(line) || FRAME.test(line));
    const content = trimBlank(end < 0 ? page.lines : page.lines.slice(0, end));
    const place = projectPlace(page.lines);
    this.#sink.diagnostic({
      severity: "error",
      message: [page.head, ...content].join("\n"),
      // A location in the build output is dropped, because it is not in the source code.
      ...(place === undefined || /(?:^|[\\/])\.next[\\/]/.test(place.file) ? {} : place),
    });
  }

  #readMarked(text: string): boolean {
    const [, mark, message] = MARKED.exec(text) ?? [];
    if (message === undefined || message.startsWith("Next.js build worker exited"))
      return message !== undefined;
    this.#sink.diagnostic({ severity: mark === "⚠" ? "warning" : "error", message });
    return true;
  }
}

/**
 * Reads one error or warning with the lines below it. The message ends at the first blank line; of the quoted code
 * after it, only the location in SWC's box is read.
 */
function readBlock({ place, lines }: Pending, severity: "error" | "warning"): Found {
  const content = trimBlank(
    lines.filter((line) => !CODE.some((shape) => shape.test(line)) && !isFrame(line)),
  );
  const blank = content.findIndex((line) => line.trim() === "");
  const message = (blank < 0 ? content : content.slice(0, blank)).map((line) => line.trimEnd());
  const url = lines.find((line) => URL.test(line));
  const boxed = lines.map((line) => BOX.exec(line)?.[1]).find((at) => at !== undefined);
  const box = boxed === undefined ? undefined : colonPlace(boxed);
  const [, kind, rest] = KIND.exec(message[0] ?? "") ?? [];
  const text = kind === undefined || rest === undefined ? message : [rest, ...message.slice(1)];
  return {
    severity,
    message: text.join("\n").replace(/^Error: +(?:[x×] )?/, ""),
    ...place,
    ...(place.line === undefined && box?.line !== undefined ? { line: box.line } : {}),
    ...(url === undefined ? {} : { url }),
  };
}
