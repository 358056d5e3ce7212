type Level = 'warn' | 'error';

type Reporter = (level: Level, message: string, detail: unknown) => void;

let report: Reporter = () => {};

function write(level: Level, message: string, detail?: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the contract has the browser's log lines on the console
  if (detail === undefined) console[level](message);
  // biome-ignore lint/suspicious/noConsole: see above
  else console[level](message, detail);
  report(level, message, detail);
}

/** The browser's log: every line goes to the console and is reported. */
export const log = {
  warn: (message: string, detail?: unknown) => write('warn', message, detail),
  error: (message: string, detail?: unknown) => write('error', message, detail),
};

/** Also hands every later log line to `reporter`. */
export function reportLogTo(reporter: Reporter): void {
  report = reporter;
}
