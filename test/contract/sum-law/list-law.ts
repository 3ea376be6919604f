import { expect } from "vitest";
import type { ToolCall } from "./calls.ts";

/** What an agent reads in a reply that is one page of a list. */
export interface ListReply {
  /** What makes each entry of the page different from all others. */
  readonly units: readonly string[];
  /** How many entries follow, as the reply counts them. */
  readonly left: number;
  /** The call for the next page, as the reply names it. */
  readonly next?: ToolCall;
}

export interface ListQuestion {
  readonly first: ToolCall;
  /** Every entry that there is. */
  readonly units: readonly string[];
  readonly ask: (call: ToolCall) => Promise<ListReply>;
}

const MAX_PAGES = 400;

/** The law for lists: each page and what it says is left are all that earlier pages did not show; all pages are the list. */
export async function expectAllUnits({ first, units, ask }: ListQuestion): Promise<number> {
  const about = JSON.stringify(first);
  const seen: string[] = [];
  let pages = 0;
  for (let call: ToolCall | undefined = first; call !== undefined;) {
    expect(++pages, `too many pages: ${about}`).toBeLessThan(MAX_PAGES);
    const reply: ListReply = await ask(call);
    seen.push(...reply.units);
    expect([about, pages, seen.length + reply.left]).toEqual([about, pages, units.length]);
    expect([about, pages, reply.next !== undefined]).toEqual([about, pages, reply.left > 0]);
    call = reply.next;
  }
  expect([about, seen.toSorted()]).toEqual([about, units.toSorted()]);
  return pages;
}
