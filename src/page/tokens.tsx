import { useMemo, useState } from "preact/hooks";
import { Chart } from "./chart.tsx";
import { number } from "./format.ts";
import { Empty, Panel, Problem, Select, useData } from "./parts.tsx";
import type { Savings } from "../model/savings.ts";
import type { TokensPage } from "../ui/wire.ts";

/** What agents received, what they would have received without Pith, and what that cost. */
export function TokensView() {
  const [days, setDays] = useState("30");
  const { data, problem } = useData<TokensPage>("tokens", { days });
  return (
    <>
      <div class="head">
        <h1>Tokens</h1>
        <div class="filters">
          <Select
            label="Days"
            value={days}
            options={[
              ["7", "last 7 days"],
              ["30", "last 30 days"],
              ["365", "last year"],
            ]}
            onChange={setDays}
          />
        </div>
      </div>
      {problem !== undefined && <Problem text={problem} />}
      {data === undefined ? (
        problem === undefined && <Empty>Loading…</Empty>
      ) : data.days.length === 0 ? (
        <Empty>
          No calls by agents yet. Attach an agent: <code>pith init</code>
        </Empty>
      ) : (
        <Usage page={data} />
      )}
    </>
  );
}

function Usage({ page: { total, days, tools, agents } }: { readonly page: TokensPage }) {
  const x = useMemo(() => days.map(({ name }) => Date.parse(`${name}T12:00:00Z`) / 1_000), [days]);
  const series = useMemo(
    () => [
      { label: "returned", color: "accent", values: days.map(({ returned }) => returned) },
      { label: "net saved", color: "ok", values: days.map(({ net }) => net) },
      { label: "lost", color: "failed", values: days.map(({ lost }) => 0 - lost.tokens) },
    ],
    [days],
  );
  return (
    <>
      <dl class="tiles">
        <Tile name="calls" value={number(total.calls)} note={`${number(total.failed)} failed`} />
        <Tile name="returned" value={number(total.returned)} note="tokens that agents read" />
        <Tile
          name="raw"
          value={number(total.compared.raw)}
          note={`of ${number(total.compared.returned)} compared`}
        />
        <Tile name="retrieved later" value={number(total.retrieved)} note="what replies had left out" />
        <Tile name="tool lists" value={number(total.toolLists)} note="paid by each session" />
        <Tile
          name="lost"
          value={number(total.lost.tokens)}
          note={`${number(total.lost.calls)} replies larger than raw`}
          tone={total.lost.tokens > 0 ? "failed" : ""}
        />
        <Tile
          name="net saved"
          value={number(total.net)}
          note="after all of that"
          tone={total.net < 0 ? "failed" : "ok"}
        />
        {total.resident !== undefined && (
          <Tile
            name="resident"
            value={number(total.resident.net)}
            note="net saved × turns that they stay"
            tone={total.resident.net < 0 ? "failed" : "ok"}
          />
        )}
      </dl>
      {days.length > 1 && (
        <Panel title="By day">
          <Chart label="Tokens by day" x={x} series={series} format={number} />
        </Panel>
      )}
      <SavingsTable title="By tool" rows={tools} />
      <SavingsTable title="By agent" rows={agents} />
      <SavingsTable title="Each day" rows={days.toReversed()} />
      <p class="dim fine">
        “raw” is what the client would have shown without Pith, after its own truncation; a call whose raw
        size is not known is counted and not compared. “resident” assumes one turn per call, and that nothing
        leaves the context before the session ends.
      </p>
    </>
  );
}

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly tone?: string;
}

function Tile({ name, value, note, tone = "" }: TileProps) {
  return (
    <div class={`tile ${tone}`}>
      <dt>{name}</dt>
      <dd>
        {value}
        <small>{note}</small>
      </dd>
    </div>
  );
}

const COLUMNS: readonly (readonly [name: string, value: (row: Savings) => string])[] = [
  ["calls", (row) => number(row.calls)],
  ["returned", (row) => number(row.returned)],
  ["raw", (row) => number(row.compared.raw)],
  [
    "of raw",
    ({ compared }) =>
      compared.raw === 0 ? "–" : `${Math.round((compared.returned / compared.raw) * 100)} %`,
  ],
  ["lost", ({ lost }) => number(0 - lost.tokens)],
  ["retrieved", (row) => number(0 - row.retrieved)],
  ["net saved", (row) => number(row.net)],
  ["resident", ({ resident }) => (resident === undefined ? "–" : number(resident.net))],
];

function SavingsTable({ title, rows }: { readonly title: string; readonly rows: readonly Savings[] }) {
  return (
    <Panel title={title}>
      <div class="scroll" tabIndex={0} role="region" aria-label={title}>
        <table>
          <thead>
            <tr>
              <th scope="col">{title.toLowerCase().replace(/^by |^each /, "")}</th>
              {COLUMNS.map(([name]) => (
                <th key={name} scope="col" class="n">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.name}>
                <th scope="row">{row.name}</th>
                {COLUMNS.map(([name, value]) => (
                  <td
                    key={name}
                    class={`n ${(name === "lost" && row.lost.tokens > 0) || (name === "net saved" && row.net < 0) ? "failed-text" : ""}`}
                  >
                    {value(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
