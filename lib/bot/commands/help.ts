import { texts } from '@/lib/bot-texts';
import { env } from '@/lib/env';
import { privateReply } from '../reply';

/** `/notion help`: what the bot does and where to read on. */
export async function help() {
  const { APP_URL, DOCS_URL } = env();
  return privateReply(texts.helpLines(APP_URL, DOCS_URL).join('\n'));
}
