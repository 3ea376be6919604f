import { expect } from "vitest";
import type { ToolCall } from "./calls.ts";

/** The content of a reply that is one page of a list. */
export interface ListReply {
  /** A unique key of each entry on the page. */
  readonly entries: readonly string[];
  /** The number of entries that follow, as the reply states it. */
  readonly left: number;
  /** The call for the next page that the reply names. */
  readonly next?: ToolCall;
}

export interface ListQuestion {
  readonly first: ToolCall;
  /** The keys of all entries. */
  readonly entries: readonly string[];
  readonly ask: (call: ToolCall) => Promise<ListReply>;
}

const MAX_PAGES = 400;

/** Checks that each page and what it says is left add up to what earlier pages did not show, and that all pages together are the list. */
export async function expectAllEntries({ first, entries, ask }: ListQuestion): Promise<number> {
  const about = JSON.stringify(first);
  const seen: string[] = [];
  let pages = 0;
  for (let call: ToolCall | undefined = first; call !== undefined;) {
    expect(++pages, `too many pages: ${about}`).toBeLessThan(MAX_PAGES);
    const reply: ListReply = await ask(call);
    seen.push(...reply.entries);
    expect([about, pages, seen.length + reply.left]).toEqual([about, pages, entries.length]);
    expect([about, pages, reply.next !== undefined]).toEqual([about, pages, reply.left > 0]);
    call = reply.next;
  }
  expect([about, seen.toSorted()]).toEqual([about, entries.toSorted()]);
  return pages;
}
