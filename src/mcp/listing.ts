import type { Tool } from "@modelcontextprotocol/server";
import type { Fields, PropertySchema } from "../app/schema/field.ts";
import type { AnyTool } from "../app/tool.ts";

/**
 * Describes a tool for the MCP request tools/list. Its schema is flat and small, because clients send it to the model
 * with every request.
 */
export function listTool(tool: AnyTool, structured: boolean): Tool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool.fields),
    annotations: { title: tool.title, ...tool.annotations },
    ...(structured ? { outputSchema: { type: "object" as const } } : {}),
    _meta: {
      "anthropic/searchHint": tool.searchHint,
      ...(tool.alwaysLoad ? { "anthropic/alwaysLoad": true } : {}),
    },
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
