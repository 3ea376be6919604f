import { looksLikePath } from "../../fallback/paths.ts";
import { asObject, parseJson } from "../../parsing/json.ts";
import type { DocumentParser, Found } from "../../tool.ts";
import { complaintOf, fileOf } from "./complaint.ts";

const HAS_FILE =
  /"(?:[Ff]ile(?:[Nn]ame|_?[Pp]ath)?|[Pp]ath|source|name|uri)" ?: ?"|"[^"\s]{1,200}\.[a-z]{1,8}" ?: ?\[/;
const HAS_LINE = /"(?:\w{0,12}[Ll]ine(?:[Nn]umber|_number|_range|_?no)?|lnum|row|location|range|start)" ?:/;
const HAS_MESSAGE =
  /"(?:[Mm]essage|msg|text|failure|hint|reason|summary|check_name|ruleDescription|[Dd]escription|title)" ?:/;

/** Reports nest less deep than this. */
const MAX_DEPTH = 12;
/** More is no report on a project's files. */
const MAX_NODES = 500_000;

/** Reads the JSON of linters that are not known by name: objects with a file, a line and a message, wherever in the report they are. */
export const jsonReport: DocumentParser = {
  matches: (start) => HAS_MESSAGE.test(start) && HAS_LINE.test(start) && HAS_FILE.test(start),
  parse(text, sink) {
    const root = parseJson(text);
    const found = complaintsIn(root);
    for (const one of found) sink.diagnostic(one);
    return found.length > 0;
  },
};

/** All complaints in a report of any shape. */
export function complaintsIn(root: unknown): readonly Found[] {
  const found: Found[] = [];
  collect(root, { depth: 0, file: undefined, nodes: { left: MAX_NODES } }, found);
  return found;
}

interface Walk {
  readonly depth: number;
  /** The file that an object further out names. */
  readonly file: string | undefined;
  readonly nodes: { left: number };
}

function collect(value: unknown, walk: Walk, found: Found[]): void {
  if (walk.depth > MAX_DEPTH || walk.nodes.left-- <= 0 || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, { ...walk, depth: walk.depth + 1 }, found);
    return;
  }
  const object = asObject(value) ?? {};
  const complaint = complaintOf(object, walk.file);
  if (complaint !== undefined) {
    found.push(complaint);
    return;
  }
  const file = fileOf(object) ?? walk.file;
  for (const [key, child] of Object.entries(object)) {
    // Some reports are a map from files to complaints.
    const named = Array.isArray(child) && looksLikePath(key) ? key : file;
    collect(child, { depth: walk.depth + 1, file: named, nodes: walk.nodes }, found);
  }
}
