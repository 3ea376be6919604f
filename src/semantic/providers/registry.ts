import type { ProviderKind } from "../provider.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";

/** Every provider. `off`, the default, is the absence of one. */
export const PROVIDERS: readonly ProviderKind[] = [ollama, openai];
