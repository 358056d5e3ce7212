import { help } from './commands/help';
import { linkAccount } from './commands/link-account';
import type { CommandCall } from './interaction';

const CHAT_INPUT = 1;
const SUB_COMMAND = 1;
const GUILD = 0;
const GUILD_INSTALL = 0;

type Reply = { type: number };

/** Every subcommand of /notion: what Discord shows of it, and what answers it. */
const SUBCOMMANDS: Record<string, { description: string; run: (call: CommandCall) => Promise<Reply> }> = {
  'link-account': { description: 'Ask to be linked to your Notion user', run: linkAccount },
  help: { description: 'What Pagewire does here', run: help },
};

/** What answers a subcommand of /notion, if there is such a one. */
export function findSubcommand(name: string) {
  return Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]?.run : undefined;
}

/** The commands as Discord is asked to register them. */
export const COMMAND_MANIFEST = [
  {
    type: CHAT_INPUT,
    name: 'notion',
    description: 'Notion in this server',
    contexts: [GUILD],
    integration_types: [GUILD_INSTALL],
    options: Object.entries(SUBCOMMANDS).map(([name, { description }]) => ({
      type: SUB_COMMAND,
      name,
      description,
    })),
  },
];
