import { defineBuildTool } from "../../tool.ts";

export const git = defineBuildTool({
  id: "git",
  title: "git",
  url: "https://git-scm.com",
  ecosystem: "general",
  kinds: ["run"],
  signatures: ["fatal: ", "CONFLICT (", "rejected]", "error: ", "warning: "],
  priority: -10,
  format: {
    complaints: [
      {
        pattern:
          /^(?<code>CONFLICT \([\w/ ]{1,60}\)): (?<message>(?:Merge conflict in |deleted in .* and modified in .*? of )?(?<file>\S.*?)(?: deleted in .*| left in tree.*| renamed .*| added in .*|$))$/,
        oneLine: true,
      },
      /^ ! \[(?<code>(?:remote )?rejected)\] +(?<message>\S+ -> \S+ \(.*\))$/,
      /^(?:git: )?fatal: (?!\[)(?<message>.*)$/,
      // After a rejected push, this line only repeats the rejection, so it is not a complaint of its own.
      { pattern: /^error: (?<message>failed to push.*)$/, whenIdle: true },
      /^error: (?<message>(?:Your local changes|The following untracked|Untracked working tree|pathspec|src refspec|cannot lock ref|could not apply|could not revert|Pulling is not|Merging is not|Committing is not|Cherry-picking is not|patch failed|.{1,500}: (?:patch does not apply|does not exist in index|already exists in)|RPC failed|remote unpack failed|cannot (?:pull|rebase|spawn|open|stat)|No such remote|update_ref failed|insufficient permission|refusing to|unable to (?:create|unlink|write|index|read|resolve)|invalid object|commit .* is a merge|Entry '.*' (?:not uptodate|would be overwritten)|you need to resolve|branch '.*' not found|the branch '.*' is not fully merged|gpg failed|object file|external filter|bad signature|index file).*)$/,
      {
        pattern:
          /^warning: (?<message>(?:in the working copy of '|LF will be|CRLF will be|adding embedded git|unable to (?:access|rmdir)|redirecting to|not deleting branch|inexact rename|could not open|refname|You appear to have cloned|remote HEAD refers).*)$/,
        severity: "warning",
      },
    ],
    continuation: [
      /^error: failed to push some refs/,
      /^(?:hint|remote): (?<help>.*)$/,
      /^(?<message>(?:\t\S|Please (?:commit|move|make sure|tell)|Aborting|The following |use "git|and the repository exists|To add an exception|  git |\*\*\* Please).*)$/,
    ],
    inMessage: [
      /working copy of '(?<file>[^']{1,1000})'|replaced by (?:LF|CRLF) in (?<file2>\S[^.]*(?:\.\w+)*)\.?$/,
    ],
    noise: /^(?:Automatic merge failed; .*|Auto-merging .*)$/,
  },
});
