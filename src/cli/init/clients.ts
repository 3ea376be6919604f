import type { Client } from "./client.ts";
import { amp } from "./clients/amp.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { claudeDesktop } from "./clients/claude-desktop.ts";
import { cline } from "./clients/cline.ts";
import { codex } from "./clients/codex.ts";
import { copilotCli } from "./clients/copilot-cli.ts";
import { crush } from "./clients/crush.ts";
import { cursor } from "./clients/cursor.ts";
import { gemini } from "./clients/gemini.ts";
import { goose } from "./clients/goose.ts";
import { jetbrains } from "./clients/jetbrains.ts";
import { kiro } from "./clients/kiro.ts";
import { opencode } from "./clients/opencode.ts";
import { roo } from "./clients/roo.ts";
import { vscode } from "./clients/vscode.ts";
import { windsurf } from "./clients/windsurf.ts";
import { zed } from "./clients/zed.ts";

/** The supported clients, in the order in which they are shown. */
export const CLIENTS: readonly Client[] = [
  claudeCode,
  codex,
  cursor,
  vscode,
  gemini,
  opencode,
  zed,
  copilotCli,
  windsurf,
  cline,
  roo,
  kiro,
  amp,
  claudeDesktop,
  jetbrains,
  goose,
  crush,
];
