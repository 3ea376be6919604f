import type { Line, LineParser, Sink } from "../../tool.ts";

const OWN = /^ninja(?:\.exe)?: (.*)$/;
const BAD = /^(?:error|fatal): (.+)$/;
/** Package managers count their steps in the same way: these are what ninja runs. */
const STEP =
  /^\[\d{1,7}\/\d{1,7}\] (?:Building|Linking|Generating|Re-running|Running utility|Compiling|CXX|CC|AR|LINK|STAMP|Automatic|Performing|Copying|Scanning|Install the project|\S*(?:cc|c\+\+|clang|gcc|g\+\+) )/;

/** Reads ninja's own lines. What a failed command said is read by the reader of that command's tool. */
export function ninjaParser(sink: Sink): LineParser {
  let failed = false;
  return {
    take({ text }: Line): boolean {
      const own = OWN.exec(text);
      if (own !== null) {
        const bad = BAD.exec(own[1] ?? "");
        const warning = /^warning: (.+)$/.exec(own[1] ?? "");
        if (bad !== null)
          sink.diagnostic({ severity: "error", message: bad[1] ?? "", ...fileOf(bad[1] ?? "") });
        if (warning !== null) sink.diagnostic({ severity: "warning", message: warning[1] ?? "" });
        return true;
      }
      if (text.startsWith("FAILED: ")) {
        failed = true;
        return true;
      }
      // The command line of the failed step.
      const command = failed;
      failed = false;
      if (command && / -o \S| -c \S|^cd | && |^: && /.test(text)) return true;
      return STEP.test(text) && !/: (?:error|warning): /.test(text);
    },
    end(): void {
      failed = false;
    },
  };
}

/** `build.ninja:12: unknown build rule`. */
function fileOf(message: string): { file?: string; line?: number; message?: string } {
  const match = /^(\S+\.ninja):(\d{1,7}): (.+)$/.exec(message);
  return match === null ? {} : { file: match[1] ?? "", line: Number(match[2]), message: match[3] ?? "" };
}
