import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { bytes, number, plural } from "./format.ts";
import { Empty, Panel, Problem, Select, useData } from "./parts.tsx";
import { type MapNode, squarify, treeOf } from "./treemap.ts";
import type { RepositoryMap } from "../ui/wire.ts";

const HEIGHT = 460;
/** Steps of the colour scale; the style sheet has a class for each. */
const STEPS = 5;
/** A tile of at least this width and height has its name in it. */
const MIN_LABEL = { width: 46, height: 18 } as const;

type Colour = "changes" | "failures";

interface TreemapProps {
  readonly workspace: string;
  readonly onFile: (path: string) => void;
}

/** The repository as nested rectangles, by the size of its files. */
export function RepositoryTreemap({ workspace, onFile }: TreemapProps) {
  const { data, problem } = useData<RepositoryMap>("code/map", { workspace });
  const [path, setPath] = useState("");
  const [colour, setColour] = useState<Colour>("changes");
  const [width, setWidth] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const tree = useMemo(() => (data === undefined ? undefined : treeOf(data.files)), [data]);
  useEffect(() => setPath(""), [workspace]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [tree]);
  if (problem !== undefined) return <Problem text={problem} />;
  if (data === undefined || tree === undefined) return <Empty>Loading the map…</Empty>;
  const node = find(tree, path) ?? tree;
  const tiles = squarify(node.children, width, HEIGHT);
  const most = Math.max(1, ...node.children.map((one) => heat(one, colour)));
  const steps = path.split("/").filter(Boolean);
  const note = `${plural(data.files.length + data.more, "file")}${data.more > 0 ? `, the ${number(data.files.length)} largest shown` : ""}`;
  return (
    <Panel title="Map" note={note}>
      <div class="row">
        <nav class="crumbs" aria-label="Folder">
          <button type="button" class="quiet" onClick={() => setPath("")}>
            {workspace.split("/").at(-1)}
          </button>
          {steps.map((name, i) => (
            <button
              key={i}
              type="button"
              class="quiet"
              onClick={() => setPath(steps.slice(0, i + 1).join("/"))}
            >
              / {name}
            </button>
          ))}
        </nav>
        <Select
          label="Colour"
          value={colour}
          options={[
            ["changes", `coloured by changes in ${data.commits} commits`],
            ["failures", "coloured by failures in runs"],
          ]}
          onChange={(value) => setColour(value === "failures" ? "failures" : "changes")}
        />
      </div>
      <div class="treemap" ref={box} style={{ height: `${HEIGHT}px` }}>
        {tiles.map(({ node: one, x, y, width: w, height: h }) => (
          <button
            key={one.path}
            type="button"
            class={`${colour} heat${Math.ceil((heat(one, colour) / most) * STEPS)} ${one.isChanged ? "edited" : ""}`}
            style={{ left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` }}
            title={`${one.path}: ${bytes(one.size)}, ${plural(one.commits, "change")}, ${plural(one.failures, "failure")}${one.isChanged ? ", edited now" : ""}`}
            onClick={() => (one.children.length > 0 ? setPath(one.path) : onFile(one.path))}
          >
            {w <= MIN_LABEL.width || h <= MIN_LABEL.height ? (
              <span class="hidden">{one.name}</span>
            ) : (
              <span>
                {one.name}
                {one.children.length > 0 && "/"}
                {h > MIN_LABEL.height * 2 && <small>{bytes(one.size)}</small>}
              </span>
            )}
          </button>
        ))}
      </div>
    </Panel>
  );
}

function heat({ commits, failures }: MapNode, colour: Colour): number {
  return Math.sqrt(colour === "changes" ? commits : failures);
}

function find(node: MapNode, path: string): MapNode | undefined {
  if (node.path === path) return node;
  for (const child of node.children)
    if (path === child.path || path.startsWith(`${child.path}/`)) return find(child, path);
  return undefined;
}
