import { useMemo, useState } from "preact/hooks";
import { Chart } from "./chart.tsx";
import { ago, duration, number, plural } from "./format.ts";
import type { Live } from "./live.ts";
import { Link, navigate } from "./navigation.tsx";
import { Empty, Panel, Problem, useData, WorkspaceSelect } from "./parts.tsx";
import type { CommandHistory, PastRun, TestHistory } from "../model/run-history.ts";
import type { HistoryPage, UiState } from "../ui/wire.ts";

interface HistoryProps {
  readonly live: Live;
  readonly state: UiState;
}

/** Failures and durations over time. */
export function HistoryView({ live, state }: HistoryProps) {
  const [workspace, setWorkspace] = useState(state.home);
  const { data, problem } = useData<HistoryPage>("history", { workspace });
  return (
    <>
      <div class="head">
        <h1>History</h1>
        <div class="filters">
          <WorkspaceSelect workspaces={live.workspaces} value={workspace} onChange={setWorkspace} />
        </div>
      </div>
      {problem !== undefined && <Problem text={problem} />}
      {data === undefined ? (
        problem === undefined && <Empty>Loading…</Empty>
      ) : data.commands.length === 0 ? (
        <Empty>No run has ended in this workspace yet.</Empty>
      ) : (
        <>
          {data.commands.map((command) => (
            <Command key={`${command.command} ${command.cwd}`} command={command} />
          ))}
          <Files files={data.files} />
        </>
      )}
    </>
  );
}

function Command({ command: { command, runs, tests } }: { readonly command: CommandHistory }) {
  const series = useMemo(
    () => [{ label: "took", color: "accent", values: runs.map(({ durationMs }) => durationMs) }],
    [runs],
  );
  const x = useMemo(() => runs.map((_run, i) => i + 1), [runs]);
  const red = runs.filter(isRed).length;
  return (
    <Panel title={command} note={`${plural(runs.length, "run")}, ${number(red)} red`}>
      <Strip runs={runs} />
      {runs.length > 1 && (
        <Chart
          label={`Duration of the last ${runs.length} runs of ${command}`}
          x={x}
          series={series}
          isTime={false}
          format={duration}
          xFormat={(value) => runs[Math.round(value) - 1]?.id ?? ""}
          onPick={(i) => navigate(`runs/${runs[i]?.id ?? ""}`)}
        />
      )}
      {tests.length > 0 && (
        <div class="scroll" tabIndex={0} role="region" aria-label={`Failed tests of ${command}`}>
          <table class="tests">
            <thead>
              <tr>
                <th scope="col">test that failed</th>
                <th scope="col">last {plural(runs.length, "run")}, newest right</th>
                <th scope="col">failed</th>
              </tr>
            </thead>
            <tbody>
              {tests.map((test) => (
                <TestRow key={`${test.file} ${test.name}`} test={test} runs={runs} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Panel>
  );
}

function isRed({ cause, exitCode }: PastRun): boolean {
  return cause !== "cancelled" && exitCode !== 0;
}

function Strip({ runs }: { readonly runs: readonly PastRun[] }) {
  return (
    <p class="strip large">
      {runs.map((run) => (
        <Link
          key={run.id}
          to={`runs/${run.id}`}
          class={isRed(run) ? "failed" : run.cause === "cancelled" ? "unknown" : "passed"}
          label={`${run.id}, ${isRed(run) ? "red" : "green"}`}
          title={`${run.id}: ${run.cause === "exit" ? `exit ${run.exitCode}` : run.cause}, ${duration(run.durationMs)}, ${plural(run.failedTests, "failed test")}, ${plural(run.errors, "error")}, ${ago(run.startedAt)}`}
        />
      ))}
    </p>
  );
}

function TestRow({ test, runs }: { readonly test: TestHistory; readonly runs: readonly PastRun[] }) {
  return (
    <tr>
      <th scope="row">
        {test.name}
        {test.isFlaky && <span class="tag flaky">flaky</span>}
        {test.file !== undefined && <small>{test.file}</small>}
      </th>
      <td>
        <span class="strip" role="img" aria-label={`failed in ${test.failures} of ${runs.length} runs`}>
          {test.outcomes.map((outcome, i) => (
            <i key={runs[i]?.id} class={outcome} title={`${runs[i]?.id}: ${outcome}`} />
          ))}
        </span>
      </td>
      <td class="n">{test.failures}</td>
    </tr>
  );
}

function Files({ files }: Pick<HistoryPage, "files">) {
  if (files.length === 0) return null;
  const most = Math.max(...files.map(({ runs }) => runs));
  return (
    <Panel title="Files with failures" note={plural(files.length, "file")}>
      <div class="scroll" tabIndex={0} role="region" aria-label="Files with failures">
        <table>
          <thead>
            <tr>
              <th scope="col">file</th>
              <th scope="col">runs</th>
              <th scope="col" class="n">
                failed tests
              </th>
              <th scope="col" class="n">
                errors
              </th>
              <th scope="col">last in</th>
            </tr>
          </thead>
          <tbody>
            {files.map(({ file, runs, failures, errors, lastRun }) => (
              <tr key={file}>
                <th scope="row">
                  <code>{file}</code>
                </th>
                <td>
                  <span class="bar-cell" style={{ width: `${(runs / most) * 100}px` }} /> {runs}
                </td>
                <td class="n">{failures}</td>
                <td class="n">{errors}</td>
                <td>
                  <Link to={`runs/${lastRun}`}>{lastRun}</Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
