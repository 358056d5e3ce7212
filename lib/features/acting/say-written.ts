import { isolateWithin } from '@/lib/bidi';
import { texts } from '@/lib/bot-texts';
import type { NamedValue } from '@/lib/integrations/notion/notion-page';
import { fitPeople, fitValue } from '../cards/card-value';
import { nameWords } from '../cards/line-text';
import { listPeople } from '../links/people';
import type { Member } from '../tasks/member';

const MAX_NAME = 100;
const MAX_VALUE = 300;

/** The name of a property that was set, and its value in words, with the links of the people in it; both escaped. */
export async function sayWritten(
  member: Member,
  value: NamedValue | undefined,
): Promise<{ name: string; value: string }> {
  return { name: nameWords(value?.name ?? '', MAX_NAME), value: await valueInWords(member, value) };
}

async function valueInWords(member: Member, value: NamedValue | undefined): Promise<string> {
  if (!value) return texts.empty;
  const { userIds } = value;
  if (!userIds) return isolateWithin(MAX_VALUE, (most) => fitValue(value, most)) || texts.empty;
  const people = await listPeople({ id: member.workspaceId, accountId: member.accountId }, userIds);
  const nameOf = (id: string, name: string) => {
    const discordUserId = people.get(id)?.discordUserId;
    return discordUserId ? `<@${discordUserId}>` : nameWords(name, MAX_NAME) || texts.someone;
  };
  return fitPeople(value, MAX_VALUE, nameOf) || texts.empty;
}
