import type { InstallationFault } from './stage';

/** Faults of the identity provider. */
export const SIGN_IN_FAULTS: InstallationFault[] = [
  {
    what: 'another domain that is no identity provider',
    subject: 'Identity provider',
    tells: /no discovery document/,
    variables: ({ product }) => ({ AUTH0_DOMAIN: product.sandbox.context.urls.stripe }),
  },
  {
    what: 'an identity provider that is not there',
    subject: 'Identity provider',
    tells: /could not be reached: nothing listens/,
    advises: /Check the address in AUTH0_DOMAIN,/,
    variables: { AUTH0_DOMAIN: 'http://127.0.0.1:1' },
  },
  {
    what: 'a wrong secret of the identity provider',
    subject: 'Identity provider',
    tells: /refuses AUTH0_CLIENT_ID/,
    variables: { AUTH0_CLIENT_SECRET: 'wrong' },
  },
  {
    what: 'an unknown audience',
    subject: 'Sign-in',
    tells: /refuses the sign-in/,
    variables: { AUTH0_AUDIENCE: 'https://other.example' },
  },
  {
    what: 'a callback that is not allowed',
    subject: 'Sign-in',
    tells: /refuses the sign-in with 400/,
    variables: { APP_URL: 'http://localhost:1' },
  },
  {
    what: 'a logout that leads nowhere',
    subject: 'Sign-in',
    tells: /refuses to return to/,
    variables: { APP_URL: 'http://localhost:1' },
  },
];
