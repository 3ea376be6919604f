import type { Tool } from "@modelcontextprotocol/server";
import type { Fields, PropertySchema } from "../app/schema/field.ts";
import type { AnyTool } from "../app/tool.ts";

/** A tool as tools/list shows it: a flat schema without noise, because every client sends it to the model each turn. */
export function listTool(tool: AnyTool, structured: boolean): Tool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool.fields),
    annotations: { title: tool.title, ...tool.annotations },
    ...(structured ? { outputSchema: { type: "object" as const } } : {}),
    ...(tool.alwaysLoad ? { _meta: { "anthropic/alwaysLoad": true } } : {}),
  };
}

function inputSchema(fields: Fields): Tool["inputSchema"] {
  const properties: Record<string, { [key: string]: PropertySchema[keyof PropertySchema] }> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (field.hidden) continue;
    properties[name] = { ...field.schema };
    if (field.required) required.push(name);
  }
  return { type: "object", properties, ...(required.length > 0 ? { required } : {}) } as Tool["inputSchema"];
}
