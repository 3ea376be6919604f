import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { get, type Query } from "./api.ts";
import { baseName } from "./format.ts";
import type { DeltaCounts, RunState } from "../ui/wire.ts";

const STATE_WORDS: Readonly<Record<RunState, string>> = {
  running: "running",
  ok: "ok",
  unclear: "unclear",
  failed: "failed",
  stopped: "stopped",
  ended: "ended",
};

export function State({ state }: { readonly state: RunState }) {
  return <span class={`state ${state}`}>{STATE_WORDS[state]}</span>;
}

/** What became of the problems of the previous run. */
export function Delta({ delta }: { readonly delta: DeltaCounts | undefined }) {
  if (delta === undefined) return null;
  const parts = [
    { count: delta.fresh, sign: "+", name: "new", class: "fresh" },
    { count: delta.fixed + delta.gone, sign: "−", name: "fixed or gone", class: "fixed" },
    { count: delta.unchanged, sign: "=", name: "unchanged", class: "same" },
    { count: delta.notRun, sign: "?", name: "not checked", class: "same" },
  ].filter(({ count }) => count > 0);
  return (
    <span class="delta">
      {parts.map((part) => (
        <span key={part.name} class={part.class} title={`${part.count} ${part.name}`}>
          {part.sign}
          {part.count}
        </span>
      ))}
    </span>
  );
}

/** Reads a route once, again when the query changes, and if asked to some time after each answer. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the type of its route
export function useData<T>(
  route: string,
  query: Query = {},
  againMs?: number,
): { data?: T; problem?: string; reload: () => void } {
  const [data, setData] = useState<T>();
  const [problem, setProblem] = useState<string>();
  const [turn, setTurn] = useState(0);
  const mark = JSON.stringify(query);
  useEffect(() => {
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      if (againMs === undefined || gone.signal.aborted) return;
      timer = setTimeout(() => setTurn((before) => before + 1), againMs);
    };
    get<T>(route, query, gone.signal)
      .then((value) => {
        setData(value);
        setProblem(undefined);
      })
      .catch((error: unknown) => {
        if (!gone.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
      })
      .finally(again);
    return () => {
      clearTimeout(timer);
      gone.abort();
    };
  }, [route, mark, turn]);
  return {
    ...(data === undefined ? {} : { data }),
    ...(problem === undefined ? {} : { problem }),
    reload: () => setTurn((before) => before + 1),
  };
}

export function Problem({ text }: { readonly text: string }) {
  return (
    <p class="problem" role="alert">
      {text}
    </p>
  );
}

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <div class="empty">{children}</div>;
}

interface PanelProps {
  readonly title: string;
  readonly note?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Panel({ title, note, children }: PanelProps) {
  return (
    <section class="panel" aria-label={title}>
      <h2>
        {title}
        {note !== undefined && <small>{note}</small>}
      </h2>
      {children}
    </section>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly options: readonly (readonly [value: string, name: string])[];
  readonly onChange: (value: string) => void;
}

export function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <label class="select">
      <span class="hidden">{label}</span>
      <select aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface WorkspaceSelectProps {
  readonly workspaces: readonly string[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function WorkspaceSelect({ workspaces, value, onChange }: WorkspaceSelectProps) {
  if (workspaces.length < 2) return null;
  return (
    <Select
      label="Workspace"
      value={value}
      options={workspaces.map((one) => [one, baseName(one)] as const)}
      onChange={onChange}
    />
  );
}

interface AskProps {
  readonly question: string;
  readonly detail: string;
  readonly action: string;
  readonly onAnswer: (yes: boolean) => void;
}

/** Asks before something is changed. */
export function Ask({ question, detail, action, onAnswer }: AskProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={() => onAnswer(false)} aria-label={question}>
      <h2>{question}</h2>
      <pre>{detail}</pre>
      <div class="buttons">
        <button type="button" onClick={() => onAnswer(false)}>
          Cancel
        </button>
        <button type="button" class="primary" onClick={() => onAnswer(true)}>
          {action}
        </button>
      </div>
    </dialog>
  );
}
