import { env } from '@/lib/env';
import { privateReply } from '../reply';

/** `/notion help`: what the bot does and where to go on. */
export async function help() {
  const lines = [
    'Pagewire posts a card here when a Notion page that a rule watches changes.',
    '`/notion link-account` asks to link you to your Notion user, so that cards can mention you.',
    `Rules and connections: ${env().APP_URL}`,
    `How it works: ${env().DOCS_URL}`,
  ];
  return privateReply(lines.join('\n'));
}
