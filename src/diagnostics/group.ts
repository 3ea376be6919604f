import { estimateTokens } from "../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedFile, GroupedPlace } from "../model/diagnostic-group.ts";
import type { Diagnostic, Severity } from "../model/diagnostic.ts";
import { fillTemplate, liftValues } from "./template.ts";
import type { Lifted } from "./template.ts";

const SEVERITY_ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

interface Member {
  readonly diagnostic: Diagnostic;
  readonly lifted: Lifted;
}

/** Groups diagnostics by message template without losing any: errors first, then by first appearance. */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticGroup[] {
  const byTemplate = new Map<string, Member[]>();
  for (const diagnostic of diagnostics) {
    const lifted = liftValues(diagnostic.message);
    const key = keyOf(diagnostic, lifted.skeleton);
    const members = byTemplate.get(key);
    if (members === undefined) byTemplate.set(key, [{ diagnostic, lifted }]);
    else members.push({ diagnostic, lifted });
  }
  return [...byTemplate.values()]
    .flatMap(splitByValues)
    .map(toGroup)
    .sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity]);
}

function keyOf(diagnostic: Diagnostic, skeleton: string): string {
  const { tool, severity, code, url, help } = diagnostic;
  return [tool, severity, code, url, help?.join("\n"), skeleton].join("\0");
}

/**
 * Takes out members whose values repeat so often that a group of their own costs less than the values beside each
 * file's lines.
 */
function splitByValues(members: readonly Member[]): Member[][] {
  if (members.length < 3) return [[...members]];
  const byValues = new Map<string, Member[]>();
  for (const member of members) {
    const key = member.lifted.values.join("\0");
    const same = byValues.get(key);
    if (same === undefined) byValues.set(key, [member]);
    else same.push(member);
  }
  const first = members[0];
  if (byValues.size === 1 || first === undefined) return [[...members]];
  const headCost = estimateTokens(first.lifted.skeleton) + HEAD_TOKENS;
  const own: Member[][] = [];
  const rest: Member[] = [];
  for (const same of byValues.values()) {
    const files = new Set(same.map((member) => member.diagnostic.file)).size;
    const valueCost = (estimateTokens(same[0]?.lifted.values.join("|") ?? "") + 1) * files;
    if (same.length > 1 && valueCost > headCost) own.push(same);
    else rest.push(...same);
  }
  return rest.length > 0 ? [rest, ...own] : own;
}

/** Severity letter, code and line end. */
const HEAD_TOKENS = 6;

function toGroup(members: readonly Member[]): DiagnosticGroup {
  const [first] = members;
  if (first === undefined) throw new RangeError("a group has at least one member");
  const { tool, severity, code, url, help } = first.diagnostic;
  const { template, valuesOf } = fillTemplate(members.map((member) => member.lifted));
  const places = members.map((member, index) => ({ diagnostic: member.diagnostic, values: valuesOf(index) }));
  return {
    tool,
    severity,
    ...(code === undefined ? {} : { code }),
    ...(url === undefined ? {} : { url }),
    template,
    ...(help === undefined ? {} : { help }),
    files: byFile(places),
    count: members.length,
  };
}

interface Placed {
  readonly diagnostic: Diagnostic;
  readonly values: readonly string[];
}

function byFile(placed: readonly Placed[]): GroupedFile[] {
  const files = new Map<string | undefined, Placed[]>();
  for (const one of placed) {
    const known = files.get(one.diagnostic.file);
    if (known === undefined) files.set(one.diagnostic.file, [one]);
    else known.push(one);
  }
  return [...files].map(([file, ones]) => ({
    ...(file === undefined ? {} : { file }),
    places: placesOf(ones),
  }));
}

/** A column is kept where two members of one file share line and values. */
function placesOf(placed: readonly Placed[]): GroupedPlace[] {
  const keys = placed.map(({ diagnostic, values }) => [diagnostic.line, ...values].join("\0"));
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return placed.map(({ diagnostic, values }, index) => {
    const { line, column, related } = diagnostic;
    const ambiguous = (times.get(keys[index] ?? "") ?? 0) > 1;
    return {
      ...(line === undefined ? {} : { line }),
      ...(ambiguous && column !== undefined ? { column } : {}),
      values,
      ...(related === undefined ? {} : { related }),
    };
  });
}
