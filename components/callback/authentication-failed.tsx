import { MessageScreen } from '@/components/start/message-screen';
import { buttonClass } from '@/components/ui/button';
import { Link } from '@/components/ui/link';
import { SupportLink } from './support-link';

const MESSAGES: Record<string, string> = {
  AccessDenied: 'The sign-in was canceled or refused.',
  Callback: 'The sign-in could not be completed.',
  Configuration: 'The sign-in service is not reachable or not set up correctly.',
  OAuthSignin: 'The sign-in could not be started.',
  OAuthCallback: 'The sign-in service did not accept the answer. Start again from the login page.',
  SessionRequired: 'The page needs a login.',
};

export function AuthenticationFailed({ code, detail }: { code: string; detail: string | null }) {
  return (
    <MessageScreen
      title="Authentication Failed"
      urgent
      action={
        <>
          <Link href="/?mode=app" className={buttonClass({ variant: 'primary' })}>
            Back to login
          </Link>
          <SupportLink />
        </>
      }
    >
      <p>There was an error during login:</p>
      <p className="rounded-lg bg-danger-soft px-3 py-2 text-danger">{detail ?? MESSAGES[code] ?? code}</p>
    </MessageScreen>
  );
}
