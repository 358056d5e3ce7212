import type { RuleTerms } from './schema';

/** What our bot wrote for people in chat. */
interface Written {
  botId: string;
  writes: {
    /** Null for the creation of a page. */
    propertyId: string | null;
    /** The Notion user for whom it was written; null for somebody who is not linked. */
    notionUserId: string | null;
  }[];
}

/** The authors of an event. */
export interface Authored {
  /** Notion users. */
  authors: string[];
  /** The authors who are bots or agents, as far as Notion says. */
  botAuthors: string[];
  /** Absent when our bot is not an author. */
  written?: Written;
}

interface Actor {
  /** Null for an unknown person. */
  id: string | null;
  isBot: boolean;
}

/** Whether a rule filters by author. */
export const filtersAuthors = ({ authors: { mode, bots } }: RuleTerms): boolean => mode !== 'anyone' || !bots;

/**
 * Whether a rule posts what an event's authors did, or what they did to one property: if it posts any of the authors.
 * What our bot wrote for a person counts as that person's work.
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
