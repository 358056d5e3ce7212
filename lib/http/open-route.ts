import { type AddressLimit, limitAddress } from './limit-address';
import { jsonResponse, respond } from './respond';

/** A handler that anybody may call. A returned Response is sent as it is, anything else as JSON. */
export function openRoute(handler: (request: Request) => Promise<unknown>, limit: AddressLimit = 'calls') {
  return (request: Request): Promise<Response> =>
    respond(request, async () => {
      limitAddress(request, limit);
      const result = await handler(request);
      return result instanceof Response ? result : jsonResponse(result, 200);
    });
}
