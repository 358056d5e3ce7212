import { MessageScreen } from '@/components/start/message-screen';
import { NextSteps } from './next-steps';

const MESSAGES: Record<string, string> = {
  AccessDenied: 'The sign-in was canceled or refused.',
  Callback: 'The sign-in could not be completed.',
  Configuration: 'The sign-in service is not reachable or not set up correctly.',
  OAuthSignin: 'The sign-in could not be started.',
  OAuthCallback: 'The sign-in service did not accept the answer. Start again from the login page.',
  SessionRequired: 'The page needs a login.',
};

export function AuthenticationFailed({ code, detail }: { code: string; detail: string | null }) {
  const said = [MESSAGES[code], detail].filter(Boolean).join(' ');
  return (
    <MessageScreen title="Authentication Failed" urgent action={<NextSteps />}>
      <p>There was an error during login:</p>
      <p className="rounded-lg bg-danger-soft px-3 py-2 text-danger">{said || code}</p>
    </MessageScreen>
  );
}
