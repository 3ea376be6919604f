import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { styledTexts } from "./ansi.ts";
import { get } from "../api.ts";
import { bytes, number } from "../format.ts";
import { LogLines, type Stream } from "./log-lines.ts";
import { clamp, heightOf, lastTop, LINE_HEIGHT, positionOf, scrolled } from "./log-scroll.ts";
import { LogTools } from "./log-tools.tsx";
import type { LogTotals } from "../../model/run.ts";
import type { WireLine } from "../../ui/wire.ts";

/** Lines above and below the screen that are drawn too. */
const MARGIN = 20;

interface LogViewProps {
  readonly id: string;
  readonly totals: LogTotals;
  readonly isRunning: boolean;
  /** A line of the whole log to show; a new object asks again for the same line. */
  readonly jump?: { readonly line: number } | undefined;
}

/** The whole log of a run. Only the lines on the screen are read and drawn, so that its size does not matter. */
export function LogView({ id, totals, isRunning, jump }: LogViewProps) {
  const [stream, setStream] = useState<Stream>("both");
  const [follow, setFollow] = useState(isRunning);
  const [marked, setMarked] = useState<number>();
  const [opened, setOpened] = useState<WireLine>();
  const [, draw] = useReducer((count: number, _action: undefined) => count + 1, 0);
  const redraw = (): void => draw(undefined);
  const total =
    stream === "both" ? totals.lines : stream === "stdout" ? totals.stdoutLines : totals.stderrLines;
  const box = useRef<HTMLDivElement>(null);
  const place = useRef({ top: 0, position: 0, screen: 400 });
  const lines = useMemo(() => new LogLines(id, stream, redraw), [id, stream]);

  const moveTo = (top: number): void => {
    const { screen } = place.current;
    const at = clamp(top, total, screen);
    place.current = { screen, top: at, position: positionOf(at, total, screen) };
    if (box.current !== null) box.current.scrollTop = place.current.position;
    redraw();
  };
  const goTo = (line: number): void => {
    setFollow(false);
    setMarked(line);
    moveTo((line - 1) * LINE_HEIGHT - place.current.screen / 3);
  };

  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => {
      place.current = { ...place.current, screen: element.clientHeight };
      redraw();
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (isRunning) lines.refresh(total);
    if (follow) moveTo(lastTop(total, place.current.screen));
    else redraw();
  }, [total, totals.bytes, follow, stream]);
  useEffect(() => {
    if (jump === undefined) return;
    setStream("both");
    goTo(jump.line);
  }, [jump]);

  const onScroll = (): void => {
    const element = box.current;
    if (element === null) return;
    const { top, position: from, screen } = place.current;
    const to = element.scrollTop;
    if (Math.abs(to - from) < 1) return;
    const next = scrolled(top, { from, to, lines: total, screen });
    place.current = { screen, top: next, position: to };
    if (to < from) setFollow(false);
    redraw();
  };

  const { top, screen } = place.current;
  const position = box.current?.scrollTop ?? 0;
  const first = Math.max(1, Math.floor(top / LINE_HEIGHT) + 1 - MARGIN);
  const last = Math.min(total, Math.ceil((top + screen) / LINE_HEIGHT) + MARGIN);
  useEffect(() => {
    if (last >= first) lines.want(first, last);
  });
  const numbers = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
  const width = String(total).length;
  return (
    <div class="log-frame">
      <LogTools
        id={id}
        stream={stream}
        totals={totals}
        follow={follow}
        isRunning={isRunning}
        topLine={Math.floor(top / LINE_HEIGHT) + 1}
        onStream={(next) => {
          setStream(next);
          setMarked(undefined);
          place.current = { ...place.current, top: 0, position: 0 };
          if (box.current !== null) box.current.scrollTop = 0;
        }}
        onFollow={setFollow}
        onGo={goTo}
      />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
      <div
        class="log"
        ref={box}
        onScroll={onScroll}
        tabIndex={0}
        role="region"
        aria-label="Log"
        data-lines={total}
      >
        <div class="log-height" style={{ height: `${heightOf(total)}px` }}>
          {numbers.map((line) => (
            <Line
              key={line}
              number={line}
              width={width}
              line={lines.line(line)}
              isMarked={line === marked}
              top={position + (line - 1) * LINE_HEIGHT - top}
              onOpen={setOpened}
            />
          ))}
        </div>
        {total === 0 && <p class="empty">{isRunning ? "No output yet." : "No output."}</p>}
      </div>
      {opened !== undefined && (
        <WholeLine id={id} stream={stream} line={opened} onClose={() => setOpened(undefined)} />
      )}
    </div>
  );
}

interface LineProps {
  readonly number: number;
  readonly width: number;
  readonly line: WireLine | undefined;
  readonly isMarked: boolean;
  readonly top: number;
  readonly onOpen: (line: WireLine) => void;
}

function Line({ number: place, width, line, isMarked, top, onOpen }: LineProps) {
  return (
    <div
      class={`line ${line?.stream ?? ""} ${isMarked ? "marked" : ""}`}
      style={{ top: `${top}px` }}
      data-line={place}
    >
      <span class="number" style={{ width: `${width + 2}ch` }}>
        {place}
      </span>
      <span class="text">
        {line === undefined
          ? ""
          : styledTexts(line.text).map(({ text, style }, i) => (
              <span key={i} class={style}>
                {text}
              </span>
            ))}
        {line?.hidden !== undefined && (
          <button type="button" class="rest" onClick={() => onOpen(line)}>
            … {bytes(line.hidden)} more
          </button>
        )}
      </span>
    </div>
  );
}

interface WholeLineProps {
  readonly id: string;
  readonly stream: Stream;
  readonly line: WireLine;
  readonly onClose: () => void;
}

/** A long line, of which parts are read on request. */
function WholeLine({ id, stream, line, onClose }: WholeLineProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [hidden, setHidden] = useState(1);
  const read = async (): Promise<void> => {
    const column = Array.from(text).length + 1;
    const part = await get<{ text: string; hidden: number }>("log/line", {
      id,
      stream,
      line: line.number,
      column,
    });
    setText(text + part.text);
    setHidden(part.hidden);
  };
  useEffect(() => {
    dialog.current?.showModal();
    void read();
  }, []);
  return (
    <dialog class="wide" ref={dialog} onClose={onClose} aria-label={`Line ${line.number}`}>
      <h2>Line {number(line.number)}</h2>
      <pre class="wrapped">{text}</pre>
      <div class="buttons">
        {hidden > 0 && text !== "" && (
          <button type="button" onClick={() => void read()}>
            {number(hidden)} more characters
          </button>
        )}
        <button type="button" class="primary" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
