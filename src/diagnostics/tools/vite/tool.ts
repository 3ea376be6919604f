import { isFrame } from "../../javascript/frames.ts";
import { readRollupError } from "../../javascript/rollup-error.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const vite = defineBuildTool({
  id: "vite",
  title: "Vite",
  url: "https://vite.dev",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["error during build:", " building "],
  priority: 5,
  parser: viteParser,
  commands: [
    {
      name: "vite.build",
      description: "Build for production",
      detect: (folder) =>
        folder.packageJson?.dependencies["vite"] === undefined ? undefined : "package.json depends on vite",
      argv: () => ["npx", "--no-install", "vite", "build"],
    },
  ],
});

const BUILDING = /^vite v\d+\.\d+\.\d+ building /;
const DURING = /^error during build:$/;
const DONE = /^✓ built in /;
const NOISE =
  /^(?:transforming|rendering chunks|computing gzip size|✓ \d+ modules transformed|[✗x] Build failed in )/;
/** Matches a remark of Vite about one location in the project's code. */
const REMARK = /^(?:\[plugin [\w@:/.-]+\] )?\S.{0,500} \(\d{1,9}:\d{1,9}\): \S/;
/** Matches the error code in brackets with which Vite, since version 8, prints errors of Rolldown and of plugins. */
const CODED = /^\[[A-Z][A-Z_]+\] /;
const ROLLDOWN = /^(?:Error: )?Build failed with \d+ errors?:$/;
const MAX_LINES = 60;

/** Reads `vite build`: the error that ended it, and its remarks about the code. */
function viteParser(sink: Sink): LineParser {
  let isBuilding = false;
  let error: string[] | undefined;

  function close(): void {
    if (error !== undefined && error.length > 0) sink.diagnostic(readRollupError(error, "error"));
    error = undefined;
  }

  function inError(lines: string[], text: string): boolean {
    const stack = lines.some((line) => isFrame(line));
    const over = stack && !isFrame(text) && !text.startsWith(" ");
    if (ROLLDOWN.test(text) && lines.length === 0) return true;
    if (CODED.test(text) && lines.length === 0) {
      error = undefined;
      return false;
    }
    if (!over && lines.length < MAX_LINES) {
      if (text.trim() !== "" || lines.length > 0) lines.push(text);
      return true;
    }
    close();
    return false;
  }

  return {
    take({ text }: Line): boolean {
      if (text.length > 20_000) return false;
      if (DURING.test(text)) {
        close();
        error = [];
        return true;
      }
      if (error !== undefined && inError(error, text)) return true;
      if (BUILDING.test(text)) {
        isBuilding = true;
        return true;
      }
      if (!isBuilding) return false;
      if (DONE.test(text)) {
        isBuilding = false;
        return true;
      }
      if (!REMARK.test(text)) return NOISE.test(text);
      sink.diagnostic(readRollupError([text], "warning"));
      return true;
    },
    end: close,
  };
}
