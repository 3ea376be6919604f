import type { UiEvent } from "../ui/wire.ts";

const STORAGE_KEY = "pith-session";
const RETRY_MS = 1_500;

/** An error that the server answered with. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Exchanges the token in the link for the key of a session, and takes it out of the address, so that it stays neither in
 * the history nor on the screen. The key belongs to this origin, port included, and is worthless once the server ends.
 */
export async function openSession(): Promise<void> {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  if (token === null) return;
  history.replaceState(null, "", location.pathname + location.search);
  const { key } = await request<{ key: string }>("session", {
    method: "POST",
    body: JSON.stringify({ token }),
  });
  localStorage.setItem(STORAGE_KEY, key);
}

export type Query = Readonly<Record<string, string | number | undefined>>;

export function get<T>(route: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) words.set(name, String(value));
  const text = words.toString();
  return request<T>(text === "" ? route : `${route}?${text}`, signal === undefined ? {} : { signal });
}

export function post<T>(route: string, body: object): Promise<T> {
  return request<T>(route, { method: "POST", body: JSON.stringify(body) });
}

function headers(): Record<string, string> {
  return {
    "Content-Type": "application/json",
    Authorization: `Bearer ${localStorage.getItem(STORAGE_KEY) ?? ""}`,
  };
}

async function request<T>(route: string, options: RequestInit): Promise<T> {
  const response = await fetch(`/ui/api/${route}`, { ...options, headers: headers() });
  // The server and the page are of the same build, so that the types of wire.ts hold.
  const body = (await response.json()) as T & { error?: { message: string } };
  if (!response.ok) throw new ApiError(response.status, body.error?.message ?? response.statusText);
  return body;
}

/** Receives what the server pushes, and connects again when the connection breaks. Returns a function that ends it. */
export function listen(
  run: string | undefined,
  onEvent: (event: UiEvent) => void,
  onState: (isConnected: boolean) => void,
): () => void {
  const ended = new AbortController();
  void (async () => {
    while (!ended.signal.aborted) {
      try {
        await readEvents(run, onEvent, () => onState(true), ended.signal);
      } catch {
        // The connection broke, or the server has ended: the page says so and tries again.
      }
      if (ended.signal.aborted) return;
      onState(false);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  })();
  return () => ended.abort();
}

async function readEvents(
  run: string | undefined,
  onEvent: (event: UiEvent) => void,
  onOpen: () => void,
  signal: AbortSignal,
): Promise<void> {
  const route = run === undefined ? "events" : `events?run=${encodeURIComponent(run)}`;
  const response = await fetch(`/ui/api/${route}`, { headers: headers(), signal });
  if (!response.ok || response.body === null) return;
  onOpen();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    // The types of wire.ts hold here too.
    for (const part of parts) if (part.startsWith("data: ")) onEvent(JSON.parse(part.slice(6)) as UiEvent);
  }
}
