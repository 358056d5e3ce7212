import type { NotionDatabase } from '@/lib/db/generated/client';
import type { SchemaProperty } from '@/lib/integrations/notion/notion-catalog';
import { completeOptionIds, schemaOf, statusPropertyOf } from '../workspaces/database-schema';
import { findAssigneeProperty, findDueProperty } from '../workspaces/task-properties';

export interface StatusOption {
  id: string;
  name: string;
  color: string;
  /** Name of its group in Notion. */
  group: string;
  isComplete: boolean;
}

interface NamedProperty {
  id: string;
  name: string;
}

/** A database with a status: what chat needs to know of it. */
export interface TaskDatabase {
  id: string;
  name: string;
  title: NamedProperty;
  /** Options in the order of their groups, as Notion's own menu shows them. */
  status: NamedProperty & { options: StatusOption[] };
  /** Who works on a task. */
  people: NamedProperty | null;
  /** When a task is due. */
  due: NamedProperty | null;
}

type TaskDatabaseRow = Pick<NotionDatabase, 'id' | 'name' | 'properties' | 'statusPropertyId'>;

/** The database as chat needs it, or null when it has no status property. */
export function toTaskDatabase(row: TaskDatabaseRow): TaskDatabase | null {
  const properties = schemaOf(row);
  const status = statusPropertyOf(row);
  const title = properties.find(({ type }) => type === 'title');
  if (!status || !title) return null;
  const assignee = findAssigneeProperty(properties);
  const due = findDueProperty(properties);
  return {
    id: row.id,
    name: row.name,
    title: named(title),
    status: { ...named(status), options: orderOptions(status) },
    people: assignee ? named(assignee) : null,
    due: due ? named(due) : null,
  };
}

function orderOptions({ options, ...status }: SchemaProperty): StatusOption[] {
  const complete = new Set(completeOptionIds(status));
  const loose = new Map(options.map((option) => [option.id, option]));
  const grouped = status.groups.flatMap((group) =>
    group.optionIds.flatMap((id) => {
      const option = loose.get(id);
      loose.delete(id);
      return option ? [{ ...option, group: group.name, isComplete: complete.has(id) }] : [];
    }),
  );
  return [
    ...grouped,
    ...Array.from(loose.values(), (option) => ({ ...option, group: '', isComplete: false })),
  ];
}

const named = ({ id, name }: SchemaProperty): NamedProperty => ({ id, name });
