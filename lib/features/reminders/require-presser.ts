import { db } from '@/lib/db/database';
import { scheduleSchema } from '../calendar/schema';
import { dateKeyOf } from '../cards/reminder-actions';
import { requireLinkedMember, requireMember } from '../tasks/member';
import { TaskProblem } from '../tasks/task-problem';

/** Who pressed a button, and where; `guildId` is null in a direct message. */
export interface Pressed {
  guildId: string | null;
  userId: string;
}

/**
 * The person who pressed a button that works for a server. Outside of it, only a link tells that they belong to it.
 * Throws TaskProblem.
 */
const requireMemberWhere = ({ guildId, userId }: Pressed, worksFor: string) =>
  guildId === null ? requireLinkedMember(worksFor, userId) : requireMember(guildId, userId);

/**
 * The server in which a button of a rule was pressed, or else, in a direct message, that of the rule, if the person is
 * linked there. Throws TaskProblem: a rule of others is answered like one that does not exist (`gone`).
 */
export async function requireServerOf(
  { guildId, userId }: Pressed,
  rule: { accountId: string; server: { guildId: string } } | null,
  gone: TaskProblem,
): Promise<string> {
  if (guildId !== null) return guildId;
  const own = rule && { accountId: rule.accountId, discordUserId: userId };
  const where = own && { accountId_discordUserId: own };
  if (where && (await db().accountLink.findUnique({ where }))) return rule.server.guildId;
  const isLinked = (await db().accountLink.findFirst({ where: { discordUserId: userId } })) !== null;
  throw isLinked ? gone : new TaskProblem('not_linked');
}

/** The rule of a reminder, and which of its dates a button is about if it names one. */
interface Reminding {
  ruleId: string;
  dateKey?: string | undefined;
}

const gone = () => new TaskProblem('reminder_gone');

/**
 * The linked person who pressed a button of a rule's reminder, and what the rule reminds of. Everything that such a
 * button does passes this check, which is the same as for the buttons of other cards. Throws TaskProblem.
 */
export async function requireReminder({ guildId, userId }: Pressed, { ruleId, dateKey }: Reminding) {
  const rule = await db().rule.findUnique({ where: { id: ruleId }, include: { server: true } });
  const pressedIn = await requireServerOf({ guildId, userId }, rule, gone());
  const member = await requireLinkedMember(pressedIn, userId);
  if (rule?.accountId !== member.accountId || rule.workspaceId !== member.workspaceId) throw gone();
  if (rule.eventType !== 'date_near' || rule.databaseId === null) throw gone();
  const { data: schedule } = scheduleSchema.safeParse(rule.schedule);
  if (!schedule || !('propertyId' in schedule)) throw gone();
  if (dateKey !== undefined && dateKey !== dateKeyOf(schedule.propertyId)) throw gone();
  return { member, databaseId: rule.databaseId, propertyId: schedule.propertyId };
}

/** The person who pressed a button that belongs to an account. Throws TaskProblem. */
export async function requireMemberOf(accountId: string, { guildId, userId }: Pressed) {
  const server = guildId === null ? await db().discordServer.findFirst({ where: { accountId } }) : null;
  const pressedIn = guildId ?? server?.guildId;
  if (!pressedIn) throw new TaskProblem('not_connected');
  const member = await requireMemberWhere({ guildId, userId }, pressedIn);
  if (member.accountId !== accountId) throw new TaskProblem('undo_gone');
  return member;
}
