import 'next-auth';
import 'next-auth/jwt';

interface SignedInProfile {
  sub: string;
  nickname: string | null;
  email: string | null;
  picture: string | null;
}

declare module 'next-auth' {
  interface Session {
    /** The bearer token for our API; absent once the session cannot be renewed. */
    accessToken?: string;
    accessTokenExpiresAt?: string;
    error?: 'RefreshFailed';
    profile: SignedInProfile;
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    sessionId: string;
    profile: SignedInProfile;
  }
}
