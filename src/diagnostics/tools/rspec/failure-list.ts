import type { Line, LineParser, Sink } from "../../tool.ts";
import { RspecParser } from "./parse.ts";

/** `./spec/cart_spec.rb:3:sums prices` */
const FAILED = /^(\.{0,2}\/?[\w@%+./-]{1,300}_spec\.rb):(\d{1,9}):(\S.{0,500})$/;
/** A frame, or a line of a spec as a search shows it. */
const OTHER =
  /^in [`'"]|^(?:it|xit|fit|describe|context|expect|let|before|after|require|subject|end)\b|[{(]$| do(?: \|.*\|)?$/;
const MAX_HELD = 5_000;
/** What called RSpec may say so first. */
const MAX_BEFORE = 3;

/** Reads RSpec's text. The formatter `failures` prints nothing but places: they count only where nothing else was printed. */
export function rspecParser(sink: Sink): LineParser {
  const text = new RspecParser(sink);
  let held: RegExpExecArray[] | undefined = [];
  let before = 0;
  const tell = (): void => {
    for (const [, file = "", number, name = ""] of held ?? [])
      sink.failure({ name, kind: "test", file, line: Number(number), message: name });
  };
  return {
    take(line: Line): boolean {
      const match = held === undefined ? null : FAILED.exec(line.text);
      if (match !== null && !OTHER.test(match[3] ?? "")) {
        if (held !== undefined && held.length < MAX_HELD) held.push(match);
        return true;
      }
      const isBlank = line.text.trim() === "";
      // What comes below a blank line is another command's.
      if (isBlank && held?.length !== 0) tell();
      if (held?.length !== 0 || (!isBlank && ++before > MAX_BEFORE)) held = undefined;
      return text.take(line);
    },
    end(): void {
      text.end();
      tell();
      held = [];
    },
  };
}
