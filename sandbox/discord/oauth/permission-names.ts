import { PermissionFlagsBits } from 'discord-api-types/v10';

/** The asked permissions one by one, named as a person reads them. */
export function namedPermissions(bits: bigint): { bit: bigint; name: string }[] {
  return Object.entries(PermissionFlagsBits)
    .filter(([, bit]) => bits & bit)
    .map(([key, bit]) => ({ bit, name: OTHER_NAMES[key] ?? key.replace(/(?<=[a-z])(?=[A-Z])/g, ' ') }));
}

const OTHER_NAMES: Record<string, string> = {
  ViewChannel: 'View Channels',
  SendMessages: 'Send Messages',
  MentionEveryone: 'Mention @everyone, @here and All Roles',
  SendMessagesInThreads: 'Send Messages in Threads',
};
