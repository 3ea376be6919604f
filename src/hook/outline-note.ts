import { callTool } from "../app/pipeline.ts";
import { getFileOutlineTool } from "../app/tools/get-file-outline.ts";
import { withServices } from "./hook-services.ts";
import type { HookReply, ReadWork } from "./work.ts";

/** The most tokens of the note beside a file's text. */
const MAX_TOKENS = 500;

/** Returns the outline of a long file that the client's own tool has read, so that the agent's next read can be a short one. */
export async function noteOutline({ cwd, path }: ReadWork): Promise<HookReply | undefined> {
  return withServices(cwd, async (services, reader) => {
    const signal = new AbortController().signal;
    const args = { path, depth: "top", max_tokens: MAX_TOKENS };
    const { isError, text } = await callTool(getFileOutlineTool, args, services, {
      signal,
      reader,
      progress: () => undefined,
    });
    return isError ? undefined : { note: `Outline of ${path}:\n${text}` };
  });
}
