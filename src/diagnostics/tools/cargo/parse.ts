import type { Place, RelatedPlace, Severity } from "../../../model/diagnostic.ts";
import { colonPlace } from "../../parsing/place.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import { isPlainCargoError, isCargoProgress, isRepeat, isSummary } from "./messages.ts";
import { panicReader } from "./panic.ts";
import { snippetReader } from "./snippet.ts";
import type { SnippetReader } from "./snippet.ts";

const HEADER = /^(error|warning)(?:\[([\w:-]{1,80})\])?: (.*)$/;
/** Matches the line with the location, after an arrow; cargo-deny draws a corner instead of the arrow. */
const ARROW = /^ *(?:-->|:::|┌─) (.*)$/;
const SUB = /^ *(?:= )?(note|help|warning|error): (.*)$/;
const LINT_LEVEL =
  /`#!?\[(?:warn|deny|forbid)\(([\w:]{1,80})\)\]`|`-[WDF] ([\w:-]{1,80})` implied by|with `-[WDF] ([\w:-]{1,80})`/;
const CLIPPY_URL = /https:\/\/rust-lang\.github\.io\/rust-clippy\/[\w.-]{1,40}\/(?:index\.html)?#(\w{1,80})/;
/** Matches the name of a lint (a compiler rule) that some programs which run rustc append to the message. */
const NAMED_LINT = / \[((?:clippy::)?[a-z][a-z_]{2,60})\]$/;
/** Matches the paragraphs of the dependency resolver's messages. */
const RESOLVER_PARAGRAPH =
  /^(?:the package `|all possible versions conflict|previously selected package|failed to select a version for `|package `.+` depends on `)/;
const EXPLANATION =
  /^(?:Some errors have detailed explanations: E|For more information about (?:this|an) error, try `)/;
/** Matches unindented lines that still belong to a code frame: `12 | let x`, `...`, `LL +`. */
const MARGIN = /^(?:\d{1,7} ?[|│+~-]|\d{1,7} *\||\.\.\.(?: *\||$)|LL )/;

interface Pending {
  readonly severity: Severity;
  readonly message: string[];
  code: string | undefined;
  place: Place | undefined;
  url: string | undefined;
  readonly related: RelatedPlace[];
  readonly help: string[];
  /** The note or help that the following lines and locations belong to. */
  sub: { readonly kind: string; readonly text: string[]; placed: boolean } | undefined;
  frame: SnippetReader;
  /** True if a blank line was read; after it only `Caused by:` continues cargo's own errors. */
  hasBlank: boolean;
  hasCauses: boolean;
  /** True if the last line ended with a blank, because a console wrapped it and the next line continues it. */
  isWrapped: boolean;
}

/** Reads the human-readable output of rustc, clippy and cargo. */
export function cargoParser(sink: Sink): LineParser {
  const panics = panicReader((found) => sink.diagnostic(found));
  let pending: Pending | undefined;
  let candidate: Pending | undefined;
  let isCargo = false;
  let errors = 0;

  function close(): void {
    const done = pending;
    pending = undefined;
    if (done === undefined) return;
    const message = done.message.join("\n").trimEnd();
    // The message that a crate could not be compiled is reported only if no error explains why.
    if (isRepeat(message) && errors > 0) return;
    if (done.severity === "error") errors++;
    sink.diagnostic(toFound(done, message));
  }

  function header(text: string): boolean {
    const match = HEADER.exec(text);
    const found = match === null ? readShort(text) : begin(match, undefined);
    if (found === undefined) return false;
    close();
    if (isSummary(match?.[3] ?? "")) return true;
    if (isCargo || found.place !== undefined || isRustCode(match?.[2]) || isPlainCargoError(text)) {
      pending = found;
      return true;
    }
    candidate = found;
    return false;
  }

  return {
    take({ text }: Line): boolean {
      if (pending !== undefined && addLine(pending, text)) return true;
      if (candidate !== undefined) {
        const waiting = candidate;
        candidate = undefined;
        if (isRustPlace(text) && addLine(waiting, text)) {
          pending = waiting;
          return true;
        }
      }
      if (header(text)) return true;
      close();
      if (panics.take(text) || EXPLANATION.test(text)) return true;
      if (!isCargoProgress(text)) return false;
      isCargo = true;
      return true;
    },
    end(): void {
      close();
      panics.end();
    },
  };
}

