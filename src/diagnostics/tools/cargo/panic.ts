import type { Found } from "../../tool.ts";
import { colonPlace } from "../../parsing/place.ts";

const NEW = /^\s*thread '([^']*)' (?:\(\d+\) )?panicked at (.+):(\d{1,7}):(\d{1,7}):$/;
const OLD = /^\s*thread '([^']*)' panicked at '(.*)$/;

/**
 * A panic as the standard library prints it, with its location, its message and the two values that a failed assertion
 * compared.
 */
export interface Panic {
  readonly thread: string;
  file?: string;
  line?: number;
  column?: number;
  readonly message: string[];
  expected?: string;
  received?: string;
}

/** Reads a panic line by line. */
export interface PanicReader {
  /** Returns whether the line is part of a panic's message or backtrace. */
  take(text: string): boolean;
  end(): void;
}

/** Reads panics that no test runner reports: those of a program run by cargo, or of rustc itself. */
export function panicReader(report: (found: Found) => void): PanicReader {
  let panic: Panic | undefined;

  function close(): void {
    if (panic === undefined) return;
    const { file, line, column, message } = panic;
    panic = undefined;
    report({
      severity: "error",
      message: message.join("\n").trim() || "panicked",
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      code: "panic",
    });
  }

  return {
    take(text) {
      const begun = beginPanic(text);
      if (begun !== undefined) {
        close();
        panic = begun;
        return true;
      }
      if (panic === undefined) return false;
      if (!isPanicEnd(text) && text.trim() !== "") {
        addPanicLine(panic, text);
        return true;
      }
      const ended = isPanicEnd(text);
      close();
      return ended;
    },
    end: close,
  };
}

/** Reads the first line of a panic. */
export function beginPanic(text: string): Panic | undefined {
  const modern = NEW.exec(text);
  if (modern !== null) {
    const [, thread = "", file = "", line, column] = modern;
    return { thread, file, line: Number(line), column: Number(column), message: [] };
  }
  const old = OLD.exec(text);
  if (old === null) return undefined;
  const panic: Panic = { thread: old[1] ?? "", message: [] };
  oldLine(panic, old[2] ?? "");
  return panic;
}

/** Returns whether the line ends a panic's message. */
export function isPanicEnd(text: string): boolean {
  return /^\s*(?:note: (?:run with `RUST_BACKTRACE|Some details are omitted)|stack backtrace:)/.test(text);
}

/** Adds a line to the panic's message; the two values that a failed assertion compared are stored separately. */
export function addPanicLine(panic: Panic, text: string): void {
  const side = /^\s*(left|right): ?(.*)$/.exec(text);
  if (side !== null) {
    const value = side[2] ?? "";
    const plain = panic.file === undefined ? unquote(closeOld(panic, value)) : value;
    if (side[1] === "left") panic.received = plain;
    else panic.expected = plain;
    return;
  }
  if (panic.file === undefined) oldLine(panic, text);
  else panic.message.push(text.trimEnd());
}

/** Reads a line in the format before Rust 1.73, where the message came first, in quotes, followed by the location. */
function oldLine(panic: Panic, text: string): void {
  const rest = closeOld(panic, text);
  panic.message.push(rest === text ? rest.replace(/'$/, "") : rest);
}

/** Removes the backticks in which old versions of Rust printed the compared values, and what follows them. */
function unquote(value: string): string {
  if (!value.startsWith("`")) return value.replace(/,$/, "");
  const end = value.indexOf("`", 1);
  return end < 0
    ? value
    : value.slice(1, value.endsWith("`") || value.endsWith("`,") ? value.lastIndexOf("`") : end);
}

function closeOld(panic: Panic, text: string): string {
  const quote = text.lastIndexOf("', ");
  const place = quote < 0 ? undefined : colonPlace(text.slice(quote + 3).trim());
  if (place === undefined) return text;
  panic.file = place.file;
  if (place.line !== undefined) panic.line = place.line;
  if (place.column !== undefined) panic.column = place.column;
  return text.slice(0, quote);
}
