/** A version of a file's content. Times are milliseconds of a clock that all processes of the machine share. */
export interface Version {
  readonly path: string;
  /** Null means that the file did not exist. */
  readonly text: string | null;
  /** The time when the change started, and the time when it was certainly complete. */
  readonly from: number;
  readonly to: number;
  /** True if the change may have failed. */
  readonly maybe?: boolean;
  /** True if the file was overwritten in place, so that a concurrent write can leave a mixture of both. */
  readonly inPlace?: boolean;
}

/** Records the contents of files, to tell later what a reader could have seen at a given time. */
export interface Journal {
  add(version: Version): void;
  /** Returns all texts that the file may have had between two times. */
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
      // While a file is being written, it can be missing or empty.
      return texts.length > 1 ? [...new Set([...texts, ...mixtures(possible), null, ""])] : texts;
    },
    paths: () => versions.keys(),
  };
}

/** Returns what two concurrent writes to one file can leave: the shorter text followed by the rest of the longer one. */
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
 * Returns the start of the last change that was certainly complete before the given time; versions before it are obsolete. Of two
 * concurrent changes either may win.
 */
function lastSureBegin(all: readonly Version[], moment: number): number {
  let last = -1;
  for (const { from, to, maybe } of all) if (maybe !== true && to < moment && from > last) last = from;
  return last;
}

export function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** Returns the functions that a Python text defines, with their lines. */
export function definitionsOf(
  text: string | null,
): readonly { readonly name: string; readonly line: number }[] {
  return (text ?? "").split("\n").flatMap((line, i) => {
    const name = /^def (\w+)/.exec(line)?.[1];
    return name === undefined ? [] : [{ name, line: i + 1 }];
  });
}