function begin(match: RegExpExecArray, place: Place | undefined): Pending {
  const [, word, code, message = ""] = match;
  const lint = code === undefined ? NAMED_LINT.exec(message) : null;
  return {
    severity: word === "error" ? "error" : "warning",
    message: [lint === null ? message.trimEnd() : message.slice(0, lint.index)],
    code: code ?? lint?.[1],
    place,
    url: undefined,
    related: [],
    help: [],
    sub: undefined,
    frame: snippetReader(),
    hasBlank: false,
    hasCauses: false,
    isWrapped: message.endsWith(" "),
  };
}

/** Reads a line of `--message-format short`: `src/main.rs:39:12: error[E0603]: …`. */
function readShort(text: string): Pending | undefined {
  const at = text.indexOf(": ");
  const place = at < 0 ? undefined : colonPlace(text.slice(0, at));
  if (place?.column === undefined || !place.file.endsWith(".rs")) return undefined;
  const match = HEADER.exec(text.slice(at + 2));
  return match === null ? undefined : begin(match, place);
}

function isRustCode(code: string | undefined): boolean {
  return code !== undefined && /^E\d{4}$/.test(code);
}

/** Returns whether the arrow points to a Rust file; other tools draw the same arrow. */
function isRustPlace(text: string): boolean {
  const arrow = ARROW.exec(text);
  const place = arrow === null ? undefined : colonPlace(arrow[1] ?? "");
  return place !== undefined && /\.(?:rs|toml|lock|lalrpop|proto|md)$|^<.*>$/.test(place.file);
}

/** Adds the line to the diagnostic that is being read, and returns whether it belongs there. */
function addLine(pending: Pending, text: string): boolean {
  if (text.trim() === "") return endsWithBlank(pending, text);
  if (pending.hasBlank) {
    if (RESOLVER_PARAGRAPH.test(text)) {
      pending.hasBlank = false;
      pending.message.push(text.trimEnd());
      return true;
    }
    if (text !== "Caused by:" && !(pending.hasCauses && text.startsWith("  "))) return false;
    pending.hasBlank = false;
    pending.hasCauses = true;
  }
  const arrow = ARROW.exec(text);
  if (arrow !== null) return placed(pending, arrow[1] ?? "");
  if (pending.place === undefined && !pending.hasCauses && isCargoProgress(text)) return false;
  if (pending.hasCauses) return cause(pending, text);
  const isWrapped = pending.isWrapped && !text.startsWith(" ") && !MARGIN.test(text);
  pending.isWrapped = text.endsWith(" ");
  if (isWrapped && !HEADER.test(text) && SUB.exec(text) === null) return unwrapped(pending, text);
  const sub = SUB.exec(text);
  if (sub !== null && (text.startsWith(" ") || sub[1] === "note" || sub[1] === "help"))
    return subMessage(pending, sub);
  if (!text.startsWith(" ") && !MARGIN.test(text)) return plainContinuation(pending, text);
  const label = pending.frame.line(text);
  if (label !== undefined) return addLabels(pending, label);
  if (pending.sub !== undefined) pending.sub.text.push(text.trim());
  else if (pending.place === undefined && !/^ *\|/.test(text)) pending.message.push(text.trimEnd());
  return true;
}

/** Joins two parts of a line that a console of fixed width broke in two. */
function unwrapped(pending: Pending, text: string): boolean {
  // A wrapped line below the location belongs to the quoted code, which is not kept.
  if (pending.sub === undefined && pending.place !== undefined) return true;
  const lines = pending.sub?.text ?? pending.message;
  const last = lines.pop() ?? "";
  lines.push(`${last.trimEnd()} ${text.trim()}`);
  const kind = pending.sub?.kind;
  if (kind !== undefined) readLint(pending, lines.join(" "));
  return true;
}

