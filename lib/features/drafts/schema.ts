import { z } from 'zod';

const embedSchema = z.object({
  author: z.object({ name: z.string(), icon_url: z.string().optional() }).optional(),
  title: z.string().optional(),
  url: z.string().optional(),
  description: z.string().optional(),
  color: z.number().optional(),
  fields: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
  footer: z.object({ text: z.string() }).optional(),
});

/** POST /api/app/rules/preview: the card of a draft rule about an existing page. */
export const previewSchema = z.object({
  /** Null for a rule to people. */
  channelName: z.string().nullable(),
  /** Where the card goes, in words. */
  place: z.string(),
  /** The line above the card; null when nobody is mentioned. */
  content: z.string().nullable(),
  /** Null for a compact card. */
  embed: embedSchema.nullable(),
  /** Labels of the buttons below. */
  buttons: z.array(z.string()),
  /** The placeholder of the menu above the buttons; null without a menu. */
  menu: z.string().nullable(),
  /** Names of the Discord users whom the card mentions, by their ids. */
  names: z.record(z.string(), z.string()),
  /** Names of the roles that it mentions, by their ids. */
  roles: z.record(z.string(), z.string()),
  /** Says which part is only an example, in a sentence; null when nothing is. */
  note: z.string().nullable(),
  /** In a forum the post's name, and those of its tags that the forum was last seen to have; null elsewhere. */
  post: z.object({ name: z.string(), tags: z.array(z.string()) }).nullable(),
});

/** POST /api/app/rules/test */
const testSentSchema = z.object({ channelName: z.string(), messageUrl: z.string() });

export type Preview = z.infer<typeof previewSchema>;
export type TestSent = z.infer<typeof testSentSchema>;
