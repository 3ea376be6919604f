import { useEffect, useState } from "preact/hooks";
import { get, post } from "../api.ts";
import { Compare } from "./compare.tsx";
import { Diagnostics, Failures, Notes } from "./findings.tsx";
import { ago, duration, number } from "../format.ts";
import type { Live } from "../live.ts";
import { LogView } from "../log/log-view.tsx";
import { Link, navigate } from "../navigation.tsx";
import { Ask, Delta, Empty, Panel, Problem, State, useData } from "../parts.tsx";
import { useNow } from "../runs.tsx";
import { SinceGreenPanel } from "./since-green.tsx";
import type { LogTotals } from "../../model/run.ts";
import type { LogSearchResult, RunPage, RunRow, UiState } from "../../ui/wire.ts";

interface RunViewProps {
  readonly id: string;
  readonly live: Live;
  readonly state: UiState;
}

const NO_LOG: LogTotals = { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 };
const TABS = ["Findings", "Log", "Agent's view", "Compare"] as const;
type Tab = (typeof TABS)[number];

/** Everything about one run. */
export function RunView({ id, live, state }: RunViewProps) {
  const { data, problem, reload } = useData<RunPage>("run", { id });
  const [tab, setTab] = useState<Tab>();
  const [jump, setJump] = useState<{ line: number }>();
  const row = live.runs?.find((one) => one.id === id) ?? data?.row;
  const now = useNow(row?.state === "running");
  useEffect(() => {
    if (data !== undefined && data.row.endedAt === undefined && row?.endedAt !== undefined) reload();
  }, [row?.endedAt, data]);
  if (data === undefined || row === undefined)
    return problem === undefined ? <Empty>Loading…</Empty> : <Problem text={problem} />;
  const { report } = data;
  const shownTab = tab ?? (row.state === "running" || !hasFindings(data) ? "Log" : "Findings");
  const findInLog = async (text: string): Promise<void> => {
    const [first = ""] = text.split("\n").filter((line) => line.trim() !== "");
    const pattern = escapeRegex(first.trim().slice(0, 200));
    const { numbers } = await get<LogSearchResult>("log/search", { id, pattern, count: 1 });
    setTab("Log");
    setJump({ line: numbers[0] ?? 1 });
  };
  const totals = live.log?.totals ?? data.row.log ?? NO_LOG;
  const isRunning = live.log?.isRunning ?? row.state === "running";
  return (
    <article class="run-page">
      <RunHead row={row} data={data} now={now} canRun={state.canRun} />
      <Notes report={report} />
      <div class="tabs" role="tablist" aria-label="Parts of the run">
        {TABS.map((one) => (
          <button
            key={one}
            type="button"
            role="tab"
            id={`tab-${one}`}
            aria-selected={one === shownTab}
            aria-controls="tab-panel"
            tabIndex={one === shownTab ? 0 : -1}
            onClick={() => setTab(one)}
            onKeyDown={(event) => moveTab(event, one, setTab)}
          >
            {one}
            {one === "Findings" && <Count data={data} />}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${shownTab}`}>
        {shownTab === "Log" ? (
          <LogView id={id} totals={totals} isRunning={isRunning} jump={jump} />
        ) : shownTab === "Agent's view" ? (
          <AgentView shown={data.shown} />
        ) : shownTab === "Compare" ? (
          <Compare id={id} siblings={data.siblings} {...(report.delta && { delta: report.delta })} />
        ) : (
          <>
            {!hasFindings(data) && (
              <Empty>
                {isRunning ? "Still running." : "No errors or failed tests were found in its output."}
              </Empty>
            )}
            <Failures report={report} cwd={data.cwd} onFind={(text) => void findInLog(text)} />
            <Diagnostics report={report} cwd={data.cwd} onFind={(text) => void findInLog(text)} />
            {report.sinceGreen !== undefined && <SinceGreenPanel since={report.sinceGreen} />}
          </>
        )}
      </div>
    </article>
  );
}

function moveTab(event: KeyboardEvent, tab: Tab, setTab: (tab: Tab) => void): void {
  const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
  if (by === 0) return;
  const next = TABS[(TABS.indexOf(tab) + by + TABS.length) % TABS.length] ?? tab;
  setTab(next);
  document.querySelector<HTMLElement>(`[id="tab-${CSS.escape(next).replaceAll("\\", "")}"]`)?.focus();
}

function hasFindings({ report }: RunPage): boolean {
  const { fresh, others } = report.groups;
  const failures = (report.run.findings?.tests ?? []).some((one) => one.failures.length > 0);
  return fresh.length + others.length > 0 || failures;
}

function Count({ data }: { readonly data: RunPage }) {
  const { errors = 0, tests } = data.row.summary ?? {};
  const count = errors + (tests?.failed ?? 0);
  return count === 0 ? null : <span class="badge">{number(count)}</span>;
}

function escapeRegex(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|#&~-]/g, String.raw`\$&`);
}

interface RunHeadProps {
  readonly row: RunRow;
  readonly data: RunPage;
  readonly now: number;
  readonly canRun: boolean;
}

function RunHead({ row, data: { cwd, report, siblings }, now, canRun }: RunHeadProps) {
  const [asking, setAsking] = useState<"stop" | "again">();
  const [problem, setProblem] = useState("");
  const act = async (what: "stop" | "again"): Promise<void> => {
    try {
      const { row: result } = await post<{ row: RunRow }>(what, { id: row.id });
      if (what === "again") navigate(`runs/${result.id}`);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const older = siblings.find((one) => one.startedAt < row.startedAt);
  const newer = siblings.findLast((one) => one.startedAt > row.startedAt);
  return (
    <header class="run-head">
      <div class="top">
        <State state={row.state} />
        <h1>
          <code>{row.command}</code>
        </h1>
        <div class="buttons">
          {newer !== undefined && (
            <Link to={`runs/${newer.id}`} class="button">
              Newer
            </Link>
          )}
          {older !== undefined && (
            <Link to={`runs/${older.id}`} class="button">
              Older
            </Link>
          )}
          {canRun && row.state === "running" && (
            <button type="button" class="danger" onClick={() => setAsking("stop")}>
              Stop…
            </button>
          )}
          {canRun && row.state !== "running" && (
            <button type="button" onClick={() => setAsking("again")}>
              Run again…
            </button>
          )}
        </div>
      </div>
      <p class="verdict">{row.summary?.verdict ?? row.end}</p>
      <dl class="facts">
        <Fact name="run" value={row.id} />
        <Fact
          name="started"
          value={ago(row.startedAt, now)}
          title={new Date(row.startedAt).toLocaleString()}
        />
        <Fact name="took" value={duration((row.endedAt ?? now) - row.startedAt)} />
        <Fact name="folder" value={cwd} />
        {row.tool !== undefined && <Fact name="tool" value={row.tool} />}
        {row.host !== undefined && <Fact name="machine" value={row.host} />}
        {report.place !== undefined && <Fact name="worker" value={report.place.worker} />}
        {row.summary?.delta !== undefined && (
          <div>
            <dt>since {report.delta?.previousRun}</dt>
            <dd>
              <Delta delta={row.summary.delta} />
            </dd>
          </div>
        )}
      </dl>
      {problem !== "" && <Problem text={problem} />}
      {asking !== undefined && (
        <Ask
          question={asking === "stop" ? "Stop this run and all its processes?" : "Run this command again?"}
          detail={`${row.command}\nin ${cwd}`}
          action={asking === "stop" ? "Stop" : "Run"}
          onAnswer={(yes) => {
            setAsking(undefined);
            if (yes) void act(asking);
          }}
        />
      )}
    </header>
  );
}

function Fact({
  name,
  value,
  title,
}: {
  readonly name: string;
  readonly value: string;
  readonly title?: string;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd title={title}>{value}</dd>
    </div>
  );
}

/** What an agent reads of this run, and how much it was spared. */
function AgentView({ shown: { text, tokens, rawTokens } }: { readonly shown: RunPage["shown"] }) {
  const spared = Math.max(0, rawTokens - tokens);
  const share = rawTokens === 0 ? 0 : Math.round((spared / rawTokens) * 100);
  return (
    <Panel
      title="What an agent is shown"
      note={`${number(tokens)} of about ${number(rawTokens)} tokens; spared ${share} %`}
    >
      <meter
        min={0}
        max={Math.max(rawTokens, tokens, 1)}
        value={tokens}
        aria-label="Tokens shown of the whole output"
      />
      <pre class="wrapped code">
        {text === "" ? "Still running: an agent is told so, and may wait for the end." : text}
      </pre>
    </Panel>
  );
}
