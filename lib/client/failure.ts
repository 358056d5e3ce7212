/** Where reports go. */
export interface Destination {
  dsn: string;
  environment: string;
}

/** Something that failed in the browser. */
export interface Failure {
  thrown: unknown;
  /** What the log says of it; absent when nobody caught it. */
  said?: string;
  level: 'warning' | 'error';
}
