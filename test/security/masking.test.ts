import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { call, pithMeta, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

// The secret is assembled at run time, so that no scanner reports this file as a leak.
const TOKEN = ["ghp", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].join("_");
const PEM = generateKeyPairSync("rsa", { modulusLength: 2048 })
  .privateKey.export({ type: "pkcs8", format: "pem" })
  .toString();
const KEY_LINES = PEM.trim().split("\n");

/** Lines that mention secrets but contain none; earlier versions masked some of them by mistake. */
const CODE = [
  's_auth = r.headers.get("www-authenticate", "")',
  "password = getpass.getpass(prompt='Password: ')",
  'token: str = Field(default="", alias="access_token")',
  "SECRET_KEY = os.environ['SECRET_KEY']",
  "def authorize(api_key=None, secret_access_key=None): pass",
  'url = f"https://{user}:{password}@{host}/repo.git"',
  'assert parse("postgres://user:pass@localhost/db").password == "pass"',
  'headers = {"Authorization": f"Bearer {access_token2}"}',
];

const FILES = {
  ".env": `PORT=3000\nAPI_TOKEN=${TOKEN}\nDB_PASSWORD=Tr0ub4dor-3x\n`,
  "code.py": `${CODE.join("\n")}\n`,
  "app.js": `const KEY = "${TOKEN}";\nfunction answer() {\n  return KEY;\n}\n`,
  "key.pem": PEM,
  "service.json": `${JSON.stringify({ type: "service_account", private_key: PEM })}\n`,
};

describe("source text", () => {
  it("reaches an agent unchanged through every tool", async () => {
    const client = await connect(makeFolder(FILES));
    const whole = CODE.join("\n");
    const numbered = CODE.map((line, index) => `${index + 1}| ${line}`).join("\n");
    expect(await call(client, "read", { file_path: "code.py" })).toBe(numbered);
    const json = JSON.parse(await call(client, "read", { file_path: "code.py", response_format: "json" }));
    expect(json).toMatchObject({ content: whole });
    expect(json).not.toHaveProperty("masked");
    const found = JSON.parse(
      await call(client, "grep", { pattern: ".", path: "code.py", response_format: "json" }),
    ) as { matches: { text: string }[] };
    expect(found.matches.map(({ text }) => text)).toEqual(CODE);
    expect(await call(client, "bash", { command: "cat code.py" })).toContain(whole);
    const hits = await call(client, "search_code", {
      query: "authorize secret_access_key",
      detail_level: "detailed",
      path: "code.py",
    });
    expect(hits).toContain("def authorize(api_key=None, secret_access_key=None): pass");
    expect(hits).not.toContain("masked");
  });
});

describe("a reply with secrets", () => {
  /** Each call with the last line of its reply. */
  const CALLS: readonly (readonly [string, Record<string, unknown>, string])[] = [
    ["read", { file_path: ".env" }, "[2 secrets masked: lines 2, 3]"],
    ["read", { file_path: "key.pem" }, `[1 secret masked: lines 2-${KEY_LINES.length - 1}]`],
    ["read", { file_path: "service.json" }, "[1 secret masked: line 1]"],
    ["grep", { pattern: "ghp_" }, "[2 secrets masked: .env:2, app.js:1]"],
    ["grep", { pattern: "private_key", path: "service.json" }, "[1 secret masked: service.json:1]"],
    ["locate_symbol", { name: "KEY" }, "[1 secret masked: app.js:1]"],
    [
      "search_code",
      { query: "KEY", detail_level: "detailed", path: "app.js" },
      "[1 secret masked: app.js:1]",
    ],
    ["get_file_outline", { path: "app.js" }, "[1 secret masked: line 1]"],
    ["bash", { command: "echo one; cat .env" }, "[2 secrets masked in the log: lines 3, 4]"],
    [
      "build",
      { action: "exec", tool: `sh -c 'echo "x.c:1:2: error: bad ${TOKEN}" >&2; exit 1'` },
      "[1 secret masked in the log: line 1]",
    ],
  ];

  it("reports the number and the lines of its secrets in every format", async () => {
    const client = await connect(makeFolder(FILES));
    for (const [name, args, note] of CALLS) {
      const reply = async (format: string) => {
        const result = await client.callTool({ name, arguments: { ...args, response_format: format } });
        for (const secret of [TOKEN, "Tr0ub4dor-3x", KEY_LINES[5] ?? ""])
          expect(textOf(result), note).not.toContain(secret);
        expect(pithMeta(result)["masked"], note).toMatchObject({ count: Number(/\d+/.exec(note)?.[0]) });
        return textOf(result);
      };
      expect((await reply("text")).split("\n").at(-1)).toBe(note);
      expect((await reply("markdown")).split("\n").at(-1)).toBe(note);
      const { masked } = JSON.parse(await reply("json")) as { masked: { places: string[] } };
      expect(note).toContain(masked.places.join(", "));
    }
  });

  it("reports a masked key when only lines inside the key are read", async () => {
    const client = await connect(makeFolder(FILES));
    const inside = await call(client, "read", { file_path: "key.pem", start_line: 6, end_line: 9 });
    expect(inside.split("\n")).toEqual([
      "6| (key-masked)",
      "7| (key-masked)",
      "8| (key-masked)",
      "9| (key-masked)",
      "[of 28 lines]",
      "[1 secret masked: lines 6-9]",
    ]);
    for (const line of [KEY_LINES[7] ?? "", KEY_LINES[26] ?? ""]) {
      const found = await call(client, "grep", { pattern: line.slice(0, 20).replaceAll("+", "\\+") });
      expect(found).toContain("(key-masked)");
      expect(found).not.toContain(line.slice(0, 20));
    }
    const certificate = PEM.replaceAll("PRIVATE KEY", "CERTIFICATE");
    const other = await connect(makeFolder({ "cert.pem": certificate }));
    expect(await call(other, "read", { file_path: "cert.pem", start_line: 6, end_line: 6 })).toContain(
      KEY_LINES[5],
    );
  });

  it("does not show a part of a secret that was searched for", async () => {
    const work = makeFolder(FILES);
    const run = (args: readonly string[]) => pithInside(["grep", ...args], work);
    const { stdout, stderr } = await run(["-o", "Tr0ub.*", ".env"]);
    expect(stdout).toContain("(secret-masked)");
    expect(stdout).not.toContain("Tr0ub");
    expect(stdout + stderr).toContain("[1 secret masked: .env:3]");
    expect((await run(["-o", "PORT=[0-9]+", ".env"])).stdout).toContain("PORT=3000");
    expect((await run(["-o", "q.{20}", "key.pem"])).stdout).not.toMatch(/q[\w+/]{20}/);
  });

  it("reports only the secrets in the part that it shows", async () => {
    const lines = Array.from({ length: 400 }, (_, index) => `line ${index + 1} of some ordinary text`);
    lines[2] = `first ${TOKEN}`;
    lines[390] = `last ${TOKEN}`;
    const client = await connect(makeFolder({ "a.txt": lines.join("\n") }));
    const first = await call(client, "read", { file_path: "a.txt", max_tokens: 500 });
    expect(first).toContain("[1 secret masked: line 3]");
    expect(await call(client, "read", { file_path: "a.txt", start_line: 10, end_line: 20 })).not.toContain(
      "masked",
    );
  });

  it("is valid JSON even with secrets masked in it", async () => {
    const values = {
      password: 'say "hi"',
      auth: Buffer.from("ada:Tr0ub4dor-3x").toString("base64"),
      url: "postgres://app:Tr0ub4dor-3x@db.acme.io/x",
      key: PEM,
      note: `a\\"${TOKEN}\\"b`,
    };
    const client = await connect(makeFolder({ "a.json": JSON.stringify(values, null, 1) }));
    for (const args of [{ file_path: "a.json" }, { file_path: "a.json", start_line: 3, end_line: 5 }]) {
      const text = await call(client, "read", { ...args, response_format: "json" });
      const { content } = JSON.parse(text) as { content: string };
      expect(content).toContain("masked");
      for (const secret of [TOKEN, "Tr0ub4dor", KEY_LINES[3] ?? ""]) expect(text).not.toContain(secret);
    }
  });
});

describe("a log", () => {
  it("is stored masked, and each read reports that", async () => {
    const dataFolder = makeFolder();
    const work = makeFolder(FILES);
    const client = await connect(work, { dataFolder, args: ["--toolsets", "run,files,jobs"] });
    const red = `\\033[31m${TOKEN.slice(0, 11)}\\033[1m${TOKEN.slice(11)}\\033[0m`;
    const result = await client.callTool({
      name: "bash",
      arguments: { command: `printf 'one\\ncoloured ${red}\\nthree\\n'; cat key.pem; echo end` },
    });
    expect(textOf(result)).toContain("coloured (secret-masked)");
    expect(textOf(result)).toContain("[2 secrets masked in the log: lines 2, 5-30]");
    const runId = String(pithMeta(result)["run_id"]);
    const log = await call(client, "build", { action: "log", runId, startLine: 1, lineCount: 3 });
    expect(log).toContain("[1 secret masked: line 2]");
    const inside = await call(client, "build", { action: "log", runId, startLine: 9, lineCount: 3 });
    expect(inside).toContain("[1 secret masked: lines 9-11]");
    expect(await call(client, "build", { action: "log", runId, startLine: 32, lineCount: 3 })).not.toContain(
      "masked",
    );
    const job = JSON.parse(
      await call(client, "get_job_logs", { job_id: runId, response_format: "json" }),
    ) as Record<string, unknown>;
    expect(job["masked"]).toEqual({ count: 2, places: ["2", "5-30"] });
    await client.close();
    const again = await connect(work, { dataFolder });
    expect(await call(again, "build", { action: "log", runId, grep: "coloured" })).toContain(
      "[1 secret masked: line 2]",
    );
  });

  it("that prints only the text of a mask reports no secrets", async () => {
    const client = await connect(makeFolder());
    const result = await client.callTool({ name: "bash", arguments: { command: "echo '(secret-masked)'" } });
    const runId = String(pithMeta(result)["run_id"]);
    expect(await call(client, "build", { action: "log", runId })).not.toContain("1 secret");
  });

  it("shows no secret that a filter extracted from a line", async () => {
    const show = 'process.stdout.write(require("fs").readFileSync(process.argv[2], "utf8"))';
    const client = await connect(makeFolder({ ...FILES, "show.js": show }));
    for (const command of [
      "node show.js .env | cut -d= -f2",
      "node show.js .env | sed -n 's/DB_PASSWORD=//p'",
      "node show.js key.pem | tail -5",
      "node show.js key.pem | head -6 | tail -2",
    ]) {
      const text = await call(client, "bash", { command });
      expect(text, command).toContain("(secret-masked)");
      for (const secret of ["Tr0ub4dor", KEY_LINES[4] ?? "", KEY_LINES[24] ?? ""])
        expect(text.replace(/^.*run r\w+$/m, ""), command).not.toContain(secret);
    }
  });

  it("shows no secret while it grows", async () => {
    const client = await connect(makeFolder(FILES));
    const told: string[] = [];
    await client.callTool(
      { name: "bash", arguments: { command: `cat .env; sleep 1.5; echo ${TOKEN}; sleep 1` } },
      { onprogress: ({ message }) => void told.push(message ?? "") },
    );
    expect(told.join("\n")).toContain("(secret-masked)");
    expect(told.join("\n")).not.toContain(TOKEN);
    expect(told.join("\n")).not.toContain("Tr0ub4dor");
  });
});

describe("the setting for files", () => {
  it("shows files unmasked, but still masks logs", async () => {
    const client = await connect(makeFolder(FILES), { env: { PITH_SECURITY_MASK_FILES: "false" } });
    expect(await call(client, "read", { file_path: ".env" })).toBe(
      FILES[".env"]
        .trim()
        .split("\n")
        .map((line, index) => `${index + 1}| ${line}`)
        .join("\n"),
    );
    expect(await call(client, "grep", { pattern: "ghp_" })).toContain(TOKEN);
    expect(await call(client, "locate_symbol", { name: "KEY" })).toContain(TOKEN);
    expect(await call(client, "get_file_outline", { path: "app.js" })).toContain(TOKEN);
    expect(await call(client, "bash", { command: "cat .env" })).not.toContain(TOKEN);
  });

  it("cannot be turned off by a repository", async () => {
    for (const value of [false, true]) {
      const work = makeFolder({ ...FILES, "pith.toml": `[security]\nmask_files = ${value}\n` });
      const client = await connect(work, { env: {} });
      expect(await call(client, "read", { file_path: ".env" })).not.toContain(TOKEN);
      expect(readFileSync(join(work, ".env"), "utf8")).toContain(TOKEN);
    }
  });
});
