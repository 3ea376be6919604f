import { useState } from "preact/hooks";
import { ago } from "../format.ts";
import { Empty, Panel, Problem, Select, useData } from "../parts.tsx";
import type { DeltaPart, RunDelta } from "../../model/run-report.ts";
import type { RunRow } from "../../ui/wire.ts";

const PARTS = [
  ["fresh", "New"],
  ["fixed", "Fixed"],
  ["gone", "Gone with their test or file"],
  ["notRun", "Not checked this time"],
  ["unchanged", "Unchanged"],
] as const;

interface CompareProps {
  readonly id: string;
  readonly siblings: readonly RunRow[];
  readonly delta?: RunDelta;
}

/** Compares the run with any other one of the same command. */
export function Compare({ id, siblings, delta }: CompareProps) {
  const [other, setOther] = useState(delta?.previousRun ?? siblings[0]?.id ?? "");
  if (siblings.length === 0) return <Empty>This command has no other runs to compare with.</Empty>;
  return (
    <>
      <p class="row">
        Compared with
        <Select
          label="Run to compare with"
          value={other}
          options={siblings.map(
            (one) => [one.id, `${one.id} · ${one.state} · ${ago(one.startedAt)}`] as const,
          )}
          onChange={setOther}
        />
      </p>
      {other !== "" && <Difference id={id} other={other} />}
    </>
  );
}

function Difference({ id, other }: { readonly id: string; readonly other: string }) {
  const { data, problem } = useData<{ delta?: RunDelta }>("compare", { id, with: other });
  if (problem !== undefined) return <Problem text={problem} />;
  if (data === undefined) return <Empty>Loading…</Empty>;
  const { delta } = data;
  const shown = delta === undefined ? [] : PARTS.filter(([key]) => sizeOf(delta[key]) > 0);
  if (delta === undefined || shown.length === 0) return <Empty>Neither run found any problem.</Empty>;
  return (
    <>
      {shown.map(([key, name]) => (
        <Panel key={key} title={name} note={sizeOf(delta[key])}>
          <ul class={`changes ${key}`}>
            {delta[key].failures.map(({ name: test, file }) => (
              <li key={test}>
                {test} <span class="where">{file}</span>
              </li>
            ))}
            {delta[key].diagnostics.map(({ message, file, line, code }, i) => (
              <li key={i}>
                {message.split("\n")[0]} {code !== undefined && <span class="tag">{code}</span>}
                <span class="where">
                  {file === undefined ? "" : line === undefined ? file : `${file}:${line}`}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      ))}
    </>
  );
}

function sizeOf({ diagnostics, failures }: DeltaPart): number {
  return diagnostics.length + failures.length;
}
