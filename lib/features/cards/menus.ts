import {
  type APIActionRowComponent,
  type APIStringSelectComponent,
  ComponentType,
} from 'discord-api-types/v10';
import { texts } from '@/lib/bot-texts';
import { labelWords } from './line-text';

// https://discord.com/developers/docs/components/reference#string-select

/** Characters of a menu's entry, and of its description. */
export const MAX_ENTRY = 100;

/** Entries of a menu. */
export const MAX_ENTRIES = 25;

interface Choice {
  label: string;
  value: string;
  description?: string;
}

/** The description of a menu's entry; none for a text without characters, because Discord refuses an empty one. */
export function described(text = ''): { description?: string } {
  const description = labelWords(text, MAX_ENTRY);
  return description ? { description } : {};
}

/** A menu of at most 25 choices; none when there is nothing to choose. */
export function menu(
  customId: string,
  placeholder: string,
  choices: Choice[],
): APIActionRowComponent<APIStringSelectComponent>[] {
  if (choices.length === 0) return [];
  const options = choices.slice(0, MAX_ENTRIES).map(({ label, value, description }) => ({
    value,
    label: labelWords(label, MAX_ENTRY) || texts.untitled,
    ...described(description),
  }));
  return [
    {
      type: ComponentType.ActionRow,
      components: [{ type: ComponentType.StringSelect, custom_id: customId, placeholder, options }],
    },
  ];
}

/** A menu to open one of the listed pages, each with the name of its database if that is given. */
export const pageMenu = (pages: { id: string; title: string; databaseName?: string }[]) =>
  menu(
    'open-page',
    texts.openPlaceholder,
    pages.map(({ id, title, databaseName = '' }) => ({ label: title, value: id, description: databaseName })),
  );
