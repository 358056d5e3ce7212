import { Temporal } from 'temporal-polyfill';
import { z } from 'zod';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;

const timeSchema = (field: string) => {
  const message = `${field} must be a time of day such as "09:00"`;
  return z.string(message).regex(TIME, message);
};

const WEEKDAY = 'must be a number from 1 for Monday to 7 for Sunday';

const weekdaySchema = (field: string) => {
  const message = `${field} ${WEEKDAY}`;
  return z.int(message).min(1, message).max(7, message);
};

const DIGEST_EVERY = ['hour', 'day', 'workday', 'week'] as const;

// When a digest comes whose body leaves it open.
const MORNING = '09:00';
const MONDAY = 1;

const digestSchema = z
  .strictObject({
    kind: z.literal('digest'),
    every: z.enum(DIGEST_EVERY, 'timing.every must be "hour", "day", "workday" or "week"'),
    /** The time in the account's time zone; absent for a digest each hour, which comes on the hour. */
    at: timeSchema('timing.at').optional(),
    weekday: weekdaySchema('timing.weekday').optional(),
  })
  .superRefine(({ every, at, weekday }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
    if (every === 'hour' && at !== undefined) {
      refuse('at', 'timing.at does not go with a digest each hour, which comes on the hour');
    }
    if (every !== 'week' && weekday !== undefined) {
      refuse('weekday', 'timing.weekday goes with a digest each week only');
    }
  })
  .transform(
    ({ at = MORNING, weekday = MONDAY, ...digest }): typeof digest & { at?: string; weekday?: number } => {
      if (digest.every === 'hour') return digest;
      return digest.every === 'week' ? { ...digest, at, weekday } : { ...digest, at };
    },
  );

/** When a rule posts: at once, or what it has gathered at certain times. */
export const timingSchema = z.discriminatedUnion(
  'kind',
  [z.strictObject({ kind: z.literal('now') }), digestSchema],
  'timing.kind must be "now" or "digest"',
);

const scheduledAt = timeSchema('schedule.at');
const DAYS_AROUND = 30;
const DAYS_UNTOUCHED = 365;
const DATE_PROPERTY = 'schedule.propertyId must be the name or the id of a date property';
const NEAR_DAYS = `schedule.days must be a whole number from -${DAYS_AROUND}, after the date, to ${DAYS_AROUND}, before it`;
const UNTOUCHED_DAYS = `schedule.days must be a whole number from 1 to ${DAYS_UNTOUCHED}`;
const SORT = 'schedule.sort must have propertyId and direction';
const SORT_PROPERTY = 'schedule.sort.propertyId must be the name or the id of a property';

/** `days` days before a date, or after it for a negative number. */
const dateNearSchema = z.strictObject({
  propertyId: z.string(DATE_PROPERTY).min(1, DATE_PROPERTY).max(200, DATE_PROPERTY),
  days: z.int(NEAR_DAYS).min(-DAYS_AROUND, NEAR_DAYS).max(DAYS_AROUND, NEAR_DAYS),
  /** The time in the account's time zone, as in every schedule. */
  at: scheduledAt,
});

/** Once a page has not been edited for `days` days. */
const untouchedSchema = z.strictObject({
  days: z.int(UNTOUCHED_DAYS).min(1, UNTOUCHED_DAYS).max(DAYS_UNTOUCHED, UNTOUCHED_DAYS),
  at: scheduledAt,
});

