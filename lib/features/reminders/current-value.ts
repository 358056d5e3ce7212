import { texts } from '@/lib/bot-texts';
import type { NotionDatabase, NotionWorkspace } from '@/lib/db/generated/client';
import type { NotionDate } from '@/lib/integrations/notion/notion-date';
import type { Page } from '@/lib/integrations/notion/notion-page';
import { toPropertyValue } from '@/lib/integrations/notion/property-value';
import { isSameDate, toWrite } from '../calendar/move-date';
import { fitValue } from '../cards/card-value';
import { nameWords } from '../cards/line-text';
import { readPage } from '../tasks/change-task';
import type { Member } from '../tasks/member';
import { type Elsewhere, TaskProblem } from '../tasks/task-problem';
import { schemaOf } from '../workspaces/database-schema';
import type { Value } from './kept-change';

// Two times in Discord's markup.
const MAX_DATE = 60;
const MAX_NAME = 100;

/** A property of a page, and its current value. */
export interface CurrentValue {
  workspace: NotionWorkspace;
  page: Page;
  property: { id: string; name: string };
  value: Value;
}

/** A property of a page, which is to be in a database. */
export interface Target {
  pageId: string;
  database: NotionDatabase;
  propertyId: string;
  kind: Value['kind'];
  elsewhere: Elsewhere;
}

/** Reads the value of a page's property. Throws TaskProblem, also when the page is in another database. */
export async function readCurrentValue(
  member: Member,
  { pageId, database, propertyId, kind, elsewhere }: Target,
): Promise<CurrentValue> {
  const property = schemaOf(database).find(({ id, type }) => id === propertyId && type === kind);
  if (!property) throw lost(kind);
  const target = { pageId, databaseId: database.id, elsewhere };
  const { workspace, page, date } = await readPage(member, target, propertyId);
  const value = toValue(kind, page.values.get(propertyId)?.optionId ?? null, date);
  if (!value) throw lost(kind);
  return { workspace, page, property, value };
}

const lost = (kind: Value['kind']) => new TaskProblem(kind === 'date' ? 'date_gone' : 'database_changed');

function toValue(
  kind: Value['kind'],
  optionId: string | null,
  date: NotionDate | null | undefined,
): Value | null {
  if (kind === 'status') return { kind, optionId };
  return date === undefined ? null : { kind, date };
}

/** Whether two values are the same, however Notion writes them. */
export function isSame(one: Value, other: Value): boolean {
  if (one.kind === 'date') return other.kind === 'date' && isSameDate(one.date, other.date);
  return other.kind === 'status' && one.optionId === other.optionId;
}

/** A value in Notion's format. */
export function toNotion(value: Value): object {
  if (value.kind === 'status') return { status: value.optionId === null ? null : { id: value.optionId } };
  return { date: value.date && toWrite(value.date) };
}

/** A value in words, escaped. */
export function sayValue(value: Value, database: NotionDatabase): string {
  if (value.kind === 'date') {
    return fitValue(toPropertyValue({ type: 'date', date: value.date }), MAX_DATE) || texts.empty;
  }
  const options = schemaOf(database).flatMap((property) => property.options);
  const name = options.find(({ id }) => id === value.optionId)?.name ?? '';
  return nameWords(name, MAX_NAME) || texts.empty;
}
