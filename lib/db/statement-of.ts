import { processState } from '../process-state';

/** The text of a prepared statement, with the number that names it. */
export interface Statement {
  number: number;
  text: string;
}

// A number must mean the same text everywhere, because all bundles of this process share the connections.
const known = processState('statements', () => new Map<string, Statement>());

/**
 * The statement with this text. Texts have thousands of characters and are put together anew for each run, so look a
 * text up only once, and pass on the string of the statement: it is the same one for every run.
 */
export function statementOf(text: string): Statement {
  const statement = known.get(text) ?? { number: known.size, text };
  known.set(statement.text, statement);
  return statement;
}
