import { expect, it } from "vitest";
import { readEditorTasks } from "../../../src/runs/plan/vscode-tasks.ts";

it("reads no tasks from a file that is nested too deep", () => {
  const task = '{ "label": "all", "type": "shell", "command": "make" }';
  const labels = (text: string): string[] => readEditorTasks(text, "/w").map(({ label }) => label);
  expect(labels(`{ "tasks": [${task}] }`)).toEqual(["all"]);
  expect(labels(`{ "tasks": [${task}], "deep": ${"[".repeat(200_000)} }`)).toEqual([]);
});
