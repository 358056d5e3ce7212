import { Avatar } from '@/components/ui/avatar';
import { withDistinctLabels } from '@/components/ui/distinct-labels';
import type { MultiSelectOption } from '@/components/ui/multi-select';
import { notionHue } from '@/components/ui/notion-hue';
import type { Property, Workspace } from '@/lib/features/workspaces/schema';

/** The options of a property by name, each with its colour in Notion. */
export const optionChoices = ({ options }: Property): MultiSelectOption[] =>
  options.map(({ name, color }) => ({
    value: name,
    label: name,
    mark: (
      <span
        aria-hidden
        className="size-2.5 shrink-0 rounded-full"
        style={{ backgroundColor: notionHue(color) }}
      />
    ),
  }));

/** The people of a workspace, each with their picture in Notion. */
export const peopleChoices = ({ users }: Workspace): MultiSelectOption[] =>
  withDistinctLabels(
    users.map(({ id, name, email, avatarUrl }) => ({
      value: id,
      label: name,
      ...(email && { hint: email }),
      mark: <Avatar name={name} picture={avatarUrl ?? null} size="xs" />,
    })),
  );
