const CODES: Record<number, string> = {
  400: 'validation_error',
  401: 'unauthorized',
  403: 'restricted_resource',
  404: 'object_not_found',
  409: 'conflict_error',
  429: 'rate_limited',
  500: 'internal_server_error',
  502: 'bad_gateway',
  503: 'service_unavailable',
  504: 'gateway_timeout',
  529: 'service_overload',
};

const MESSAGES: Record<number, string> = {
  401: 'API token is invalid.',
  403: 'Insufficient permissions for this endpoint.',
  404: 'Could not find the object. Make sure the relevant pages and databases are shared with your connection.',
  409: 'Conflict occurred while saving. Please try again.',
  429: 'You have been rate limited. Please try again later.',
  500: 'Unexpected error occurred.',
  502: 'Bad gateway.',
  503: 'Notion is unavailable. Please try again later.',
  504: 'The request timed out.',
  529: 'Notion is overloaded. Please try again later.',
};

interface Details {
  additionalData?: Record<string, string | string[]> | undefined;
  headers?: Record<string, string>;
}

/** A response in Notion's error shape. */
export class NotionError extends Error {
  readonly additionalData: Record<string, string | string[]> | undefined;
  readonly headers: Record<string, string>;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { additionalData, headers = {} }: Details = {},
  ) {
    super(message);
    this.additionalData = additionalData;
    this.headers = headers;
  }

  toResponse(requestId: string): Response {
    const body = {
      object: 'error',
      status: this.status,
      code: this.code,
      message: this.message,
      ...(this.additionalData && { additional_data: this.additionalData }),
      request_id: requestId,
    };
    return Response.json(body, { status: this.status, headers: this.headers });
  }
}

export function invalid(message: string): NotionError {
  return new NotionError(400, 'validation_error', message);
}

export function notFound(kind: string, id: string): NotionError {
  return new NotionError(
    404,
    'object_not_found',
    `Could not find ${kind} with ID: ${id}. Make sure the relevant pages and databases are shared with your connection "Pagewire".`,
  );
}

export function unauthorized(): NotionError {
  return new NotionError(401, 'unauthorized', 'API token is invalid.');
}

/** The error that Notion returns with this status, for active faults. */
export function errorOfStatus(status: number): NotionError {
  const code = CODES[status] ?? (status < 500 ? 'validation_error' : 'internal_server_error');
  if (status === 429) return rateLimited(1);
  return new NotionError(status, code, MESSAGES[status] ?? 'The request failed.');
}

interface Limit {
  limitReason?: string | undefined;
  isHeaderless?: boolean | undefined;
}

export function rateLimited(retryAfterSeconds: number, limit: Limit = {}): NotionError {
  const { limitReason = 'public_api_request_rate_limit', isHeaderless = false } = limit;
  const seconds = String(retryAfterSeconds);
  return new NotionError(429, 'rate_limited', 'You have been rate limited. Please try again later.', {
    additionalData: { rate_limit_reason: limitReason, retry_after: seconds },
    headers: isHeaderless ? {} : { 'Retry-After': seconds },
  });
}
