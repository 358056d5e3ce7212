'use client';

import { PRODUCT } from '@/components/brand/product';
import { actionLabels } from '@/components/rules/form/action-choices';
import { COMPLETE, statusIn } from '@/components/rules/form/database-shape';
import { filterableStatus, type RuleFormValues } from '@/components/rules/form/rule-terms';
import { lateSection } from '@/components/ui/late';
import { notionHue } from '@/components/ui/notion-hue';
import { isolate } from '@/lib/bidi';
import { useAccountLinks, useLoadedMe } from '@/lib/client/resources';
import { changeInWords, MAX_FIELDS, ruleInWords } from '@/lib/features/cards/words';
import { EVENT_NAMES, EVERYTHING, isToPeople } from '@/lib/features/matching/words';
import type { Server } from '@/lib/features/servers/schema';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';
import { DiscordCard } from './discord-card';
import { LinkText, Quote } from './discord-text';
import { sampleEvent } from './sample-event';
import { samplePlace } from './sample-place';
import { sampleAuthor, sampleChange, sampleSentence, sampleValue } from './sample-values';

const SampleDigest = lateSection(() => import('./sample-digest').then((module) => module.SampleDigest));

const SampleClock = lateSection(() => import('./sample-clock').then((module) => module.SampleClock));

// Discord shows an image icon next to the text; the preview omits it.
const emojiOf = (icon: string | null) => (icon && !icon.startsWith('http') ? `${icon} ` : '');

/** The card that the rule in the form will post, with invented values. */
export function SampleCard({
  values,
  properties,
  server,
  workspace,
}: {
  values: RuleFormValues;
  properties: Property[];
  server: Server;
  workspace: Workspace;
}) {
  const { user } = useLoadedMe();
  const { data: links } = useAccountLinks();
  const database = workspace.databases.find((candidate) => candidate.id === values.databaseId);
  const source = values.source && (values.source.kind === 'page' ? values.source.page : null);
  const sourceName = isolate(
    values.source
      ? (source?.title ?? (values.source.kind === 'page' ? 'Page' : EVERYTHING))
      : (database?.name ?? 'Database'),
  );
  const sourceIcon = source?.icon ?? database?.icon ?? null;
  const place = samplePlace(values, { server, properties, links: links?.linkedAccounts ?? [] });
  const named = (ids: string[]) => properties.filter((property) => ids.includes(property.id));
  const updated = values.eventType === 'page_updated';
  const status = statusIn(properties);
  const filter = filterableStatus(values, properties) ? values.statusTo : [];
  const watched = values.source ? [] : values.watchedProperties;
  const ofTitle = values.source ? [{ name: 'Title', from: 'An old title', to: 'An edited page' }] : [];
  const changes = updated
    ? named(watched)
        .map((property) => ({
          name: property.name,
          ...sampleChange(property, filter),
        }))
        .concat(ofTitle)
    : [];
  const shownStatus = changes.find((change) => change.name === status?.name)?.to ?? status?.options[0]?.name;
  const color = status?.options.find((option) => option.name === shownStatus)?.color ?? 'default';
  const me = user.notionDisplayName ?? user.discordUsername ?? 'A teammate';
  const person = isolate(sampleAuthor(values.authors, workspace.users, me));

  const said = sampleEvent(values.eventType, person);
  const { roleIds, userIds } = values.mentions;
  const linked = (links?.linkedAccounts ?? []).filter((each) => userIds.includes(each.discord_user_id));
  const mentioned = [
    ...server.roles.filter(({ id }) => roleIds.includes(id)).map(({ name }) => name),
    ...linked.map((each) => each.notion_display_name),
  ];
  const { destination } = values;
  const inForum = destination.kind === 'forum';
  const isLiving = values.card !== 'each' || inForum;
  const pings =
    mentioned.length > 0 && !isToPeople(values)
      ? [mentioned.map((name) => `@${isolate(name)}`).join(' ')]
      : [];

  const ruleName = ruleInWords(values.name, sourceName, isToPeople(values) ? null : place);
  const isCompact = values.size === 'compact';
  const sentence = updated ? sampleSentence(person, changes) : said.content;
  const [before, after = ''] = sentence.split(said.title);
  const line = (
    <>
      {before}
      <LinkText>{said.title}</LinkText>
      {[after, ...pings].join(' · ')}
    </>
  );
  const card = {
    author: `${emojiOf(sourceIcon)}${sourceName}`,
    title: said.title,
    lines: [
      ...changes.map(({ name, from, to }) => {
        const before = isLiving ? null : () => from;
        return changeInWords({ name: () => name, before, after: () => to });
      }),
      ...said.quoted.map((text) => <Quote key={text}>{text}</Quote>),
      `${said.done} by ${person} just now`,
    ],
    fields: named(values.displayedFields)
      .slice(0, MAX_FIELDS)
      .map((property) => ({ name: isolate(property.name), value: isolate(sampleValue(property, person)) })),
    footer: `${PRODUCT} · ${ruleName} · ${EVENT_NAMES[values.eventType]}`,
    color: notionHue(color),
  };

  const tagOf = (propertyId: string | undefined) => {
    const property = properties.find(({ id }) => id === propertyId);
    const known = server.channels.find(({ id }) => id === values.channelId)?.tags ?? [];
    const value = changes.find(({ name }) => name === property?.name)?.to ?? property?.options[0]?.name;
    return known.filter((tag) => tag.toLowerCase() === value?.toLowerCase());
  };

  const chosen = actionLabels(values, properties);
  const hasButtons = (database?.type === 'task' || chosen.length > 0) && !isCompact;
  const actions = said.isChangeable && (hasButtons || isToPeople(values)) ? chosen : [];
  const toPage = ['Open in Notion'];
  const usual = isToPeople(values) ? [...toPage, 'Stop these messages'] : hasButtons ? toPage : [];
  if (values.schedule) {
    const canComplete = (database?.statusGroups[COMPLETE]?.options.length ?? 0) > 0;
    const shown = {
      values,
      schedule: values.schedule,
      properties,
      sourceName,
      place,
      card,
      actions,
      usual,
      pings,
    };
    return <SampleClock {...shown} canComplete={canComplete} />;
  }
  const hasThread = values.card === 'living' && !isToPeople(values) && !inForum;
  if (values.timing.kind === 'digest') {
    const digest = { values, sourceName, place, changes, mentioned: pings };
    return <SampleDigest {...digest} status={values.source ? undefined : shownStatus} />;
  }
  return (
    <DiscordCard
      sender={PRODUCT}
      place={place}
      content={isCompact ? line : [sentence, ...pings].join(' · ')}
      card={isCompact ? null : card}
      buttons={[...actions, ...usual]}
      post={inForum ? { name: said.title, tags: tagOf(destination.tagPropertyId) } : undefined}
      thread={hasThread ? { name: said.title, line: sentence } : undefined}
    />
  );
}
