import type { Property, Server, Workspace } from '@/lib/features/connections/schema';
import type { Rule, RuleInput } from '@/lib/features/rules/schema';

export type RuleFormValues = Omit<RuleInput, 'dbType'>;

/** What the form starts with: the rule's own values, or the first database and the first accessible channel. */
export function initialValues(rule: Rule | null, server: Server, workspace: Workspace): RuleFormValues {
  if (rule)
    return {
      databaseId: rule.databaseId,
      eventType: rule.eventType,
      channelId: rule.channelId,
      watchedProperties: rule.watchedProperties,
      statusTo: rule.statusTo,
      displayedFields: rule.displayedFields,
      atOnce: rule.atOnce,
    };
  return {
    databaseId: workspace.databases[0]?.id ?? '',
    eventType: 'page_created',
    channelId: server.channels.find((channel) => channel.botHasAccess)?.id ?? '',
    watchedProperties: [],
    statusTo: [],
    displayedFields: [],
    atOnce: false,
  };
}

/** The status property by which updates can be filtered: there is one, and it is watched. */
export function filterableStatus(values: RuleFormValues, properties: Property[]): Property | null {
  if (values.eventType !== 'page_updated') return null;
  const status = properties.find((property) => property.type === 'status');
  return status && values.watchedProperties.includes(status.id) ? status : null;
}

/** The one thing that the form can still lack: the server's schema says the same. */
export function isWatchMissing(values: RuleFormValues): boolean {
  return values.eventType === 'page_updated' && values.watchedProperties.length === 0;
}

/** The body to send: nothing of a field that the form does not show at the moment. */
export function ruleInput(values: RuleFormValues, properties: Property[], workspace: Workspace): RuleInput {
  const updated = values.eventType === 'page_updated';
  const keepFilter = properties.length === 0 || filterableStatus(values, properties) !== null;
  return {
    ...values,
    dbType: workspace.databases.find((database) => database.id === values.databaseId)?.type,
    watchedProperties: updated ? values.watchedProperties : [],
    statusTo: updated && keepFilter ? values.statusTo : [],
    atOnce: !updated && values.atOnce,
  };
}
