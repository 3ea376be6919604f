import type { Diagnostic } from "../../model/diagnostic.ts";
import type { TestSummary } from "../../model/test-summary.ts";
import type { Resolution, SourceFacts } from "./source-facts.ts";
import type { BuildTool, CompileStage } from "../tool.ts";

/** Facts about the later run that decide whether a file was checked again. */
export interface LaterChecks {
  /** True if the run ended by its program's own exit. */
  readonly hasEnded: boolean;
  /** True if the run exited with 0 and printed no error. */
  readonly hasSucceeded: boolean;
  /** True if the run exited with the same code as the earlier run. */
  readonly hasSameExit: boolean;
  /** True if no diagnostics of the run were dropped because of limits. */
  readonly isComplete: boolean;
  readonly fresh: readonly Diagnostic[];
  readonly unchanged: readonly Diagnostic[];
  readonly tests: readonly TestSummary[];
  readonly source: SourceFacts;
  tool(name: string): Pick<BuildTool, "kinds" | "ecosystem" | "stageOf"> | undefined;
  /** Returns whether a tool must have succeeded because a command that follows it after `&&` ran. */
  succeededBefore(tool: string): boolean;
}

/** Returns a function that decides, for diagnostics missing in the later run, whether their files were checked again. */
export function classifyDiagnostics(later: LaterChecks): (vanished: Diagnostic) => Resolution {
  const units = new Units(later);
  return (vanished) => {
    const { file } = vanished;
    if (file !== undefined && later.source.fileState(file) === "missing") return "gone";
    if (!later.hasEnded || !later.isComplete) return "notRun";
    return isChecked(vanished, later, units) ? "fixed" : "notRun";
  };
}

function isChecked(vanished: Diagnostic, later: LaterChecks, units: Units): boolean {
  if (later.hasSucceeded) return vanished.severity === "error" || !isIncremental(vanished, later);
  if (later.succeededBefore(vanished.tool) || isCompiledForTests(vanished, later)) return true;
  return isLinter(vanished, later) ? isLinted(vanished, later, units) : isCompiled(vanished, units);
}

/**
 * Returns whether a missing warning proves nothing, because incremental builds recompile only changed files and do not repeat the warnings of the
 * others.
 */
function isIncremental({ tool, file }: Diagnostic, later: LaterChecks): boolean {
  const known = later.tool(tool);
  if (known === undefined || !known.kinds.includes("build") || !INCREMENTAL.has(known.ecosystem))
    return false;
  return file === undefined || later.source.fileState(file) !== "changed";
}

const INCREMENTAL: ReadonlySet<BuildTool["ecosystem"]> = new Set(["c-cpp", "dotnet", "java", "swift"]);

/** Ecosystems whose test runners build the code under test, so that a test that ran proves that the code compiled. */
const BUILT_FOR_TESTS: ReadonlySet<BuildTool["ecosystem"]> = new Set([
  "rust",
  "go",
  "java",
  "dotnet",
  "swift",
]);

function isCompiledForTests({ tool, severity }: Diagnostic, later: LaterChecks): boolean {
  const ecosystem = later.tool(tool)?.ecosystem;
  if (severity !== "error" || ecosystem === undefined || !BUILT_FOR_TESTS.has(ecosystem)) return false;
  const runs = later.tests.filter(({ runner }) => later.tool(runner)?.ecosystem === ecosystem);
  const ran = runs.some((one) => one.passed + one.failed > 0);
  return ran && runs.every((one) => one.failedSuites === 0);
}

function isLinter({ tool }: Diagnostic, later: LaterChecks): boolean {
  const kinds = later.tool(tool)?.kinds ?? [];
  return kinds.length > 0 && kinds.every((kind) => kind === "lint" || kind === "format");
}

/** Matches errors after which a linter stops checking the file because it cannot parse it. */
const UNREADABLE = /syntax|pars(?:e|ing)|typecheck|^E9\d\d$|invalid-syntax/i;

