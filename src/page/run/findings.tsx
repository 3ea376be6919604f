import { useState } from "preact/hooks";
import { number, plural } from "../format.ts";
import { Panel } from "../parts.tsx";
import { Source } from "../source.tsx";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import type { RunPage } from "../../ui/wire.ts";

type Report = RunPage["report"];

interface FindingsProps {
  readonly report: Report;
  readonly cwd: string;
  /** Shows where in the log a text is. */
  readonly onFind: (text: string) => void;
}

/** What contradicts the exit code, and what the command line hides. */
export function Notes({ report }: { readonly report: Report }) {
  const notes = [
    ...report.disagreements.map((one) => `The evidence disagrees: ${one.kind.replaceAll("_", " ")}`),
    ...(report.hidden ?? []).map((fact) =>
      fact.kind === "stage"
        ? `${fact.stage.command ?? "A stage"} ${fact.stage.kind.replaceAll("_", " ")}${fact.stage.exitCode === undefined ? "" : `, exit ${fact.stage.exitCode}`} before ${fact.stage.behind}`
        : fact.kind === "unread"
          ? `Could not be parsed: ${fact.text}`
          : "Tests were expected, but their results are not in the recorded output",
    ),
    ...(report.notices ?? []),
    ...(report.flaky ?? []).map(
      ({ name, failed, runs }) => `Flaky: ${name} failed in ${failed} of ${runs} runs on the same files`,
    ),
  ];
  if (notes.length === 0) return null;
  return (
    <ul class="notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

export function Failures({ report, cwd, onFind }: FindingsProps) {
  const failures = (report.run.findings?.tests ?? []).flatMap((one) => one.failures);
  if (failures.length === 0) return null;
  const fresh = new Set(report.delta?.fresh.failures.map(({ name }) => name));
  return (
    <Panel title="Failed tests" note={number(failures.length)}>
      <ol class="findings">
        {failures.map((failure, i) => (
          <Failure
            key={`${failure.name} ${i}`}
            failure={failure}
            isFresh={fresh.has(failure.name)}
            isOpen={i < 3}
            cwd={cwd}
            workspace={report.run.workspace}
            onFind={onFind}
          />
        ))}
      </ol>
    </Panel>
  );
}

interface FailureProps {
  readonly failure: TestFailure;
  readonly isFresh: boolean;
  readonly isOpen: boolean;
  readonly cwd: string;
  readonly workspace: string;
  readonly onFind: (text: string) => void;
}

function Failure({ failure, isFresh, isOpen, cwd, workspace, onFind }: FailureProps) {
  const [open, setOpen] = useState(isOpen);
  const { name, message, file, line, expected, received, rerun } = failure;
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="mark failed">✗</span>
          <b>{name}</b>
          {isFresh && <span class="tag fresh">new</span>}
          {file !== undefined && <span class="where">{placeText(file, line)}</span>}
        </summary>
        {open && (
          <div class="inside">
            <pre class="wrapped message">{message}</pre>
            {(expected !== undefined || received !== undefined) && (
              <dl class="values">
                <dt>expected</dt>
                <dd>{expected}</dd>
                <dt>received</dt>
                <dd>{received}</dd>
              </dl>
            )}
            {file !== undefined && line !== undefined && (
              <Source path={file} line={line} folder={cwd} workspace={workspace} />
            )}
            <p class="actions">
              <button type="button" class="quiet" onClick={() => onFind(name.split(" > ").at(-1) ?? name)}>
                Show in log
              </button>
              {rerun !== undefined && <code class="dim">{rerun}</code>}
            </p>
          </div>
        )}
      </details>
    </li>
  );
}

function placeText(file: string, line: number | undefined): string {
  return line === undefined ? file : `${file}:${line}`;
}

export function Diagnostics({ report, cwd, onFind }: FindingsProps) {
  const { fresh, others } = report.groups;
  const counts = report.run.findings?.counts;
  if (fresh.length + others.length === 0) return null;
  const hasDelta = report.delta !== undefined;
  const note = [
    counts !== undefined && counts.error > 0 && plural(counts.error, "error"),
    counts !== undefined && counts.warning > 0 && plural(counts.warning, "warning"),
    `${plural(fresh.length + others.length, "group")} of equal messages`,
  ];
  return (
    <Panel title="Diagnostics" note={note.filter(Boolean).join(", ")}>
      <ol class="findings">
        {[...fresh, ...others].map((group, i) => (
          <Group
            key={i}
            group={group}
            isFresh={hasDelta && i < fresh.length}
            isOpen={i < 3}
            cwd={cwd}
            workspace={report.run.workspace}
            onFind={onFind}
          />
        ))}
      </ol>
    </Panel>
  );
}

interface GroupProps extends Omit<FailureProps, "failure"> {
  readonly group: DiagnosticGroup;
}

/** Places of a group that are shown with their source; the others are listed. */
const MAX_SOURCES = 3;

function Group({ group, isFresh, isOpen, cwd, workspace, onFind }: GroupProps) {
  const [open, setOpen] = useState(isOpen);
  const places = group.files.flatMap(({ file, places: lines }) =>
    file === undefined ? [] : lines.map(({ line }) => ({ file, line })),
  );
  const [first = ""] = group.message.split("\n");
  return (
    <li>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class={`mark ${group.severity}`}>
            {group.severity === "error" ? "✗" : group.severity === "warning" ? "!" : "i"}
          </span>
          <b>{first}</b>
          {isFresh && <span class="tag fresh">new</span>}
          {group.code !== undefined && <span class="tag">{group.code}</span>}
          <span class="where">
            {places[0] === undefined ? group.tool : placeText(places[0].file, places[0].line)}
            {places.length > 1 && ` and ${places.length - 1} more`}
          </span>
        </summary>
        {open && (
          <div class="inside">
            {group.message.includes("\n") && <pre class="wrapped message">{group.message}</pre>}
            {(group.help ?? []).map((help) => (
              <p key={help} class="help">
                {help}
              </p>
            ))}
            {places.slice(0, MAX_SOURCES).map(({ file, line }) =>
              line === undefined ? null : (
                <figure key={`${file}:${line}`}>
                  <figcaption>{placeText(file, line)}</figcaption>
                  <Source path={file} line={line} folder={cwd} workspace={workspace} radius={3} />
                </figure>
              ),
            )}
            {places.length > MAX_SOURCES && (
              <p class="dim">
                {places
                  .slice(MAX_SOURCES, 200)
                  .map(({ file, line }) => placeText(file, line))
                  .join(" · ")}
              </p>
            )}
            <p class="actions">
              <button type="button" class="quiet" onClick={() => onFind(first)}>
                Show in log
              </button>
            </p>
          </div>
        )}
      </details>
    </li>
  );
}
