/** With this hash, the page of the rules opens the form for a new one. */
export const NEW_RULE_HASH = '#new';
