import { defineBuildTool } from "../../tool.ts";
import { AnsibleParser } from "./parse.ts";

export const ansible = defineBuildTool({
  id: "ansible",
  title: "Ansible",
  url: "https://docs.ansible.com",
  ecosystem: "infra",
  kinds: ["run", "lint"],
  signatures: [
    "PLAY [",
    "TASK [",
    "fatal: [",
    "failed: [",
    "ERROR! ",
    "[WARNING]: ",
    "[ERROR]: ",
    "[DEPRECATION WARNING]: ",
  ],
  priority: 5,
  parser: (sink) => new AnsibleParser(sink),
});
