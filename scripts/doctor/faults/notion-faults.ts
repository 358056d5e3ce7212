import type { Capability } from '../../../sandbox/notion/notion-state';
import type { InstallationFault, Stage } from './stage';

const capabilities =
  (...left: Capability[]) =>
  (stage: Stage) =>
    stage.world('notion', ({ settings }) => {
      settings.capabilities = left;
    });

/** Faults in Notion's developer portal. */
export const NOTION_FAULTS: InstallationFault[] = [
  {
    what: 'a wrong secret of Notion',
    subject: 'Notion connection',
    tells: /refuses NOTION_CLIENT_ID/,
    variables: { NOTION_CLIENT_SECRET: 'wrong' },
  },
  {
    what: 'a version that Notion does not speak',
    subject: 'Notion connection',
    tells: /does not speak version 2026-03-11/,
    breaks: (stage) =>
      stage.world('notion', ({ settings }) => {
        settings.version = '2030-01-01';
      }),
  },
  {
    what: 'a redirect that Notion does not know',
    subject: 'Notion connection',
    tells: /refuses the page on which people connect/,
    variables: { APP_URL: 'http://localhost:1' },
  },
  {
    what: 'the webhook token of an earlier subscription',
    subject: 'Notion connection',
    tells: /arrived with another token/,
    breaks: (stage) =>
      stage.sql(
        `insert into proven_webhook_token (token_hash) values ('other')`,
        'delete from proven_webhook_token',
      ),
  },
  {
    what: 'a connection that may not read',
    subject: 'Notion capabilities',
    tells: /lacks the capability Read content/,
    breaks: capabilities('insert_content', 'update_content'),
  },
  {
    what: 'a connection that may not write',
    subject: 'Notion capabilities',
    tells: /lacks the capability Update content/,
    breaks: capabilities('read_content', 'insert_content'),
  },
  {
    what: 'a connection that sees nobody',
    subject: 'Notion capabilities',
    tells: /lacks the capability Read user information/,
    breaks: (stage) =>
      stage.world('notion', ({ settings }) => {
        settings.userInformation = 'none';
      }),
  },
];
