import type { Property, Server, Workspace } from '@/lib/features/connections/schema';
import type { Rule, RuleInput, RuleProblem } from '@/lib/features/rules/schema';

export type RuleFormValues = Omit<RuleInput, 'dbType'>;

/**
 * The form's initial values: the rule's own, without what is gone from Notion, or the first database and the first
 * accessible channel.
 */
export function initialValues(rule: Rule | null, server: Server, workspace: Workspace): RuleFormValues {
  if (rule) return withoutGone(rule);
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

function withoutGone(rule: Rule): RuleFormValues {
  const gone = (part: RuleProblem['part'], id: string) =>
    rule.problems.some((problem) => problem.part === part && problem.id === id);
  const isDatabaseGone = gone('database', rule.databaseId);
  const kept = (part: 'watchedProperties' | 'statusTo' | 'displayedFields') =>
    isDatabaseGone ? [] : rule[part].filter((id) => !gone(part, id));
  return {
    databaseId: isDatabaseGone ? '' : rule.databaseId,
    eventType: rule.eventType,
    channelId: rule.channelId,
    watchedProperties: kept('watchedProperties'),
    statusTo: kept('statusTo'),
    displayedFields: kept('displayedFields'),
    atOnce: rule.atOnce,
  };
}

/** The status property to filter updates by, if the database has one and it is watched. */
export function filterableStatus(values: RuleFormValues, properties: Property[]): Property | null {
  if (values.eventType !== 'page_updated') return null;
  const status = properties.find((property) => property.type === 'status');
  return status && values.watchedProperties.includes(status.id) ? status : null;
}

/**
 * Whether the form still lacks watched properties; nothing else can be missing. The server's schema checks the same.
 */
export function isWatchMissing(values: RuleFormValues): boolean {
  return values.eventType === 'page_updated' && values.watchedProperties.length === 0;
}

/** The request body; omits fields that the form does not show at the moment. */
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