/** A list at certain times. */
const summarySchema = z
  .strictObject({
    every: z.enum(DIGEST_EVERY, 'schedule.every must be "hour", "day", "workday" or "week"'),
    /** Absent for an hourly list, which comes at the full hour. */
    at: scheduledAt.optional(),
    weekday: weekdaySchema('schedule.weekday').optional(),
    sort: z
      .strictObject(
        {
          propertyId: z.string(SORT_PROPERTY).min(1, SORT_PROPERTY).max(200, SORT_PROPERTY),
          direction: z.enum(
            ['ascending', 'descending'],
            'schedule.sort.direction must be "ascending" or "descending"',
          ),
        },
        { error: ({ code }) => (code === 'invalid_type' ? SORT : undefined) },
      )
      .optional(),
    /** Whether nothing is sent when no page meets the conditions. */
    skipEmpty: z.boolean('schedule.skipEmpty must be true or false').default(true),
  })
  .superRefine(({ every, at, weekday }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
    if (every !== 'hour' && at === undefined) {
      refuse('at', `schedule.at must say at what time a summary each ${every} comes, such as "09:00"`);
    }
    if (every !== 'week' && weekday !== undefined) {
      refuse('weekday', 'schedule.weekday goes with a summary each week only');
    }
  })
  .transform(({ at, weekday = MONDAY, ...summary }): typeof summary & { at?: string; weekday?: number } => {
    // An hourly list comes at the full hour.
    if (summary.every === 'hour' || at === undefined) return summary;
    return summary.every === 'week' ? { ...summary, at, weekday } : { ...summary, at };
  });

export type DateNear = z.infer<typeof dateNearSchema>;
export type Untouched = z.infer<typeof untouchedSchema>;
export type Summary = z.infer<typeof summarySchema>;
export type Schedule = DateNear | Untouched | Summary;

const NO_SCHEDULE = 'schedule must be null or say when the rule looks';

/** When the clock fires a rule. Its fields tell which of the three kinds it is; the rule's event type must agree. */
export const scheduleSchema = z.looseObject({}, NO_SCHEDULE).transform((given, { issues }): Schedule => {
  const schema = 'every' in given ? summarySchema : 'propertyId' in given ? dateNearSchema : untouchedSchema;
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues) {
    issues.push({ code: 'custom', path, message, input: given });
  }
  return z.NEVER;
});

const ZONE = 'timeZone must be the name of a time zone such as "Europe/Berlin"';
const MAX_ZONE = 100;

/** Whether a calendar can be kept in the time zone of this name; Temporal knows fewer names than Intl. */
export function isTimeZone(name: string): boolean {
  // Offsets such as "+01:00" are not accepted, because they have no daylight saving time.
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    new Temporal.ZonedDateTime(0n, name);
    return true;
  } catch {
    return false;
  }
}

const QUIET = 'quietHours must be null or have from, to and days';

/** Hours in which nothing is posted. They begin on the days in `days`, and may go past midnight. */
const quietHoursSchema = z
  .strictObject(
    {
      from: timeSchema('quietHours.from'),
      to: timeSchema('quietHours.to'),
      days: z
        .array(weekdaySchema('quietHours.days'), 'quietHours.days must be a list of days from 1 to 7')
        .min(1, 'quietHours.days must name a day; without quiet hours, quietHours is null')
        .max(7, 'quietHours.days may name each day once')
        .refine((days) => new Set(days).size === days.length, 'quietHours.days may name each day once')
        .transform((days) => days.toSorted((one, other) => one - other)),
    },
    QUIET,
  )
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'quietHours.to must differ from quietHours.from, or nothing would ever be posted',
  });

/** GET /api/app/preferences */
export const preferencesSchema = z.object({
  /** The time zone for the account's digests and quiet hours. */
  timeZone: z.string(),
  quietHours: quietHoursSchema.nullable(),
  language: z.literal('en'),
  /** Present, and true, until a time zone that is known here is stored; `timeZone` is UTC until then. */
  isTimeZoneAssumed: z.literal(true).optional(),
});

/** The body of PUT /api/app/preferences. */
export const preferencesInputSchema = z.strictObject({
  timeZone: z.string(ZONE).max(MAX_ZONE, ZONE).refine(isTimeZone, ZONE),
  quietHours: quietHoursSchema.nullable(),
  language: z.literal('en', 'language must be "en", the only one so far'),
  /** Ignored; allowed so that an answer can be sent back. */
  isTimeZoneAssumed: z.boolean().optional(),
});

export type Timing = z.infer<typeof timingSchema>;
export type QuietHours = z.infer<typeof quietHoursSchema>;
export type Preferences = z.infer<typeof preferencesSchema>;
export type PreferencesInput = z.infer<typeof preferencesInputSchema>;
