/** What the bot tells without being asked, about a channel, a server, the plan and its payment. */
export const newsTexts = {
  heldBack: (count: number, reason: string | null) =>
    `${count === 1 ? '1 notification was' : `${count.toLocaleString('en-US')} notifications were`} held back in this channel and will not be posted later.${reason ? ` ${reason}` : ''}`,
  channelRefuses: (channel: string, reason: string) => `Pagewire cannot post in #${channel}: ${reason}`,
  botRemoved: (server: string, serverUrl: string) =>
    `The Pagewire bot is no longer in ${server}, so nothing is posted there. Your rules stay as they are; posting resumes once you add the bot again: ${serverUrl}`,
  checkAgain: (isFixKnown: boolean, rulesUrl: string) =>
    `${isFixKnown ? 'Then' : 'Once that is fixed,'} press Check again: ${rulesUrl}`,
  allUsed: (limit: number, isTrial: boolean, billingUrl: string) =>
    `All ${limit.toLocaleString('en-US')} Pagewire notifications of this ${isTrial ? 'trial' : 'period'} are used. Posting resumes with ${isTrial ? 'a subscription' : 'the next paid period'}: ${billingUrl}`,
  trialEnded: (billingUrl: string) =>
    `Your Pagewire trial has ended, and nothing is posted any more. Your rules stay as they are; posting resumes with a subscription: ${billingUrl}`,
  paymentFailed: (billingUrl: string) =>
    `A payment for Pagewire failed, and nothing is posted until it is made. Check your card under Manage Billing: ${billingUrl}`,
  subscriptionPaused: (billingUrl: string) =>
    `Your Pagewire subscription is paused, and nothing is posted until it continues: ${billingUrl}`,
  subscriptionEnded: (billingUrl: string) =>
    `Your Pagewire subscription has ended, and nothing is posted any more. Your rules stay as they are; posting resumes with a new subscription: ${billingUrl}`,
  mostUsed: (sent: number, limit: number, isTrial: boolean, billingUrl: string) =>
    `${sent.toLocaleString('en-US')} of the ${limit.toLocaleString('en-US')} Pagewire notifications of this ${isTrial ? 'trial' : 'period'} are used: ${billingUrl}`,
  allUsedTogether: (limit: number, billingUrl: string) =>
    `All ${limit.toLocaleString('en-US')} Pagewire notifications of your trial are used, together with another account that shares it. Posting resumes with a subscription: ${billingUrl}`,
  mostUsedTogether: (sent: number, limit: number, billingUrl: string) =>
    `${sent.toLocaleString('en-US')} of the ${limit.toLocaleString('en-US')} Pagewire notifications of your trial are used, together with another account that shares it: ${billingUrl}`,
};
