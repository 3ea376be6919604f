import { useEffect, useMemo, useState } from "preact/hooks";
import { ago, baseName, duration, number } from "./format.ts";
import type { Live } from "./live.ts";
import { Link } from "./navigation.tsx";
import { Delta, Empty, Select, State } from "./parts.tsx";
import type { RunRow, UiState } from "../ui/wire.ts";

const STATES = ["running", "ok", "failed", "unclear", "stopped", "ended"] as const;
/** Rows that are drawn at first; more are drawn on request. */
const PAGE = 100;

interface RunsProps {
  readonly live: Live;
  readonly state: UiState;
}

/** The list of all runs, updated while they happen. */
export function RunsView({ live, state: { home } }: RunsProps) {
  const [workspace, setWorkspace] = useState("");
  const [tool, setTool] = useState("");
  const [state, setState] = useState("");
  const [text, setText] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const now = useNow(live.runs?.some((run) => run.state === "running") === true);
  const runs = live.runs ?? [];
  const tools = useMemo(() => [...new Set(runs.map(toolOf))].sort(), [runs]);
  const shown = runs.filter(
    (run) =>
      (workspace === "" || run.workspace === workspace) &&
      (tool === "" || toolOf(run) === tool) &&
      (state === "" || run.state === state) &&
      (text === "" || `${run.command} ${run.id}`.toLowerCase().includes(text.toLowerCase())),
  );
  const places = live.workspaces.length > 1;
  return (
    <>
      <div class="head">
        <h1>Runs</h1>
        <Counts runs={runs} />
        <div class="filters">
          <input
            type="search"
            aria-label="Filter by command or id"
            placeholder="Filter"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          {places && (
            <Select
              label="Workspace"
              value={workspace}
              options={[
                ["", "all workspaces"],
                ...live.workspaces.map((one) => [one, baseName(one)] as const),
              ]}
              onChange={setWorkspace}
            />
          )}
          <Select
            label="Tool"
            value={tool}
            options={[["", "all tools"], ...tools.map((one) => [one, one] as const)]}
            onChange={setTool}
          />
          <Select
            label="State"
            value={state}
            options={[["", "all states"], ...STATES.map((one) => [one, one] as const)]}
            onChange={setState}
          />
        </div>
      </div>
      {live.runs === undefined ? (
        <Empty>Loading…</Empty>
      ) : shown.length === 0 ? (
        <Empty>
          {runs.length === 0 ? (
            <>
              No runs in {baseName(home)} yet. Start one in a terminal: <code>pith exec -- npm test</code>
            </>
          ) : (
            "No run matches these filters."
          )}
        </Empty>
      ) : (
        <ul class="runs" aria-label="Runs">
          {shown.slice(0, limit).map((run) => (
            <Row key={run.id} run={run} now={now} place={places} />
          ))}
        </ul>
      )}
      {shown.length > limit && (
        <button type="button" class="more" onClick={() => setLimit(limit + PAGE)}>
          Show {number(Math.min(PAGE, shown.length - limit))} more of {number(shown.length)}
        </button>
      )}
    </>
  );
}

/** The program that a run is of: the named tool, or the first word of the command. */
function toolOf({ tool, command }: RunRow): string {
  return tool ?? baseName(command.trim().split(/\s+/)[0] ?? "");
}

function Counts({ runs }: { readonly runs: readonly RunRow[] }) {
  const counts = STATES.map((state) => ({ state, count: runs.filter((run) => run.state === state).length }));
  return (
    <p class="counts">
      {counts
        .filter(({ count }) => count > 0)
        .map(({ state, count }) => (
          <span key={state}>
            <span class={`dot ${state}`} /> {count} {state}
          </span>
        ))}
    </p>
  );
}

interface RowProps {
  readonly run: RunRow;
  readonly now: number;
  readonly place: boolean;
}

function Row({ run, now, place }: RowProps) {
  const { summary } = run;
  return (
    <li>
      <Link to={`runs/${run.id}`} class={`run ${run.state}`}>
        <State state={run.state} />
        <span class="command" title={run.command}>
          <code>{run.command}</code>
          <small>{verdictOf(run)}</small>
        </span>
        <span class="change">
          <Delta delta={summary?.delta} />
        </span>
        <span class="place" title={run.workspace}>
          {place && `${run.host === undefined ? "" : `${run.host}: `}${baseName(run.workspace)}`}
        </span>
        <span class="time" title={new Date(run.startedAt).toLocaleString()}>
          <b>{duration((run.endedAt ?? now) - run.startedAt)}</b>
          <small>{ago(run.startedAt, now)}</small>
        </span>
        <span class="id">{run.id}</span>
      </Link>
    </li>
  );
}

function verdictOf({ summary, end, log, state }: RunRow): string {
  if (state === "running") return "running";
  if (summary === undefined) return end;
  const { tests, errors, warnings } = summary;
  const parts = [
    end,
    tests && `${number(tests.passed)} of ${number(tests.total)} tests passed`,
    tests && tests.failed > 0 && `${number(tests.failed)} failed`,
    errors > 0 && `${number(errors)} error${errors === 1 ? "" : "s"}`,
    warnings > 0 && `${number(warnings)} warning${warnings === 1 ? "" : "s"}`,
    `${number(log.lines)} line${log.lines === 1 ? "" : "s"}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The current time, updated every second while something runs, otherwise every half minute. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), isRunning ? 1_000 : 30_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
