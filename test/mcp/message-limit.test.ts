import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { MessageLimit, type RefusedMessage } from "../../src/mcp/message-limit.ts";

async function pass(chunks: readonly string[], maxBytes = 100) {
  const refused: RefusedMessage[] = [];
  const limit = new MessageLimit((message) => void refused.push(message), maxBytes);
  let passed = "";
  for await (const part of Readable.from(chunks, { objectMode: false }).pipe(limit)) passed += String(part);
  return { passed, refused };
}

it("passes messages on unchanged, however they are split into chunks", async () => {
  const text = '{"id":1}\n{"id":"ä"}\r\n\n{"id":2}';
  expect(await pass([text])).toEqual({ passed: text, refused: [] });
  const bytes = [...Buffer.from(text)].map((byte) => Buffer.from([byte]).toString("latin1"));
  expect((await pass(bytes)).refused).toEqual([]);
});

it.each([
  ["at the start", `{"jsonrpc":"2.0","id":7,"method":"x","params":"${"a".repeat(500)}"}`, 7],
  [
    "at the end",
    `{"method":"x","params":{"id":1,"a":"${"a".repeat(5000)}"},"jsonrpc":"2.0","id":"b-7"}`,
    "b-7",
  ],
  ["before the version", `{"method":"x","params":"${"a".repeat(500)}","id":8,"jsonrpc":"2.0"}`, 8],
  ["only inside the parameters", `{"method":"x","params":{"a":"${"a".repeat(500)}","id":9}}`, null],
])("answers a large message with an id %s and goes on", async (_, message, id) => {
  const chunks = [
    `{"id":1}\n${message.slice(0, 50)}`,
    ...(message.slice(50).match(/.{1,97}/gs) ?? []),
    '\n{"id":2}\n',
  ];
  const { passed, refused } = await pass(chunks);
  expect(passed).toBe('{"id":1}\n{"id":2}\n');
  expect(refused).toEqual([{ id, reason: "The message has more than 100 bytes and was not read" }]);
});

it("refuses deep nesting, but not brackets inside a text", async () => {
  const deep = `{"id":3,"a":${"[".repeat(1000)}${"]".repeat(1000)}}\n`;
  const flat = `{"id":4,"a":"${"[{".repeat(500)} \\" ${"[".repeat(500)}"}\n`;
  const { passed, refused } = await pass([deep, flat], 1e6);
  expect(passed).toBe(flat);
  expect(refused).toMatchObject([{ id: 3, reason: /nested too deeply/ }].map(({ id }) => ({ id })));
});
