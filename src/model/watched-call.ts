/** A call of an agent with its answer, as somebody who watches a server sees it. It is never stored. */
export interface WatchedCall {
  readonly at: number;
  readonly durationMs: number;
  readonly tool: string;
  readonly client: string;
  readonly session?: string;
  /** The arguments as JSON, with secrets masked. */
  readonly arguments: string;
  /** The text that the agent received. */
  readonly reply: string;
  readonly tokens: number;
  readonly isError: boolean;
}
