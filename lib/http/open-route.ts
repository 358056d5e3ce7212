import { jsonResponse, respond } from './respond';

/** A handler that anybody may call. A returned Response is sent as it is, anything else as JSON. */
export function openRoute(handler: (request: Request) => Promise<unknown>) {
  return (request: Request): Promise<Response> =>
    respond(request, async () => {
      const result = await handler(request);
      return result instanceof Response ? result : jsonResponse(result, 200);
    });
}
