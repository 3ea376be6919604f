import { defineBuildTool } from "../../tool.ts";
import { DockerParser } from "./parse.ts";

export const docker = defineBuildTool({
  id: "docker",
  title: "docker build and Compose",
  url: "https://docs.docker.com/build",
  ecosystem: "infra",
  kinds: ["build", "run"],
  aliases: ["buildkit"],
  signatures: [
    "failed to solve",
    "load build definition",
    "Error response from daemon",
    "Docker daemon",
    "returned a non-zero code",
    "COPY failed",
    "ADD failed",
    " ERROR: ",
    "Compose file",
    "validating ",
    "failed to start",
    "failed to build",
    "yaml: line ",
  ],
  priority: 5,
  parser: (sink) => new DockerParser(sink),
  commands: [
    {
      name: "docker.build",
      description: "Build the image of the folder's Dockerfile",
      detect: (folder) => (folder.has("Dockerfile") ? "Dockerfile is here" : undefined),
      argv: () => ["docker", "build", "--progress=plain", "."],
    },
  ],
});
