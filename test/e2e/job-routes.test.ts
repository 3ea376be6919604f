import { describe, expect, it } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { startHttpServer } from "../support/http-server.ts";

const TOKEN = "s3cret";

interface Answered {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
}

/** Returns a function that sends requests to the job routes. */
function requester(url: string, token = TOKEN) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json";
    const answered: Answered = {
      status: response.status,
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
      text,
    };
    return answered;
  };
}

async function serve(files: Record<string, string> = { "a.txt": "one\n" }, args: readonly string[] = []) {
  return requester(
    await startHttpServer(makeFolder(files), { args, env: { PITH_SERVER_HTTP_TOKEN: TOKEN } }),
  );
}

describe("the job routes", () => {
  it("start a job, report on it, and return its log", async () => {
    const send = await serve();
    const posted = await send("POST", "/jobs", {
      command: "sh -c 'cat a.txt; echo careful >&2; exit 4'",
      verbosity: "full",
      timeout: 60,
    });
    // The status is 200 if the job ended before the answer was written.
    expect([200, 202]).toContain(posted.status);
    const id = String(posted.body["job_id"]);
    const shown = await send("GET", `/jobs/${id}?wait_ms=40000`);
    expect(shown).toMatchObject({ status: 200 });
    expect(shown.body).toMatchObject({
      job_id: id,
      success: false,
      exit_code: 4,
      stdout: "one",
      stderr: "careful",
    });
    expect((await send("GET", `/jobs/${id}?verbosity=minimal`)).body).not.toHaveProperty("stdout");
    expect((await send("GET", `/jobs/${id}/logs`)).body).toEqual({
      job_id: id,
      stdout: "one\n",
      stderr: "careful\n",
    });
    expect((await send("GET", `/jobs/${id}/logs?stream=stderr`)).body).toEqual({
      job_id: id,
      stderr: "careful\n",
    });
    const plain = await send("GET", `/jobs/${id}/logs?stream=stdout`, undefined, { Accept: "text/plain" });
    expect(plain.text).toBe("one\n");
    expect((await send("GET", "/status")).body).toEqual({
      workers: [],
      queued_jobs: 0,
      running_jobs: 0,
      local_fallback_active: true,
    });
  });

  it("suggest requests for the rest of a log, for waiting and for stopping, and these work", async () => {
    const send = await serve({
      "many.sh": "for i in $(seq 1 9000); do echo line $i of a long output; done; exit 3\n",
    });
    const follow = async (words: string) => {
      const [method = "", path = ""] = words.split(" ");
      return send(method, path);
    };
    const running = await send("POST", "/jobs", { command: "sleep 600" });
    expect(running.body["hint"]).toMatch(
      /^follow: GET \/jobs\/\w+\?wait_ms=40000; end it: DELETE \/jobs\/\w+$/,
    );
    const [, end = ""] = /end it: (.*)$/.exec(String(running.body["hint"])) ?? [];
    expect((await follow(end)).body).toMatchObject({ cause: "cancelled" });
    const { body } = await send("POST", "/jobs", {
      command: "sh many.sh",
      verbosity: "full",
      wait_ms: 40_000,
    });
    expect(body["hint"]).toBe(`To view the log: GET /jobs/${String(body["job_id"])}/logs`);
    const whole = await follow(String(body["hint"]).replace("To view the log: ", ""));
    expect(String(whole.body["stdout"]).split("\n")).toHaveLength(9_001);
    const { stdout: cut } = body["truncated"] as { stdout: { log: Record<string, string | number> } };
    const query = new URLSearchParams(
      Object.entries(cut.log).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const part = await send("GET", `/jobs/${String(body["job_id"])}/logs?${query.toString()}`);
    expect(part.body).toMatchObject({
      startLine: cut.log["startLine"],
      lines: expect.arrayContaining([expect.any(String)]),
    });
  });

  it("stop a job on request", async () => {
    const send = await serve();
    const { body } = await send("POST", "/jobs", { command: "sleep 600" });
    const ended = await send("DELETE", `/jobs/${String(body["job_id"])}`);
    expect(ended.body).toMatchObject({ success: false, cause: "cancelled" });
  });

  it("refuse invalid requests and name the problem", async () => {
    const send = await serve();
    expect(await send("POST", "/jobs", "{not json")).toMatchObject({ status: 400 });
    expect(await send("POST", "/jobs", [1])).toMatchObject({ status: 400 });
    expect(await send("POST", "/jobs", `"${"x".repeat(5 * 1024 * 1024)}"`)).toMatchObject({ status: 413 });
    const unknown = await send("POST", "/jobs", { comand: "true", verbosity: "loud" });
    expect(unknown.status).toBe(400);
    for (const name of ["comand", "command", "verbosity"]) expect(unknown.text).toContain(name);
    expect(await send("POST", "/jobs", { command: "true", cwd: "/" })).toMatchObject({ status: 403 });
    expect(await send("POST", "/jobs", { command: "true", labels: ["gpu"] })).toMatchObject({ status: 503 });
    expect(await send("GET", "/jobs/r000000")).toMatchObject({ status: 404 });
    expect(await send("GET", "/jobs/r000000/logs?stream=both")).toMatchObject({ status: 404 });
    const stream = await send("GET", "/jobs/r000000/logs?stream=all");
    expect(stream.status).toBe(400);
    expect(stream.text).toContain("stdout");
    expect(await send("GET", "/jobs/r000000/other")).toMatchObject({ status: 404 });
    expect(await send("PUT", "/jobs", {})).toMatchObject({ status: 405 });
  });

  it("are closed without a token, with a wrong token, and on a read-only server", async () => {
    const folder = makeFolder();
    const open = requester(await startHttpServer(folder));
    const refused = await open("POST", "/jobs", { command: "true" });
    expect(refused.status).toBe(403);
    expect(refused.text).toContain("PITH_SERVER_HTTP_TOKEN");
    const url = await startHttpServer(folder, { env: { PITH_SERVER_HTTP_TOKEN: TOKEN } });
    expect(await requester(url, "wrong")("GET", "/status")).toMatchObject({ status: 401 });
    expect(
      await requester(url)("POST", "/jobs", { command: "true" }, { Origin: "http://evil.example" }),
    ).toMatchObject({ status: 403 });
    const reader = await serve({}, ["--read-only"]);
    expect(await reader("POST", "/jobs", { command: "true" })).toMatchObject({ status: 404 });
  });
});
