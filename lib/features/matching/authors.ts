import type { RuleTerms } from './schema';

/** What our bot wrote for people in chat. */
export interface Written {
  botId: string;
  writes: {
    /** Null for the creation of a page. */
    propertyId: string | null;
    /** For whom; null for somebody whom nobody has linked. */
    notionUserId: string | null;
  }[];
}

/** Whose work an event is. */
export interface Authored {
  /** Notion users. */
  authors: string[];
  /** Those of them who are bots or agents, as far as Notion says. */
  botAuthors: string[];
  /** Absent when our bot is none of them. */
  written?: Written;
}

interface Actor {
  /** Null for somebody who is not known. */
  id: string | null;
  isBot: boolean;
}

/** Whether it matters to a rule whose work something is. */
export const filtersAuthors = ({ authors: { mode, bots } }: RuleTerms): boolean => mode !== 'anyone' || !bots;

/**
 * Whether a rule posts what these authors did, or what they did to one property. It does if it posts any of them. What our
 * bot wrote for a person counts as that person's.
 */
export function passesAuthors(rule: RuleTerms, event: Authored, propertyId?: string): boolean {
  if (!filtersAuthors(rule)) return true;
  const { mode, people, bots } = rule.authors;
  return actorsOf(event, propertyId).some(({ id, isBot }) => {
    if (isBot) return bots;
    const isNamed = id !== null && people.includes(id);
    return mode === 'anyone' || isNamed === (mode === 'only');
  });
}

const NOBODY_KNOWN: Actor = { id: null, isBot: false };

function actorsOf({ authors, botAuthors, written }: Authored, propertyId?: string): Actor[] {
  if (authors.length === 0) return [NOBODY_KNOWN];
  return authors.flatMap((id) =>
    id === written?.botId ? writersOf(written, propertyId) : { id, isBot: botAuthors.includes(id) },
  );
}

function writersOf({ botId, writes }: Written, propertyId?: string): Actor[] {
  if (writes.length === 0) return [{ id: botId, isBot: true }];
  const ofProperty = writes.filter((write) => write.propertyId === propertyId);
  const known = ofProperty.length > 0 ? ofProperty : writes;
  return known.map(({ notionUserId }) => ({ id: notionUserId, isBot: false }));
}
