/** Matches file names without an extension that tools report errors for. */
const PLAIN_NAMES =
  /^(?:Makefile|GNUmakefile|makefile|Dockerfile|Containerfile|Jenkinsfile|Gemfile|Rakefile|Podfile|Brewfile|Vagrantfile|Procfile|BUILD|WORKSPACE|Justfile|justfile|Fastfile|Appfile)$/;
/** Matches the endings of host names, because `example.com:443` is not a location in a file. */
const HOST_ENDINGS = /\.(?:com|org|net|io|dev|local|localhost|internal|ai|app|edu|gov|cloud|de|uk|eu)$/i;
const EXTENSION = /\.[A-Za-z][\w+-]{0,11}$/;

/** Returns whether a text is clearly the path of a source or configuration file rather than prose, a host or a time. */
export function looksLikePath(text: string): boolean {
  if (text.length < 2 || text.length > 300) return false;
  const rooted = /^(?:[A-Za-z]:[\\/]|\/|\.{1,2}[\\/]|~\/)/.test(text);
  if (!rooted && /\s/.test(text)) return false;
  if (/["'<>|*?\n\t;,=]|:\/\/|^[\s-]|\s$/.test(text)) return false;
  if (/[:()]/.test(text.replace(/^[A-Za-z]:/, "")) && !/\([\w-]+\)\//.test(text)) return false;
  const name = text.slice(Math.max(text.lastIndexOf("/"), text.lastIndexOf("\\")) + 1);
  if (PLAIN_NAMES.test(name)) return true;
  return EXTENSION.test(name) && (rooted || text !== name || !HOST_ENDINGS.test(name));
}

/** Returns whether the name stands for standard input, which has no path. */
export function isInput(text: string): boolean {
  return text === "-" || text === "stdin" || text === "<stdin>" || text === "(stdin)" || text === "<input>";
}
