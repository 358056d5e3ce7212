import { PRODUCT } from '@/components/brand/product';
import type { RuleFormValues } from '@/components/rules/form/rule-terms';
import { describeTiming } from '@/lib/features/calendar/words';
import { changeInWords, ruleInWords } from '@/lib/features/cards/words';
import type { EventType } from '@/lib/features/matching/schema';
import { isToPeople } from '@/lib/features/matching/words';
import { DiscordCard } from './discord-card';
import { Bullet, LinkText } from './discord-text';

const SAMPLES = ['Write the release notes', 'Fix the login page', 'Order new badges'];

const WHAT: Record<EventType, { pages: string; line: string }> = {
  page_created: { pages: 'new pages', line: ': new page' },
  page_updated: { pages: 'changed pages', line: '' },
  content_updated: { pages: 'edited pages', line: '' },
  comment_created: { pages: 'pages with new comments', line: ': Comment: Looks good to me' },
  page_deleted: { pages: 'pages moved to the trash', line: '' },
  page_restored: { pages: 'restored pages', line: '' },
  date_near: { pages: 'pages with a date near', line: '' },
  page_untouched: { pages: 'untouched pages', line: '' },
  summary: { pages: 'pages', line: '' },
};

/** The digest that the rule in the form will post, with invented pages. */
export function SampleDigest({
  values,
  sourceName,
  place,
  changes,
  status,
  mentioned,
}: {
  values: RuleFormValues;
  sourceName: string;
  place: string;
  changes: { name: string; from: string; to: string }[];
  /** The status of the pages; absent without one. */
  status: string | undefined;
  mentioned: string[];
}) {
  const { pages, line } = WHAT[values.eventType];
  const isLetter = isToPeople(values);
  const ruleName = ruleInWords(values.name, sourceName, place);
  const about = isLetter
    ? `News of ${SAMPLES.length} pages that concern you`
    : `${SAMPLES.length} ${pages} in ${sourceName}`;
  const named = changes
    .map(({ name, from, to }) => changeInWords({ name: () => name, before: () => from, after: () => to }))
    .join(', ');
  return (
    <DiscordCard
      sender={PRODUCT}
      place={place}
      content={[about, ...mentioned].join(' · ')}
      card={{
        title: isLetter ? null : sourceName,
        isTitlePlain: true,
        lines: [
          ...(status ? [<strong key="status">{status}</strong>] : []),
          ...SAMPLES.map((title) => (
            <Bullet key={title}>
              <LinkText>{title}</LinkText>
              {named ? `: ${named}` : line}
            </Bullet>
          )),
        ],
        fields: [],
        footer: isLetter ? null : `${PRODUCT} · ${ruleName} · ${describeTiming(values.timing)}`,
      }}
      buttons={isLetter ? ['Stop these messages'] : []}
    />
  );
}
