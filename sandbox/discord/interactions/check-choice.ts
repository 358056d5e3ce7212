import { ComponentType } from 'discord-api-types/v10';
import { formError } from '../discord-error';
import type { World } from '../world';

export interface Menu {
  type: ComponentType;
  custom_id: string;
  min_values?: number | null | undefined;
  max_values?: number | null | undefined;
  options?: { value: string }[] | undefined;
}

/** Refuses what no client can choose: the wrong number of values, values that the menu lacks, people nobody knows. */
export function checkChoice(world: World, menu: Menu, values: string[]): void {
  const wrong = (code: string, message: string) => formError([menu.custom_id], code, message);
  if (values.length < (menu.min_values ?? 1)) throw wrong('BASE_TYPE_MIN_LENGTH', 'Too few are chosen.');
  if (values.length > (menu.max_values ?? 1)) throw wrong('BASE_TYPE_MAX_LENGTH', 'Too many are chosen.');
  const isOffered = (value: string) =>
    menu.type === ComponentType.UserSelect
      ? world.user(value) !== undefined
      : (menu.options?.some((option) => option.value === value) ?? true);
  if (!values.every(isOffered)) throw wrong('BASE_TYPE_CHOICES', 'Not among the choices of the menu.');
}
