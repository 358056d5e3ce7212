'use client';

import { ClosedSection } from '@/components/ui/closed-section';
import { withDistinctLabels } from '@/components/ui/distinct-labels';
import { lateSection } from '@/components/ui/late';
import { Skeleton } from '@/components/ui/skeleton';
import { isolate } from '@/lib/bidi';
import { useAccountLinks } from '@/lib/client/resources';
import { isClockEvent, isToPeople } from '@/lib/features/matching/words';
import type { RuleProblem } from '@/lib/features/rules/schema';
import type { Server } from '@/lib/features/servers/schema';
import type { Workspace } from '@/lib/features/workspaces/schema';
import { peopleChoices } from './choice-marks';
import { describePeople } from './people-summary';
import { isAuthorMissing, type RuleFormValues } from './rule-terms';

const RulePeopleFields = lateSection(
  () => import('./rule-people-fields').then((module) => module.RulePeopleFields),
  () => <Skeleton className="h-40" />,
);

/** Shows whose work a rule posts and whom its cards ping, and lets both be changed. */
export function RulePeople({
  values,
  onChange,
  server,
  workspace,
  problems,
  tried,
}: {
  values: RuleFormValues;
  onChange: (changed: Partial<RuleFormValues>) => void;
  server: Server;
  workspace: Workspace;
  /** Among them, why roles that the edited rule names cannot be pinged. */
  problems: RuleProblem[];
  /** Whether somebody has tried to save. */
  tried: boolean;
}) {
  const { data: links } = useAccountLinks();
  const { mentions } = values;
  const people = peopleChoices(workspace);
  const channel = server.channels.find(({ id }) => id === values.channelId);
  const isChosen = (id: string) => mentions.roleIds.includes(id);
  const roles = withDistinctLabels(
    server.roles
      .filter(({ id, isMentionable }) => isMentionable || channel?.pingsAllRoles || isChosen(id))
      .map(({ id, name }) => option(id, `@${name}`)),
  );
  const linked = (links?.linkedAccounts ?? []).map((link) =>
    option(
      link.discord_user_id,
      link.notion_display_name,
      link.discord_username ? `@${link.discord_username}` : undefined,
    ),
  );
  const others = mentions.userIds.filter((id) => !linked.some(({ value }) => value === id));
  const users = withDistinctLabels([...linked, ...others.map((id) => option(id, id))]);

  const names = {
    people: namesOf(people),
    roles: namesOf(roles),
    users: namesOf(users),
  };

  const chosen = {
    authors: isClockEvent(values.eventType) ? null : values.authors,
    mentions: isToPeople(values) ? null : mentions,
  };
  // A clock's message to people has no author and pings nobody else.
  if (!chosen.authors && !chosen.mentions) return null;
  const summary = describePeople(chosen, names);
  const unpinged = problems.filter(
    ({ part, id }) => part === 'mentions' && (isChosen(id) || server.roles.every((role) => role.id !== id)),
  );
  const warning = unpinged.map(({ text }) => text).join(' ') || null;
  return (
    <ClosedSection
      id="rule-people"
      title="People"
      summary={summary}
      startsOpen={warning !== null || isAuthorMissing(values)}
      staysOpen={tried && isAuthorMissing(values)}
    >
      <RulePeopleFields
        values={values}
        onChange={onChange}
        choices={{ people, roles, users }}
        warning={warning}
      />
    </ClosedSection>
  );
}

const option = (value: string, label: string, hint?: string) => ({ value, label, ...(hint && { hint }) });

const namesOf = (options: { value: string; label: string }[]) =>
  new Map(options.map(({ value, label }) => [value, isolate(label)]));
