import type {
  APIActionRowComponent,
  APIButtonComponentWithCustomId,
  APIButtonComponentWithURL,
} from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { compactId } from '@/lib/integrations/notion/notion-id';

const ROW = 1;
const BUTTON = 2;
const SECONDARY = 2;
const LINK = 5;
// https://discord.com/developers/docs/components/reference#button
const URL_MAX = 512;

type Button = APIButtonComponentWithCustomId | APIButtonComponentWithURL;

export interface ActionTarget {
  page: { id: string; url: string };
  /** Null for a page of a database without a status, which can only be opened. */
  task: { databaseId: string; hasPeople: boolean } | null;
}

/** The buttons of a page, on cards and below the answers of commands. Null when there are none. */
export function actionRow({ page, task }: ActionTarget): APIActionRowComponent<Button> | null {
  const buttons: Button[] = [];
  if (task) {
    const target = `${compactId(page.id)}:${compactId(task.databaseId)}`;
    if (task.hasPeople) buttons.push(action(texts.assignToMe, `assign:${target}`));
    buttons.push(action(texts.changeStatus, `status:${target}`));
  }
  if (page.url && page.url.length <= URL_MAX) {
    buttons.push({ type: BUTTON, style: LINK, label: texts.openInNotion, url: page.url });
  }
  return buttons.length > 0 ? { type: ROW, components: buttons } : null;
}

/** A row with one button. */
export const actionButton = (label: string, customId: string): APIActionRowComponent<Button> => ({
  type: ROW,
  components: [action(label, customId)],
});

/** A plain button. */
export function action(label: string, customId: string): APIButtonComponentWithCustomId {
  return { type: BUTTON, style: SECONDARY, label, custom_id: customId };
}
