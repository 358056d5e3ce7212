import type { Faults } from './faults';
import type { Store } from './store';

/** What every stand-in needs to know about the others and about the application. */
export interface SandboxContext {
  store: Store;
  faults: Faults;
  /** Public origin of the application, without a trailing slash. */
  appUrl: string;
  /** Origins of the stand-ins, without a trailing slash. */
  urls: { identity: string; discord: string; notion: string; stripe: string };
  credentials: SandboxCredentials;
  /** How long Discord waits for the answer to an interaction, in milliseconds. Without it, as long as the real one. */
  interactionLimitMs?: number | undefined;
  /** The sandbox's clock, which can be moved forward. */
  now(): Date;
}

/** The application's registration with each stand-in, made once and kept in the store. */
export interface SandboxCredentials {
  auth0: { clientId: string; clientSecret: string; audience: string };
  discord: {
    applicationId: string;
    clientSecret: string;
    publicKey: string;
    privateKey: string;
    botToken: string;
  };
  notion: { clientId: string; clientSecret: string; webhookToken: string };
  stripe: { secretKey: string; webhookSecret: string; priceId: string };
}
