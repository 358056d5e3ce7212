interface ErrorFields {
  code?: string;
  param?: string;
}

/** A response in Stripe's error shape. */
export class StripeFault extends Error {
  constructor(
    readonly status: number,
    readonly type: 'invalid_request_error' | 'api_error' | 'card_error' | 'idempotency_error',
    message: string,
    readonly fields: ErrorFields = {},
  ) {
    super(message);
  }

  toResponse(): Response {
    return Response.json(
      { error: { type: this.type, ...this.fields, message: this.message } },
      { status: this.status },
    );
  }
}

export function invalid(message: string, fields: ErrorFields = {}): StripeFault {
  return new StripeFault(400, 'invalid_request_error', message, fields);
}

/** A URL or parameter names an object that does not exist: 404 in the path, 400 in the body. */
export function missing(kind: string, id: string, param?: string): StripeFault {
  return new StripeFault(param ? 400 : 404, 'invalid_request_error', `No such ${kind}: '${id}'`, {
    code: 'resource_missing',
    param: param ?? 'id',
  });
}

/** The response that the sandbox was told to give. */
export function failure(status: number): StripeFault {
  if (status === 429) {
    return new StripeFault(429, 'invalid_request_error', 'Too many requests.', { code: 'rate_limit' });
  }
  const type = status >= 500 ? 'api_error' : 'invalid_request_error';
  return new StripeFault(status, type, 'The sandbox was told to fail.');
}

/** The response to an error thrown by any route. */
export function errorAnswer(error: Error): Response {
  return (error instanceof StripeFault ? error : failure(500)).toResponse();
}
