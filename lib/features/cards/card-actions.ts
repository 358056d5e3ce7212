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
export function pageRow({ url }: { url: string }, actions: Button[]): APIActionRowComponent<Button> | null {
  const hasLink = url !== '' && url.length <= MAX_URL;
  const link: Button[] = hasLink
    ? [{ type: ComponentType.Button, style: ButtonStyle.Link, label: texts.openInNotion, url }]
    : [];
  const components = [...actions, ...link];
  return components.length > 0 ? rowOf(components) : null;
}

/** The buttons of a task. */
export function taskButtons({ pageId, databaseId }: { pageId: string; databaseId: string }) {
  const target = `${compactId(pageId)}:${compactId(databaseId)}`;
  return {
    assign_me: action(actionName('assign_me'), `assign:${target}`),
    status: action(actionName('status'), `status:${target}`),
  };
}

/** Buttons in one row: five at most. */
export const rowOf = (components: Button[]): APIActionRowComponent<Button> => ({
  type: ComponentType.ActionRow,
  components,
});

/** A row with one button. */
export const actionButton = (label: string, customId: string) => rowOf([action(label, customId)]);

/** A plain button. */
export function action(label: string, customId: string): APIButtonComponentWithCustomId {
  return { type: ComponentType.Button, style: ButtonStyle.Secondary, label, custom_id: customId };
}
