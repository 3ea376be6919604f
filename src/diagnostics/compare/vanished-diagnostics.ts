import type { Diagnostic } from "../../model/diagnostic.ts";
import type { TestSummary } from "../../model/test-summary.ts";
import { isReportedWhole, stageOf } from "./compile-stages.ts";
import type { Fate, SourceFacts } from "./source-facts.ts";
import type { BuildTool } from "../tool.ts";

/** The later of two runs, as far as it says whether a file was checked. */
export interface LaterChecks {
  /** Whether it exited by itself. */
  readonly ended: boolean;
  /** Whether it exited with 0 and printed no error. */
  readonly succeeded: boolean;
  /** Whether it exited with the same code as the earlier run. */
  readonly sameExit: boolean;
  /** Whether all that it printed was kept. */
  readonly isComplete: boolean;
  readonly fresh: readonly Diagnostic[];
  readonly unchanged: readonly Diagnostic[];
  readonly tests: readonly TestSummary[];
  readonly source: SourceFacts;
  tool(id: string): Pick<BuildTool, "kinds" | "ecosystem"> | undefined;
  /** Whether a tool must have succeeded, because another one ran that its command line starts only then. */
  succeededBefore(tool: string): boolean;
}

/** Says of complaints that the later run does not have whether their files were checked. */
export function fatesOfDiagnostics(later: LaterChecks): (vanished: Diagnostic) => Fate {
  const units = new Units(later);
  return (vanished) => {
    const { file } = vanished;
    if (file !== undefined && later.source.fileState(file) === "missing") return "gone";
    if (!later.ended || !later.isComplete) return "notRun";
    return isChecked(vanished, later, units) ? "fixed" : "notRun";
  };
}

function isChecked(vanished: Diagnostic, later: LaterChecks, units: Units): boolean {
  if (later.succeeded) return vanished.severity === "error" || !isBuiltInParts(vanished, later);
  if (later.succeededBefore(vanished.tool) || isCompiledForTests(vanished, later)) return true;
  return isLinter(vanished, later) ? isLinted(vanished, later, units) : isCompiled(vanished, units);
}

/** Build systems compile again only what changed, and do not repeat the warnings of the rest. */
function isBuiltInParts({ tool, file }: Diagnostic, later: LaterChecks): boolean {
  const known = later.tool(tool);
  if (known === undefined || !known.kinds.includes("build") || !IN_PARTS.has(known.ecosystem)) return false;
  return file === undefined || later.source.fileState(file) !== "changed";
}

const IN_PARTS: ReadonlySet<BuildTool["ecosystem"]> = new Set(["c-cpp", "dotnet", "java", "swift"]);

/** Runners that build what they test: their tests ran, so it was built. */
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

/** A file that a linter cannot read is not checked further. */
const UNREADABLE = /syntax|pars(?:e|ing)|typecheck|^E9\d\d$|invalid-syntax/i;

/** A linter checks each file by itself: others do not matter, as long as it came to its end as before. */
function isLinted(vanished: Diagnostic, { sameExit }: LaterChecks, units: Units): boolean {
  if (!units.hasReported(vanished.tool) || units.isUnreadable(vanished)) return false;
  return sameExit || units.of(vanished).complains.has(complaintOf(vanished));
}

/** A compiler that still has errors may have stopped before it came to the file, or to the stage that found the complaint. */
function isCompiled(vanished: Diagnostic, units: Units): boolean {
  const unit = units.of(vanished);
  const stage = stageOf(vanished);
  if (stage !== undefined && unit.passedStages > stage) return true;
  if (vanished.code !== undefined && unit.complains.has(complaintOf(vanished))) return true;
  return !unit.hasNewError && unit.unchanged.has(vanished.severity);
}

function complaintOf({ severity, code }: Diagnostic): string {
  return `${severity} ${code ?? ""}`;
}

/** What the later run says of one unit. */
interface Unit {
  /** Severities and codes. */
  readonly complains: Set<string>;
  /** Severities of what the earlier run said too. */
  readonly unchanged: Set<Diagnostic["severity"]>;
  hasNewError: boolean;
  /** The stages below this one are over. */
  passedStages: number;
}

/** What the later run reports, by what a compiler takes on as a whole: a file of C, a crate, else all that a tool is given. */
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

  /** Whether the file of a complaint can no longer be read. */
  isUnreadable({ tool, file }: Diagnostic): boolean {
    return this.#unreadable.has(`${tool}\0${file}`);
  }

  #add(one: Diagnostic): Unit {
    const key = this.#key(one);
    const unit = this.#units.get(key) ?? emptyUnit();
    this.#units.set(key, unit);
    this.#tools.add(one.tool);
    unit.complains.add(complaintOf(one));
    const stage = stageOf(one);
    if (stage !== undefined)
      unit.passedStages = Math.max(unit.passedStages, isReportedWhole(one, stage) ? stage + 1 : stage);
    return unit;
  }

  #key({ tool, file = "" }: Diagnostic): string {
    const ecosystem = this.#later.tool(tool)?.ecosystem;
    if (ecosystem === "c-cpp" || ecosystem === undefined) return `${tool}\0${file}`;
    return ecosystem === "rust" ? `${tool}\0${crateOf(file)}` : tool;
  }
}

function emptyUnit(): Unit {
  return { complains: new Set(), unchanged: new Set(), hasNewError: false, passedStages: -1 };
}

/** The folder of a crate, by the folders that Cargo expects in it. */
function crateOf(file: string): string {
  return file.replace(/(?:^|\/)(?:src|tests|examples|benches)\/.*$/, "").replace(/(?:^|\/)build\.rs$/, "");
}
