import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
} from 'discord-api-types/v10';
import { NOTIFY_MODES } from '@/lib/features/letters/notify-setting';
import { act, submitAction } from './actions/act';
import { assign } from './actions/assign';
import { openPage, turnMyTasks } from './actions/browse';
import { changeStatus, moreStatuses, setStatus } from './actions/change-status';
import { showDigest, turnDigest } from './actions/digest';
import { showFlood, turnFlood } from './actions/flood';
import { chooseNotify, showLetters, turnLetters } from './actions/notify';
import { remind, undo } from './actions/reminder';
import { handOverServer, keepServer } from './actions/server-takeover';
import { showOwnSummary, showSummary, turnOwnSummary, turnSummary } from './actions/summary';
import { openForm, submitForm } from './actions/task-form';
import { commandTexts } from './command-texts';
import { createFromMessage } from './commands/create-from-message';
import { find } from './commands/find';
import { help } from './commands/help';
import { linkAccount } from './commands/link-account';
import { myTasks } from './commands/my-tasks';
import { notify } from './commands/notify';
import { suggestDatabases, task } from './commands/task';
import {
  type AutocompleteCall,
  COMMAND_NAME,
  type CommandCall,
  type ComponentCall,
  type DirectCall,
  type DirectModalCall,
  type MessageCall,
  type ModalCall,
} from './interaction';
import type { Reply } from './reply';

type Handler<Call> = (call: Call) => Promise<Reply>;

interface Subcommand {
  description: string;
  options?: object[];
  run: Handler<CommandCall>;
  suggest?: Handler<AutocompleteCall>;
}

/** Every subcommand of /notion: how Discord shows it, and the function that answers it. */
const SUBCOMMANDS: Record<string, Subcommand> = {
  task: {
    description: commandTexts.task,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'database',
        description: commandTexts.taskDatabase,
        autocomplete: true,
      },
    ],
    run: task,
    suggest: suggestDatabases,
  },
  'my-tasks': { description: commandTexts.myTasks, run: myTasks },
  find: {
    description: commandTexts.find,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'title',
        description: commandTexts.findTitle,
        required: true,
        max_length: 100,
      },
    ],
    run: find,
  },
  'link-account': { description: commandTexts.linkAccount, run: linkAccount },
  notify: {
    description: commandTexts.notify,
    options: [
      {
        type: ApplicationCommandOptionType.String,
        name: 'mode',
        description: commandTexts.notifyMode,
        choices: NOTIFY_MODES.map((value) => ({ name: commandTexts.notifyModes[value], value })),
      },
    ],
    run: notify,
  },
  help: { description: commandTexts.help, run: help },
};

/** Entries of a message's menu, by the name that Discord shows. */
const MESSAGE_ACTIONS: Record<string, Handler<MessageCall>> = {
  'Create Notion task': createFromMessage,
};

/** Buttons and menus, by the name at the start of their custom id. */
const COMPONENTS: Record<string, Handler<ComponentCall>> = {
  act,
  assign,
  digest: showDigest,
  'digest-to': turnDigest,
  summary: showSummary,
  'summary-to': turnSummary,
  status: changeStatus,
  statuses: moreStatuses,
  'set-status': setStatus,
  'open-page': openPage,
  'my-tasks': turnMyTasks,
  notify: chooseNotify,
  'task-in': openForm,
  'new-task': openForm,
  flood: showFlood,
  'flood-list': turnFlood,
  remind,
  undo,
};

/** Buttons of direct messages, by the name at the start of their custom id. */
const DIRECT_BUTTONS: Record<string, Handler<DirectCall>> = {
  act,
  'keep-server': keepServer,
  'hand-over-server': handOverServer,
  letters: showLetters,
  'letters-to': turnLetters,
  'summary-dm': showOwnSummary,
  'summary-dm-to': turnOwnSummary,
  notify: chooseNotify,
  remind,
  undo,
};

/** Modals, by the name at the start of their custom id. */
const MODALS: Record<string, Handler<ModalCall>> = {
  task: submitForm,
  'act-form': submitAction,
};

/** Modals that buttons of direct messages open. */
const DIRECT_MODALS: Record<string, Handler<DirectModalCall>> = {
  'act-form': submitAction,
};

export const findSubcommand = (name: string) => own(SUBCOMMANDS, name);
export const findMessageAction = (name: string) => own(MESSAGE_ACTIONS, name);
export const findComponent = (name: string) => own(COMPONENTS, name);
export const findDirectButton = (name: string) => own(DIRECT_BUTTONS, name);
export const findModal = (name: string) => own(MODALS, name);
export const findDirectModal = (name: string) => own(DIRECT_MODALS, name);

/** The commands in the form in which they are registered with Discord. */
export const COMMAND_MANIFEST = [
  {
    type: ApplicationCommandType.ChatInput,
    name: COMMAND_NAME,
    description: commandTexts.notion,
    contexts: [InteractionContextType.Guild],
    integration_types: [ApplicationIntegrationType.GuildInstall],
    options: Object.entries(SUBCOMMANDS).map(([name, { description, options }]) => ({
      type: ApplicationCommandOptionType.Subcommand,
      name,
      description,
      ...(options ? { options } : {}),
    })),
  },
  ...Object.keys(MESSAGE_ACTIONS).map((name) => ({
    type: ApplicationCommandType.Message,
    name,
    contexts: [InteractionContextType.Guild],
    integration_types: [ApplicationIntegrationType.GuildInstall],
  })),
];

function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
