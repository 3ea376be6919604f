import { groupBy } from "../../kernel/group-by.ts";
import type { DiagnosticGroup, GroupedPlace } from "../../model/diagnostic-group.ts";
import type { Diagnostic, Severity } from "../../model/diagnostic.ts";

const SEVERITY_ORDER: Record<Severity, number> = { error: 0, warning: 1, info: 2 };

/**
 * Groups diagnostics of one rule with the same message. Groups of errors come first, then the order of first appearance
 * decides.
 */
export function groupDiagnostics(diagnostics: readonly Diagnostic[]): DiagnosticGroup[] {
  return [...groupBy(diagnostics, keyOf).values()]
    .flatMap(([first, ...others]) => (first === undefined ? [] : [toGroup(first, [first, ...others])]))
    .sort((a, b) => SEVERITY_ORDER[a.severity] - SEVERITY_ORDER[b.severity]);
}

/**
 * Returns the key by which diagnostics are grouped. Help texts of one line may differ within a group, because they
 * often quote the code.
 */
function keyOf(diagnostic: Diagnostic): string {
  const { tool, severity, code, url, help } = diagnostic;
  const shared = oneLineHelp(diagnostic) === undefined ? help?.join("\n") : ONE_LINE_HELP;
  return [tool, severity, code, url, shared, messageOf(diagnostic)].join("\0");
}

const ONE_LINE_HELP = "\0\0";

function oneLineHelp({ help }: Diagnostic): string | undefined {
  const [line] = help ?? [];
  return help?.length === 1 && line !== undefined && !line.includes("\n") ? line : undefined;
}

/** Returns the message without its own location, which some tools repeat at the start although the list already shows it. */
function messageOf({ file, line, column, message }: Diagnostic): string {
  const own = [`${file}:${line}: `, `${file}:${line}:${column}: `];
  return message.slice(own.find((place) => message.startsWith(place))?.length ?? 0);
}

function toGroup(first: Diagnostic, members: readonly Diagnostic[]): DiagnosticGroup {
  const { tool, severity, code, url, help } = first;
  const hasSameHelp = members.every((member) => oneLineHelp(member) === oneLineHelp(first));
  return {
    tool,
    severity,
    ...(code === undefined ? {} : { code }),
    ...(url === undefined ? {} : { url }),
    message: messageOf(first),
    ...(help === undefined || !hasSameHelp ? {} : { help }),
    files: [...groupBy(members, ({ file }) => file)].map(([file, some]) => ({
      ...(file === undefined ? {} : { file }),
      places: placesOf(some, hasSameHelp),
    })),
    count: members.length,
  };
}

/** Lists the places of a message in one file. A column is kept only if two diagnostics have the same line. */
function placesOf(members: readonly Diagnostic[], hasSameHelp: boolean): GroupedPlace[] {
  const byLine = groupBy(members, ({ line }) => line);
  return members.map((member) => {
    const { line, column, related } = member;
    const isAmbiguous = (byLine.get(line)?.length ?? 0) > 1;
    const help = hasSameHelp ? undefined : oneLineHelp(member);
    return {
      ...(line === undefined ? {} : { line }),
      ...(isAmbiguous && column !== undefined ? { column } : {}),
      ...(help === undefined ? {} : { help }),
      ...(related === undefined ? {} : { related }),
    };
  });
}
