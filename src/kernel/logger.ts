/** `notice`: nothing is wrong, but whoever runs the server wants to know without asking. */
export type LogLevel = "debug" | "info" | "notice" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

/** Structured events, one JSON object a line. Never on stdout: that belongs to the protocol. */
export interface Logger {
  event(name: string, fields?: LogFields, level?: LogLevel): void;
}

const ORDER: readonly LogLevel[] = ["debug", "info", "notice", "warn", "error"];

export function createLogger(minimum: LogLevel, write: (line: string) => void): Logger {
  return {
    event(name, fields = {}, level = "info") {
      if (ORDER.indexOf(level) < ORDER.indexOf(minimum)) return;
      write(`${JSON.stringify({ time: new Date().toISOString(), level, event: name, ...fields })}\n`);
    },
  };
}
