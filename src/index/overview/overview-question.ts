import { withoutManners } from "../text/manners.ts";

/** Words for a whole repository. */
const WHOLE = String.raw`(?:(?:the|this|my|our|whole|entire)\s+)*(?:repo(?:sitory)?|project|code\s?base|code|workspace|folder|source(?:\s+(?:code|tree))?|app(?:lication)?)`;
const MAP = String.raw`(?:overview|map|structure|layout|architecture|organi[sz]ation)`;

const FORMS: readonly RegExp[] = [
  /^(?:an?\s+|the\s+)?overview$/i,
  new RegExp(
    String.raw`^(?:(?:show|give|get|draw)\s+(?:me\s+)?)?(?:an?\s+|the\s+)?(?:high[\s-]level\s+)?${MAP}\s+of\s+${WHOLE}$`,
    "i",
  ),
  new RegExp(String.raw`^(?:(?:show|give|get|draw)\s+(?:me\s+)?)?(?:an?\s+|the\s+)?${WHOLE}\s+${MAP}$`, "i"),
  /^(?:(?:show|give|get)\s+(?:me\s+)?)(?:an?\s+|the\s+)?(?:high[\s-]level\s+)?overview$/i,
  new RegExp(String.raw`^how\s+is\s+${WHOLE}\s+(?:organi[sz]ed|structured|laid\s+out|arranged)$`, "i"),
  new RegExp(String.raw`^what(?:'s|\s+is)\s+in\s+${WHOLE}$`, "i"),
];
const OF_PATH =
  /^(?:(?:show|give|get)\s+(?:me\s+)?)?(?:an?\s+|the\s+)?(?:overview|map)\s+of\s+(?:the\s+folder\s+)?([\w.@/+-]+)$/i;

/** What a question about the whole asks for: the map of the workspace, or of a folder, if there is one of that name. */
export interface OverviewQuestion {
  readonly folder?: string;
}

/** Reads a question such as "overview", "repo map" or "overview of src/app"; "overview page" is an ordinary search. */
export function overviewQuestion(text: string): OverviewQuestion | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const asked = withoutManners(text.trim()).replace(/\s*[?.!]+$/, "");
  if (FORMS.some((form) => form.test(asked))) return {};
  const folder = OF_PATH.exec(asked)?.[1];
  return folder === undefined ? undefined : { folder };
}

const MAX_LENGTH = 100;
