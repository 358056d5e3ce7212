// https://discord.com/developers/docs/components/reference

/** Characters of a form's title. */
export const MAX_FORM_TITLE = 45;

/** Characters of the label of a form's field. */
export const MAX_FIELD_LABEL = 45;

/** Characters of the description of a form's field. */
export const MAX_FIELD_DESCRIPTION = 100;
