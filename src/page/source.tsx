import { useData } from "./parts.tsx";
import type { SourceLines } from "../ui/wire.ts";

interface SourceProps {
  readonly path: string;
  readonly line: number;
  readonly endLine?: number | undefined;
  readonly folder?: string;
  readonly workspace?: string;
  readonly radius?: number;
}

/** Lines of a file around a place. */
export function Source({ path, line, endLine = line, folder, workspace, radius = 4 }: SourceProps) {
  const { data, problem } = useData<SourceLines>("code/source", { path, line, folder, workspace, radius });
  if (data === undefined) return <p class="dim source-note">{problem ?? "…"}</p>;
  const end = data.startLine + data.lines.length - 1;
  const width = String(end).length;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard
    <pre class="source" tabIndex={0} aria-label={`${data.path}, lines ${data.startLine} to ${end}`}>
      {data.lines.map((text, i) => {
        const at = data.startLine + i;
        return (
          <span key={at} class={at >= line && at <= endLine ? "hit" : ""}>
            <i>{String(at).padStart(width)}</i>
            {`${text}\n`}
          </span>
        );
      })}
    </pre>
  );
}
