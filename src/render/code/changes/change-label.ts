import type { SymbolChange } from "../../../model/changes.ts";
import { TEST_KINDS } from "../../../model/symbol.ts";

/** The most characters of a signature, so that a change of fifty definitions fits into a reply. */
const MAX_SIGNATURE = 110;
/** The characters of a long signature that stand before the part which differs, and of what leads to that part. */
const HEAD = 40;
const LEAD = 15;

/** A changed definition as a reply shows it. */
export interface ChangeLabel {
  readonly label: string;
  /** The signature before, if it differs. */
  readonly was?: string;
  /** The name before, if it differs; without its owner if that is the same. */
  readonly oldName?: string;
}

/** Returns the signature of a definition with its owner, shortened to what differs from the one before. */
export function labelOf(symbol: SymbolChange): ChangeLabel {
  const { kind, qualifiedName, signature, oldSignature, oldName } = symbol;
  const { own, owner } = TEST_KINDS.has(kind) ? titleParts(qualifiedName) : nameParts(qualifiedName);
  const isNamed = signature.includes(own) || (TEST_KINDS.has(kind) && signature !== "");
  const text = isNamed || kind === "heading" ? signature : `${kind} ${qualifiedName} ${signature}`.trim();
  const from = oldSignature === undefined ? 0 : differenceOf(text, oldSignature);
  const old = oldName === undefined ? undefined : nameParts(oldName);
  const isPlain = owner === "" || !isNamed || kind === "heading" || namesOwner(text, own, owner);
  return {
    label: isPlain ? clip(text, from) : `${clip(text, from)} in ${owner}`,
    ...(oldSignature !== undefined && { was: clip(oldSignature, differenceOf(oldSignature, text)) }),
    ...(old !== undefined && { oldName: old.owner === owner ? old.own : oldName }),
  };
}

interface NameParts {
  readonly own: string;
  readonly owner: string;
}

/** Splits the name of a test at the title of its group. */
function titleParts(name: string): NameParts {
  const at = name.lastIndexOf(" > ");
  return at < 0 ? { own: name, owner: "" } : { own: name.slice(at + 3), owner: name.slice(0, at) };
}

/** Splits a qualified name of any language; a private name of JavaScript begins with a sharp sign. */
function nameParts(name: string): NameParts {
  const [, owner = "", own = name] = /^(.*?)(?:\.|::|#|->|\\)(#?[^.:#>\\]+)$/s.exec(name) ?? [];
  return { own, owner };
}

/** True if a signature itself names the owner, as that of a member outside of its class or of a method of Go does. */
function namesOwner(text: string, own: string, owner: string): boolean {
  const { own: last } = nameParts(owner);
  if (last === own) return true;
  const receiver = /^func \(([^)]*)\)/.exec(text)?.[1] ?? "";
  if (receiver.split(/[^\w]+/).includes(last)) return true;
  return ["::", "."].some((separator) => text.includes(`${last}${separator}${own}`));
}

/** Returns where a text begins to differ from another, apart from white space; 0 if it does not. */
function differenceOf(text: string, other: string): number {
  let at = 0;
  for (let from = 0; at < text.length; at++) {
    if (/\s/.test(text[at] ?? "")) continue;
    while (/\s/.test(other[from] ?? "")) from++;
    if (text[at] !== other[from]) return at;
    from++;
  }
  return 0;
}

/** Shortens a signature; a difference near its end is shown behind its beginning. */
function clip(text: string, from: number): string {
  if (text.length <= MAX_SIGNATURE) return text;
  if (from < MAX_SIGNATURE - LEAD) return `${text.slice(0, MAX_SIGNATURE - 1)}…`;
  const start = Math.min(from - LEAD, text.length - (MAX_SIGNATURE - HEAD));
  const end = start + MAX_SIGNATURE - HEAD;
  return `${text.slice(0, HEAD)}… ${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}
