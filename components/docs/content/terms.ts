import type { DocPage } from './doc-page';

export const terms: DocPage = {
  path: '/docs/terms',
  title: 'Terms',
  description: 'What you can expect of Pagewire, and what it expects of you.',
  sections: [
    {
      id: 'between',
      heading: 'Who agrees',
      blocks: [
        {
          kind: 'text',
          text: 'These terms hold between you, the account holder, and whoever operates this Pagewire. You agree to them by signing in. Discord’s, Notion’s and Stripe’s own terms apply to what you do there.',
        },
      ],
    },
    {
      id: 'account',
      heading: 'Your account',
      blocks: [
        {
          kind: 'list',
          items: [
            'You sign in with Discord. Keep that account safe: whoever has it has your rules.',
            'Connect only a server that you may manage and a workspace that you may share.',
            'You are responsible for what your rules post and for whom you link. A rule shows properties of a database to everybody who can read its channel.',
          ],
        },
      ],
    },
    {
      id: 'use',
      heading: 'What is not allowed',
      blocks: [
        {
          kind: 'list',
          items: [
            'Posting what is unlawful, or what harasses or deceives people',
            'Sending advertising to people who did not ask for it',
            'Getting round the limits of a plan or a trial, for instance with several accounts',
            'Attacking the service, overloading it, or reading data of other accounts',
          ],
        },
      ],
    },
    {
      id: 'payment',
      heading: 'Trial and payment',
      blocks: [
        {
          kind: 'text',
          text: 'The trial lasts 14 days, costs nothing and ends by itself. Starter costs $19 a month, paid in advance through Stripe, and renews until you cancel it. A canceled subscription runs until the end of the period that is paid for. The limits are in [Plans and billing](/docs/plans-and-billing).',
        },
      ],
    },
    {
      id: 'service',
      heading: 'What the service promises',
      blocks: [
        {
          kind: 'text',
          text: 'Pagewire is built so that no change is lost and none is posted twice, and [Activity](/docs/features/activity) says what became of each. It depends on Discord and Notion, and can be late or interrupted. Do not rely on a card alone where missing one would do harm.',
        },
        {
          kind: 'text',
          text: 'As far as the law allows, the service is provided as it is, and the operator is not liable for indirect damage or for more than you paid in the last 12 months. This does not limit liability for intent or gross negligence.',
        },
      ],
    },
    {
      id: 'content',
      heading: 'Your content',
      blocks: [
        {
          kind: 'text',
          text: 'What is in your workspace and your server stays yours. It is used only to do what your rules and commands ask for. What is kept, and for how long, is in [Privacy](/docs/privacy#kept).',
        },
      ],
    },
    {
      id: 'end',
      heading: 'The end',
      blocks: [
        {
          kind: 'text',
          text: 'You can delete your account under Settings at any time; the subscription ends with it. The operator may close an account that breaks these terms or endangers the service.',
        },
      ],
    },
    {
      id: 'changes',
      heading: 'Changes',
      blocks: [
        {
          kind: 'text',
          text: 'The terms that stand here are in force. They were last changed on November 22, 2026.',
        },
      ],
    },
  ],
};
