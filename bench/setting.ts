import type { Delays } from './upstream';

/** The setting of a measurement: accounts, and how long Notion and Discord take. */
export interface Setting {
  accounts: number;
  /** Databases of each account, each with one rule and its own channel. */
  databases: number;
  delays: Delays;
  /** The delays while events come one by one. */
  steadyDelays: Delays;
  /** Call slots a second: more than any burst needs, as if Discord had lifted the bot's limit. */
  sendSlots: number;
}

/** The upstreams answer at once, so that the figures show what the product itself costs. */
export const NEAR: Setting = {
  accounts: 10,
  databases: 10,
  delays: { notion: 0, discord: 0 },
  steadyDelays: { notion: 20, discord: 20 },
  sendSlots: 2000,
};

export const ONE_ACCOUNT: Setting = { ...NEAR, accounts: 1 };

const AS_IN_LIFE: Delays = { notion: 100, discord: 50 };

/** The upstreams take as long as Notion and Discord usually do. */
export const FAR: Setting = {
  accounts: 20,
  databases: 1,
  delays: AS_IN_LIFE,
  steadyDelays: AS_IN_LIFE,
  sendSlots: 600,
};

/** Cards per second if each channel sends one after the other. */
export const mostCardsPerSecond = ({ accounts, databases, delays }: Setting) =>
  (accounts * databases * 1000) / delays.discord;
