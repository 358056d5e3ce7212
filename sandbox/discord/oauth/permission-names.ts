import { PermissionFlagsBits } from 'discord-api-types/v10';

/** The requested permissions, one by one, as Discord names them for people. */
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
