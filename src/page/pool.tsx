import { ago, duration, number } from "./format.ts";
import { Link } from "./navigation.tsx";
import { Empty, Panel, Problem, useData } from "./parts.tsx";
import type { Job } from "../model/job.ts";
import type { PoolPage } from "../ui/wire.ts";

const REFRESH_MS = 2_000;

/** The workers and jobs of the team's pool. */
export function PoolView() {
  const { data, problem } = useData<PoolPage>("pool", {}, REFRESH_MS);
  if (data === undefined)
    return (
      <>
        <Head />
        {problem === undefined ? <Empty>Loading…</Empty> : <Problem text={problem} />}
      </>
    );
  const { status, jobs } = data;
  const slots = status.workers.reduce((sum, one) => sum + one.slots, 0);
  const longest = Math.max(...jobs.map((job) => timesOf(job).waited + timesOf(job).worked));
  const busy = status.workers.reduce((sum, one) => sum + one.active, 0);
  return (
    <>
      <Head />
      {problem !== undefined && <Problem text={problem} />}
      <dl class="tiles">
        <div class="tile">
          <dt>workers</dt>
          <dd>
            {number(status.workers.length)}
            <small>
              {busy} of {slots} slots busy
            </small>
          </dd>
        </div>
        <div class="tile">
          <dt>queued</dt>
          <dd>
            {number(status.queued)}
            <small>waiting for a worker</small>
          </dd>
        </div>
        <div class="tile">
          <dt>running</dt>
          <dd>
            {number(status.running)}
            <small>on a worker</small>
          </dd>
        </div>
      </dl>
      {status.localFallback && <p class="notes">No worker is connected: servers run their own jobs.</p>}
      <Panel title="Workers">
        {status.workers.length === 0 ? (
          <p class="dim">
            None. Start one: <code>pith worker</code>
          </p>
        ) : (
          <ul class="workers">
            {status.workers.map((worker) => (
              <li key={worker.id}>
                <b>{worker.id}</b> {worker.draining && <span class="tag">draining</span>}
                <meter
                  min={0}
                  max={worker.slots}
                  value={worker.active}
                  aria-label={`${worker.active} of ${worker.slots} slots busy`}
                />
                <span class="dim">
                  {worker.active} of {worker.slots} slots · seen {ago(worker.lastSeen)} · since{" "}
                  {ago(worker.connectedSince)}
                </span>
                <span class="tags">
                  {worker.labels.map((label) => (
                    <span key={label} class="tag">
                      {label}
                    </span>
                  ))}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {jobs.length === 0 && <Empty>No server has submitted a job to this pool yet.</Empty>}
      {jobs.length > 0 && (
        <Panel title="Jobs" note="grey: waited, colour: worked">
          <div class="scroll" tabIndex={0} role="region" aria-label="Jobs">
            <table>
              <thead>
                <tr>
                  <th scope="col">job</th>
                  <th scope="col">state</th>
                  <th scope="col">command</th>
                  <th scope="col">submitter</th>
                  <th scope="col">worker</th>
                  <th scope="col">where the time went</th>
                </tr>
              </thead>
              <tbody>
                {jobs.map((job) => (
                  <JobRow key={job.id} job={job} longest={longest} />
                ))}
              </tbody>
            </table>
          </div>
        </Panel>
      )}
    </>
  );
}

function Head() {
  return (
    <div class="head">
      <h1>Pool</h1>
    </div>
  );
}

function timesOf({ submittedAt, startedAt, endedAt = Date.now() }: Job): { waited: number; worked: number } {
  return {
    waited: (startedAt ?? endedAt) - submittedAt,
    worked: startedAt === undefined ? 0 : endedAt - startedAt,
  };
}

/** The width of the bar of the job that took longest. */
const BAR_PIXELS = 100;

function JobRow({ job, longest }: { readonly job: Job; readonly longest: number }) {
  const { waited, worked } = timesOf(job);
  const width = (ms: number): string => `${Math.max(1, (ms / longest) * BAR_PIXELS)}px`;
  return (
    <tr>
      <th scope="row">
        <Link to={`runs/${job.id}`}>{job.id}</Link>
      </th>
      <td>
        {stateOf(job)}
        {job.token > 1 && <span class="tag">attempt {job.token}</span>}
      </td>
      <td>
        <code>{job.command}</code>
      </td>
      <td>{job.submitter}</td>
      <td>{job.worker ?? "–"}</td>
      <td class="time-bar">
        <span class="waited" style={{ width: width(waited) }} />
        <span class="worked" style={{ width: width(worked) }} /> {duration(waited)} + {duration(worked)}
      </td>
    </tr>
  );
}

function stateOf({ state, end, cancelRequested }: Job): string {
  if (end !== undefined) return end.cause === "exit" ? `exit ${end.exitCode}` : end.cause;
  return cancelRequested ? "stopping" : state;
}
