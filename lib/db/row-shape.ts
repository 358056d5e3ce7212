import type { EventType, MessageKind } from './generated/client';

/** The driver's type for each PostgreSQL type that statements return. */
interface Values {
  bool: boolean;
  bytea: Uint8Array;
  event_type: EventType;
  float8: number;
  int4: number;
  /** A bigint from the Prisma client, a string from a connection. */
  int8: bigint | string;
  json: unknown;
  jsonb: unknown;
  message_kind: MessageKind;
  text: string;
  timestamptz: Date;
  uuid: string;
}

type ColumnType = keyof Values;

/** The columns that a statement returns, in any order, with their types; `?` after a type means that it may be null. */
export type RowShape = Record<string, ColumnType | `${ColumnType}?`>;

/** A row of a shape. A test runs each statement and compares its columns with its shape. */
export type RowOf<Shape extends RowShape> = {
  -readonly [Column in keyof Shape]: Shape[Column] extends `${infer Type extends ColumnType}?`
    ? Values[Type] | null
    : Shape[Column] extends ColumnType
      ? Values[Shape[Column]]
      : never;
};
