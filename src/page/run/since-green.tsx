import { duration } from "../format.ts";
import { Link } from "../navigation.tsx";
import { Panel } from "../parts.tsx";
import type { SinceGreen } from "../../model/run-report.ts";

/** What may have turned the run red. */
export function SinceGreenPanel({ since }: { readonly since: SinceGreen }) {
  if (since.kind === "commits")
    return (
      <Panel title="Suspects" note="no green run is known; recent commits that changed files of the failures">
        <ul class="suspects">
          {since.edits.map((file) => (
            <li key={file}>
              <code>{file}</code> <span class="tag">uncommitted</span>
            </li>
          ))}
          {since.suspects.map(({ id, subject, files, earlierMs }) => (
            <li key={id}>
              <code>{id.slice(0, 8)}</code> {subject} <span class="dim">{duration(earlierMs)} before</span>
              <div class="dim">{files.join(", ")}</div>
            </li>
          ))}
        </ul>
      </Panel>
    );
  const { green } = since;
  return (
    <Panel
      title="Suspects since green"
      note={
        <>
          <Link to={`runs/${green.id}`}>{green.id}</Link> was green {duration(green.earlierMs)} before
        </>
      }
    >
      {since.kind === "same" ? (
        <p>The green run saw the same files: the failure is not in them.</p>
      ) : (
        <ul class="suspects">
          {since.suspects.map(({ path, change, lines, commit, isUncommitted }) => (
            <li key={path}>
              <code>{path}</code> <span class="dim">{change}</span>
              {lines.length > 0 && (
                <span class="dim">
                  {" "}
                  lines{" "}
                  {lines.map(({ start, end }) => (start === end ? start : `${start}-${end}`)).join(", ")}
                </span>
              )}
              {isUncommitted && <span class="tag">uncommitted</span>}
              {commit !== undefined && (
                <div class="dim">
                  {commit.id.slice(0, 8)} {commit.subject}
                </div>
              )}
            </li>
          ))}
          {since.others > 0 && <li class="dim">and {since.others} more files</li>}
        </ul>
      )}
    </Panel>
  );
}
