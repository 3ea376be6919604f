import type { MapFile } from "../model/repository-map.ts";

/** A folder or a file of the map. */
export interface MapNode {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly children: readonly MapNode[];
  /** The sums over all files inside. */
  readonly commits: number;
  readonly failures: number;
  readonly isChanged: boolean;
}

export interface Tile {
  readonly node: MapNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Builds the tree of folders from the paths of files. */
export function treeOf(files: readonly MapFile[], path = ""): MapNode {
  const groups = new Map<string, MapFile[]>();
  const prefix = path === "" ? "" : `${path}/`;
  for (const file of files) {
    const rest = file.path.slice(prefix.length);
    const [name = rest] = rest.split("/", 1);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [file]);
    else group.push(file);
  }
  const children = Array.from(groups, ([name, inside]): MapNode => {
    const own = prefix + name;
    const [only] = inside;
    if (only?.path === own) return { ...only, name, size: Math.max(1, only.bytes), children: [] };
    return { ...treeOf(inside, own), name, path: own };
  }).sort((a, b) => b.size - a.size);
  return {
    name: path,
    path,
    children,
    size: children.reduce((sum, { size }) => sum + size, 0),
    commits: children.reduce((sum, { commits }) => sum + commits, 0),
    failures: children.reduce((sum, { failures }) => sum + failures, 0),
    isChanged: children.some(({ isChanged }) => isChanged),
  };
}

/** Lays out the children of a node as rectangles that are as square as possible (Bruls, Huizing and van Wijk 2000). */
export function squarify(nodes: readonly MapNode[], width: number, height: number): Tile[] {
  const total = nodes.reduce((sum, { size }) => sum + size, 0);
  const tiles: Tile[] = [];
  let area = { x: 0, y: 0, width, height };
  let rest = [...nodes];
  const scale = total === 0 ? 0 : (width * height) / total;
  while (rest.length > 0 && area.width > 0 && area.height > 0) {
    const side = Math.min(area.width, area.height);
    let row: MapNode[] = [];
    let worst = Number.POSITIVE_INFINITY;
    for (const node of rest) {
      const next = [...row, node];
      const ratio = worstRatio(next, side, scale);
      if (ratio > worst) break;
      row = next;
      worst = ratio;
    }
    area = placeRow(row, area, scale, tiles);
    rest = rest.slice(row.length);
  }
  return tiles;
}

function worstRatio(row: readonly MapNode[], side: number, scale: number): number {
  const sum = row.reduce((total, { size }) => total + size, 0) * scale;
  const sizes = row.map(({ size }) => size * scale);
  const [most, least] = [Math.max(...sizes), Math.min(...sizes)];
  return Math.max((side * side * most) / (sum * sum), (sum * sum) / (side * side * least));
}

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function placeRow(row: readonly MapNode[], area: Area, scale: number, tiles: Tile[]): Area {
  const sum = row.reduce((total, { size }) => total + size, 0) * scale;
  const isWide = area.width >= area.height;
  const depth = sum / (isWide ? area.height : area.width);
  let at = isWide ? area.y : area.x;
  for (const node of row) {
    const length = (node.size * scale) / depth;
    tiles.push(
      isWide
        ? { node, x: area.x, y: at, width: depth, height: length }
        : { node, x: at, y: area.y, width: length, height: depth },
    );
    at += length;
  }
  return isWide
    ? { ...area, x: area.x + depth, width: area.width - depth }
    : { ...area, y: area.y + depth, height: area.height - depth };
}
