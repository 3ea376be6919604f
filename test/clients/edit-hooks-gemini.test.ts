import { describeEditHooks } from "./edit-hooks.ts";
import { editorOf } from "./editors.ts";

const editor = editorOf("gemini");
describeEditHooks(editor);
