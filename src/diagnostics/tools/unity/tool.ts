import { countsFromTotal } from "../../parsing/counts.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const unity = defineBuildTool({
  id: "unity",
  title: "Unity (C)",
  url: "https://www.throwtheswitch.org/unity",
  ecosystem: "c-cpp",
  kinds: ["test"],
  signatures: [" Failures ", ":PASS", ":FAIL", ":IGNORE"],
  priority: 8,
  parser: unityParser,
});

/**
 * `tests/cart.c:12:test_empty:FAIL: Expected 1 Was 2. Not empty`; with groups the name is `TEST(group, name)`. Dots of
 * progress may stand directly before the file, whose path may itself begin with `../`.
 */
const RESULT =
  /^(?:\.+(?=[^./]|\.\.\/))?(\S.{0,500}?\.(?:c|cc|cpp|cxx|h|hpp)):(\d{1,7}):(\w{1,200}|TEST\([^()]{1,200}\)):(PASS|FAIL|IGNORE)(?:: ?(.*))?$/;
const COUNTS = /^(\d{1,9}) Tests (\d{1,9}) Failures (\d{1,9}) Ignored\s*$/;
/** The message follows the values; a quoted value may have full stops. */
const VALUES = /^Expected (.+) Was ('[^']*'(?=\. |$)|.+?)(?:\. (.*))?$/;
const BREAK = /^-{23}$/;
const CLOSE = /^(?:OK|FAIL(?:ED)?)$/;

/** Reads the lines of Unity, the test framework for C. */
function unityParser(sink: Sink): LineParser {
  let isInside = false;
  let isClosing = false;
  return {
    take({ text }: Line): boolean {
      const counts = COUNTS.exec(text);
      if (counts !== null) {
        const [total = 0, failed = 0, skipped = 0] = counts.slice(1).map(Number);
        sink.summary(countsFromTotal(total, { failed, skipped }));
        isInside = false;
        isClosing = true;
        return true;
      }
      const closes = isClosing && CLOSE.test(text);
      isClosing = false;
      const result = RESULT.exec(text);
      if (result === null) return closes || (isInside && BREAK.test(text));
      isInside = true;
      readResult(result, sink);
      return true;
    },
    end: () => undefined,
  };
}

function readResult(found: RegExpExecArray, sink: Sink): void {
  const [, file = "", line = "", name = "", outcome, said = ""] = found;
  if (outcome === "PASS") sink.outcome({ name, file, result: "passed" });
  else if (outcome === "IGNORE") sink.outcome({ name, file, result: "skipped" });
  else {
    const [, expected, received, message = ""] = VALUES.exec(said) ?? [];
    sink.failure({
      kind: "test",
      name,
      file,
      line: Number(line),
      message: expected === undefined ? said || "failed" : message,
      ...(expected !== undefined && { expected }),
      ...(received !== undefined && { received }),
    });
  }
}
