import type { Line, LineParser, Sink } from "../../tool.ts";
import { buildFailure } from "./build-failure.ts";
import { GradleTests } from "./tests.ts";

const TASK =
  /^> (?:Task|Configure project|Transform) |^:[\w:.-]+(?: (?:UP-TO-DATE|NO-SOURCE|SKIPPED|FAILED|FROM-CACHE))?$/;
const CLOSING =
  /^(?:BUILD (?:SUCCESSFUL|FAILED)(?: in .*)?|\d+ actionable tasks?: .*|FAILURE: Build (?:failed|completed) with .*|Starting a Gradle Daemon.*|Configuration cache entry .*|\[Incubating\] Problems report .*|Deprecated Gradle features were used .*)$/;

/** Reads Gradle's own lines: tests that failed and why the build did. */
export function gradleParser(sink: Sink): LineParser {
  const tests = new GradleTests(sink);
  const failure = buildFailure(sink, () => tests.failed);

  return {
    take({ text }: Line): boolean {
      if (failure.take(text)) {
        tests.close();
        return true;
      }
      if (tests.take(text)) return true;
      return TASK.test(text) || CLOSING.test(text);
    },
    end() {
      failure.end();
      tests.end();
    },
  };
}