/**
 * Returns whether a linter checked the file again. It checks each file separately, so problems in other files do not matter as long as it exited as
 * before.
 */
function isLinted(vanished: Diagnostic, { hasSameExit }: LaterChecks, units: Units): boolean {
  if (!units.hasReported(vanished.tool) || units.isUnreadable(vanished)) return false;
  return hasSameExit || units.of(vanished).codes.has(severityAndCode(vanished));
}

/**
 * Returns whether a compiler checked the code again. With remaining errors it may have stopped before it reached the file or the stage that
 * reported the diagnostic.
 */
function isCompiled(vanished: Diagnostic, units: Units): boolean {
  const unit = units.of(vanished);
  const stage = units.stageOf(vanished);
  if (stage !== undefined && unit.passedStages > stage.order) return true;
  if (vanished.code !== undefined && unit.codes.has(severityAndCode(vanished))) return true;
  return !unit.hasNewError && unit.unchanged.has(vanished.severity);
}

function severityAndCode({ severity, code }: Diagnostic): string {
  return `${severity} ${code ?? ""}`;
}

/** The diagnostics that the later run reported in one compilation unit. */
interface Unit {
  /** Severity and code of each diagnostic in the unit. */
  readonly codes: Set<string>;
  /** Severities of those diagnostics in the unit that the earlier run reported too. */
  readonly unchanged: Set<Diagnostic["severity"]>;
  hasNewError: boolean;
  /** The number of compiler stages, counted from the first, that are known to have completed. */
  passedStages: number;
}

/** The diagnostics of the later run by compilation unit: a file in C and C++, a crate in Rust, otherwise everything that a tool was given. */
class Units {
  readonly #units = new Map<string, Unit>();
  readonly #tools = new Set<string>();
  readonly #unreadable = new Set<string>();
  readonly #later: LaterChecks;

  constructor(later: LaterChecks) {
    this.#later = later;
    for (const one of later.fresh) {
      this.#add(one).hasNewError ||= one.severity === "error";
      if (one.severity === "error" && (UNREADABLE.test(one.code ?? "") || UNREADABLE.test(one.message)))
        this.#unreadable.add(`${one.tool}\0${one.file}`);
    }
    for (const one of later.unchanged) this.#add(one).unchanged.add(one.severity);
  }

  of(one: Diagnostic): Unit {
    return this.#units.get(this.#key(one)) ?? emptyUnit();
  }

  hasReported(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** Returns whether the linter can no longer parse the diagnostic's file. */
  isUnreadable({ tool, file }: Diagnostic): boolean {
    return this.#unreadable.has(`${tool}\0${file}`);
  }

  /** Returns the stage of the compiler that reported the diagnostic. */
  stageOf(one: Diagnostic): CompileStage | undefined {
    return this.#later.tool(one.tool)?.stageOf?.(one);
  }

  #add(one: Diagnostic): Unit {
    const key = this.#key(one);
    const unit = this.#units.get(key) ?? emptyUnit();
    this.#units.set(key, unit);
    this.#tools.add(one.tool);
    unit.codes.add(severityAndCode(one));
    const stage = this.stageOf(one);
    if (stage !== undefined)
      unit.passedStages = Math.max(unit.passedStages, stage.order + Number(stage.isReportedCompletely));
    return unit;
  }

  #key({ tool, file = "" }: Diagnostic): string {
    const ecosystem = this.#later.tool(tool)?.ecosystem;
    if (ecosystem === "c-cpp" || ecosystem === undefined) return `${tool}\0${file}`;
    return ecosystem === "rust" ? `${tool}\0${crateOf(file)}` : tool;
  }
}

function emptyUnit(): Unit {
  return { codes: new Set(), unchanged: new Set(), hasNewError: false, passedStages: -1 };
}

/** Returns the folder of a file's crate, derived from the standard folders of a Cargo package. */
function crateOf(file: string): string {
  return file.replace(/(?:^|\/)(?:src|tests|examples|benches)\/.*$/, "").replace(/(?:^|\/)build\.rs$/, "");
}
