import type { Readable } from "node:stream";

/** The terminal, or the pipes that replace it. */
export interface Io {
  readonly input: Readable & { readonly isTTY?: boolean };
  out(text: string): void;
  err(text: string): void;
  /** Writes bytes unchanged. */
  write(stream: "stdout" | "stderr", bytes: Uint8Array): void;
  /** True if stdout is a terminal, which would interpret escape sequences. */
  readonly terminal: boolean;
  /** True if stderr is a terminal. */
  readonly errorTerminal: boolean;
  readonly color: boolean;
  readonly interactive: boolean;
  /** The columns of the terminal, which change when it is resized. */
  readonly width: number;
  /** The rows of the terminal. */
  readonly height: number;
}

export function terminalIo(variables: Readonly<Record<string, string | undefined>>): Io {
  const { stdout, stderr, stdin } = process;
  // Writing fails if a reader such as `head` closes the pipe early, which is not an error.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
  return {
    input: stdin,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    write: (stream, bytes) => void process[stream].write(bytes),
    terminal: stdout.isTTY,
    errorTerminal: stderr.isTTY,
    color: stdout.isTTY && (variables["NO_COLOR"] ?? "") === "" && variables["TERM"] !== "dumb",
    interactive: stdout.isTTY && stdin.isTTY,
    // A terminal that does not know its size reports 0.
    get width() {
      return stdout.columns || 100;
    },
    get height() {
      return stdout.rows || 25;
    },
  };
}

/** Escapes control characters for a terminal, so that quoted text cannot move the cursor, change the title or fill the clipboard. */
export function quote(io: Pick<Io, "terminal">, text: string): string {
  if (!io.terminal) return text;
  // oxlint-disable-next-line no-control-regex -- those characters are the point
  return text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, (character) =>
    character === "\r" ? "" : `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

/** Wraps text in a terminal style if the terminal supports colors. */
export function paint(io: Pick<Io, "color">, style: keyof typeof CODES, text: string): string {
  return io.color ? `\u001B[${CODES[style]}m${text}\u001B[0m` : text;
}
