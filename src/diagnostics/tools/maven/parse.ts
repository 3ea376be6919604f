import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Level } from "./checks.ts";
import { BuildProblems } from "./problems.ts";
import { sureFire } from "./surefire.ts";

const LEVEL = /^\[(INFO|WARNING|WARN|ERROR|FATAL|DEBUG|TRACE)\] ?(.*)$/;

/** Matches lines that only Maven prints; other tools and tests also print a level in brackets. */
const OWN =
  /^(?:Scanning for projects|-{3} |-{20,}|BUILD (?:SUCCESS|FAILURE)|Building |Reactor |COMPILATION (?:ERROR|WARNING)|Failed to execute goal |\[ERROR\] Some problems|Some problems were encountered)/;

/** Reads the lines of Maven and of its compiler, test and check plugins. */
export function mavenParser(sink: Sink): LineParser {
  const tests = sureFire(sink);
  const problems = new BuildProblems(sink, tests);
  let isMaven = false;

  return {
    take({ text }: Line): boolean {
      const { level, rest } = levelOf(text);
      if (level !== undefined && OWN.test(rest)) isMaven = true;
      if (tests.take(level, rest)) {
        problems.pause();
        return true;
      }
      return problems.take(level, rest, isMaven);
    },
    end() {
      problems.end();
      tests.end();
    },
  };
}

function levelOf(text: string): { level: Level; rest: string } {
  const match = text.startsWith("[") ? LEVEL.exec(text) : null;
  if (match === null) return { level: undefined, rest: text };
  const [, word, rest = ""] = match;
  if (word === "WARN") return { level: "WARNING", rest };
  if (word === "TRACE") return { level: "DEBUG", rest };
  // The cast is safe because the pattern of a level allows only these words.
  return { level: word as Level, rest };
}
