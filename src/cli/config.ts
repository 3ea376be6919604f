import type { Key } from "../config/key.ts";
import { allKeys } from "../config/load.ts";
import { environmentName } from "../config/keys.ts";
import { PithError } from "../kernel/errors.ts";
import { JSON_OPTION } from "./command.ts";
import type { Command } from "./command.ts";
import { alignRows } from "./help.ts";
import { paint } from "./io.ts";

export const config: Command = {
  name: "config",
  summary: "Show every setting and where it comes from",
  usage: "[SECTION] [--json]",
  details:
    "Settings are taken from flags, PITH_* variables, pith.toml in the repository, your config.toml, then defaults.",
  options: JSON_OPTION,
  examples: ["pith config", "pith config runs", "PITH_RUNS_KEEP=100 pith config runs --json"],
  run(context) {
    const { config: all, sources, files, refused } = context.loadConfig();
    // pith tools shows the described tools.
    const { tools: _tools, ...config } = all;
    const wanted = context.positionals[0];
    if (wanted !== undefined && !Object.hasOwn(config, wanted)) throw noSection(wanted, Object.keys(config));
    const values: Readonly<Record<string, Readonly<Record<string, unknown>>>> = config;
    const rows = [...allKeys()]
      .filter(([section]) => wanted === undefined || section === wanted)
      .map(([section, name, key]) => ({
        key: `${section}.${name}`,
        value: shownValue(values[section]?.[name], key),
        source: sources.get(`${section}.${name}`) ?? "default",
        variable: environmentName(section, name),
        about: key.about,
      }));
    if (context.flag("json")) context.io.out(`${JSON.stringify({ files, settings: rows, refused })}\n`);
    else {
      const lines = rows.map(({ key, value, source, about }) => {
        const note = source === "default" ? "" : ` [${source}]`;
        return [`${key} = ${JSON.stringify(value)}${note}`, paint(context.io, "dim", about)] as const;
      });
      const ignored = refused.map((message) => `\n${message}`).join("");
      context.io.out(`${alignRows(lines)}\n\nFiles: ${files.repository}, ${files.user}${ignored}\n`);
    }
    return Promise.resolve(0);
  },
};

/** Returns the value of a setting as it is shown; for a secret, only that it is set. */
function shownValue(value: unknown, { secret, fallback }: Key<unknown>): unknown {
  return secret && JSON.stringify(value) !== JSON.stringify(fallback) ? "(set)" : value;
}

function noSection(wanted: string, sections: readonly string[]): PithError {
  return new PithError("invalid_input", `config: no section ${JSON.stringify(wanted)}`, {
    suggestion: `Sections: ${sections.join(", ")}.`,
  });
}
