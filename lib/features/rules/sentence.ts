import type { EventType } from './schema';

const MOST_NAMED = 2;

interface Watching {
  eventType: EventType;
  /** Names of the watched properties, in the order in which they were chosen. */
  properties: string[];
  /** The name of the database's status; null when it has none. */
  status: string | null;
  /** Names of the statuses that the filter lets through; none means any. */
  statuses: string[];
}

/** What a rule watches for, in words that follow the name of its database: "Status changes to Done". */
export function describeWatching({ eventType, properties, status, statuses }: Watching): string {
  if (eventType === 'page_created') return 'new pages';
  const changes = `${anyOf(properties)} ${properties.length > 1 ? 'change' : 'changes'}`;
  if (statuses.length === 0) return changes;
  const isStatusAlone = properties.length === 1 && properties[0] === status;
  return isStatusAlone
    ? `${changes} to ${anyOf(statuses)}`
    : `${changes} while ${status ?? 'the status'} is ${anyOf(statuses)}`;
}

function anyOf(names: string[]): string {
  const rest = names.length - MOST_NAMED;
  if (rest <= 0) return names.join(' or ');
  return `${names.slice(0, MOST_NAMED).join(', ')} or ${rest} ${rest === 1 ? 'other' : 'others'}`;
}