/** Returns whether a blank line ends the diagnostic; cargo's own errors may continue with their causes. */
function endsWithBlank(pending: Pending, text: string): boolean {
  if (text.length > 4 && pending.sub !== undefined) return true;
  if (pending.place !== undefined) return false;
  pending.hasBlank = true;
  return true;
}

function cause(pending: Pending, text: string): boolean {
  if (text !== "Caused by:" && !text.startsWith(" ")) return false;
  // Lines with instructions from a build script to cargo are not part of the error's message.
  if (!/^ *(?:cargo:|--- stdout)/.test(text)) pending.message.push(text.trimEnd());
  return true;
}

/** Continues one of cargo's own errors, which extend unindented to the next blank line. */
function plainContinuation(pending: Pending, text: string): boolean {
  if (pending.place !== undefined || pending.sub !== undefined || isCargoProgress(text)) return false;
  if (HEADER.test(text) || readShort(text) !== undefined) return false;
  if (
    !/^(?:location searched|required by|perhaps you meant|As a reminder|versions that meet|candidate )/.test(
      text,
    )
  )
    return false;
  pending.message.push(text);
  return true;
}

function placed(pending: Pending, text: string): boolean {
  const place = colonPlace(text.trim()) ?? (text.trim() === "" ? undefined : { file: text.trim() });
  if (place === undefined) return true;
  pending.frame = snippetReader(place);
  if (pending.place === undefined) {
    pending.place = place;
    return true;
  }
  const sub = pending.sub;
  if (sub === undefined || sub.placed) return true;
  sub.placed = true;
  pending.related.push({ ...place, message: sub.text.join(" ") });
  return true;
}

function subMessage(pending: Pending, match: RegExpExecArray): boolean {
  const [, kind = "", text = ""] = match;
  flushSub(pending);
  pending.sub = { kind, text: [text.trim()], placed: false };
  readLint(pending, text);
  return true;
}

/** Reads the lint's name from the line that sets its level or from Clippy's link. */
function readLint(pending: Pending, text: string): void {
  const lint = LINT_LEVEL.exec(text);
  const name = lint?.[1] ?? lint?.[2] ?? lint?.[3];
  if (name !== undefined && !/^(?:warnings|unused|clippy::(?:all|pedantic|nursery|restriction))$/.test(name))
    pending.code ??= name.replaceAll("-", "_");
  const clippy = CLIPPY_URL.exec(text);
  if (clippy === null) return;
  pending.url = clippy[0];
  pending.code = `clippy::${clippy[1] ?? ""}`;
}

/** Stores a finished note or help if it is advice. Notes on lint levels are skipped, because the code already names the lint. */
function flushSub(pending: Pending): void {
  const { sub } = pending;
  pending.sub = undefined;
  if (sub === undefined || sub.placed) return;
  const text = sub.text.join("\n").trimEnd();
  if (
    LINT_LEVEL.test(text) ||
    text.startsWith("for further information visit") ||
    text.startsWith("to override `-D")
  )
    return;
  pending.help.push(sub.kind === "help" ? text : `${sub.kind}: ${text}`);
}

function addLabels(pending: Pending, labels: readonly RelatedPlace[]): boolean {
  for (const label of labels)
    if (label.message?.startsWith("help: ") === true) pending.help.push(label.message.slice(6));
    else if (pending.sub === undefined && label.message !== pending.message.join("\n"))
      pending.related.push(label);
  return true;
}

function toFound(pending: Pending, message: string): Found {
  flushSub(pending);
  const { severity, code, place, related, url } = pending;
  const linker = message.startsWith("linking with `");
  // The linker's own output is the message; the command line before it is dropped.
  const help = linker ? [] : pending.help;
  const words = linker
    ? pending.help.filter((note) => !/^note: (?:"|some arguments are omitted)/.test(note))
    : [];
  return {
    ...(code?.startsWith("clippy::") === true ? { tool: "clippy" } : {}),
    severity,
    message: [message, ...words.map((note) => note.replace(/^note: /, ""))].join("\n"),
    ...place,
    ...(code === undefined ? {} : { code }),
    ...(related.length > 0 ? { related } : {}),
    ...(help.length > 0 ? { help } : {}),
    ...(url === undefined ? {} : { url }),
  };
}
