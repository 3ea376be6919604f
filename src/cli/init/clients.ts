import type { Client } from "./client.ts";
import { claudeCode } from "./clients/claude-code.ts";
import { codex } from "./clients/codex.ts";
import { cursor } from "./clients/cursor.ts";
import { gemini } from "./clients/gemini.ts";
import { opencode } from "./clients/opencode.ts";
import { vscode } from "./clients/vscode.ts";
import { zed } from "./clients/zed.ts";

/** The supported clients, in the order in which they are shown. */
export const CLIENTS: readonly Client[] = [claudeCode, codex, cursor, vscode, gemini, opencode, zed];
