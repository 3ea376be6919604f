import type { JobQueue, JobRecord } from "../../../src/pool/queue.ts";
import { openChunkLog } from "../../../src/pool/chunk-log.ts";

/** A job whose output shows which files it saw, whether all output arrived, and which result is correct. */
export interface ChaosJob {
  readonly number: number;
  readonly lines: number;
  readonly command: string;
}

/**
 * A script in the workspace that prints its input slowly enough to be disturbed, and sometimes leaves a process behind. It
 * leaves none when a server without a database runs it locally, where background processes may stay.
 */
export const SCRIPT = `
number=$1; lines=$2; at=1
echo "state $(cat state.txt)"
echo "installed $(cat installed/version)"
# A job that changes what was installed must not change it for others.
echo changed > installed/version
while [ $at -le $lines ]; do
  echo "out $number $at"
  echo "err $number $at" >&2
  [ $((at % 10)) -eq 0 ] && sleep 0.1
  at=$((at + 1))
done
[ -z "$PITH_POOL_SLOTS" ] && [ $((number % 5)) -eq 0 ] && { nohup sleep 600 >/dev/null 2>&1 & }
exit $((number % 3))
`;

/** The settings of the workspace: what is installed before each job. It takes long enough to be disturbed. */
export const SETTINGS = `[pool.prepare]
commands = ["sleep 0.5; mkdir installed; cp version.txt installed/version"]
files = ["version.txt"]
`;

/** The version that a job needs installed; a few jobs share each. */
export function versionOf({ number }: Pick<ChaosJob, "number">): number {
  return Math.floor(number / 10);
}

export function chaosJob(number: number): ChaosJob {
  const lines = 20 + (number % 7) * 20;
  return { number, lines, command: `sh job.sh ${number} ${lines}` };
}

export function exitCodeOf({ number }: ChaosJob): number {
  return number % 3;
}

/** Lists what is wrong with the record of a job; empty if it is correct. */
export async function faultsOf(job: ChaosJob, record: JobRecord, queue: JobQueue): Promise<string[]> {
  const faults: string[] = [];
  const expect = (what: string, seen: unknown, wanted: unknown) => {
    if (JSON.stringify(seen) !== JSON.stringify(wanted))
      faults.push(
        `${record.id} ${job.command}: ${what} is ${JSON.stringify(seen)}, not ${JSON.stringify(wanted)}`,
      );
  };
  expect("state", record.state, "ended");
  expect("cause", record.result?.end.cause, "exit");
  expect("exit code", record.result?.end.exitCode, exitCodeOf(job));
  const won = record.attempts.filter(({ outcome }) => outcome === "won");
  expect("number of winners", won.length, 1);
  expect("attempts without an end", record.attempts.filter(({ outcome }) => outcome === undefined).length, 0);
  const log = openChunkLog(queue, record.id, won[0]?.token);
  const numbers = Array.from({ length: job.lines }, (_, at) => at + 1);
  const wanted = {
    stdout: [
      `state ${job.number}`,
      `installed ${versionOf(job)}`,
      ...numbers.map((at) => `out ${job.number} ${at}`),
    ],
    stderr: numbers.map((at) => `err ${job.number} ${at}`),
  };
  for (const stream of ["stdout", "stderr"] as const) {
    const lines = await log.lines({ stream, from: 1, count: 10_000 });
    expect(
      stream,
      lines.map(({ bytes }) => bytes.toString("utf8")),
      wanted[stream],
    );
  }
  expect("count of lines", record.result?.log.lines, wanted.stdout.length + wanted.stderr.length);
  return faults;
}
