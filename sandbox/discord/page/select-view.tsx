/** @jsxImportSource hono/jsx */
import { ComponentType } from 'discord-api-types/v10';
import type { MarkdownContext } from './markdown';

interface Entry {
  label: string;
  value: string;
  isDefault: boolean;
}

/** Props that menus in messages and in modals share. */
interface Menu {
  type: number;
  custom_id: string;
  placeholder?: string | null | undefined;
  max_values?: number | null | undefined;
  disabled?: boolean | null | undefined;
  required?: boolean | null | undefined;
  options?: { label: string; value: string; description?: string | null; default?: boolean | null }[];
  default_values?: { id: string }[] | null | undefined;
}

interface Props {
  select: Menu;
  context: MarkdownContext;
  /** In a modal the menu is a form field and takes its name from its label. */
  name?: string;
}

/** A menu; one that takes several values has its own button to send them. */
export function SelectView({ select, context, name }: Props) {
  const isMultiple = (select.max_values ?? 1) > 1;
  const entries = entriesOf(select, context);
  const title = select.placeholder ?? 'Make a selection';
  const hasDefault = entries.some((entry) => entry.isDefault);
  return (
    <span class="select">
      <select
        {...(name
          ? { name, id: `field-${name}` }
          : { 'data-custom-id': select.custom_id, 'aria-label': title })}
        multiple={isMultiple}
        disabled={select.disabled ?? false}
        size={isMultiple ? Math.min(6, entries.length) : undefined}
        required={Boolean(name) && select.required !== false}
      >
        {!isMultiple && (
          <option value="" disabled={!name || select.required !== false} selected={!hasDefault}>
            {title}
          </option>
        )}
        {entries.map(({ label, value, isDefault }) => (
          <option key={value} value={value} selected={isDefault}>
            {label}
          </option>
        ))}
      </select>
      {isMultiple && !name && (
        <button type="button" class="component secondary" data-send-choices>
          Done
        </button>
      )}
    </span>
  );
}

function entriesOf(select: Props['select'], { world, guildId }: MarkdownContext): Entry[] {
  if (select.options) {
    return select.options.map((each) => ({
      label: each.description ? `${each.label} (${each.description})` : each.label,
      value: each.value,
      isDefault: Boolean(each.default),
    }));
  }
  const guild = world.guild(guildId);
  const chosen = select.default_values?.map(({ id }) => id) ?? [];
  const entry = (value: string, label: string) => ({
    label,
    value,
    isDefault: chosen.includes(value),
  });
  const users = (guild?.members ?? []).map(({ userId }) =>
    entry(userId, world.user(userId)?.globalName ?? userId),
  );
  const roles = (guild?.roles ?? []).map((role) => entry(role.id, role.name));
  if (select.type === ComponentType.UserSelect) return users;
  if (select.type === ComponentType.RoleSelect) return roles;
  if (select.type === ComponentType.MentionableSelect) return [...users, ...roles];
  return world.channelsOf(guildId ?? '').map((channel) => entry(channel.id, `#${channel.name}`));
}
