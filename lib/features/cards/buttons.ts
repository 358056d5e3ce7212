import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { compactId } from '@/lib/integrations/notion/notion-id';
import { actionName } from '../actions/words';

// https://discord.com/developers/docs/components/reference#button
const MAX_URL = 512;

type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;

/** Buttons followed by the link to their page, on cards and below the answers of commands. Null when there are none. */
export function pageRow({ url }: { url: string }, buttons: Button[]): APIActionRowComponent<Button> | null {
  const hasLink = url !== '' && url.length <= MAX_URL;
  const link: Button[] = hasLink
    ? [{ type: ComponentType.Button, style: ButtonStyle.Link, label: texts.openInNotion, url }]
    : [];
  const components = [...buttons, ...link];
  return components.length > 0 ? rowOf(components) : null;
}

interface Task {
  pageId: string;
  databaseId: string;
}

/** The parts of a custom id that name a task. */
export const taskTarget = ({ pageId, databaseId }: Task) => `${compactId(pageId)}:${compactId(databaseId)}`;

/** The buttons of a task. */
export const taskButtons = (task: Task) => ({
  assign_me: button(actionName('assign_me'), `assign:${taskTarget(task)}`),
  status: button(actionName('status'), `status:${taskTarget(task)}`),
});

/** Buttons in one row: five at most. */
export const rowOf = (components: Button[]): APIActionRowComponent<Button> => ({
  type: ComponentType.ActionRow,
  components,
});

/** A row with one button. */
export const buttonRow = (label: string, customId: string) => rowOf([button(label, customId)]);

/** A plain button. */
export function button(label: string, customId: string): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style: ButtonStyle.Secondary, label, custom_id: customId };
}
