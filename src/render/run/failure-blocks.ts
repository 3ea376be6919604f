import { estimateTokens } from "../../kernel/tokens.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { failureBody } from "./failure-body.ts";
import type { Density } from "../list/density.ts";
import type { Reruns } from "./rerun.ts";

/** Failed tests of one file that failed in the same way: shown whole or not at all. */
export interface FailureBlock {
  readonly file?: string;
  readonly names: string;
  /** What they say, with the line end before it; nothing where they say nothing. */
  readonly body: string;
  readonly failures: number;
}

/** So many tests make a block at most. */
const TESTS_A_BLOCK = 40;

/** Tests of a file with what they say; those that say the same stand above it together: `:9 Suite > one; … > other`. */
export function blocksOf(failures: readonly TestFailure[], reruns: Reruns, density: Density): FailureBlock[] {
  const byBody = new Map<string, TestFailure[]>();
  for (const failure of failures) {
    const rerun = reruns.of(failure);
    const body = [...failureBody(failure, density), ...(rerun === undefined ? [] : [`rerun: ${rerun}`])]
      .map((line) => `\n  ${line}`)
      .join("");
    const known = byBody.get(body);
    if (known === undefined) byBody.set(body, [failure]);
    else known.push(failure);
  }
  // Those that say nothing come last: what follows a name is said of it.
  const bodies = [...byBody].sort(([one], [other]) => Number(one === "") - Number(other === ""));
  return bodies.flatMap(([body, same]) => blocksWith(body, same, failures.length > 1));
}

function blocksWith(body: string, failures: readonly TestFailure[], isOneOfSeveral: boolean): FailureBlock[] {
  const blocks: FailureBlock[] = [];
  for (let from = 0; from < failures.length; from += TESTS_A_BLOCK) {
    const some = failures.slice(from, from + TESTS_A_BLOCK);
    const file = some[0]?.file;
    blocks.push({
      ...(file === undefined ? {} : { file }),
      names: namesOf(some, isOneOfSeveral),
      body,
      failures: some.length,
    });
  }
  return blocks;
}

/** The names, those of one line together; a suite that is the one before is not named again. */
function namesOf(failures: readonly TestFailure[], isOneOfSeveral: boolean): string {
  let text = "";
  let above: { readonly suite: string; readonly line: number | undefined } | undefined;
  for (const failure of failures) {
    const name = nameOf(failure, isOneOfSeveral);
    const suite = suiteOf(name);
    const isKnown = suite === above?.suite && estimateTokens(suite) >= MIN_SUITE;
    const short = isKnown ? `…${separatorOf(suite)}${name.slice(suite.length)}` : name;
    const joins = above !== undefined && above.line === failure.line && !/;|\n/.test(name);
    const at = failure.line === undefined ? "" : `:${failure.line} `;
    const start = text === "" ? "" : "\n";
    text += joins ? `; ${short}` : `${start} ${at}${kindOf(failure)}${short}`.trimEnd();
    above = { suite, line: failure.line };
  }
  return text;
}

/** A shorter suite costs no more than the mark for it. */
const MIN_SUITE = 4;

function kindOf({ kind }: TestFailure): string {
  return kind === "suite" ? "did not load: " : kind === "unhandled" ? "outside tests: " : "";
}

/** The file stands above already: a name begins with it only where it is the only one, as one would type it. */
function nameOf({ kind, name, file }: TestFailure, isOneOfSeveral: boolean): string {
  if (kind === "suite" && name === file) return "";
  return isOneOfSeveral && file !== undefined && name.startsWith(`${file}::`)
    ? name.slice(file.length + 2)
    : name;
}

/** All parts of a name but the last: `Suite > inner > `, `module.Class.`, `Class::`. */
function suiteOf(name: string): string {
  return (/^.*(?: > | › |::)/.exec(name) ?? /^(?:[\w$]+[./])+(?=\w)/.exec(name))?.[0] ?? "";
}

function separatorOf(suite: string): string {
  return /(?: > | › |::|[./])$/.exec(suite)?.[0] ?? "";
}
