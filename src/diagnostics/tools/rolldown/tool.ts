import { isFrame } from "../../javascript/frames.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Place, Severity } from "../../../model/diagnostic.ts";

export const rolldown = defineBuildTool({
  id: "rolldown",
  title: "Rolldown",
  url: "https://rolldown.rs",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["_ERROR] ", "_IMPORT] ", "_EXPORT] ", "] Error: ", "] Warning: "],
  priority: 4,
  parser: rolldownParser,
});

/** Matches Rolldown's error code in brackets, but not the level of a log message. */
const HEAD =
  /^\[(?!(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE|FAIL|PASS|OK|SUCCESS)\])([A-Z][A-Z_]+)\] (?:(Error|Warning): )?(\S.*)$/;
const PLACE = /^ *╭─*\[ ?(\S.*?) ?\]$/;
const BOX = /^ *(?:\d+ *)?[│┆·]|^ *[─╰]*╯|^ *├|^ *$/;
const HELP = /^ *│ *(?:Help|Note): (.*)$/;

interface Pending {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string[];
  readonly help: string[];
  place: Place | undefined;
}

/** Reads Rolldown's boxed errors, also as Vite, tsdown and other wrappers print them. */
function rolldownParser(sink: Sink): LineParser {
  let pending: Pending | undefined;

  function close(): void {
    if (pending === undefined) return;
    const { code, severity, message, help, place } = pending;
    pending = undefined;
    sink.diagnostic({
      severity,
      code,
      message: message.join("\n").trimEnd(),
      ...place,
      ...(help.length > 0 ? { help } : {}),
    });
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      const [, code, word, content] = HEAD.exec(text) ?? [];
      if (code !== undefined && content !== undefined) {
        close();
        const severity = word === "Warning" ? "warning" : "error";
        pending = { code, severity, message: [content], help: [], place: undefined };
        return true;
      }
      if (pending === undefined) return false;
      const place = PLACE.exec(text)?.[1];
      const help = HELP.exec(text)?.[1];
      if (place !== undefined) pending.place ??= colonPlace(place) ?? { file: place };
      else if (help !== undefined) pending.help.push(help);
      else if (
        pending.place === undefined &&
        pending.message.length < 20 &&
        text.trim() !== "" &&
        !isFrame(text)
      )
        pending.message.push(text.trimEnd());
      else if (!BOX.test(text)) {
        close();
        return false;
      }
      return true;
    },
    end: close,
  };
}
