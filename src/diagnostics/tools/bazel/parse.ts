import { leadingPlace } from "../../place.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const SAID = /^(?:\(\d\d:\d\d:\d\d\) )?(ERROR|WARNING): (.+)$/;
const SUMMARY_LINE =
  /^(?:Build did NOT complete successfully|Build failed\. Not running target|command succeeded, but|Couldn't start the build\.|Analysis of target .* failed; build aborted|Not all tests were executed|Test execution .*)$/;
const TARGET =
  /^(\/\/\S*|@\S+) +(?:\(cached\) )?(PASSED|FAILED TO BUILD|FAILED|TIMEOUT|FLAKY|NO STATUS|SKIPPED|BUILD FAILED)(?:, .*)?(?: in (?:\d+ out of \d+ in )?([\d.]{1,12})s)?/;
const EXECUTED = /^Executed \d{1,7} out of (\d{1,7}) tests?: (.+)\.$/;
const COUNT = /(\d{1,7}) (?:tests? )?(passe?s?|fails? to build|fails?|(?:was|were) skipped)/g;
const NOISE =
  /^(?:\(\d\d:\d\d:\d\d\) )?(?:INFO: |DEBUG: |Loading: ?|Analyzing: ?|Computing main repo mapping|FAILED: Build did NOT|Target \/\/\S+ (?:failed to build|up-to-date)|\[[\d, ]+ \/ [\d, ]+\] |Use --verbose_failures|Use --sandbox_debug|There were tests whose specified size)/;

/** Reads what bazel itself says; the compilers' words are read by their own readers. */
export function bazelParser(sink: Sink): LineParser {
  let active = false;
  return {
    take({ text }: Line): boolean {
      const said = SAID.exec(text);
      if (said !== null && (active || isBazel(said[2] ?? ""))) {
        active = true;
        return message(said[1] === "ERROR" ? "error" : "warning", said[2] ?? "", sink);
      }
      const target = TARGET.exec(text);
      if (target !== null) return result(target, sink);
      const executed = EXECUTED.exec(text);
      if (executed !== null) return counts(executed, sink);
      if (!NOISE.test(text)) return false;
      active ||=
        /^(?:INFO: (?:Analyzed|Found|Elapsed|Invocation)|Loading:|Computing main repo|Analyzing:)/.test(text);
      return active;
    },
    end: () => undefined,
  };
}

function isBazel(text: string): boolean {
  return /BUILD(?:\.bazel)?:\d|\.bzl:\d|MODULE\.bazel|WORKSPACE|^no such (?:target|package)|^Skipping '|\/\/[\w./-]*:[\w.-]+|^Build did NOT/.test(
    text,
  );
}

function message(severity: "error" | "warning", text: string, sink: Sink): boolean {
  if (SUMMARY_LINE.test(text)) return true;
  const placed = leadingPlace(text);
  const file = placed?.place.file ?? "";
  const known =
    placed !== undefined &&
    !file.includes(" ") &&
    /(?:BUILD|WORKSPACE)(?:\.bazel)?$|\.(?:bzl|bazel)$/.test(file);
  if (known) sink.diagnostic({ severity, ...placed.place, message: placed.rest });
  else sink.diagnostic({ severity, message: text });
  return true;
}

function result(match: RegExpExecArray, sink: Sink): boolean {
  const [, name = "", word = ""] = match;
  const built = !/BUILD/.test(word);
  if (/^(?:FAILED|TIMEOUT|NO STATUS|BUILD FAILED)/.test(word))
    sink.failure({ kind: built ? "test" : "suite", name, message: word, rerun: name });
  return true;
}

function counts(match: RegExpExecArray, sink: Sink): boolean {
  const found = { passed: 0, failed: 0, skipped: 0 };
  for (const [, n, what = ""] of (match[2] ?? "").matchAll(COUNT)) {
    if (what.startsWith("pass")) found.passed += Number(n);
    else if (what.startsWith("fail")) found.failed += Number(n);
    else found.skipped += Number(n);
  }
  sink.summary({ ...found, total: Number(match[1]) });
  return true;
}
