// https://discord.com/developers/docs/components/reference

/** Characters of a form's title. */
export const MAX_FORM_TITLE = 45;

/** Characters of the label of a form's field. */
export const MAX_FIELD_LABEL = 45;

/** Characters of the description of a form's field. */
export const MAX_FIELD_DESCRIPTION = 100;

/** Characters of a menu's entry, and of its description. */
export const MAX_ENTRY = 100;

/** Entries of a menu. */
export const MAX_ENTRIES = 25;
