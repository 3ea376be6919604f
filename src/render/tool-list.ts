import type { Budget } from "../kernel/budget.ts";
import { counted } from "../kernel/counted.ts";
import type { ToolList } from "../model/tool-list.ts";
import { raiseBudget } from "./reader.ts";
import type { Rendered, View } from "./rendered.ts";

/** The tools for a folder: those that fit with their reasons, the others by name only. */
export function renderToolList(list: ToolList, view: View): Rendered {
  const { format, budget } = view;
  if (format === "json") return { text: jsonOf(list, budget) };
  const detected = list.detected.map(({ name, description, why }) => `${name}: ${description} (${why})`);
  const lines = [
    ...(detected.length + list.targets.length > 0
      ? detected
      : ["No known tool fits this folder; a command line works as tool too."]),
    ...named("scripts", list.scripts),
    ...named(
      "targets",
      list.targets.map(({ command, names }) => `${command} {${names.join(",")}}`),
    ),
    ...named(
      "packages (as cwd)",
      list.packages.map((one) => one.folder),
      list.morePackages,
    ),
    ...named("others", byPrefix(list.others)),
  ];
  const bullet = format === "markdown" ? "- " : "";
  const shown: string[] = [];
  budget.reserve("[cut: 100 more lines]\n");
  for (const line of lines) {
    if (!budget.take(`${bullet}${line}\n`)) {
      const ways = [`cut: ${counted(lines.length - shown.length, "more line")}`, raiseBudget(view)];
      shown.push(`[${ways.filter(Boolean).join("; ")}]`);
      break;
    }
    shown.push(bullet + line);
  }
  return { text: [...(format === "markdown" ? ["## Build tools", ""] : []), ...shown].join("\n") };
}

function named(title: string, names: readonly string[], more = false): string[] {
  return names.length === 0 ? [] : [`${title}: ${names.join(", ")}${more ? ", …" : ""}`];
}

/** `cargo.build, cargo.test` as `cargo.{build,test}`. */
function byPrefix(names: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const name of names) {
    const [prefix = name, ...rest] = name.split(".");
    groups.set(prefix, [...(groups.get(prefix) ?? []), rest.join(".")]);
  }
  return [...groups].map(([prefix, ends]) => {
    const [only = ""] = ends;
    if (ends.length > 1) return `${prefix}.{${ends.join(",")}}`;
    return only === "" ? prefix : `${prefix}.${only}`;
  });
}

/** What fits this folder is always there; names of others as far as they fit, the rest counted. */
function jsonOf(list: ToolList, budget: Budget): string {
  const fitting = {
    ...(list.scripts.length > 0 ? { scripts: list.scripts } : {}),
    ...(list.targets.length > 0 ? { targets: list.targets } : {}),
    ...(list.packages.length > 0 ? { packages: list.packages } : {}),
    ...(list.morePackages ? { morePackages: true } : {}),
  };
  budget.reserve(JSON.stringify({ tools: list.detected, ...fitting, others_left_out: 123 }));
  const others: { readonly name: string }[] = [];
  for (const name of list.others) {
    if (!budget.take(`${JSON.stringify({ name })},`)) break;
    others.push({ name });
  }
  const left = list.others.length - others.length;
  return JSON.stringify({
    tools: [...list.detected, ...others],
    ...fitting,
    ...(left > 0 ? { others_left_out: left } : {}),
  });
}
