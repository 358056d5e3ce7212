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

export const DIGEST_EVERY = ['hour', 'day', 'workday', 'week'] as const;

const digestSchema = z
  .strictObject({
    kind: z.literal('digest'),
    every: z.enum(DIGEST_EVERY, 'timing.every must be "hour", "day", "workday" or "week"'),
    /** In the time zone of the account. */
    at: timeSchema('timing.at').optional(),
    weekday: weekdaySchema('timing.weekday').optional(),
  })
  .superRefine(({ every, at, weekday }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
    if (every === 'hour' && at !== undefined) {
      refuse('at', 'timing.at does not go with a digest each hour, which comes on the hour');
    }
    if (every !== 'hour' && at === undefined) {
      refuse('at', `timing.at must say at what time a digest each ${every} comes, such as "09:00"`);
    }
    if (every === 'week' && weekday === undefined) {
      refuse(
        'weekday',
        'timing.weekday must say on which day a digest each week comes, from 1 for Monday to 7 for Sunday',
      );
    }
    if (every !== 'week' && weekday !== undefined) {
      refuse('weekday', 'timing.weekday goes with a digest each week only');
    }
  });

/** When a rule posts: at once, or what has gathered at certain times. */
export const timingSchema = z.discriminatedUnion(
  'kind',
  [z.strictObject({ kind: z.literal('now') }), digestSchema],
  'timing.kind must be "now" or "digest"',
);

const ZONE = 'timeZone must be the name of a time zone such as "Europe/Berlin"';
const ZONE_MAX = 100;

function isTimeZone(name: string): boolean {
  // Offsets such as "+01:00" are none: they know no daylight saving.
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const QUIET = 'quietHours must be null or have from, to and days';

/** Hours in which nothing is posted. They begin on these days, and may last over midnight. */
export const quietHoursSchema = z
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
  /** By which clock the account's digests and quiet hours go. */
  timeZone: z.string(),
  quietHours: quietHoursSchema.nullable(),
  language: z.literal('en'),
  /** Present, and true, until a time zone was stored: `timeZone` is UTC then. */
  isTimeZoneAssumed: z.literal(true).optional(),
});

/** The body of PUT /api/app/preferences. */
export const preferencesInputSchema = z.strictObject({
  timeZone: z.string(ZONE).max(ZONE_MAX, ZONE).refine(isTimeZone, ZONE),
  quietHours: quietHoursSchema.nullable(),
  language: z.literal('en', 'language must be "en", the only one so far'),
  /** Only answers have it. */
  isTimeZoneAssumed: z.boolean().optional(),
});

export type Timing = z.infer<typeof timingSchema>;
export type QuietHours = z.infer<typeof quietHoursSchema>;
export type Preferences = z.infer<typeof preferencesSchema>;
export type PreferencesInput = z.infer<typeof preferencesInputSchema>;
