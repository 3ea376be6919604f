/**
 * Writes the calls in a run's reply as one types them in a shell: who reads it there need not know the tools. The id is
 * Pith's own and new, so no line of the command's output is changed.
 */
export function asShellCalls(text: string, runId: string): string {
  const log = `build action=log runId=${runId}`;
  return text
    .replaceAll(new RegExp(`${log} startLine=(\\d+)`, "g"), `pith logs ${runId} --lines $1-`)
    .replaceAll(new RegExp(`${log} wait_ms=(\\d+)000`, "g"), `pith logs ${runId} --wait $1`)
    .replaceAll(log, `pith logs ${runId}`)
    .replaceAll(`build action=stop runId=${runId}`, `pith runs --stop ${runId}`);
}
