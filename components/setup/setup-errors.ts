import type { SetupErrorCode } from '@/lib/features/setup/schema';

const MESSAGES: Record<Exclude<SetupErrorCode, 'oauth_failed'>, string> = {
  missing_parameters: 'Missing required OAuth parameters. Please try again.',
  invalid_state: 'Invalid OAuth state. This may be a security issue.',
  token_exchange_failed: 'Failed to exchange OAuth token. Please try again.',
  user_fetch_failed: 'Failed to fetch user information from Notion.',
  internal_error: 'An internal error occurred. Please try again later.',
};

/** The sentence for the error code that a failed connection attempt brings back to /setup. */
export function setupErrorText(code: string, details: string | null): string {
  if (code === 'oauth_failed') return `OAuth failed: ${details || 'Unknown error'}`;
  if (Object.hasOwn(MESSAGES, code)) return MESSAGES[code as keyof typeof MESSAGES];
  return 'An unknown error occurred during setup.';
}
