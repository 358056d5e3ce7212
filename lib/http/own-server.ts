type Handler = (request: Request) => Promise<Response>;

/** The parts of the production server that the application controls. */
export interface OwnServer {
  /** Resolves once the database has the schema of this version. Before that, only code is loaded. */
  migrated: Promise<void>;
  /** Handlers that are called for a POST to exactly this path, before Next sees the request. */
  doors: Map<string, Handler>;
  /** Work to finish before the process ends. */
  endings: (() => Promise<void>)[];
  /** Header that names the peer of the socket. A value sent by the caller is dropped. */
  peerHeader: string;
  /** Whether it has been told to end. */
  isEnding: boolean;
  /** When somebody last asked whether it is ready, on the process's own clock; -Infinity before the first time. */
  readyAskedAt: number;
}

/** The production server of this process; absent on a host that runs the routes itself. */
export function ownServer(): OwnServer | undefined {
  return (globalThis as { pagewireServer?: OwnServer }).pagewireServer;
}
