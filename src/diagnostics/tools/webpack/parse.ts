import type { Line, LineParser, Sink } from "../../tool.ts";
import { readRows, readStatsBlock } from "./block.ts";

const HEAD = /^(ERROR|WARNING) in ?(.*)$/;
const CLOSING =
  /^(?:webpack|rspack|Rspack)? ?(?:\d+\.\d+\.\d+\S* )?compiled (?:with|successfully)|^Found \d+ errors? in \d+ ms\.?$/;
const OVER = /^(?:npm (?:error|ERR!)|error Command failed|Child \S|ℹ |Hash: |Version: |assets? |Entrypoint )/;
const CLI = /^\[webpack-cli\] (?:✖ )?(.*)$/;
/** As Angular's command line has it: `./src/main.ts:3:0-20 - Error: message`. */
const ANGULAR = /^(\.{1,2}\/\S{1,500}?)(?::(\d{1,9}:\d{1,9}(?:-\d{1,9})?))? - (Error|Warning): (.*)$/;
const MAX_LINES = 200;

interface Pending {
  readonly severity: "error" | "warning";
  readonly head: string;
  readonly lines: string[];
  /** An empty line ends it. */
  readonly short?: boolean;
}

/** Reads the errors and warnings of webpack's stats, versions 4 and 5, and of Rspack. */
export function webpackParser(sink: Sink): LineParser {
  let pending: Pending | undefined;
  let cli: string[] | undefined;

  function close(): void {
    if (pending !== undefined) {
      const { head, lines, severity } = pending;
      for (const found of readRows(head, lines, severity) ?? [readStatsBlock(head, lines, severity)])
        if (found.message !== "") sink.diagnostic(found);
    }
    if (cli !== undefined) sink.diagnostic({ ...readStatsBlock(cli[0] ?? "", cli.slice(1), "error") });
    pending = undefined;
    cli = undefined;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      const [, word, head] = HEAD.exec(text) ?? [];
      if (word !== undefined && head !== undefined) {
        close();
        // ESLint's plugin puts ESLint's own table below.
        if (head.trim() === "" || head.startsWith("[eslint]")) return true;
        pending = { severity: word === "ERROR" ? "error" : "warning", head: head.trim(), lines: [] };
        return true;
      }
      const [, file, range, level, message = ""] = text.startsWith(".") ? (ANGULAR.exec(text) ?? []) : [];
      if (file !== undefined) {
        close();
        const at = range === undefined ? file : `${file} ${range}`;
        const severity = level === "Error" ? "error" : "warning";
        pending = { severity, head: at, lines: [message], short: true };
        return true;
      }
      if (pending?.short === true && text.trim() === "") {
        close();
        return true;
      }
      if (CLOSING.test(text)) {
        close();
        return true;
      }
      const said = CLI.exec(text)?.[1];
      if (said !== undefined && pending === undefined) {
        if (cli === undefined) cli = [said];
        else cli.push(said);
        return true;
      }
      const lines = pending?.lines ?? cli;
      if (lines === undefined) return false;
      // The trace of imports is the last part of a block; what stands at the margin after it is another tool's.
      const traced = lines.findLast((line) => line.trim() !== "")?.startsWith(" @ ") === true;
      if (OVER.test(text) || lines.length > MAX_LINES || (traced && /^\S/.test(text))) {
        close();
        return false;
      }
      lines.push(text);
      return true;
    },
    end: close,
  };
}
