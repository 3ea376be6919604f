import type { Line, LineParser, Sink } from "../../tool.ts";
import { BerryReader } from "./berry.ts";
import { ClassicReader } from "./classic.ts";

/** Reads Yarn, the classic one and the later ones. */
export function yarnParser(sink: Sink): LineParser {
  const classic = new ClassicReader(sink);
  const berry = new BerryReader(sink);
  return {
    take: ({ text }: Line) => text.length < 20_000 && (berry.take(text) || classic.take(text)),
    end() {
      classic.end();
      berry.end();
    },
  };
}
