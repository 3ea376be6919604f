import { useState } from "preact/hooks";
import { bytes, minute, number } from "./format.ts";
import type { Live } from "./live.ts";
import { Empty, Panel, Problem, useData, WorkspaceSelect } from "./parts.tsx";
import type { IndexPage, UiState } from "../ui/wire.ts";

/** Why files are left out of the index, in words. */
const REASONS: Readonly<Record<string, string>> = {
  too_large: "too large",
  binary: "binary",
  minified: "minified or generated in one line",
  not_parsed: "no grammar: searched by words, not for symbols",
  unreadable: "cannot be read",
};

interface IndexProps {
  readonly live: Live;
  readonly state: UiState;
}

/** How fresh and complete the code index is. */
export function IndexView({ live, state }: IndexProps) {
  const [workspace, setWorkspace] = useState(state.home);
  const { data, problem } = useData<IndexPage>("index", { workspace });
  return (
    <>
      <div class="head">
        <h1>Index</h1>
        <div class="filters">
          <WorkspaceSelect workspaces={live.workspaces} value={workspace} onChange={setWorkspace} />
        </div>
      </div>
      {problem !== undefined && <Problem text={problem} />}
      {data === undefined ? problem === undefined && <Empty>Loading…</Empty> : <Status page={data} />}
    </>
  );
}

function Status({ page: { current, projects, bytes: size } }: { readonly page: IndexPage }) {
  const skipped = Object.entries(current.skipped).filter(([, count]) => count > 0);
  const facts: readonly (readonly [string, string])[] = [
    ["state", current.index_status.replaceAll("_", " ")],
    ["freshness", current.freshness_status],
    ["files", number(current.file_count)],
    ["symbols", number(current.symbol_count)],
    ["to bring in", number(current.pending_files)],
    ["ref", current.ref],
    ["last indexed", current.last_indexed_at === undefined ? "never" : minute(current.last_indexed_at)],
    ["commit", current.last_indexed_commit?.slice(0, 10) ?? "–"],
    ["head", current.current_head?.slice(0, 10) ?? "–"],
    [
      "schema",
      `${current.schema_status.replaceAll("_", " ")}, ${current.current_schema_version} of ${current.required_schema_version}`,
    ],
    ["all projects on disk", bytes(size)],
  ];
  return (
    <>
      <Panel title={current.repo_root}>
        {current.store_notice !== undefined && <p class="problem">{current.store_notice}</p>}
        <dl class="facts wide">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Panel>
      <Panel title="Left out, and why">
        {skipped.length === 0 ? (
          <p class="dim">Nothing is left out.</p>
        ) : (
          <ul class="plain">
            {skipped.map(([reason, count]) => (
              <li key={reason}>
                <b>{number(count)}</b> {REASONS[reason] ?? reason.replaceAll("_", " ")}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {current.refs.length > 0 && (
        <Panel title="Refs">
          <p class="tags">
            {current.refs.map((ref) => (
              <span key={ref} class="tag">
                {ref}
              </span>
            ))}
          </p>
        </Panel>
      )}
      {projects.length > 0 && (
        <Panel title="Projects" note={projects.length}>
          <div class="scroll" tabIndex={0} role="region" aria-label="Projects">
            <table>
              <thead>
                <tr>
                  <th scope="col">folder</th>
                  <th scope="col" class="n">
                    files
                  </th>
                  <th scope="col">refs</th>
                  <th scope="col">last used</th>
                  <th scope="col">id</th>
                </tr>
              </thead>
              <tbody>
                {projects.map(({ project_id: id, root, host, files, refs, last_used: used }) => (
                  <tr key={id}>
                    <th scope="row">{host === undefined ? root : `${host}: ${root}`}</th>
                    <td class="n">{number(files)}</td>
                    <td>{refs.join(", ")}</td>
                    <td>{minute(used)}</td>
                    <td>
                      <code>{id}</code>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
      )}
    </>
  );
}
