import { useEffect, useState } from "preact/hooks";
import { post } from "./api.ts";
import { duration, number, plural } from "./format.ts";
import type { Live } from "./live.ts";
import { Empty, Problem, useData } from "./parts.tsx";
import type { WatchedCall } from "../model/watched-call.ts";
import type { CallsPage } from "../ui/wire.ts";

/** What agents ask and what they are answered, while a person watches. */
export function CallsView({ live }: { readonly live: Live }) {
  const { data, problem, reload } = useData<CallsPage>("calls");
  const [chosen, setChosen] = useState<WatchedCall>();
  useEffect(reload, [live.call]);
  const turn = async (on: boolean): Promise<void> => {
    await post<CallsPage>("calls", { on });
    setChosen(undefined);
    reload();
  };
  const calls = data?.calls.toReversed() ?? [];
  const shown = chosen ?? calls[0];
  return (
    <>
      <div class="head">
        <h1>Calls</h1>
        {data?.isOn === true && (
          <p class="counts">
            {plural(calls.length, "call")} from {plural(data.servers, "server")}
          </p>
        )}
        <div class="filters">
          <button
            type="button"
            class={data?.isOn === true ? "" : "primary"}
            onClick={() => void turn(data?.isOn !== true)}
          >
            {data?.isOn === true ? "Stop and forget" : "Watch calls"}
          </button>
        </div>
      </div>
      {problem !== undefined && <Problem text={problem} />}
      {data?.isOn !== true ? (
        <Empty>
          What agents ask and what they are answered is shown from the moment you turn this on. It is kept in
          the memory of this program only, at most 500 calls, and forgotten when you stop.
        </Empty>
      ) : shown === undefined ? (
        <Empty>No call yet. Calls of running servers appear here as they are answered.</Empty>
      ) : (
        <div class="split">
          <ul class="calls" aria-label="Calls">
            {calls.map((call) => (
              <li key={`${call.at} ${call.tool} ${call.session ?? ""}`}>
                <button type="button" aria-pressed={call === shown} onClick={() => setChosen(call)}>
                  <b>{call.tool}</b>
                  {call.isError && <span class="tag flaky">error</span>}
                  <span class="n">{number(call.tokens)} tokens</span>
                  <small>
                    {call.client} · {new Date(call.at).toLocaleTimeString()} · {duration(call.durationMs)}
                  </small>
                  <code>{call.arguments}</code>
                </button>
              </li>
            ))}
          </ul>
          <section class="reply" aria-label="Reply">
            <h2>{shown.tool}</h2>
            <pre class="wrapped">{shown.arguments}</pre>
            <h2>
              Reply <small>{number(shown.tokens)} tokens</small>
            </h2>
            <pre class="wrapped code" tabIndex={0}>
              {shown.reply}
            </pre>
          </section>
        </div>
      )}
    </>
  );
}
