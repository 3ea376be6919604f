import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ApiError, get, openSession } from "./api.ts";
import { CallsView } from "./calls.tsx";
import { CodeView } from "./code.tsx";
import { HistoryView } from "./history.tsx";
import { IndexView } from "./index-view.tsx";
import { useLive } from "./live.ts";
import { Link, navigate, usePath } from "./navigation.tsx";
import { PoolView } from "./pool.tsx";
import { RunView } from "./run/run.tsx";
import { RunsView } from "./runs.tsx";
import { ThemeSwitch } from "./theme.tsx";
import { TokensView } from "./tokens.tsx";
import type { UiState } from "../ui/wire.ts";
import "./styles.css";

const VIEWS = [
  { path: "runs", name: "Runs", key: "r" },
  { path: "history", name: "History", key: "h" },
  { path: "tokens", name: "Tokens", key: "t" },
  { path: "code", name: "Code", key: "c" },
  { path: "index", name: "Index", key: "i" },
  { path: "pool", name: "Pool", key: "p" },
  { path: "calls", name: "Calls", key: "a" },
] as const;

function App({ state }: { readonly state: UiState }) {
  const [view = "runs", id] = usePath();
  const run = view === "runs" && id !== undefined ? id : undefined;
  const live = useLive(run);
  const shown = VIEWS.filter(({ path }) => path !== "pool" || state.hasPool);
  useViewKeys(shown);
  useEffect(() => {
    const name = run ?? shown.find(({ path }) => path === view)?.name ?? "Runs";
    document.title = `${name} · Pith`;
  }, [view, run]);
  const place = { state, live };
  return (
    <div class="app">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="bar">
        <Link to="runs" class="brand" label="Pith, list of runs">
          <img src="/ui/icon.svg" alt="" width="22" height="22" />
          <b>Pith</b>
        </Link>
        <nav aria-label="Views">
          {shown.map(({ path, name, key }) => (
            <Link key={path} to={path} class={path === view ? "on" : ""} current={path === view}>
              {name}
              <kbd>g {key}</kbd>
            </Link>
          ))}
        </nav>
        <div class="foot">
          <span class={`link-state ${live.isConnected ? "up" : "down"}`} role="status">
            {live.isConnected ? "live" : "not connected"}
          </span>
          <ThemeSwitch />
          <span class="version">{state.version}</span>
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {run !== undefined ? (
          <RunView key={run} id={run} {...place} />
        ) : view === "history" ? (
          <HistoryView {...place} />
        ) : view === "tokens" ? (
          <TokensView />
        ) : view === "code" ? (
          <CodeView {...place} />
        ) : view === "index" ? (
          <IndexView {...place} />
        ) : view === "pool" ? (
          <PoolView />
        ) : view === "calls" ? (
          <CallsView {...place} />
        ) : (
          <RunsView {...place} />
        )}
      </main>
    </div>
  );
}

/** `g` and a letter opens a view, as in other developer tools. */
function useViewKeys(views: readonly { readonly path: string; readonly key: string }[]): void {
  useEffect(() => {
    let isLead = false;
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      if (target instanceof HTMLElement && target.matches("input, textarea, select")) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const view = isLead ? views.find(({ key }) => key === event.key) : undefined;
      isLead = event.key === "g";
      if (view === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      navigate(view.path);
    };
    addEventListener("keydown", onKey, { capture: true });
    return () => removeEventListener("keydown", onKey, { capture: true });
  }, [views.length]);
}

function Start() {
  const [state, setState] = useState<UiState>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const start = async (): Promise<void> => {
      try {
        await openSession();
        setState(await get<UiState>("state"));
      } catch (error) {
        setProblem(
          error instanceof ApiError ? error.message : "The server does not answer: is pith ui still running?",
        );
      }
    };
    void start();
  }, []);
  if (state !== undefined) return <App state={state} />;
  return (
    <main class="gate" id="main">
      <img src="/ui/icon.svg" alt="" width="48" height="48" />
      <h1>Pith</h1>
      <p role="status">{problem === "" ? "Loading…" : problem}</p>
      {problem !== "" && (
        <p class="dim">
          Run <code>pith ui</code> in a terminal and open the link that it prints.
        </p>
      )}
    </main>
  );
}

const root = document.querySelector("#root");
if (root !== null) render(<Start />, root);
