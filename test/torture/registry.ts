import type { Attack } from "./attack.ts";
import { argumentsAttack } from "./attacks/arguments.ts";
import { cli } from "./attacks/cli.ts";
import { clock } from "./attacks/clock.ts";
import { corrupt } from "./attacks/corrupt.ts";
import { fullDisk } from "./attacks/full-disk.ts";
import { limits } from "./attacks/limits.ts";
import { readOnly } from "./attacks/read-only.ts";
import { soak } from "./attacks/soak.ts";
import { crowd } from "./attacks/crowd.ts";
import { linkRace } from "./attacks/link-race.ts";
import { kill } from "./attacks/kill.ts";
import { protocolHttp } from "./attacks/protocol-http.ts";
import { protocolStdio } from "./attacks/protocol-stdio.ts";
import { repository } from "./attacks/repository.ts";
import { runLogs } from "./attacks/run-logs.ts";
import { services } from "./attacks/services.ts";
import { slowReader } from "./attacks/slow-reader.ts";
import { trees } from "./attacks/trees.ts";
import { vanish } from "./attacks/vanish.ts";

/** All attacks, in the order they are reported. */
export const ATTACKS: readonly Attack[] = [
  protocolStdio,
  protocolHttp,
  argumentsAttack,
  trees,
  runLogs,
  kill,
  vanish,
  slowReader,
  linkRace,
  crowd,
  fullDisk,
  readOnly,
  corrupt,
  repository,
  services,
  clock,
  limits,
  cli,
  soak,
];
