import { noPool } from "../../app/pool.ts";
import type { PoolPage } from "../wire.ts";
import type { Handler } from "./handler.ts";

const MAX_JOBS = 200;

export const pool: Handler = async (_parameters, { services }): Promise<PoolPage> => {
  if (services.pool === undefined) throw noPool();
  const { queue } = await services.pool();
  const [status, jobs] = await Promise.all([queue.status(), queue.list({ limit: MAX_JOBS })]);
  return { status, jobs };
};
