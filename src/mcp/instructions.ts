/** Shown to the model once a session, by some clients beside every tool: at most 400 characters. */
export const INSTRUCTIONS =
  "Pith returns the essential part of code, files and command output within a token budget and says how to get the rest. " +
  "Prefer its read and grep to the shell's cat and grep: line numbers, bounded output, honest counts. " +
  "Pass context_focus_question, naming identifiers, to get only the lines that answer it.";
