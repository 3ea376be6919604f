import { MODERN_META, type Era } from "./peer.ts";
import type { Random } from "./random.ts";

/** One message to send: a line for stdio or a body for HTTP, without a line break. */
export interface Shot {
  readonly bytes: Buffer;
  /** The request id, if the protocol requires a response. */
  readonly owed?: number;
}

/** Generates broken or unusual input of every kind, and sometimes a valid request that must be answered. */
export function randomShot(random: Random, id: number, era: Era): Shot {
  return random.pick(SHOTS)(random, id, era);
}

/** Generates input before the handshake, where a request of the other protocol version would select that version. */
export function shotBeforeGreeting(random: Random, id: number, era: Era): Shot {
  const maker = random.pick(SHOTS);
  return (maker === wrongEra ? validRequest : maker)(random, id, era);
}

type Maker = (random: Random, id: number, era: Era) => Shot;

const SHOTS: readonly Maker[] = [
  validRequest,
  validRequest,
  validRequest,
  wrongEra,
  brokenJson,
  brokenJson,
  mutated,
  mutated,
  wrongTypes,
  wrongTypes,
  notification,
  batch,
  invalidUtf8,
  huge,
  deep,
];

/** Creates a valid request that must be answered. */
export function validRequest(random: Random, id: number, era: Era): Shot {
  const [method, params] = random.pick([
    ["tools/list", {}],
    ["tools/call", { name: "read", arguments: { file_path: "hello.txt" } }],
    ["tools/call", { name: "grep", arguments: { pattern: random.word(2) } }],
    ["tools/call", { name: random.word(), arguments: {} }],
    ["no/such", {}],
  ] as const);
  return { bytes: encode({ jsonrpc: "2.0", id, method, params: withMeta(params, era) }), owed: id };
}

function withMeta(params: object, era: Era): object {
  return era === "modern" ? { ...params, _meta: MODERN_META } : params;
}

function encode(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function wrongEra(random: Random, id: number, era: Era): Shot {
  const { bytes } = validRequest(random, id, era === "modern" ? "legacy" : "modern");
  return { bytes };
}

function brokenJson(random: Random, id: number, era: Era): Shot {
  const whole = validRequest(random, id, era).bytes;
  const pieces = [
    whole.subarray(0, random.int(0, whole.length - 1)),
    Buffer.concat([whole, whole]),
    Buffer.from(random.pick(["{", "]", "nul", '"', "\u0000", "{}{}", "[[[", "Content-Length: 5", " ", "\r"])),
    random.bytes(random.size(2_000)),
  ];
  return { bytes: oneLine(random.pick(pieces)) };
}

function mutated(random: Random, id: number, era: Era): Shot {
  const bytes = Buffer.from(validRequest(random, id, era).bytes);
  for (let i = random.int(1, 6); i > 0; i--) bytes[random.int(0, bytes.length - 1)] = random.int(32, 255);
  return { bytes: oneLine(bytes) };
}

const ODD: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  "",
  "x",
  [],
  {},
  [null],
  { a: 1 },
  "__proto__",
  "\u0000",
  Number.MAX_SAFE_INTEGER + 2,
];

function wrongTypes(random: Random, _id: number, era: Era): Shot {
  const odd = (): unknown => random.pick(ODD);
  return {
    bytes: encode({
      jsonrpc: random.chance(0.7) ? "2.0" : odd(),
      ...(random.chance(0.8) && { id: odd() }),
      method: random.chance(0.5) ? random.pick(["tools/call", "initialize", "ping", "tools/list"]) : odd(),
      params: random.chance(0.5)
        ? withMeta({ name: odd(), arguments: odd(), cursor: odd(), protocolVersion: odd() }, era)
        : odd(),
    }),
  };
}

function notification(random: Random): Shot {
  const method = random.pick([
    "notifications/cancelled",
    "notifications/initialized",
    "notifications/progress",
    "notifications/roots/list_changed",
    "notifications/none",
  ]);
  const params = { requestId: random.pick([0, -1, "x", null]), progressToken: random.pick(ODD), progress: 1 };
  return { bytes: encode({ jsonrpc: "2.0", method, params }) };
}

function batch(random: Random, id: number, era: Era): Shot {
  const one = JSON.parse(validRequest(random, id, era).bytes.toString()) as unknown;
  return { bytes: encode(Array.from({ length: random.int(0, 5) }, () => one)) };
}

function invalidUtf8(random: Random, id: number, era: Era): Shot {
  const whole = validRequest(random, id, era).bytes;
  const at = random.int(1, whole.length - 1);
  return {
    bytes: Buffer.concat([
      whole.subarray(0, at),
      Buffer.from([0xff, 0xc0, 0x80, 0xed, 0xa0]),
      whole.subarray(at),
    ]),
  };
}

function huge(random: Random, id: number, era: Era): Shot {
  const text = random.word(4).repeat(random.size(500_000));
  const params = { name: random.pick(["read", "grep", text]), arguments: { file_path: text, pattern: text } };
  return {
    bytes: encode({ jsonrpc: "2.0", id, method: "tools/call", params: withMeta(params, era) }),
    owed: id,
  };
}

function deep(random: Random, id: number): Shot {
  const depth = random.size(100_000);
  const [open, close] = random.pick([
    ["[", "]"],
    ['{"a":', "}"],
  ] as const);
  const nested = `${open.repeat(depth)}1${close.repeat(depth)}`;
  return {
    bytes: Buffer.from(
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"read","arguments":${nested}}}`,
    ),
  };
}

function oneLine(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => (byte === 10 ? 32 : byte)));
}
