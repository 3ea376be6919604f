import { defineBuildTool } from "../../tool.ts";
import { SpringBootParser } from "./parse.ts";

export const springBoot = defineBuildTool({
  id: "spring-boot",
  title: "Spring Boot",
  url: "https://docs.spring.io/spring-boot",
  ecosystem: "java",
  kinds: ["run"],
  signatures: ["APPLICATION FAILED TO START", "Application run failed"],
  priority: 21,
  parser: (sink) => new SpringBootParser(sink),
});
