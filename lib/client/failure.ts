/** Where reports go. */
export interface Destination {
  dsn: string;
  environment: string;
}

/** Something that failed in the browser. */
export interface Failure {
  thrown: unknown;
  /** The log's message; absent for an uncaught error. */
  said?: string;
  level: 'warning' | 'error';
}
