import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { BINARY, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { pithInside } from "../support/inside.ts";
import { SHOP } from "./shop.ts";
import { VERB_PAGES } from "./verb-examples.ts";
import type { VerbPage } from "./verb-examples.ts";

const docs = join(import.meta.dirname, "../../docs");

/** The pages are checked only on Node 20, because other versions print errors differently. */
const isPageNode = process.versions.node.startsWith("20.");

it.skipIf(!isPageNode)(
  "every command has a page that shows its real output",
  { timeout: 180_000 },
  async () => {
    const shop = openShop();
    for (const [verb, page] of Object.entries(VERB_PAGES)) {
      await expect(await pageOf(verb, page, shop)).toMatchFileSnapshot(join(docs, `verbs/${verb}.md`));
    }
    expect(Object.keys(VERB_PAGES).sort()).toEqual(Object.keys(COMMANDS).sort());
    expect(readdirSync(join(docs, "verbs")).sort()).toEqual(
      Object.keys(VERB_PAGES)
        .map((verb) => `${verb}.md`)
        .sort(),
    );
  },
);

it("the list of commands links every page", () => {
  const list = readFileSync(join(docs, "commands.md"), "utf8");
  for (const verb of Object.keys(VERB_PAGES)) expect(list).toContain(`(verbs/${verb}.md)`);
});

interface Shop {
  run(line: string, dataFolder?: string): Promise<string>;
}

function openShop(): Shop {
  const cwd = makeFolder(SHOP);
  spawnSync("git", ["init", "-q"], { cwd });
  const env = { ...serverEnvironment({}), NO_COLOR: "1" };
  const ids = new Map<string, string>();
  return {
    async run(line, dataFolder) {
      const typed = line.replace("RUN", [...ids.keys()].at(0) ?? "");
      const own = dataFolder === undefined ? env : { ...env, PITH_DATA_DIR: dataFolder };
      const { stdout, stderr } = NEEDS_A_SHELL.test(typed)
        ? inShell(typed, cwd, own)
        : await pithInside(typed.split(" ").slice(1), cwd, own);
      const text = `${stdout}${stderr}`;
      for (const [, id = ""] of text.matchAll(/(?:\brun |"runId":")(r\d{4,7})\b/g))
        if (!ids.has(id)) ids.set(id, `r${100_001 + ids.size}`);
      return steady(`$ ${typed}\n${text}`, ids).replaceAll(cwd, "~/shop");
    },
  };
}

/** Signs that a shell reads differently from a word. */
const NEEDS_A_SHELL = /[^\w ./:,=-]/;

function inShell(line: string, cwd: string, env: Record<string, string>) {
  const script = line.replace(/^pith/, `'${process.execPath}' '${BINARY}'`);
  return spawnSync("sh", ["-c", script], { cwd, env, encoding: "utf8" });
}

/** Replaces ids by their order of appearance, and measured times by fixed ones. */
function steady(text: string, ids: ReadonlyMap<string, string>): string {
  let steadied = text;
  for (const [id, shown] of ids) steadied = steadied.replaceAll(id, shown);
  return steadied
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "2026-02-03 10:11:12")
    .replaceAll(/\b\d+(?:\.\d+)? s\b/g, "0.1 s")
    .replaceAll(/"duration_seconds":[\d.]+/g, '"duration_seconds":0.1')
    .replaceAll(/"(repository_id|project_id)":"[^"]+"/g, '"$1":"p1a2b3c4"')
    .replaceAll(/^project \w+, database/gm, "project p1a2b3c4, database")
    .replaceAll(/duration_ms:? [\d.]+/g, "duration_ms 1.2")
    .replaceAll(/"duration_ms":\d+/g, '"duration_ms":120')
    .replaceAll(/"latency_ms":\d+/g, '"latency_ms":12');
}

async function pageOf(
  verb: string,
  { about, lines, pasted = [], more, data }: VerbPage,
  shop: Shop,
): Promise<string> {
  const folder = data === undefined ? undefined : makeFolder(data);
  const examples: string[] = [];
  for (const line of lines) examples.push(`\`\`\`\n${(await shop.run(line, folder)).trimEnd()}\n\`\`\``);
  const [, , , ...help] = (await shop.run(`pith help ${verb}`)).trimEnd().split("\n");
  return [
    `# pith ${verb}`,
    about,
    ...examples,
    ...pasted.map((text) => `\`\`\`\n${text}\n\`\`\``),
    `\`\`\`\n${help.join("\n")}\n\`\`\``,
    ...(more === undefined ? [] : [more]),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
}
