/**
 * The levels of logged events. `notice` is for events that are not errors but that the operator should see by default.
 */
export type LogLevel = "debug" | "info" | "notice" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes structured events, one JSON object per line. It never writes to stdout, which carries the messages of the MCP
 * protocol.
 */
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
