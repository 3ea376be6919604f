/** Public API of `pith/runner`: starts, watches and stops a server for the duration of an agent's run. */
export { claudeMcpServers, codexConfigArgs, endpointVariables } from "./providers.ts";
export type { ClaudeHttpServer } from "./providers.ts";
export { startPith } from "./start-pith.ts";
export type { PithEndpoint, PithOptions, PithRun } from "./start-pith.ts";
export type { RunEvent, RunState } from "./states.ts";
export type { RunnerSettings } from "./options.ts";
