type Handler = (request: Request) => Promise<Response>;

/** What the production server lets the application do to it. */
export interface OwnServer {
  /** Handlers that are called for a POST to exactly this path, before Next sees it. */
  doors: Map<string, Handler>;
  /** What is waited for before the process ends. */
  endings: (() => Promise<void>)[];
  /** Header that says whose socket a call came by. What a caller sends under this name is dropped. */
  peerHeader: string;
}

/** The production server of this process; there is none under a host that runs the routes by itself. */
export function ownServer(): OwnServer | undefined {
  return (globalThis as { pagewireServer?: OwnServer }).pagewireServer;
}
