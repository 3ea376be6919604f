import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError, get } from "../api.ts";
import { bytes, plural } from "../format.ts";
import type { Stream } from "./log-lines.ts";
import { Select } from "../parts.tsx";
import type { LogTotals } from "../../model/run.ts";
import type { LogSearchResult } from "../../ui/wire.ts";

/** Lines that most tools print about an error. */
const ERROR_PATTERN = String.raw`(?i)\b(?:error|fail(?:ed|ure)?|fatal|panic(?:ked)?|exception|traceback)\b|[✗✖×]`;

const NO_ERROR = "no line about an error";

interface LogToolsProps {
  readonly id: string;
  readonly stream: Stream;
  readonly totals: LogTotals;
  readonly follow: boolean;
  readonly isRunning: boolean;
  readonly topLine: number;
  readonly onStream: (stream: Stream) => void;
  readonly onFollow: (follow: boolean) => void;
  readonly onGo: (line: number) => void;
}

interface Found extends LogSearchResult {
  readonly at: number;
}

/** Search, streams, jumps and following of a log. */
export function LogTools(props: LogToolsProps) {
  const { id, stream, totals, follow, isRunning, topLine, onStream, onFollow, onGo } = props;
  const [pattern, setPattern] = useState("");
  const [found, setFound] = useState<Found>();
  const [note, setNote] = useState("");
  const last = useRef(0);
  const input = useRef<HTMLInputElement>(null);
  const ask = async (query: {
    pattern: string;
    from?: number;
    count?: number;
  }): Promise<LogSearchResult | undefined> => {
    setNote("searching…");
    try {
      const result = await get<LogSearchResult>("log/search", { id, stream, ...query });
      setNote("");
      return result;
    } catch (error) {
      setNote(error instanceof ApiError ? error.message : String(error));
      return undefined;
    }
  };
  const show = (result: LogSearchResult, at: number): void => {
    setFound({ ...result, at });
    const line = result.numbers[at];
    if (line !== undefined) onGo((last.current = line));
  };
  const search = async (): Promise<void> => {
    if (pattern === "") return setFound(undefined);
    const result = await ask({ pattern });
    if (result !== undefined) show(result, 0);
  };
  const step = (by: number): void => {
    if (found === undefined || found.numbers.length === 0) return;
    show(found, (found.at + by + found.numbers.length) % found.numbers.length);
  };
  const nextError = async (): Promise<void> => {
    const from = Math.max(1, last.current + 1);
    const result = await ask({ pattern: ERROR_PATTERN, from, count: 1 });
    const line = result?.numbers[0];
    if (line !== undefined) return onGo((last.current = line));
    last.current = 0;
    const anywhere = from === 1 ? result : await ask({ pattern: ERROR_PATTERN, count: 1 });
    if (anywhere !== undefined)
      setNote(anywhere.numbers.length === 0 ? NO_ERROR : "no more errors; the next is the first");
  };
  useKeys({
    "/": () => input.current?.focus(),
    n: () => step(1),
    N: () => step(-1),
    e: () => void nextError(),
  });
  useKeys({ f: () => onFollow(!follow), l: () => askLine(topLine, onGo) });
  const count =
    found === undefined
      ? ""
      : `${found.numbers.length === 0 ? 0 : found.at + 1} of ${found.numbers.length}${found.hasMore ? "+" : ""}`;
  return (
    <div class="log-tools" role="toolbar" aria-label="Log">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <input
          ref={input}
          type="search"
          aria-label="Search the log by regular expression"
          placeholder="Search (regex)  /"
          value={pattern}
          onInput={(event) => setPattern(event.currentTarget.value)}
        />
      </form>
      <span class="found" role="status">
        {note === "" ? count : note}
      </span>
      {found !== undefined && found.numbers.length > 1 && (
        <>
          <button type="button" onClick={() => step(-1)} aria-label="Previous match">
            ↑
          </button>
          <button type="button" onClick={() => step(1)} aria-label="Next match">
            ↓
          </button>
        </>
      )}
      <button type="button" onClick={() => void nextError()} title="e">
        Next error
      </button>
      <Select
        label="Stream"
        value={stream}
        options={[
          ["both", "both streams"],
          ["stdout", `stdout (${totals.stdoutLines})`],
          ["stderr", `stderr (${totals.stderrLines})`],
        ]}
        onChange={(value) => onStream(value === "stdout" ? "stdout" : value === "stderr" ? "stderr" : "both")}
      />
      <label class="check" title="f">
        <input type="checkbox" checked={follow} onChange={(event) => onFollow(event.currentTarget.checked)} />
        {isRunning ? "Follow" : "End"}
      </label>
      <span class="size">
        {plural(totals.lines, "line")} · {bytes(totals.bytes)}
      </span>
    </div>
  );
}

function askLine(now: number, onGo: (line: number) => void): void {
  // oxlint-disable-next-line no-alert -- the browser's own question is enough for a number
  const line = Number(prompt("Go to line", String(now)));
  if (Number.isInteger(line) && line > 0) onGo(line);
}

function useKeys(keys: Readonly<Record<string, () => void>>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
      const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  });
}
