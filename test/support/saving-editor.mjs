// Simulates an editor in a separate process: it saves Python files in all the ways editors do until its stdin ends, and reports on stdout
// what each file contained from which time. Arguments: folder, seed, files that git tracks, files that git does not track.
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const [, , root, seed, tracked, own] = process.argv;
const trackedFiles = tracked.split(",");
const ownFiles = own.split(",");
/** Texts of the files that only the editor writes. */
const texts = new Map(ownFiles.map((path) => [path, undefined]));
let state = Number(seed) >>> 0;

process.stdin.on("end", () => process.exit(0)).resume();
for (;;) {
  unlessGone(save);
  await new Promise((resolve) => setTimeout(resolve, random(25)));
}

function save() {
  const path = random(3) === 0 ? pick(trackedFiles) : pick(ownFiles);
  const text = makeText(path);
  if (!texts.has(path)) return saveTracked(path, text);
  const tell = journal();
  switch (random(7)) {
    case 0:
      writeFileSync(at(path), text);
      return tell(path, text);
    case 1:
      return saveBeside(path, text);
    case 2:
      writeFileSync(at(path), "");
      return tell(path, "");
    case 3:
      rmSync(at(path), { force: true });
      return tell(path, null);
    case 4:
      // The old modification time is restored, so that only the size and the inode's change time differ.
      writeFileSync(at(path), text);
      tell(path, text);
      return unlessGone(() => utimesSync(at(path), new Date(1e12), new Date(1e12)));
    case 5:
      return moveOwn();
    default: {
      const last = texts.get(path);
      if (last === undefined || last === null) return;
      appendFileSync(at(path), text);
      return tell(path, last + text);
    }
  }
}

/** Git may write these files too, at any time. */
function saveTracked(path, text) {
  const way = random(8);
  if (way < 4) return saveBeside(path, text);
  const tell = journal();
  if (way < 6) {
    rmSync(at(path), { force: true });
    return tell(path, null);
  }
  writeFileSync(at(path), text);
  return tell(path, text, { inPlace: true });
}

/** Git may remove the file, or its folder, at any time. */
function unlessGone(work) {
  try {
    work();
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
}

function saveBeside(path, text) {
  const beside = `${path}.tmp`;
  const tell = journal();
  writeFileSync(at(beside), text);
  tell(beside, text);
  const move = journal();
  renameSync(at(beside), at(path));
  move(beside, null);
  move(path, text);
}

function moveOwn() {
  const from = pick(ownFiles);
  const to = pick(ownFiles);
  const text = texts.get(from);
  if (from === to || text === undefined || text === null) return;
  const tell = journal();
  renameSync(at(from), at(to));
  tell(from, null);
  tell(to, text);
}

function journal() {
  const from = now();
  return (path, text, how = {}) => {
    if (texts.has(path)) texts.set(path, text);
    process.stdout.write(`${JSON.stringify({ path, text, from, to: now(), ...how })}\n`);
  };
}

function makeText(path) {
  const stem = path.replace(/\W/g, "_");
  const parts = Array.from(
    { length: 1 + random(3) },
    (_, i) => `${"\n".repeat(random(9))}def fn_${stem}_${i}_${random(3)}(a):\n    return ${random(1000)}\n`,
  );
  return parts.join("");
}

function at(path) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  return join(root, path);
}

/** Returns milliseconds of a clock that all processes of the machine share. */
function now() {
  return Number(process.hrtime.bigint()) / 1e6;
}

function pick(list) {
  return list[random(list.length)];
}

function random(below) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
}
