import type { RuleTerms } from '../matching/schema';

/** Calls `refuse` with a sentence for each field that rules to people cannot have. */
export function refuseForPeople(
  input: Pick<RuleTerms, 'atOnce' | 'mentions'>,
  refuse: (field: string, message: string) => void,
): void {
  if (input.atOnce) refuse('atOnce', 'atOnce does not go with people, who hear of a page once it is written');
  if (input.mentions.roleIds.length + input.mentions.userIds.length > 0) {
    refuse('mentions', 'mentions does not go with people, who get a message of their own');
  }
}
