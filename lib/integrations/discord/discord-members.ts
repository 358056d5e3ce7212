import { RESTJSONErrorCodes as Code } from 'discord-api-types/v10';
import { aboutGuild, guildSchema, memberSchema } from './discord-guild';
import { allAnswers, DiscordError, discordRequest, readReply } from './discord-request';
import { managesServer } from './permissions';

const NOT_A_MEMBER: number[] = [Code.UnknownMember, Code.UnknownUser];

/** Those of these people who have Manage Server in a server now. Throws DiscordError. */
export async function listManagers(accountId: string, guildId: string, userIds: string[]): Promise<string[]> {
  const [{ body }, ...members] = await allAnswers([
    aboutGuild(guildId, discordRequest('GET', `/guilds/${guildId}`, { accountId })),
    ...userIds.map((userId) => findMember(accountId, guildId, userId)),
  ]);
  const guild = readReply(guildSchema, body);
  return members.flatMap((member) =>
    member && managesServer(guild, member.userId, member.roles) ? [member.userId] : [],
  );
}

/** Whether somebody is in a server. Throws DiscordError. */
export const isMember = async (accountId: string, guildId: string, userId: string): Promise<boolean> =>
  (await findMember(accountId, guildId, userId)) !== null;

async function findMember(accountId: string, guildId: string, userId: string) {
  try {
    const call = discordRequest('GET', `/guilds/${guildId}/members/${userId}`, { accountId });
    const { body } = await aboutGuild(guildId, call);
    return { userId, roles: readReply(memberSchema, body).roles };
  } catch (error) {
    if (error instanceof DiscordError && NOT_A_MEMBER.includes(error.code)) return null;
    throw error;
  }
}
