import { withoutManners } from "../text/manners.ts";
import type { RangeText } from "./change-range.ts";

/** What a question about changes asks for. */
export interface ChangeQuestion extends RangeText {
  /** The folder or file that the question names. */
  readonly path?: string;
  /** The names of branches, tags or commits in it; it is a question about changes only if git knows all of them. */
  readonly refs: readonly string[];
}

const REF = String.raw`[\w@][\w./@^~{}+-]*`;
/** Matches the beginnings: "what changed", "show me my uncommitted changes", "diff". */
const HEADS: readonly RegExp[] = [
  /^(?:so\s+)?what(?:'s|\s+is|\s+are|\s+has|\s+have)?(?:\s+all)?\s+(?:been\s+)?(?:changed|new|different|modified|the\s+(?<h1>uncommitted\s+|staged\s+|local\s+|pending\s+)?(?:changes|differences))\b/i,
  /^what\s+(?:did|have|has)\s+(?:i|we|you|they|somebody|someone)\s+(?:just\s+)?(?:change|changed|edit|edited|modify|modified)\b/i,
  /^(?:(?:show|list|see|give|summari[sz]e|review|get)\s+)?(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|my\s+|our\s+)?(?<h2>uncommitted|unstaged|staged|local|pending|working[\s-]tree)\s+(?:code\s+)?(?:changes|edits|modifications|work|diff)\b/i,
  /^(?:(?:show|list|see|give|summari[sz]e|review|get)\s+)?(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:my|our)\s+(?:code\s+)?(?:changes|edits|modifications)\b/i,
];
/** Matches heads that need more to be a question about changes: "changes since main", "diff against v1.2". */
const OPEN_HEAD =
  /^(?:(?:show|list|see|give|summari[sz]e|review|get)\s+)?(?:me\s+)?(?:all\s+)?(?:the\s+)?(?:code\s+)?(?:changes|diff|differences|edits|modifications)\b/i;

interface Tail {
  readonly form: RegExp;
  /** Returns the states that the tail names. */
  readonly read: (parts: Readonly<Record<string, string>>) => Omit<ChangeQuestion, "path">;
}

const NUMBERS: ReadonlyMap<string, number> = new Map(
  ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"].map((word, at) => [word, at + 2]),
);

const TAILS: readonly Tail[] = [
  {
    form: new RegExp(
      String.raw`^(?:in|between|for|of|from|on|over|within)?\s*(?:commits?\s+)?(?<a>${REF}?)(?<dots>\.{2,3})(?<b>${REF}?)$`,
      "i",
    ),
    read: ({ a = "", dots = "", b = "" }) => ({ range: `${a}${dots}${b}`, refs: [a, b].filter(Boolean) }),
  },
  {
    form: new RegExp(String.raw`^(?:between|from)\s+(?<a>${REF})\s+(?:and|to)\s+(?<b>${REF})$`, "i"),
    read: ({ a = "", b = "" }) => ({ range: `${a}..${b}`, refs: [a, b] }),
  },
  {
    form: /^(?:in|by|with)\s+(?:the\s+)?(?:last|latest|previous|most\s+recent)\s+commit$/i,
    read: () => ({ range: "HEAD~1..HEAD", refs: [] }),
  },
  {
    form: /^(?:in|over|during|within|by|with)\s+(?:the\s+|my\s+|our\s+)?(?:last|latest|past|previous|most\s+recent)\s+(?<n>\d{1,4}|two|three|four|five|six|seven|eight|nine|ten)\s+commits$/i,
    read: ({ n = "1" }) => {
      const start = `HEAD~${NUMBERS.get(n.toLowerCase()) ?? n}`;
      return { range: `${start}..HEAD`, refs: [start] };
    },
  },
  {
    form: new RegExp(String.raw`^(?:in|by|with)\s+(?:the\s+)?commit\s+(?<a>${REF})$`, "i"),
    read: ({ a = "" }) => ({ range: `${a}~1..${a}`, refs: [a, `${a}~1`] }),
  },
  {
    form: new RegExp(
      String.raw`^(?:since|from|against|vs\.?|versus|after|compared\s+(?:to|with)|relative\s+to|on\s+top\s+of)\s+(?:the\s+)?(?:branch\s+|tag\s+|commit\s+)?(?<a>${REF})$`,
      "i",
    ),
    read: ({ a = "" }) => ({ range: a, isSinceFork: true, refs: [a] }),
  },
  {
    form: /^(?:since|after|against|from)\s+(?:the\s+|my\s+)?last\s+commit$/i,
    read: () => ({ refs: [] }),
  },
];
const NOTHING_MORE =
  /^(?:here|so\s+far|right\s+now|now|locally|yet|in\s+(?:the|my|this)\s+(?:working\s+tree|worktree|workspace|repo(?:sitory)?|project|code))?$/i;
const STAGED_TAIL = /^(?:that\s+are\s+|is\s+|in\s+the\s+)?(?:staged|index)$/i;
/** Longer texts are issues or prose. */
const MAX_LENGTH = 160;

/**
 * Reads a question about changes, such as "what changed since main" or "my staged changes in src/app". The whole text
 * must be such a question: "what changed event handler" is an ordinary search.
 */
export function changeQuestion(text: string): ChangeQuestion | undefined {
  if (text.length > MAX_LENGTH || text.trim().includes("\n")) return undefined;
  const asked = withoutManners(text.trim()).replace(/\s*[?.!]+$/, "");
  const head = HEADS.map((form) => form.exec(asked)).find((found) => found !== null);
  const found = head ?? OPEN_HEAD.exec(asked);
  if (found === null) return undefined;
  const isStaged = /staged/i.test(found[0]) && !/unstaged/i.test(found[0]);
  const rest = asked.slice(found[0].length).trim();
  for (const { tail, path } of readings(rest)) {
    const states = statesIn(tail, head !== undefined || path !== undefined);
    if (states === undefined || (head === undefined && tail === "")) continue;
    return { ...states, ...(isStaged && { isStaged }), ...(path !== undefined && { path }) };
  }
  return undefined;
}

function statesIn(tail: string, isClosed: boolean): Omit<ChangeQuestion, "path"> | undefined {
  if (NOTHING_MORE.test(tail)) return isClosed ? { refs: [] } : undefined;
  if (STAGED_TAIL.test(tail)) return { refs: [], isStaged: true };
  for (const { form, read } of TAILS) {
    const groups = form.exec(tail)?.groups;
    if (groups !== undefined) return read(groups);
    if (form.test(tail)) return read({});
  }
  return undefined;
}

/** The rest of a question with and without a path at its end: "since main in src/app", "in src/a.ts". */
function readings(rest: string): readonly { readonly tail: string; readonly path?: string }[] {
  const [, before = "", path] =
    /^(.*?)(?:^|\s)(?:in|under|below|to|of)\s+(?:the\s+)?(?:folder\s+|file\s+)?([\w.@/+-]*[/.][\w.@/+-]*)$/i.exec(
      rest,
    ) ?? [];
  return [{ tail: rest }, ...(path === undefined ? [] : [{ tail: before.trim(), path }])];
}
