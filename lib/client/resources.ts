import useSWR, { preload, type SWRConfiguration } from 'swr';
import type { AppConfig, Me } from '@/lib/features/account/schema';
import type { Billing } from '@/lib/features/billing/schema';
import type { Preferences } from '@/lib/features/calendar/schema';
import type { AccountLinks } from '@/lib/features/links/schema';
import type { Rule } from '@/lib/features/rules/schema';
import type { Server } from '@/lib/features/servers/schema';
import type { SetupStatus } from '@/lib/features/setup/schema';
import type { Takeovers } from '@/lib/features/takeovers/schema';
import type { FoundPage } from '@/lib/features/tree/schema';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { api, getPublic, isUnauthorized } from './api';
import { isAnswered } from './error-text';
import { sleep } from './retry-after';
import { readSession } from './session';

const RETRY_MS = 10_000;

/** Retries failed reads every ten seconds: after an error SWR stops refreshing, and its own retries back off. */
export const RETRIES: SWRConfiguration = {
  onErrorRetry: (error, ...[, , revalidate, options]) => {
    if (!isUnauthorized(error)) setTimeout(() => void revalidate(options), RETRY_MS);
  },
};

const LIVE: SWRConfiguration = { ...RETRIES, refreshInterval: 5_000 };
const CALM: SWRConfiguration = { ...RETRIES, refreshInterval: 15_000 };
const ONCE: SWRConfiguration = {
  revalidateOnFocus: false,
  revalidateOnReconnect: false,
  revalidateIfStale: false,
  shouldRetryOnError: false,
};

const get = <T>(path: string) => api<T>(path);

const ME_PATIENCE_MS = 10_000;
const ME_PAUSE_MS = 1000;

const TOO_MANY = 429;
const UNAVAILABLE = 503;

const mayPass = (error: unknown) => !isAnswered(error) || [TOO_MANY, UNAVAILABLE].includes(error.status);

/**
 * Retries what may pass for a while: without the account the person is logged out, which a server's restart should not
 * cause.
 */
async function readMe(path: string): Promise<Me> {
  const deadline = Date.now() + ME_PATIENCE_MS;
  for (;;) {
    try {
      return await api<Me>(path);
    } catch (error) {
      if (!mayPass(error) || Date.now() + ME_PAUSE_MS > deadline) throw error;
      await sleep(ME_PAUSE_MS);
    }
  }
}

export const useConfig = () => useSWR<AppConfig, Error>('/api/config', getPublic<AppConfig>, ONCE);

/** undefined while loading, null when signed out. Does not load before `ready`. */
export const useSession = (ready: boolean) => useSWR(ready ? 'session' : null, readSession, ONCE);

/** Starts reading the session while something else still loads. */
export const preloadSession = () => void preload('session', readSession);

export const useMe = () => useSWR<Me, Error>('/api/app/me', readMe, CALM);

export const useRules = () => useSWR<Rule[], Error>('/api/app/rules', get<Rule[]>, LIVE);

export const useServer = () =>
  useSWR<Server | null, Error>('/api/app/discord/server', get<Server | null>, LIVE);

export const TAKEOVERS = '/api/app/discord/takeovers';

export const useTakeovers = () => useSWR<Takeovers, Error>(TAKEOVERS, get<Takeovers>, CALM);

export const useWorkspace = () =>
  useSWR<Workspace | null, Error>('/api/app/notion/workspace', get<Workspace | null>, CALM);

export const useAccountLinks = () =>
  useSWR<AccountLinks, Error>('/api/app/account-links', get<AccountLinks>, LIVE);

export const PREFERENCES = '/api/app/preferences';

/** The account's preferences. The first browser that reads them stores its time zone. */
export const usePreferences = () => useSWR<Preferences, Error>(PREFERENCES, readPreferences, RETRIES);

async function readPreferences(path: string): Promise<Preferences> {
  const known = await api<Preferences>(path);
  if (!known.isTimeZoneAssumed) return known;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const { quietHours, language } = known;
  // If the server does not know the browser's zone, it stays UTC.
  return api<Preferences>(path, 'PUT', { timeZone, quietHours, language }).catch(() => known);
}

export const useSetupStatus = () =>
  useSWR<SetupStatus, Error>('/api/app/setup/status', get<SetupStatus>, LIVE);

export const useBilling = () => useSWR<Billing, Error>('/api/app/billing', get<Billing>, CALM);

export const useProperties = (databaseId: string) =>
  useSWR<Property[], Error>(
    databaseId ? `/api/app/notion/databases/${encodeURIComponent(databaseId)}/properties` : null,
    async (path: string) => (await api<{ properties: Property[] }>(path)).properties,
    { revalidateOnFocus: false, shouldRetryOnError: false },
  );

/** Pages whose titles contain these words, or the page of a pasted link. */
export const usePages = (query: string) =>
  useSWR<FoundPage[], Error>(
    `/api/app/notion/pages?query=${encodeURIComponent(query)}`,
    async (path: string) => (await api<{ pages: FoundPage[] }>(path)).pages,
    { revalidateOnFocus: false, shouldRetryOnError: false, keepPreviousData: true },
  );

/** The account's data, for screens that the start-up renders only once it has loaded. */
export function useLoadedMe(): Me {
  const { data } = useMe();
  if (!data) throw new Error('Failed to load app data');
  return data;
}
