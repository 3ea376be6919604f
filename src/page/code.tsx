import { useState } from "preact/hooks";
import { get } from "./api.ts";
import { number } from "./format.ts";
import type { Live } from "./live.ts";
import { RepositoryTreemap } from "./map.tsx";
import { Empty, Panel, Problem, Select, WorkspaceSelect } from "./parts.tsx";
import { Source } from "./source.tsx";
import { RELATIONS } from "../model/relation.ts";
import type { CodeAnswerPage, CodePlace, UiState } from "../ui/wire.ts";

interface CodeProps {
  readonly live: Live;
  readonly state: UiState;
}

/** Search as an agent does, with the source beside the answer, and the map of the repository. */
export function CodeView({ live, state }: CodeProps) {
  const [workspace, setWorkspace] = useState(state.home);
  const [query, setQuery] = useState("");
  const [relation, setRelation] = useState("");
  const [answer, setAnswer] = useState<CodeAnswerPage>();
  const [chosen, setChosen] = useState<CodePlace>();
  const [status, setStatus] = useState("");
  const [problem, setProblem] = useState("");
  const ask = async (): Promise<void> => {
    if (query.trim() === "") return setAnswer(undefined);
    setStatus("Searching; the first question in a workspace also indexes it…");
    setProblem("");
    try {
      const found = await (relation === ""
        ? get<CodeAnswerPage>("code/search", { query, workspace })
        : get<CodeAnswerPage>("code/relations", { name: query, relation, workspace }));
      setAnswer(found);
      setChosen(found.places[0]);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setStatus("");
  };
  return (
    <>
      <div class="head">
        <h1>Code</h1>
        <form
          class="ask"
          onSubmit={(event) => {
            event.preventDefault();
            void ask();
          }}
        >
          <input
            type="search"
            aria-label="Question, name or phrase"
            placeholder={
              relation === "" ? "A question, a name, an error, a “phrase”" : "The name of a definition"
            }
            value={query}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
          <Select
            label="What to look for"
            value={relation}
            options={[["", "search"], ...RELATIONS.map((one) => [one, one] as const)]}
            onChange={setRelation}
          />
          <button type="submit" class="primary">
            Ask
          </button>
        </form>
        <div class="filters">
          <WorkspaceSelect workspaces={live.workspaces} value={workspace} onChange={setWorkspace} />
        </div>
      </div>
      {problem !== "" && <Problem text={problem} />}
      <p role="status" class="dim">
        {status}
      </p>
      {answer === undefined ? (
        <RepositoryTreemap workspace={workspace} onFile={(path) => setChosen({ path, line: 1, label: "" })} />
      ) : (
        <div class="split even">
          <section aria-label="Answer">
            <h2>
              What an agent gets <small>{number(answer.tokens)} tokens</small>
            </h2>
            <pre class="wrapped code" tabIndex={0}>
              {answer.text}
            </pre>
          </section>
          <section aria-label="Source">
            <h2>Source</h2>
            <ul class="places">
              {answer.places.map((place, i) => (
                <li key={i}>
                  <button type="button" aria-pressed={place === chosen} onClick={() => setChosen(place)}>
                    <code>
                      {place.path}:{place.line}
                    </code>
                    <small>
                      {place.label}
                      {place.note !== undefined && ` · ${place.note}`}
                    </small>
                  </button>
                </li>
              ))}
            </ul>
            {answer.places.length === 0 && <Empty>The answer names no place.</Empty>}
          </section>
        </div>
      )}
      {chosen !== undefined && (
        <Panel title={chosen.path} note={chosen.label}>
          <Source
            path={chosen.path}
            line={chosen.line}
            endLine={chosen.endLine}
            workspace={workspace}
            radius={40}
          />
        </Panel>
      )}
    </>
  );
}
