import type { Budget } from "../../kernel/budget.ts";
import { addToGroup, groupBy } from "../../kernel/group-by.ts";
import type { ToolList } from "../../model/tool-list.ts";
import { EVERY_TOOL, type Reader, spellAgain } from "../reader/reader.ts";
import { jsonReply, type Rendered, type View } from "../rendered.ts";

/** A list of build tools, and the position of the page to show. */
export interface ToolListReply {
  readonly list: ToolList;
  /** The number of names that earlier pages of the list have shown. */
  readonly offset: number;
  /** Makes the cursor of the next page, given how many names have been shown up to it. */
  readonly cursorAfter: (shown: number) => string;
}

/** One name in the list: a build tool, a script, a build target or a package folder. */
type Entry =
  | { readonly kind: "tools"; readonly tool: ToolList["detected"][number] }
  | { readonly kind: "scripts" | "tasks" | "others"; readonly name: string }
  | { readonly kind: "targets"; readonly command: string; readonly name: string }
  | { readonly kind: "packages"; readonly item: ToolList["packages"][number] };

/**
 * The most build targets per command, and the most packages, on the first pages of the list. The others follow at the
 * end.
 */
const MAX_PER_KIND = 40;

interface Page {
  readonly shown: readonly Entry[];
  readonly left?: {
    readonly count: number;
    readonly kinds: Readonly<Record<string, number>>;
    readonly cursor: string;
  };
}

/** Writes the build tools for a folder: those that fit it with the reason, the others by name only. */
export function renderToolList(reply: ToolListReply, view: View): Rendered {
  const { list, offset } = reply;
  const { format, budget, reader = EVERY_TOOL } = view;
  if (format === "json") return jsonReply(jsonOf(reply, budget));
  const nothing = "No known tool fits this folder; a command line works too.";
  const isNew = offset === 0 && list.detected.length + list.targets.length + list.tasks.length === 0;
  const head = [...(format === "markdown" ? ["## Build tools", ""] : []), ...(isNew ? [nothing] : [])];
  budget.reserve([...head, FRAME].join("\n"));
  const bullet = format === "markdown" ? "- " : "";
  const page = pageOf(reply, budget, (entry) =>
    entry.kind === "tools" ? `${bullet}${toolLine(entry.tool)}\n` : `${nameOf(entry)}, `,
  );
  const lines = linesOf(page.shown, reader).map((line) => bullet + line);
  return { text: [...head, ...lines, ...restLines(page, list, reader)].join("\n") };
}

/** An example of the text around the names of the list; its length is reserved in the budget. */
const FRAME = `scripts: \ntargets: {}\ntasks (pith exec NAME): \npackages (--cwd FOLDER): \nothers: {}\n… 1234 more (1234 packages, 1234 others): cursor=1234.abcdef`;

function pageOf(
  { list, offset, cursorAfter }: ToolListReply,
  budget: Budget,
  write: (entry: Entry) => string,
): Page {
  const { first, later } = entriesOf(list);
  const all = [...first, ...later];
  const wanted = offset < first.length ? first.slice(offset) : all.slice(offset);
  const fitting = budget.fit(wanted, write);
  const shown = fitting.length > 0 ? fitting : wanted.slice(0, 1);
  const end = offset + shown.length;
  const left = all.slice(end);
  if (left.length === 0) return { shown };
  const kinds: Record<string, number> = {};
  for (const { kind } of left) kinds[kind] = (kinds[kind] ?? 0) + 1;
  return { shown, left: { count: left.length, kinds, cursor: cursorAfter(end) } };
}

function entriesOf(list: ToolList): { readonly first: readonly Entry[]; readonly later: readonly Entry[] } {
  const targets = list.targets.map(({ command, names }) =>
    names.map((name): Entry => ({ kind: "targets", command, name })),
  );
  const packages = list.packages.map((item): Entry => ({ kind: "packages", item }));
  return {
    first: [
      ...list.detected.map((tool): Entry => ({ kind: "tools", tool })),
      ...list.scripts.map((name): Entry => ({ kind: "scripts", name })),
      ...list.tasks.map((name): Entry => ({ kind: "tasks", name })),
      ...targets.flatMap((some) => some.slice(0, MAX_PER_KIND)),
      ...packages.slice(0, MAX_PER_KIND),
      ...list.others.map((name): Entry => ({ kind: "others", name })),
    ],
    later: [...targets.flatMap((some) => some.slice(MAX_PER_KIND)), ...packages.slice(MAX_PER_KIND)],
  };
}

