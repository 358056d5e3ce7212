import { z } from 'zod';

const takeoverSchema = z.object({
  id: z.string(),
  serverName: z.string(),
  /** offered: can be asked for; requested: being asked; asked; due: unanswered for seven days; kept; handed_over. */
  state: z.enum(['offered', 'requested', 'asked', 'due', 'kept', 'handed_over']),
  /** Since when it has been in this state. */
  since: z.string(),
  /** Until when the holder may answer, or when one may ask again; null in other states. */
  until: z.string().nullable(),
});

/** GET /api/app/discord/takeovers */
const takeoversSchema = z.object({
  /** Servers of other accounts that this account may ask for, or has. */
  wanted: z.array(takeoverSchema),
  /** Who asks for this account's own server. */
  asked: z.array(takeoverSchema.extend({ askerName: z.string() })),
});

export type Takeovers = z.infer<typeof takeoversSchema>;
