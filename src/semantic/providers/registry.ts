import type { ProviderKind } from "../provider.ts";
import { ollama } from "./ollama.ts";
import { openai } from "./openai.ts";

/** All embedding providers that can be configured. The default setting, `off`, means that none is used. */
export const PROVIDERS: readonly ProviderKind[] = [ollama, openai];
