import { storeRolesSql } from "../app/team.ts";
import { PithError } from "../kernel/errors.ts";
import { type Command, type Context, JSON_OPTION } from "./command.ts";

const VERBS = ["status", "migrate", "roles", "keep"] as const;

export const store: Command = {
  name: "store",
  summary: "Check or prepare the team's store",
  usage: "[status | migrate | roles [--apply] | keep [DAYS]] [--json]",
  details:
    "status says where the store of PITH_STORE is, its schema, and what this connection may do. migrate creates or updates\n" +
    "the schema, with the role that owns the database. roles prints the SQL that creates the roles reader, developer and\n" +
    "worker; with --apply it is run, by a login that owns the database and may create roles. keep shows or sets for how many\n" +
    "days runs, jobs and logs are kept.",
  options: { ...JSON_OPTION, apply: { type: "boolean", about: "Run the SQL of roles." } },
  examples: ["pith store", "pith store migrate", "pith store roles --apply", "pith store keep 30"],
  async run(context) {
    const [word = "status", ...more] = context.positionals;
    const verb = VERBS.find((one) => one === word);
    if (verb === "keep" && more.length < 2) return keep(context, more[0]);
    if (verb === undefined || more.length > 0)
      throw new PithError("invalid_input", `store: must be one of: ${VERBS.join(", ")}`);
    if (verb === "roles") return roles(context);
    return verb === "migrate" ? migrate(context) : status(context);
  },
};

async function status(context: Context): Promise<number> {
  const { ok, detail } = await (await teamOf(context)).check();
  context.io.out(context.flag("json") ? `${JSON.stringify({ ok, detail })}\n` : `${detail}\n`);
  return ok ? 0 : 1;
}

async function migrate(context: Context): Promise<number> {
  const done = await (await teamOf(context)).migrate();
  const rights = done.roles ? ", and its roles have their privileges" : "";
  context.io.out(
    context.flag("json")
      ? `${JSON.stringify(done)}\n`
      : `${done.place} has schema ${done.version}${rights}\n`,
  );
  return 0;
}

async function keep(context: Context, days: string | undefined): Promise<number> {
  const team = await teamOf(context);
  if (days !== undefined) await team.setRetention(Number(days));
  const { keepDays, keptSince } = await team.retention();
  const since = keptSince === undefined ? "" : `; the oldest are of ${keptSince.toISOString().slice(0, 10)}`;
  context.io.out(
    context.flag("json")
      ? `${JSON.stringify({ keepDays, keptSince })}\n`
      : `Runs, jobs and logs are kept for ${keepDays} days${since}\n`,
  );
  return 0;
}

async function roles(context: Context): Promise<number> {
  if (!context.flag("apply")) {
    context.io.out(await storeRolesSql());
    return 0;
  }
  await (await teamOf(context)).createRoles();
  context.io.out("The roles pith_reader, pith_developer and pith_worker have their privileges\n");
  return 0;
}

function teamOf(context: Context) {
  const { team } = context.openServices();
  if (team !== undefined) return team();
  throw new PithError("config_invalid", "store: no team store is configured", {
    suggestion: "Set PITH_STORE=postgres://USER:PASSWORD@HOST/DATABASE.",
  });
}
