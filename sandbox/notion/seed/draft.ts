import type { Color, Option, Property, PropertyConfig, StatusGroup } from '../property';
import { seedId } from './seed-id';

/** A database as the seed files describe it: rows in simple values, times in days from now. */
export interface DatabaseDraft {
  name: string;
  icon: string;
  description: string;
  preselected: boolean;
  /** Member keys with access; absent means everyone but guests. */
  readers?: string[];
  properties: Property[];
  rows: RowDraft[];
}

export interface RowDraft {
  by: string;
  createdDaysAgo: number;
  editedHoursAgo: number;
  body?: string[];
  /** By property name. Dates are days from today, or a pair of them. */
  values: Record<string, unknown>;
}

export function property(name: string, id: string, config: PropertyConfig): Property {
  return { id, name, description: null, ...config };
}

/** Options from "name: color" pairs, with ids that stay the same across resets. */
export function options(scope: string, colors: Record<string, Color>): Option[] {
  return Object.entries(colors).map(([name, color]) => ({
    id: seedId(`option:${scope}:${name}`),
    name,
    color,
    description: null,
  }));
}

/** A status property with Notion's three groups. */
export function status(
  scope: string,
  todo: Record<string, Color>,
  inProgress: Record<string, Color>,
  complete: Record<string, Color>,
): { type: 'status'; options: Option[]; groups: StatusGroup[] } {
  const group = (name: string, color: Color, members: Option[]): StatusGroup => ({
    id: seedId(`group:${scope}:${name}`),
    name,
    color,
    option_ids: members.map((each) => each.id),
  });
  const [first, second, third] = [todo, inProgress, complete].map((colors) => options(scope, colors));
  return {
    type: 'status',
    options: [first, second, third].flatMap((each) => each ?? []),
    groups: [
      group('To-do', 'gray', first ?? []),
      group('In progress', 'blue', second ?? []),
      group('Complete', 'green', third ?? []),
    ],
  };
}

export function databaseId(name: string): string {
  return seedId(`database:${name}`);
}

export function dataSourceId(name: string): string {
  return seedId(`data source:${name}`);
}
