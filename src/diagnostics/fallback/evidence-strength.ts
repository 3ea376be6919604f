import type { LogEvidence } from "../../model/log-evidence.ts";
import type { Line } from "../tool.ts";

/**
 * How strongly a single line indicates that something failed. `verdict`: it reports a failure in the words that tools end with, so it counts
 * whatever else the log contains. `item`: one thing failed, such as a test; a flaky one may have passed later. `error`: it is written as an error
 * of an unknown program. `hint`: it mentions an error. `success`: it reports that something succeeded; `all-clear`: that a whole build did.
 */
export type Strength = LogEvidence["strength"] | "success" | "all-clear" | "none";

/** Literal texts, one of which occurs in every line about a failure; lines without one are not examined. */
export const FAILURE_SIGNATURES: readonly string[] = [
  "ail",
  "AIL",
  "rror",
  "RROR",
  "ERR!",
  "atal",
  "ATAL",
  "anic",
  "xception",
  "XCEPTION",
  "raceback",
  "rash",
  "bort",
  "illed",
  "not ok",
  "egmentation",
  "annot ",
  "ould not",
  "nable to",
  "No such file",
  "an't ",
  "not found",
  "No matching",
  "denied",
  "imed out",
  "xit code",
  "with code",
  "with status",
  "xit status",
  "rspec ./",
  "roblem",
  "nresolved",
  "ndefined",
  "nvalid",
  "issing",
  "onflict",
  "iolation",
  "npm ERR",
  "issue",
  "topped",
  "✗",
  "✘",
  "✖",
  "×",
  "❌",
  "🚨",
  "not complete",
  ": exit ",
  "leaks found",
  "audit report",
  "HIGH: ",
  "CRITICAL: ",
  " Finding",
];

/** Literal texts, one of which occurs in every line that reports success. */
export const SUCCESS_SIGNATURES: readonly string[] = [
  "uccess",
  "UCCESS",
  "ucceeded",
  "passed",
  "OK",
  "clean",
  "created ",
  "uilt in",
  "one in",
  "inished",
  "ompleted in",
];

/** Matches phrases that contain a word for failure but report success, such as `0 failed` or `no errors`. */
const NOTHING_FAILED =
  /\b(?:0|no|zero|without(?: any)?) (?:[\w-]{1,20} ){0,2}(?:fail\w*|errors?\b|error\(s\)|failure\(s\)|problems?|issues?|exceptions?|conflicts?)|\b(?:fail(?:ed|ures?|s)?|errors?|error\(s\)|failure\(s\)|problems?|unexpected)(?:Count)?['"]?\s{0,20}[:=]\s{0,20}['"]?(?:0\b(?!\.\d)|none\b|false\b|null\b|\[\])|\bfail(?:ed|ures?|s)? 0\b/gi;
/** Matches the line of a passed test, whose name may contain any word; `1 failed | 2 passed (3)` is a count. */
const PASSED_ITEM =
  /^\W{0,8}(?:✓|✔|√|✅|ok\b|PASS(?:ED)?\b|passed\b)|(?:^|(?<!\d)\W)(?:\.\.\. ?ok|PASSED|passed|OK|ok)(?: \([^()]{1,40}\))?$/;
/** Matches warnings and the log messages of a running program; a failure that they mention need not be a failure of the run. */
const REMARK =
  /\bwarning: |\(ignored\)$|^\W{0,4}(?:warn(?:ing)?|debug|trace|note)\b|\[(?:WARN(?:ING)?|DEBUG|TRACE)\]|[:\d] (?:warning|note|info): |\b(?:ERROR|WARN|INFO|DEBUG|SEVERE|WARNING)\]? {1,4}(?:\[[^\]]{1,60}\] ){0,2}[\w$]{1,60}(?:\.[\w$]{1,60})+(?:\W|$)/i;

/** Matches what may precede the words of a tool at the start of a line: symbols, a level or a name in brackets. */
const LEAD =
  "^(?:\\W{0,8}|\\W{0,3}\\[[\\w .:/-]{1,40}\\]\\W{0,4}){1,2}(?:(?:error|fatal|info):? {1,4}){0,2}(?:\\[[\\w -]{1,30}\\] )?";
const WORK =
  "builds?|tests?|doctests?|compilation|compil(?:e|ing)|analysis|lint(?:ing)?|check(?:s|ing)?|validation|restore|install(?:ation)?|deploy(?:ment)?|publish|job|task|target|step|run|suite|script|commands?|make|parsing|bundling|type.?check(?:ing)?|merge|program|execution";
const NUMBER = "[1-9]\\d{0,8}";
const FAILURES = "failed|failing|failures?|fail|errors?|error\\(s\\)|exceptions?|rejections?";

/**
 * Matches `FAILED a.py::b`, `FAIL`, `--- FAIL: TestX`, `FAILURES!`, `[FAILED] …`, `not ok 3`, and at the end of a line `… FAILED`, `-- FAILED.`,
 * `[FAIL]`.
 */
