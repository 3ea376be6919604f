/** Measures the tokens of the tool list, which a session pays before its first call, compared with other servers. */
import { tmpdir } from "node:os";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { NOT_INSTALLED, peerProgram, peerTitle, pithServer, withServer } from "./report/peers.ts";
import type { PeerName } from "./report/peers.ts";
import { report, sampleOf } from "./report/section.ts";
import type { Figure } from "./report/section.ts";

const PEERS: readonly PeerName[] = [
  "server-filesystem",
  "vitest-mcp",
  "context-mode",
  "mcp-server-commands",
  "codegraph",
  "eslint-mcp",
  "desktop-commander",
];
const ARGUMENTS: Partial<Record<PeerName, readonly string[]>> = {
  "server-filesystem": [tmpdir()],
  codegraph: ["serve", "--mcp"],
};

const pith = sampleOf([await listTokens(pithServer(tmpdir()))]);
const figures: Figure[] = [
  { what: "all default tools (7)", unit: "tokens", pith, atMost: 1_200 },
  {
    what: "slim: build and search_code",
    unit: "tokens",
    pith: sampleOf([await listTokens(pithServer(tmpdir(), "--slim"))]),
    atMost: 400,
  },
];
for (const name of PEERS) {
  const program = peerProgram(name);
  const other =
    program === undefined
      ? { name: peerTitle(name), missing: NOT_INSTALLED }
      : {
          name: peerTitle(name),
          sample: sampleOf([
            await listTokens({ command: program, args: ARGUMENTS[name] ?? [], cwd: tmpdir() }),
          ]),
        };
  figures.push({ what: "default tools", unit: "tokens", pith, other });
}
report({
  title: "The tool list",
  about:
    "Names, descriptions and input schemas of `tools/list`, counted with o200k. Other servers do other things; the figure is what their presence costs every session.",
  figures,
});

async function listTokens(server: Parameters<typeof withServer>[0]): Promise<number> {
  return withServer(server, async (client) => {
    const { tools } = await client.listTools();
    const read = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    return encode(JSON.stringify(read)).length;
  });
}
