import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServices } from "../../src/app/services.ts";
import type { Services } from "../../src/app/services.ts";
import { loadConfig } from "../../src/config/load.ts";
import { PithError } from "../../src/kernel/errors.ts";
import { callTool } from "../../src/app/pipeline.ts";
import type { Answer, Caller } from "../../src/app/pipeline.ts";
import { TOOLS } from "../../src/app/registry.ts";
import { required, text } from "../../src/app/schema/field.ts";
import type { Field } from "../../src/app/schema/field.ts";
import { defineTool, READ_ONLY } from "../../src/app/tool.ts";
import { makeFolder } from "../support/folder.ts";

const caller: Caller = { signal: new AbortController().signal, progress: () => undefined };

function servicesFor(workspace: string): Services {
  const home = makeFolder();
  const environment = { variables: {}, home, platform: process.platform, cwd: workspace };
  const flags = { "server.data_dir": join(home, "data"), "server.log_level": "error" };
  const services = createServices(loadConfig(environment, workspace, flags).config, environment, workspace);
  onTestFinished(() => services.close());
  return services;
}

function codeOf(answer: Answer): unknown {
  return answer.error?.code;
}

/** A value that the field accepts. */
function anyValue(field: Field<unknown>): unknown {
  if (field.schema.enum !== undefined) return field.schema.enum[0];
  return { string: "x", integer: 1, boolean: false, array: ["x"], object: {} }[field.schema.type];
}

const pathFields = TOOLS.flatMap((tool) =>
  Object.entries(tool.fields)
    .filter(([, field]) => field.path)
    .map(([name]) => ({ tool, name, title: `${tool.name}.${name}` })),
);

describe("the path jail of the pipeline", () => {
  it.each(pathFields)("keeps $title inside the workspace", async ({ tool, name }) => {
    const outside = makeFolder({ "secret.txt": "secret" });
    const workspace = makeFolder({ "inside/a.txt": "" });
    symlinkSync(outside, join(workspace, "link"));
    mkdirSync(join(workspace, "sub"));
    const needed = Object.fromEntries(
      Object.entries(tool.fields)
        .filter(([other, field]) => field.required && other !== name)
        .map(([other, field]) => [other, anyValue(field)]),
    );
    const services = servicesFor(workspace);
    for (const path of [
      outside,
      join(outside, "secret.txt"),
      join(workspace, "link"),
      join(workspace, ".."),
    ]) {
      expect(codeOf(await callTool(tool, { ...needed, [name]: path }, services, caller))).toBe(
        "workspace_not_allowed",
      );
    }
  });

  it("is tested for the tools that take paths", () => {
    expect(pathFields.map(({ title }) => title)).toEqual(
      expect.arrayContaining(["read.file_path", "grep.path"]),
    );
  });
});

describe("a call whose client disconnects", () => {
  it.each([new Error("Connection closed"), "gone", undefined])(
    "ends as cancelled, whatever the reason: %s",
    async (reason) => {
      const search = TOOLS.find(({ name }) => name === "search_code");
      if (search === undefined) throw new Error("no such tool");
      const ending = new AbortController();
      ending.abort(reason);
      const services = servicesFor(makeFolder({ "a.py": "def alpha(): pass\n" }));
      const answer = await callTool(search, { query: "alpha" }, services, {
        ...caller,
        signal: ending.signal,
      });
      expect(codeOf(answer)).toBe("cancelled");
    },
  );
});

describe("the pipeline", () => {
  const echo = defineTool({
    name: "echo",
    title: "Echo",
    toolset: "files",
    description: "",
    searchHint: "",
    annotations: READ_ONLY,
    fields: { word: required(text()) },
    maxTokens: 1_000,
    handle({ word }) {
      if (word === "pith") throw new PithError("output_limit", "too much");
      if (word === "plain") throw new Error("a bug");
      return Promise.resolve({ data: word });
    },
    render: (data, { format, budget }) => ({ text: `${format} ${budget.maxTokens} ${data}` }),
  });

  it("passes a format and a budget to every tool", async () => {
    const services = servicesFor(makeFolder());
    expect((await callTool(echo, { word: "a" }, services, caller)).text).toBe("text 1000 a");
    const asked = { word: "a", response_format: "json", max_tokens: 250 };
    expect((await callTool(echo, asked, services, caller)).text).toBe("json 250 a");
  });

  it("turns every failure into an error with a code", async () => {
    const services = servicesFor(makeFolder());
    expect(await callTool(echo, { word: "pith" }, services, caller)).toMatchObject({
      isError: true,
      error: expect.objectContaining({ code: "output_limit", message: "too much" }),
      text: expect.stringContaining('"code":"output_limit"'),
      meta: { error: "output_limit", retryable: false },
    });
    expect(codeOf(await callTool(echo, { word: "plain" }, services, caller))).toBe("internal_error");
    expect(codeOf(await callTool(echo, {}, services, caller))).toBe("invalid_input");
    expect(codeOf(await callTool(echo, { word: "a", workspace: "elsewhere" }, services, caller))).toBe(
      "workspace_not_registered",
    );
  });

  it("records each call of an agent, and no other, in the usage ledger", async () => {
    const services = servicesFor(makeFolder());
    const byAgent = { ...caller, agent: { client: "some-agent", session: "s1" } };
    await callTool(echo, { word: "a" }, services, byAgent);
    await callTool(echo, { word: "pith" }, services, byAgent);
    await callTool(echo, { word: "a" }, services, caller);
    await callTool(echo, { word: "pith" }, services, caller);
    await services.ledger.flush();
    expect(await services.ledger.read(1)).toMatchObject([
      { tool: "echo", client: "some-agent", session: "s1", failed: false, tokens: expect.any(Number) },
      { tool: "echo", client: "some-agent", session: "s1", failed: true },
    ]);
  });
});
