/** What a file held from some moment on. Times are milliseconds of the clock that all processes of a machine share. */
export interface Version {
  readonly path: string;
  /** Null: there was no such file. */
  readonly text: string | null;
  /** When the change began, and when it was surely made. */
  readonly from: number;
  readonly to: number;
  /** The change may not have been made after all. */
  readonly maybe?: boolean;
  /** Written over what the file held: with another write at the same time something of both can be left. */
  readonly inPlace?: boolean;
}

/** Remembers what files held, to tell later what could be read in them at a time. */
export interface Journal {
  add(version: Version): void;
  /** All texts that the file may have had between two moments. */
  textsBetween(path: string, from: number, to: number): readonly (string | null)[];
  paths(): Iterable<string>;
}

export function createJournal(): Journal {
  const versions = new Map<string, Version[]>();
  return {
    add(version) {
      const known = versions.get(version.path);
      if (known === undefined) versions.set(version.path, [absence(version.path), version]);
      else known.push(version);
    },
    textsBetween(path, from, to) {
      const all = versions.get(path) ?? [absence(path)];
      const over = lastSureBegin(all, from);
      const possible = all.filter((one) => one.from <= to && one.to > over);
      const texts = possible.map(({ text }) => text);
      // While a file is written it can be gone, and be empty.
      return texts.length > 1 ? [...new Set([...texts, ...mixtures(possible), null, ""])] : texts;
    },
    paths: () => versions.keys(),
  };
}

/** What two writes into one file at the same time can leave: the shorter one, and the rest of the longer one. */
function mixtures(versions: readonly Version[]): string[] {
  const mixed: string[] = [];
  for (const own of versions.filter(({ inPlace }) => inPlace === true))
    for (const other of versions) {
      if (other === own || own.from > other.to || other.from > own.to) continue;
      for (const [over, under] of [
        [own.text ?? "", other.text ?? ""],
        [other.text ?? "", own.text ?? ""],
      ] as const)
        if (over !== "" && over.length < under.length) mixed.push(over + under.slice(over.length));
    }
  return mixed;
}

function absence(path: string): Version {
  return { path, text: null, from: -1, to: 0 };
}

/**
 * When the last change began that was surely made before the moment: what was there when it began is over. Of two
 * changes at the same time either may stand.
 */
function lastSureBegin(all: readonly Version[], moment: number): number {
  let last = -1;
  for (const { from, to, maybe } of all) if (maybe !== true && to < moment && from > last) last = from;
  return last;
}

export function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The functions that a Python text defines, with their lines. */
export function definitionsOf(
  text: string | null,
): readonly { readonly name: string; readonly line: number }[] {
  return (text ?? "").split("\n").flatMap((line, i) => {
    const name = /^def (\w+)/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, line: i + 1 }];
  });
}