function toolLine({ name, description, why }: ToolList["detected"][number]): string {
  return `${name}: ${description} (${why})`;
}

function nameOf(entry: Entry): string {
  switch (entry.kind) {
    case "tools":
      return entry.tool.name;
    case "packages":
      return entry.item.folder;
    case "scripts":
    case "tasks":
    case "targets":
    case "others":
      return entry.name;
    default:
      return entry satisfies never;
  }
}

function linesOf(entries: readonly Entry[], { surface }: Reader): string[] {
  const [asTool, asFolder] = surface === "cli" ? ["pith exec NAME", "--cwd FOLDER"] : ["as tool", "as cwd"];
  const names = (kind: Entry["kind"]): string[] => entries.filter((entry) => entry.kind === kind).map(nameOf);
  const targets = targetsOf(entries).map(({ command, names: some }) => `${command} {${some.join(",")}}`);
  return [
    ...entries.flatMap((entry) => (entry.kind === "tools" ? [toolLine(entry.tool)] : [])),
    ...named("scripts", names("scripts")),
    ...named("targets", targets),
    ...named(`tasks (${asTool})`, names("tasks")),
    ...named(`packages (${asFolder})`, names("packages")),
    ...named("others", byPrefix(names("others"))),
  ];
}

function restLines({ left }: Page, list: ToolList, reader: Reader): string[] {
  const lines: string[] = [];
  if (left !== undefined) {
    const kinds = Object.entries(left.kinds).map(([kind, count]) => `${count} ${kind}`);
    lines.push(`… ${left.count} more (${kinds.join(", ")}): ${spellAgain(reader, { cursor: left.cursor })}`);
  }
  lines.push(...list.problems.map((problem) => `not usable: ${problem}`));
  if (list.morePackages) lines.push("(not all folders were looked at: list one of them)");
  return lines;
}

function named(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${title}: ${names.join(", ")}`];
}

/** Groups build targets by the command that builds them. */
function targetsOf(entries: readonly Entry[]): { command: string; names: string[] }[] {
  const targets = entries.filter((entry) => entry.kind === "targets");
  return [...groupBy(targets, ({ command }) => command)].map(([command, some]) => ({
    command,
    names: some.map(({ name }) => name),
  }));
}

/** Joins names with a common prefix: `cargo.build, cargo.test` becomes `cargo.{build,test}`. */
function byPrefix(names: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const [prefix = name, ...rest] = name.split(".");
    addToGroup(groups, prefix, rest.join("."));
  }
  return [...groups].map(([prefix, ends]) => {
    const [only = ""] = ends;
    if (ends.length > 1) return `${prefix}.{${ends.join(",")}}`;
    return only === "" ? prefix : `${prefix}.${only}`;
  });
}

function jsonOf(reply: ToolListReply, budget: Budget): object {
  const { list } = reply;
  const more = list.morePackages ? { morePackages: true } : {};
  budget.reserve(JSON.stringify({ tools: [], scripts: [], targets: [], packages: [], more, rest: FRAME }));
  const { shown, left } = pageOf(reply, budget, (entry) => `${JSON.stringify(jsonEntry(entry))},`);
  const of = (kind: Entry["kind"]): unknown[] => shown.filter((entry) => entry.kind === kind).map(jsonEntry);
  const some = (name: string, values: readonly unknown[]): object =>
    values.length === 0 ? {} : { [name]: values };
  return {
    tools: [...of("tools"), ...of("others")],
    ...some("scripts", of("scripts")),
    ...some("targets", targetsOf(shown)),
    ...some("tasks", of("tasks")),
    ...some("problems", list.problems),
    ...some("packages", of("packages")),
    ...more,
    ...(left === undefined ? {} : { left_out: left.count, left_out_kinds: left.kinds, cursor: left.cursor }),
  };
}

function jsonEntry(entry: Entry): unknown {
  if (entry.kind === "tools") return entry.tool;
  if (entry.kind === "packages") return entry.item;
  return entry.kind === "others" ? { name: entry.name } : entry.name;
}
