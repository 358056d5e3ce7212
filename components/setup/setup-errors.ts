import type { SetupErrorCode } from '@/lib/features/setup/schema';

const MESSAGES: Record<Exclude<SetupErrorCode, 'oauth_failed'>, string> = {
  missing_parameters: 'Missing required OAuth parameters. Please try again.',
  invalid_state: 'Invalid OAuth state. This may be a security issue.',
  token_exchange_failed: 'Failed to exchange OAuth token. Please try again.',
  user_fetch_failed: 'Failed to fetch user information from Notion.',
  internal_error: 'An internal error occurred. Please try again later.',
};

const SERVICES: Record<string, string> = { discord: 'Discord', notion: 'Notion' };

/** The message for a person who pressed Cancel at the other service; null when nobody did. */
export function cancelledText(service: string | null): string | null {
  const name = service && Object.hasOwn(SERVICES, service) ? SERVICES[service] : null;
  return name
    ? `You pressed Cancel at ${name}, so nothing was connected. Start again whenever you like.`
    : null;
}

/** The message for the error code with which a failed attempt to connect returns to /setup. */
export function setupErrorText(code: string, details: string | null): string {
  if (code === 'oauth_failed') return `OAuth failed: ${details || 'Unknown error'}`;
  if (Object.hasOwn(MESSAGES, code)) return MESSAGES[code as keyof typeof MESSAGES];
  return 'An unknown error occurred during setup.';
}