const ITEM =
  /^\W{0,8}FAIL(?:ED|URES?|S|ING)?(?:\b(?![\w-]*\.\w)|!)|\bFAIL(?:ED|URE)?\W{0,3}$|^\s{0,40}not ok \d/;

const VERDICTS: readonly RegExp[] = [
  // Matches `TOTAL: 3 FAILED, 2 SUCCESS`.
  /(?<!TRY )\b[1-9]\d{0,8} FAIL(?:ED|URES?)?\b/,
  // Matches `BUILD FAILURE`, `> Task :test FAILED`, `Test Run Failed.`, `Build failed with 2 error(s)`, `✗ Build failed in 2s`.
  new RegExp(
    `${LEAD}(?:the )?(?:[\\w./:@-]{1,60} ){0,2}(?:${WORK})\\b.{0,80}?\\b(?:failed|failure|errors? in|did not complete|aborted)\\b(?![-/.]?\\w)`,
    "i",
  ),
  /^\W{0,8}failed (?:tests|checks|after)\b|\bfailed with errors\b|\s{2,}[1-9]\d{0,8} errors?$/i,
  /\b[1-9]\d{0,8} (?:failed|failing)(?=\s{0,4}(?:$|[,.;:|)%(\]]))/,
  // Matches gotestsum's closing line: `DONE 3 runs, 7 tests, 5 failures in 8.464s`.
  /^DONE \d.{0,60} [1-9]\d{0,8} (?:failures?|errors?) in /,
  // Matches PHPUnit's heading of its list: `There were 4 errors:`.
  /^There (?:was|were) [1-9]\d{0,8} (?:error|failure)s?:$/,
  // Matches the counts of TAP and node:test.
  /^(?:#|ℹ) fail [1-9]/,
  // Matches `3 failed`, ` 16 failing`, `5 tests failed`, `4 errors generated.`, `1 failed, 2 passed`.
  new RegExp(
    `^\\W{0,8}(?:\\d{1,9} [\\w.]{1,20}(?:\\(s\\))?(?:,| and| \\|) ){0,5}${NUMBER} (?:(?:\\w{1,20} )?(?:tests?|specs?|suites?|examples?|scenarios?|steps?|checks?|files?|cases?|jobs?|targets?|packages?|projects?|uncaught|unhandled|known) )?(?:${FAILURES})(?=\\W|$)(?! \\w+ed\\b)`,
    "i",
  ),
  // Matches `Found 3 errors`, `compiled with 2 errors`, `✖ 7 problems (5 errors, 2 warnings)`, `Tests: 2 failed, 5 passed`.
  new RegExp(
    `\\b(?:found|with|has|had|and|after) (?:a total of )?${NUMBER} (?:\\w{1,20} ){0,2}(?:${FAILURES}|violations?)(?=\\W|$)`,
    "i",
  ),
  /\([1-9]\d{0,8} errors?\b/,
  new RegExp(
    `^\\W{0,8}(?:[\\w /.-]{1,40}[:=]|Test(?:s| Files| Suites)?|Suites|Specs|Examples) {1,20}(?:\\d{1,9} \\w{1,20}(?:,| \\|) ){0,4}${NUMBER} (?:${FAILURES})(?=\\W|$)`,
    "i",
  ),
  // Matches `Failures: 1`, `errors=2`, `failed: 3`, `"errorCount": 9`.
  /(?:^|[^\w-])(?:fail(?:ed|ures?|s)?|errors|errorCount)(?:\(s\))?['"]?\s{0,20}[:=]\s{0,20}['"]?[1-9]\d{0,8}\b(?![.:]\d)/i,
  // Matches `make: *** [all] Error 1`, `exited with code 2`, `exit status 1`.
  /^make(?:\[\d+\])?: \*\*\* .{0,500}(?:Error [1-9]\d{0,4}|Stop)\b|^\S{0,80}ninja: build stopped: /,
  /\bexit(?:ed|s)? (?:with )?(?:a )?(?:non-zero )?(?:code|status)(?: of)?:? ?[1-9]\d{0,9}\b/i,
  /\b(?:returned|exited with) (?:a )?non-zero (?:exit )?(?:code|status)/i,
  /^\W{0,8}(?:error: )?could not compile\b|^(?:npm (?:ERR!|error)|rspec \S{1,300}:\d{1,7}|🚨 Error:|error Command failed with)/,
  /\b(?:errors (?:occurred|were emitted)|treated as errors|aborting due to|compilation aborted|resulted in errors)\b/i,
  // Matches the results of tox: `py310: FAIL code 2 (0.50 seconds)`, `py310: exit 2 (0.33 seconds) /app> pytest`, `evaluation failed :(`.
  /^\s{0,4}[\w.{},-]{1,60}: (?:FAIL code -?\d|exit -?[1-9]\d{0,9} \([\d.]+ seconds\))|^\s{0,4}evaluation failed :\(/,
  // Matches what gitleaks and npm audit print only if they found something and fail.
  /\bleaks found: [1-9]|^# npm audit report$/,
  // Matches fragments of test reports in XML or JSON; a complete report is parsed as a document.
  /<\/?(?:failure|error|ErrorInfo)[\s>]|\b(?:outcome|result|status)=["'](?:failed|failure|error)["']|"Action":"(?:build-)?fail"/i,
];

/** Matches lines that are written as errors: `error: …`, `ERROR in ./a.js`, `ValueError: …`, `panic: …`, `✖ name`, `"level":"error"`. */
const ERRORS: readonly RegExp[] = [
  /^\W{0,8}(?:\w{1,20}: )?(?:errors?|fatal|panic|exception|traceback|critical|severe|failure\/error)\b(?!\.)/i,
  /^\W{0,8}(?:failed|unable|could not|cannot) (?:to )?\w|\bfailed (?:due|because|with|to)\b/i,
  /^\s{0,8}(?:[\w.]{1,80}\.)?[A-Z]\w{0,60}(?:Error|Exception)\b|\([A-Z]\w{0,60}Error\)|Error: \S/,
  /\bERROR\b|\berror - |\b(?:parse|type|syntax|compilation|internal) errors?\b/,
  /^(?:thread '.{0,80}' )?panicked at|^(?:Segmentation fault|Aborted|Killed)\b|\(core dumped\)/,
  /^\s{0,8}[✗✘✖×❌]| [✗✘✖] |"(?:level|severity|@level)"\s{0,4}:\s{0,4}"error"/,
];

const HINT =
  /(?:error|exception)s?\b|\b(?:fail(?:s|ed|ing|ure|ures)?|fatal|panic(?:ked)?|traceback|crash(?:ed)?|abort(?:ed|ing)?|killed|segmentation fault|cannot|can't|could not|unable to|no such file|not found|no matching|permission denied|timed out|unresolved|undefined|invalid|(?:is|are) missing|missing (?:\w{1,30} ){0,3}(?:file|module|package|dependenc|argument|parameter|required)\w*|conflicts?|violations?|problems?)\b|npm ERR!|[✗✘✖×❌]|\b(?:HIGH|CRITICAL): [1-9]|\b[1-9]\d{0,8} (?:code |blocking )?findings?\b/i;
const SUCCESS =
  /\b(?:built|created .{1,200}|done|finished|completed) in \d|^\s{0,12}Finished |\b(?:success(?:ful(?:ly)?)?|succeeded|\d{1,9} (?:\w{1,20} )?passed|(?:all|tests?|checks?|suites?)\b.{0,40}\bpassed|no (?:errors?|issues?|problems?|failures?|violations?)|0 (?:errors?|failures?|failed|problems?|issues?|vulnerabilities))\b|^\W{0,8}OK\b|\bclean\b/i;

const ALL_CLEAR = /\bBUILD SUCCESS(?:FUL)?\b|\bBuild (?:completed successfully|succeeded)\b/;
/** Matches hints that tools print in addition to their messages. */
const ADVICE = /^\W{0,8}(?:help|hint|tip|note)\b/i;

/**
 * Matches every line that reports a failure or is written as an error; it is tested first because it is faster than the
 * longer patterns.
 */
const SAYS_FAILURE =
  /fail|error|abort|exit|err!|not ok|not complete|stopped|non-zero|fatal|panic|exception|traceback|critical|severe|unable|could not|cannot|killed|segmentation|core dumped|rspec|violation|leaks found|audit report|[✗✘✖×❌]|🚨/i;

/** Rates a line with one of `FAILURE_SIGNATURES` as evidence of a failure. */
export function strengthOf({ text, level }: Pick<Line, "text" | "level">): Strength {
  const line = text.length > 1_000 ? text.slice(0, 1_000) : text;
  const remaining = line.replace(NOTHING_FAILED, "0 none");
  if (remaining !== line && !SAYS_FAILURE.test(remaining)) return successOf(line);
  if (ALL_CLEAR.test(line)) return "all-clear";
  if (PASSED_ITEM.test(remaining.trimEnd())) return successOf(line);
  const mayReport = (level === "error" || SAYS_FAILURE.test(remaining)) && !REMARK.test(remaining);
  if (mayReport && (level === "error" || VERDICTS.some((one) => one.test(remaining)))) return "verdict";
  if (mayReport && ITEM.test(remaining)) return "item";
  if (successOf(line) === "success") return "success";
  if (mayReport && ERRORS.some((one) => one.test(remaining))) return "error";
  return HINT.test(remaining) && !ADVICE.test(remaining) ? "hint" : "none";
}

/** Rates a line without any of `FAILURE_SIGNATURES` as a report of success. */
export function successOf(text: string): "success" | "all-clear" | "none" {
  if (ALL_CLEAR.test(text)) return "all-clear";
  return SUCCESS.test(text) && !/\b0 of 0\b/.test(text) ? "success" : "none";
}
