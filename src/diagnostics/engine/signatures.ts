/**
 * Searches a text for many literal strings in a single pass (an Aho-Corasick automaton in a table). Calling `indexOf` per string would scan the log
 * once for each of several hundred signatures.
 */
export interface SignatureSearch {
  /**
   * Calls `found` with the owner (the index of a list of strings) of each string found in the text; the same owner may
   * be reported several times.
   */
  scan(text: string, found: (owner: number) => void): void;
}

/** Builds the search for several lists of strings; a string in `signatures[i]` belongs to owner i. */
export function signatureSearch(signatures: readonly (readonly string[])[]): SignatureSearch {
  const classes = characterClasses(signatures);
  const trie = buildTrie(signatures, classes);
  const { table, owners } = link(trie, classes.count);
  const { ascii, other, count } = classes;
  return {
    scan(text, found) {
      let state = 0;
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        const kind = code < 128 ? (ascii[code] ?? 0) : (other.get(code) ?? 0);
        state = table[state * count + kind] ?? 0;
        const hit = owners[state];
        if (hit !== undefined) for (const owner of hit) found(owner);
      }
    },
  };
}

interface Classes {
  readonly ascii: Uint8Array;
  readonly other: ReadonlyMap<number, number>;
  readonly count: number;
}

/**
 * Maps each character to a character class, so that the automaton's table stays small. Class 0 stands for all
 * characters that occur in no signature.
 */
function characterClasses(signatures: readonly (readonly string[])[]): Classes {
  const ascii = new Uint8Array(128);
  const other = new Map<number, number>();
  let count = 1;
  for (const text of signatures.flat())
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code < 128) {
        if (ascii[code] === 0) ascii[code] = count++;
      } else if (!other.has(code)) other.set(code, count++);
    }
  return { ascii, other, count };
}

interface Node {
  readonly next: Map<number, number>;
  owners: number[];
}

function buildTrie(signatures: readonly (readonly string[])[], classes: Classes): Node[] {
  const nodes: Node[] = [{ next: new Map(), owners: [] }];
  for (const [owner, texts] of signatures.entries())
    for (const text of texts) {
      let at = 0;
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        const kind = (code < 128 ? classes.ascii[code] : classes.other.get(code)) ?? 0;
        let to = nodes[at]?.next.get(kind);
        if (to === undefined) {
          to = nodes.push({ next: new Map(), owners: [] }) - 1;
          nodes[at]?.next.set(kind, to);
        }
        at = to;
      }
      if (at !== 0) nodes[at]?.owners.push(owner);
    }
  return nodes;
}

/**
 * Computes all transitions of the automaton breadth-first. Where a node has no edge for a character, the search
 * continues from the longest suffix of the text read so far that begins some signature.
 */
function link(
  nodes: readonly Node[],
  count: number,
): { table: Int32Array; owners: (number[] | undefined)[] } {
  const table = new Int32Array(nodes.length * count);
  const fallback = new Int32Array(nodes.length);
  const queue: number[] = [];
  for (const [kind, to] of nodes[0]?.next ?? []) {
    table[kind] = to;
    queue.push(to);
  }
  for (let head = 0; head < queue.length; head++) {
    const at = queue[head] ?? 0;
    const node = nodes[at];
    const back = fallback[at] ?? 0;
    node?.owners.push(...(nodes[back]?.owners ?? []));
    for (let kind = 0; kind < count; kind++) {
      const to = node?.next.get(kind);
      const otherwise = table[back * count + kind] ?? 0;
      table[at * count + kind] = to ?? otherwise;
      if (to !== undefined) {
        fallback[to] = otherwise;
        queue.push(to);
      }
    }
  }
  return { table, owners: nodes.map((node) => (node.owners.length > 0 ? node.owners : undefined)) };
}
