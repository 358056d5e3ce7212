import { accountLinking } from './account-linking';
import { activity } from './activity';
import { clockRules } from './clock-rules';
import { commands } from './commands';
import type { DocPage } from './doc-page';
import { firstRule } from './first-rule';
import { gettingStarted } from './getting-started';
import { introduction } from './introduction';
import { keyboard } from './keyboard';
import { notificationRules } from './notification-rules';
import { plansAndBilling } from './plans-and-billing';
import { privacy } from './privacy';
import { quickActions } from './quick-actions';
import { security } from './security';
import { terms } from './terms';
import { troubleshooting } from './troubleshooting';

/** Every page of the documentation, in reading order. */
export const DOC_GROUPS: { name: string; pages: DocPage[] }[] = [
  { name: 'Start', pages: [introduction, gettingStarted, firstRule] },
  {
    name: 'Features',
    pages: [notificationRules, clockRules, activity, quickActions, commands, accountLinking, keyboard],
  },
  { name: 'Reference', pages: [plansAndBilling, troubleshooting] },
  { name: 'Legal', pages: [privacy, terms, security] },
];

export const DOC_PAGES: DocPage[] = DOC_GROUPS.flatMap((group) => group.pages);
