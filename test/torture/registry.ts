import type { Attack } from "./attack.ts";
import { argumentsAttack } from "./attacks/arguments.ts";
import { crowd } from "./attacks/crowd.ts";
import { kill } from "./attacks/kill.ts";
import { protocolHttp } from "./attacks/protocol-http.ts";
import { protocolStdio } from "./attacks/protocol-stdio.ts";
import { runLogs } from "./attacks/run-logs.ts";
import { slowReader } from "./attacks/slow-reader.ts";
import { trees } from "./attacks/trees.ts";
import { vanish } from "./attacks/vanish.ts";

/** All attacks, in the order of the report. */
export const ATTACKS: readonly Attack[] = [
  protocolStdio,
  protocolHttp,
  argumentsAttack,
  trees,
  runLogs,
  kill,
  vanish,
  slowReader,
  crowd,
];
