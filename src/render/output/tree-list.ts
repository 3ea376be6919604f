import { TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { LogLine } from "../../model/run.ts";
import { lineRange, type OutputRow } from "./output-row.ts";

/** A line of a tree and the lines below it. */
interface TreeNode {
  readonly line: LogLine;
  readonly children: TreeNode[];
}

/** An output counts as a tree if at least this share of its lines have branches before them. */
const MIN_BRANCH_SHARE = 0.6;
/** Matches the branches of a tree (`├── `, `│ └─┬ `, `|   \--- `), after the level that Maven writes before each line. */
const BRANCHES = /^(?:\[INFO\] )?[\s│|]*(?:[├└╰]|[+\\`]-{1,3}|\|-{2})[─┬╮-]*\s?/;
const BEFORE_TEXT = /^(?:\[INFO\] )?[\s│|├└╰─┬╮+\\`-]*/;

/** Parses a tree (`tree`, `npm ls`, `cargo tree`, `mvn dependency:tree`); undefined for other outputs. */
export function parseTree(lines: readonly LogLine[]): readonly TreeNode[] | undefined {
  const roots: TreeNode[] = [];
  const open: { readonly node: TreeNode; readonly depth: number }[] = [];
  let branches = 0;
  for (const line of lines) {
    const hasBranch = BRANCHES.test(line.text);
    if (hasBranch) branches++;
    const depth = hasBranch ? (BEFORE_TEXT.exec(line.text)?.[0].length ?? 0) : 0;
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const node: TreeNode = { line, children: [] };
    (open.at(-1)?.node.children ?? roots).push(node);
    open.push({ node, depth });
  }
  return branches >= lines.length * MIN_BRANCH_SHARE ? roots : undefined;
}

interface TreeRoom {
  readonly tokens: number;
  readonly write: (line: LogLine) => string;
}

/**
 * Shows a tree from its roots down: the children of a node are shown level by level as long as they fit, those of small
 * nodes first. A mark below a node counts what is left out there. Undefined if not even the roots fit.
 */
export function fitTree(roots: readonly TreeNode[], { tokens, write }: TreeRoom): OutputRow[] | undefined {
  /** How many of the children of a node are shown. */
  const shown = new Map<TreeNode, number>();
  const costOf = (texts: readonly string[]): number =>
    texts.reduce((sum, text) => sum + estimateTokens(`${text}\n`), 0) * TOKEN_SAFETY_FACTOR;
  const foldedCost = (node: TreeNode): number =>
    costOf(rowsOf(node, new Map(), write).map(({ text }) => text));
  let left = tokens - roots.reduce((sum, node) => sum + foldedCost(node), 0);
  if (left < 0) return undefined;
  for (let level = roots; level.length > 0;) {
    const next: TreeNode[] = [];
    for (const node of level.toSorted((one, other) => one.children.length - other.children.length)) {
      if (node.children.length === 0) continue;
      const mark = costOf([markOf(node, 0, write)?.text ?? ""]);
      const costs = node.children.map(foldedCost);
      const count = countFitting(costs, left, mark);
      if (count === 0) continue;
      const rest = count < costs.length ? costOf([markOf(node, count, write)?.text ?? ""]) : 0;
      left += mark - rest - costs.slice(0, count).reduce((sum, cost) => sum + cost, 0);
      shown.set(node, count);
      next.push(...node.children.slice(0, count));
    }
    level = next;
  }
  return roots.flatMap((node) => rowsOf(node, shown, write));
}

/** How many children fit instead of the mark of the node, with a mark for the others. */
function countFitting(costs: readonly number[], left: number, mark: number): number {
  const all = costs.reduce((sum, cost) => sum + cost, 0);
  if (all <= left + mark) return costs.length;
  let room = left - SPARE_TOKENS;
  const first = costs.findIndex((cost) => (room -= cost) < 0);
  // One child and a mark say hardly more than the mark alone.
  return first < MIN_CHILDREN ? 0 : first;
}

const MIN_CHILDREN = 3;
/** The mark of a node with some of its children shown may have longer numbers than without them. */
const SPARE_TOKENS = 4;

function rowsOf(node: TreeNode, shown: ReadonlyMap<TreeNode, number>, write: TreeRoom["write"]): OutputRow[] {
  const { number } = node.line;
  const count = shown.get(node) ?? 0;
  const mark = markOf(node, count, write);
  return [
    { number, end: number, text: write(node.line), isLossy: false },
    ...node.children.slice(0, count).flatMap((child) => rowsOf(child, shown, write)),
    ...(mark === undefined ? [] : [mark]),
  ];
}

/** The mark for the children of a node that are not shown, indented like the first of them. */
function markOf({ children }: TreeNode, shown: number, write: TreeRoom["write"]): OutputRow | undefined {
  const hidden = children.slice(shown);
  const [first] = hidden;
  if (first === undefined) return undefined;
  const [number, end] = [first.line.number, lastLineOf(hidden)];
  if (number === end) return { number, end, text: write(first.line), isLossy: false };
  const indent = " ".repeat((BEFORE_TEXT.exec(first.line.text)?.[0] ?? "").length);
  const more = shown === 0 ? "" : " more";
  const noun = hidden.length === 1 ? "child" : "children";
  const inside = end - number + 1 > hidden.length ? ` with ${end - number + 1 - hidden.length} below` : "";
  return {
    number,
    end,
    text: `${indent}… ${hidden.length}${more} ${noun}${inside}: ${lineRange(number, end)}`,
    isLossy: true,
  };
}

function lastLineOf(nodes: readonly TreeNode[]): number {
  let node = nodes.at(-1);
  for (let child = node?.children.at(-1); child !== undefined; child = child.children.at(-1)) node = child;
  return node?.line.number ?? 0;
}
