import { estimateTokens } from "../../kernel/tokens.ts";
import type { DiagnosticGroup, GroupedFile, GroupedPlace } from "../../model/diagnostic-group.ts";
import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import { createComparisonBudget, mergeSimilar } from "./similar-messages.ts";
import { fillTemplate, extractValues } from "./template.ts";
import type { ExtractedMessage } from "./template.ts";

const SEVERITY_ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

interface Member {
  readonly diagnostic: Diagnostic;
  readonly extracted: ExtractedMessage;
}

/**
 * Groups diagnostics whose messages are equal except for names and numbers. Groups of errors come first, then the order
 * of first appearance decides.
 */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticGroup[] {
  const members = diagnostics.map(toMember);
  return inOrder(
    byKey(members, (member) => keyOf(member.diagnostic, member.extracted.skeleton)).flatMap(splitByValues),
  );
}

/**
 * Forms as few groups of diagnostics as possible: messages that share most of their words belong to one group, whatever
 * names and numbers they contain.
 */
export function groupClosely(diagnostics: readonly Diagnostic[]): DiagnosticGroup[] {
  const kinds = byKey(diagnostics.map(toMember), (member) => keyOf(member.diagnostic));
  const budget = createComparisonBudget();
  const joined = kinds.flatMap((kind) =>
    mergeSimilar(
      byKey(kind, (member) => member.extracted.skeleton),
      budget,
    ),
  );
  // Diagnostics of a group with the same names and numbers in their messages are placed next to each other, so that
  // these are written once.
  return inOrder(joined.map((kind) => byKey(kind, valuesKey).flat()));
}

function valuesKey({ diagnostic, extracted }: Member): string {
  return [...extracted.values, oneLineHelp(diagnostic)].join("\0");
}

function inOrder(groups: readonly (readonly Member[])[]): DiagnosticGroup[] {
  return groups.map(toGroup).sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity]);
}

function toMember(diagnostic: Diagnostic): Member {
  return { diagnostic, extracted: extractValues(messageOf(diagnostic)) };
}

/** Returns the message without its own location, which some tools repeat at the start although the list already shows it. */
function messageOf({ file, line, column, message }: Diagnostic): string {
  const own = [`${file}:${line}: `, `${file}:${line}:${column}: `];
  return message.slice(own.find((place) => message.startsWith(place))?.length ?? 0);
}

function byKey<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(key(item));
    if (known === undefined) groups.set(key(item), [item]);
    else known.push(item);
  }
  return [...groups.values()];
}

/**
 * Returns the key by which diagnostics are grouped. Help texts of one line may differ within a group, because they
 * often quote the code.
 */
function keyOf(diagnostic: Diagnostic, skeleton = ""): string {
  const { tool, severity, code, url, help } = diagnostic;
  const shared = oneLineHelp(diagnostic) === undefined ? help?.join("\n") : ONE_LINE_HELP;
  return [tool, severity, code, url, shared, skeleton].join("\0");
}

const ONE_LINE_HELP = "\0\0";

function oneLineHelp({ help }: Diagnostic): string | undefined {
  const [line] = help ?? [];
  return help?.length === 1 && line !== undefined && !line.includes("\n") ? line : undefined;
}

function headCostOf([first]: readonly Member[]): number {
  return estimateTokens(first?.extracted.skeleton ?? "") + HEAD_TOKENS;
}

/**
 * Splits diagnostics off a group if the variable parts of their messages repeat so often that a separate group costs
 * fewer tokens than writing these values next to each file's lines.
 */
function splitByValues(members: readonly Member[]): Member[][] {
  if (members.length < 3) return [[...members]];
  const byValues = byKey(members, valuesKey);
  const first = members[0];
  if (byValues.length === 1 || first === undefined) return [[...members]];
  const headCost = headCostOf(members);
  const kinds = valuesByFile(byValues);
  const own: Member[][] = [];
  const rest: Member[] = [];
  for (const same of byValues) {
    const files = new Set(same.map((member) => member.diagnostic.file));
    const [one] = same;
    const value = [one?.extracted.values.join("|"), one && oneLineHelp(one.diagnostic)].join(" ");
    // In a separate group, the value would be written once instead of once per file.
    const valueCost = (estimateTokens(value) + 1) * (files.size - 1);
    // Files that also have diagnostics with other values must be named again in the separate group.
    const again = [...files].filter((file) => (kinds.get(file) ?? 0) > 1);
    const ownCost = headCost + again.reduce((sum, file) => sum + nameCost(file), 0);
    if (same.length > 1 && valueCost > ownCost) own.push(same);
    else rest.push(...same);
  }
  return rest.length > 0 ? [rest, ...own] : own;
}

/** Counts, for each file, how many different values the messages of its diagnostics contain. */
function valuesByFile(byValues: readonly (readonly Member[])[]): Map<string | undefined, number> {
  const kinds = new Map<string | undefined, number>();
  for (const same of byValues)
    for (const file of new Set(same.map((member) => member.diagnostic.file)))
      kinds.set(file, (kinds.get(file) ?? 0) + 1);
  return kinds;
}

/** Estimates the tokens for naming a file again; its folder is usually shown already. */
function nameCost(file: string | undefined): number {
  return file === undefined ? 0 : estimateTokens(file.slice(file.lastIndexOf("/") + 1)) + 2;
}

/** Estimated tokens for the severity letter, the code and the line end of a group's first line. */
const HEAD_TOKENS = 6;

function toGroup(members: readonly Member[]): DiagnosticGroup {
  const [first] = members;
  if (first === undefined) throw new RangeError("a group has at least one member");
  const { tool, severity, code, url, help } = first.diagnostic;
  const { template, valuesOf } = fillTemplate(members.map((member) => member.extracted));
  const sameHelp = members.every(
    (member) => oneLineHelp(member.diagnostic) === oneLineHelp(first.diagnostic),
  );
  const places = members.map(({ diagnostic }, index) => ({
    diagnostic,
    values: valuesOf(index),
    ...(sameHelp ? {} : { help: oneLineHelp(diagnostic) }),
  }));
  return {
    tool,
    severity,
    ...(code === undefined ? {} : { code }),
    ...(url === undefined ? {} : { url }),
    template,
    ...(help === undefined || !sameHelp ? {} : { help }),
    files: byFile(places),
    count: members.length,
  };
}

interface Placed {
  readonly diagnostic: Diagnostic;
  readonly values: readonly string[];
  readonly help?: string | undefined;
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

/**
 * Builds the list of files and lines of a group. A column is kept only if two diagnostics of one file have the same
 * line and the same values.
 */
function placesOf(placed: readonly Placed[]): GroupedPlace[] {
  const keys = placed.map(({ diagnostic, values }) => [diagnostic.line, ...values].join("\0"));
  const times = new Map<string, number>();
  for (const key of keys) times.set(key, (times.get(key) ?? 0) + 1);
  return placed.map(({ diagnostic, values, help }, index) => {
    const { line, column, related } = diagnostic;
    const ambiguous = (times.get(keys[index] ?? "") ?? 0) > 1;
    return {
      ...(line === undefined ? {} : { line }),
      ...(ambiguous && column !== undefined ? { column } : {}),
      values,
      ...(help === undefined ? {} : { help }),
      ...(related === undefined ? {} : { related }),
    };
  });
}
