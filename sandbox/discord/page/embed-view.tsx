/** @jsxImportSource hono/jsx */
import type { APIEmbed, APIEmbedField } from 'discord-api-types/v10';
import { Inline, Markdown, type MarkdownContext } from './markdown';

const COLUMNS = 12;
const INLINE_IN_A_ROW = 3;

/** An embed; the product calls it a card. */
export function EmbedView({ embed, context }: { embed: APIEmbed; context: MarkdownContext }) {
  const plain = { ...context, plainNames: true };
  const title = embed.title && <Inline text={embed.title} context={plain} />;
  return (
    <div
      class="embed"
      data-embed
      style={embed.color === undefined ? '' : `border-left-color:${hex(embed.color)}`}
    >
      <div class="embed-body">
        {embed.author && (
          <div class="embed-author">
            {embed.author.icon_url && <img src={embed.author.icon_url} alt="" />}
            {embed.author.url ? (
              <Outside href={embed.author.url}>{embed.author.name}</Outside>
            ) : (
              embed.author.name
            )}
          </div>
        )}
        {title && (
          <div class="embed-title">{embed.url ? <Outside href={embed.url}>{title}</Outside> : title}</div>
        )}
        {embed.description && (
          <div class="embed-description">
            <Markdown text={embed.description} context={context} />
          </div>
        )}
        {embed.fields && embed.fields.length > 0 && (
          <div class="embed-fields">
            {spans(embed.fields).map(({ field, span }) => (
              <div key={field.name} class="embed-field" style={`grid-column:span ${span}`}>
                <div class="embed-field-name">
                  <Inline text={field.name} context={plain} />
                </div>
                <div class="embed-field-value">
                  <Markdown text={field.value} context={context} />
                </div>
              </div>
            ))}
          </div>
        )}
        {embed.image && <img class="embed-image" src={embed.image.url} alt="" />}
        {(embed.footer || embed.timestamp) && (
          <div class="embed-footer">
            {embed.footer?.icon_url && <img src={embed.footer.icon_url} alt="" />}
            {embed.footer?.text}
            {embed.footer && embed.timestamp && <span aria-hidden="true"> • </span>}
            {embed.timestamp && (
              <time datetime={embed.timestamp} data-style="message">
                {embed.timestamp.slice(0, 10)}
              </time>
            )}
          </div>
        )}
      </div>
      {embed.thumbnail && <img class="embed-thumbnail" src={embed.thumbnail.url} alt="" />}
    </div>
  );
}

function Outside({ href, children }: { href: string; children: unknown }) {
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

export function hex(colour: number): string {
  return `#${colour.toString(16).padStart(6, '0')}`;
}

/** Up to three adjacent inline fields share a row; any other field has a row of its own. */
function spans(fields: APIEmbedField[]): { field: APIEmbedField; span: number }[] {
  const rows: APIEmbedField[][] = [];
  for (const field of fields) {
    const row = rows.at(-1);
    if (field.inline && row?.[0]?.inline && row.length < INLINE_IN_A_ROW) row.push(field);
    else rows.push([field]);
  }
  return rows.flatMap((row) =>
    row.map((field) => ({ field, span: field.inline ? COLUMNS / Math.max(row.length, 2) : COLUMNS })),
  );
}
