import type { DocPage } from './doc-page';

export const plansAndBilling: DocPage = {
  path: '/docs/plans-and-billing',
  title: 'Plans and billing',
  description: 'What the plan includes, what counts, and what happens at a limit.',
  sections: [
    {
      id: 'starter',
      heading: 'Starter',
      blocks: [
        {
          kind: 'list',
          items: [
            '$19 a month, paid through Stripe',
            '1,000 notifications per month',
            'Up to 10 notification rules',
            '1 Discord server and 1 Notion workspace',
            'Unlimited users',
          ],
        },
        {
          kind: 'text',
          text: 'The trial lasts 14 days and has the same limits. Each Discord user, each server and each workspace has one trial. If you connect a server or workspace whose trial began in another account, yours continues that trial and what it has used; if it is over, you need a subscription. Accounts on trial with the same workspace or the same Discord user share one trial, even after one of them disconnects. Billing says so.',
        },
      ],
    },
    {
      id: 'counting',
      heading: 'What counts',
      blocks: [
        {
          kind: 'text',
          text: 'Only messages that Discord confirmed. Failed and held deliveries, tests of a rule, answers to commands and quick actions are free. The reply to a message whose task is completed counts once; later changes to the reply are free. A trial counts by months from its first day; a paid month begins with the payment and has its own count.',
        },
      ],
    },
    {
      id: 'limits',
      heading: 'When posting stops',
      blocks: [
        {
          kind: 'table',
          columns: ['Posting stops when', 'It resumes with'],
          rows: [
            ['the trial ends, or its notifications are used up', 'a subscription'],
            ['the notifications of a paid month are used up', 'the next paid month'],
            ['a payment fails', 'the payment'],
            ['the subscription is paused', 'its continuation, under Manage Billing'],
            ['the subscription ends', 'a new one'],
          ],
        },
        {
          kind: 'text',
          text: 'Your configuration stays. Each channel that is not a forum gets one notice a day that says how many cards are held back; they are not posted later. When the trial or the subscription has ended, or the subscription is paused, commands and buttons for tasks and pages stop as well; otherwise they go on.',
        },
        {
          kind: 'text',
          text: 'At 80 % and at 100 % of the notifications the account holder gets a direct message from the bot, and the dashboard says so too. The same happens, once each, when the trial ends, a payment fails, or the subscription is paused or ends.',
        },
      ],
    },
    {
      id: 'manage',
      heading: 'Subscribe, change or cancel',
      blocks: [
        {
          kind: 'text',
          text: 'To subscribe, open Billing and choose Upgrade Now. After that, Manage Billing leads to cards, invoices and cancellation on Stripe’s own page. A canceled subscription runs until the end of the month that is paid for, and can be kept until then.',
        },
      ],
    },
  ],
};
