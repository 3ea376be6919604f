import { useEffect, useMemo, useState } from "preact/hooks";
import { get, listen } from "./api.ts";
import type { LogTotals } from "../model/run.ts";
import type { WatchedCall } from "../model/watched-call.ts";
import type { RunList, RunRow } from "../ui/wire.ts";

/** What the server pushes: all runs, the size of the shown log, and the latest call of an agent. */
export interface Live {
  readonly isConnected: boolean;
  /** Undefined until the list was read. */
  readonly runs: readonly RunRow[] | undefined;
  readonly workspaces: readonly string[];
  readonly log: { readonly totals: LogTotals; readonly isRunning: boolean } | undefined;
  readonly call: WatchedCall | undefined;
}

export function useLive(run: string | undefined): Live {
  const [rows, setRows] = useState<ReadonlyMap<string, RunRow>>();
  const [workspaces, setWorkspaces] = useState<readonly string[]>([]);
  const [isConnected, setConnected] = useState(true);
  const [log, setLog] = useState<Live["log"]>();
  const [call, setCall] = useState<WatchedCall>();
  useEffect(() => {
    void get<RunList>("runs")
      .then((list) => {
        setWorkspaces(list.workspaces);
        setRows((known) => new Map([...list.runs.map((row) => [row.id, row] as const), ...(known ?? [])]));
      })
      // The state of the connection is shown beside, and the events bring the list again.
      .catch(() => setConnected(false));
  }, []);
  useEffect(() => {
    setLog(undefined);
    return listen(
      run,
      (event) => {
        if (event.kind === "log") setLog({ totals: event.totals, isRunning: event.isRunning });
        else if (event.kind === "call") setCall(event.call);
        else {
          setRows((known) => new Map([...(known ?? []), ...event.runs.map((row) => [row.id, row] as const)]));
          setWorkspaces((known) => [...new Set([...known, ...event.runs.map(({ workspace }) => workspace)])]);
        }
      },
      setConnected,
    );
  }, [run]);
  const runs = useMemo(
    () => (rows === undefined ? undefined : [...rows.values()].sort((a, b) => b.startedAt - a.startedAt)),
    [rows],
  );
  return { isConnected, runs, workspaces, log, call };
}
