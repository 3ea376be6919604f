import type { Verdict } from "./judge.ts";

interface Count {
  readonly asked: number;
  readonly first: number;
  /** Number of names with exactly one location outside tests, examples and copies, and how often it came first. */
  readonly single: number;
  readonly own: number;
}

/** Counts verdicts by several criteria. */
export function createTally() {
  const counts = new Map<string, Count>();
  return {
    add(headings: readonly string[], { first, own }: Verdict): void {
      for (const heading of headings) {
        const count = counts.get(heading) ?? { asked: 0, first: 0, single: 0, own: 0 };
        counts.set(heading, {
          asked: count.asked + 1,
          first: count.first + Number(first),
          single: count.single + Number(own !== undefined),
          own: count.own + Number(own === true),
        });
      }
    },
    /**
     * Returns a line per criterion: number of queries, share with a definition first, and the same for names with one
     * own location.
     */
    table(): string[] {
      const rows = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
      return [
        `${"what".padEnd(26)}  asked   first  single     own`,
        ...rows.map(
          ([heading, { asked, first, single, own }]) =>
            `${heading.padEnd(26)} ${String(asked).padStart(6)} ${share(first, asked)} ${String(single).padStart(7)} ${share(own, single)}`,
        ),
      ];
    },
  };
}

function share(part: number, all: number): string {
  return (all === 0 ? 1 : part / all).toFixed(4).padStart(7);
}
