import { z } from 'zod';

/** An absolute URL with one of these schemes, at most 2,048 characters. */
export function webUrl(schemes: string[], maximum = 2048) {
  return z
    .string()
    .trim()
    .max(maximum)
    .superRefine((value, context) => {
      const issue = (code: string, message: string) =>
        context.addIssue({ code: 'custom', message, params: { code } });
      if (!URL.canParse(value)) issue('URL_TYPE_INVALID_URL', 'Not a well formed URL.');
      else if (!schemes.includes(new URL(value).protocol)) {
        const allowed = schemes.map((scheme) => `'${scheme.slice(0, -1)}'`).join(', ');
        issue(
          'URL_TYPE_INVALID_SCHEME',
          `Scheme "${new URL(value).protocol}" is not supported. Scheme must be one of (${allowed}).`,
        );
      }
    });
}
