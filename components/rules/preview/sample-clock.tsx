import { PRODUCT } from '@/components/brand/product';
import type { RuleFormValues } from '@/components/rules/form/rule-terms';
import { actionName } from '@/lib/features/actions/words';
import type { Schedule } from '@/lib/features/calendar/schema';
import { describeSchedule } from '@/lib/features/calendar/words';
import { CLOCK_DID, findingInWords, ruleInWords } from '@/lib/features/cards/words';
import { isToPeople } from '@/lib/features/matching/words';
import type { Property } from '@/lib/features/workspaces/schema';
import { DAY_MS, dayInUtc } from '@/lib/time';
import { type CardParts, DiscordCard } from './discord-card';
import { DiscordMenu } from './discord-menu';
import { Bullet, LinkText } from './discord-text';

const TITLE = 'Write the release notes';
const OTHERS = ['Fix the login page', 'Order new badges'];

const REMINDERS = ['Tomorrow', 'Next week'];

/** The message that a clock rule in the form will post, with invented pages. */
export function SampleClock({
  values,
  schedule,
  properties,
  sourceName,
  place,
  card,
  actions,
  usual,
  canComplete,
  pings,
}: {
  values: RuleFormValues;
  schedule: Schedule;
  properties: Property[];
  sourceName: string;
  place: string;
  /** The card of a page, without its text. */
  card: CardParts;
  /** The buttons of any card of the page: what the rule offers, and those that all have. */
  actions: string[];
  usual: string[];
  /** Whether the database has a status option that means "complete". */
  canComplete: boolean;
  pings: string[];
}) {
  const names = { property: (id: string) => properties.find((each) => each.id === id)?.name ?? 'Due date' };
  const post = values.destination.kind === 'forum';
  const isLetter = isToPeople(values);
  if ('every' in schedule) {
    const pages = [TITLE, ...OTHERS];
    const ruleName = ruleInWords(values.name, sourceName, isLetter ? null : place);
    const shown = card.fields.map(({ name, value }) => `${name}: ${value}`).join(', ');
    return (
      <DiscordCard
        sender={PRODUCT}
        place={place}
        content={[`${pages.length} pages in ${sourceName}`, ...pings].join(' · ')}
        card={{
          title: sourceName,
          isTitlePlain: true,
          lines: pages.map((title) => (
            <Bullet key={title}>
              <LinkText>{title}</LinkText>
              {shown ? `: ${shown}` : null}
            </Bullet>
          )),
          fields: [],
          footer: `${PRODUCT} · ${ruleName} · ${describeSchedule(schedule, names)}`,
        }}
        buttons={isLetter ? ['Stop these messages'] : []}
        menu={isLetter ? null : <DiscordMenu text="Open one to work on it" />}
        post={post ? { name: `What happened in ${sourceName}`, tags: [] } : undefined}
      />
    );
  }
  const sentence = sentenceOf(schedule, names);
  const isDated = 'propertyId' in schedule;
  const [before = '', after = ''] = sentence.split(TITLE);
  const line = (
    <>
      {before}
      <LinkText>{TITLE}</LinkText>
      {[after, ...pings].join(' · ')}
    </>
  );
  const isCompact = values.size === 'compact';
  const reminders = canMove(schedule, properties) ? [...(canComplete ? ['Done'] : []), ...REMINDERS] : [];
  // A reminder has its own button for finished work.
  const offered = reminders.includes('Done')
    ? actions.filter((label) => label !== actionName('done'))
    : actions;
  const ofCard = isCompact ? [] : [...offered, ...usual, ...reminders];
  const below = isLetter ? [...offered, ...reminders, ...usual] : ofCard;
  return (
    <DiscordCard
      sender={PRODUCT}
      place={place}
      content={isCompact ? line : [sentence, ...pings].join(' · ')}
      card={
        isCompact
          ? null
          : {
              ...card,
              title: TITLE,
              lines: [CLOCK_DID[isDated ? 'date_near' : 'page_untouched'](null, 'just now')],
            }
      }
      buttons={below}
      post={post ? { name: TITLE, tags: [] } : undefined}
    />
  );
}

/** Only a date property can be moved: Notion itself sets when a page was created or edited. */
const canMove = (schedule: Schedule, properties: Property[]) =>
  'propertyId' in schedule &&
  properties.some(({ id, type }) => id === schedule.propertyId && type === 'date');

function sentenceOf(
  schedule: Exclude<Schedule, { every: unknown }>,
  { property }: { property: (id: string) => string },
): string {
  // An empty field shows the smallest number.
  const days = Number.isNaN(schedule.days) ? 1 : schedule.days;
  if (!('propertyId' in schedule)) return findingInWords({ kind: 'untouched', days }, TITLE, '');
  const name = property(schedule.propertyId);
  const date = dayInUtc(new Date(Date.now() + days * DAY_MS));
  return findingInWords({ kind: 'date', name, date, daysLeft: days }, TITLE, name);
}
