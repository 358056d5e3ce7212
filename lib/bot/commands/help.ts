import { texts } from '@/lib/bot-texts';
import { env } from '@/lib/env';
import { privateReply } from '../reply';

/** `/notion help`: says what the bot does and where to read more. */
export async function help() {
  const { APP_URL, DOCS_URL } = env();
  return privateReply(texts.helpLines(APP_URL, DOCS_URL).join('\n'));
}
