import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { db } from '@/lib/db/database';
import { startConnectedProduct } from '@/lib/testing/product';
import { DEFAULT_ACTIONS } from '../actions/words';
import { loadRules } from '../changes/load-turns';
import { type EventType, type RuleTerms, ruleTermsSchema, TERMS_OF_EVENT } from '../matching/schema';
import { TERMS, termsOf } from '../matching/terms';
import type { Rule } from './schema';

const MIRA_NOTION = '5b1f0c3a-1111-4d0e-9a01-000000000101';
let story: Awaited<ReturnType<typeof startConnectedProduct>>;
let board: { properties: Property[]; status: Property };
interface Property {
  id: string;
  type: string;
  options: { id: string; name: string }[];
  isStatus: boolean;
}

beforeAll(async () => {
  story = await startConnectedProduct();
  const path = `/api/app/notion/databases/${story.board.dataSourceId}/properties`;
  const { body } = await story.product.call('mira', 'GET', path);
  const properties: Property[] = body.properties.filter(({ type }: Property) => type !== 'files');
  board = { properties, status: properties.find(({ isStatus }) => isStatus) as Property };
});
afterAll(() => story.product.stop());

/** Terms that the server stores unchanged. Terms that are not listed here have their defaults. */
function validTerms(): fc.Arbitrary<RuleTerms> {
  const { properties, status } = board;
  const propertyIds = fc.subarray(properties.map(({ id }) => id));
  const optionIds = fc.subarray(status.options.map(({ id }) => id));
  const name = fc.option(fc.constantFrom('Release radar', '<@1> *x*'));
  const authors = fc.constantFrom(
    { mode: 'anyone' as const, people: [], bots: false },
    { mode: 'except' as const, people: [MIRA_NOTION], bots: true },
  );
  const mentions = fc.record({
    people: fc.constantFrom('concerned' as const, 'assignees' as const, 'none' as const),
    roleIds: fc.constant([]),
    userIds: fc.subarray(['208917000000000101', '208917000000000102']),
  });
  const conditions = fc.record({
    match: fc.constantFrom('all' as const, 'any' as const),
    items: fc.subarray([
      { propertyId: status.id, operator: 'is' as const, values: [status.options[0]?.id ?? ''] },
      { propertyId: status.id, operator: 'is_not_empty' as const },
      { propertyId: 'title', operator: 'contains' as const, values: ['x', '“y”'] },
    ]),
  });
  const due = properties.find(({ type }) => type === 'date')?.id ?? '';
  const actions = fc.constantFrom<RuleTerms['actions']>(null, [], ['done', `set:${due}`, 'comment']);
  const forNew = fc.record({
    actions,
    conditions,
    mentions,
    authors,
    name,
    eventType: fc.constant('page_created' as const),
    displayedFields: propertyIds,
    atOnce: fc.boolean(),
    size: fc.constantFrom('full' as const, 'compact' as const),
    rollUp: fc.boolean(),
  });
  const forChanged = fc.record({
    conditions,
    mentions,
    authors,
    name,
    eventType: fc.constant('page_updated' as const),
    watchedProperties: propertyIds.map((ids) => [...new Set([...ids, status.id])]),
    statusTo: optionIds,
    displayedFields: propertyIds,
  });
  return fc.oneof(forNew, forChanged).chain((terms) => {
    const others = TERMS.filter((term) => !(term in terms) && mayHave(terms.eventType, term));
    const plain = Object.fromEntries(others.map((term) => [term, fc.constantFrom(...plainValues(term))]));
    return fc.record(plain).map((rest) => ruleTermsSchema.parse({ ...terms, ...rest }));
  });
}

const mayHave = (eventType: EventType, term: string) =>
  Object.values(TERMS_OF_EVENT)
    .flat()
    .every((ofSome) => ofSome !== term) || TERMS_OF_EVENT[eventType].some((own) => own === term);

const plainValues = (term: keyof RuleTerms): unknown[] =>
  [undefined, null, true, false, 7, 'a text', []].filter(
    (value) => ruleTermsSchema.shape[term].safeParse(value).success,
  );

/** A rule with these terms: as stored, as the API returns it, and as the pipeline loads it. */
async function saveAndRead(terms: RuleTerms) {
  await db().rule.deleteMany();
  const target = { databaseId: story.board.dataSourceId, channelId: story.channel('tasks') };
  const { body } = await story.product.call('mira', 'POST', '/api/app/rules', { ...terms, ...target });
  const stored = await db().rule.findUniqueOrThrow({ where: { id: body.id } });
  const [loaded] = await loadRules(stored.workspaceId, 'a page', stored.databaseId);
  return { stored, answered: body as Rule, loaded };
}

test('a rule has the same terms in the database, in the API and in the pipeline', async () => {
  const nameOf = (id: string) => board.status.options.find((option) => option.id === id)?.name ?? id;
  await fc.assert(
    fc.asyncProperty(validTerms(), async (terms) => {
      const { stored, answered, loaded } = await saveAndRead(terms);
      expect(termsOf(stored)).toEqual(terms);
      const { match, items } = terms.conditions;
      const named = items.map((item) =>
        'values' in item ? { ...item, values: item.values.map((value) => nameOf(String(value))) } : item,
      );
      const conditions = { match, items: named };
      const actions = terms.actions ?? DEFAULT_ACTIONS;
      const statusTo = terms.statusTo.map(nameOf);
      expect(termsOf(answered)).toEqual({ ...terms, conditions, actions, statusTo });
      expect(loaded && termsOf(loaded)).toEqual(terms);
      expect(loaded?.database.statusPropertyId).toBe(board.status.id);
    }),
    { numRuns: 20 },
  );
});
