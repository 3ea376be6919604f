import { PithError } from "../../src/kernel/errors.ts";
import { defineTool, READ_ONLY } from "../../src/app/tool.ts";
import type { AnyTool } from "../../src/app/tool.ts";

/** The tools that the conformance suite calls, defined like our own, so that its checks go through our pipeline. */
export const FIXTURE_TOOLS: readonly AnyTool[] = [
  fixtureTool("test_simple_text", () => Promise.resolve("This is a simple text response for testing.")),
  fixtureTool("test_error_handling", () => {
    throw new PithError("internal_error", "This tool intentionally returns an error for testing");
  }),
  fixtureTool("test_tool_with_progress", async (progress) => {
    for (const step of [0, 50, 100]) {
      progress(`step ${step}`, step, 100);
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    return "done";
  }),
];

type Progress = (message: string, done?: number, total?: number) => void;

function fixtureTool(name: string, work: (progress: Progress) => Promise<string>): AnyTool {
  return defineTool({
    name,
    title: name,
    toolset: "files",
    description: "A fixture of the conformance suite.",
    searchHint: "",
    annotations: READ_ONLY,
    fields: {},
    maxTokens: 1_000,
    handle: async (_args, call) => ({
      data: await work((message, done, total) => call.progress(message, done, total)),
    }),
    render: (text) => ({ text }),
  });
}
