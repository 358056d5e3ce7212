import { Alert } from '@/components/ui/alert';
import { cn } from '@/lib/client/class-names';
import type { Block } from './content/doc-page';
import { InlineText } from './inline-text';

function Items({ items }: { items: string[] }) {
  return items.map((item) => (
    <li key={item} className="pl-1">
      <InlineText text={item} />
    </li>
  ));
}

/** One paragraph, list, table, note or picture of a documentation page. */
export function DocBlock({ block }: { block: Block }) {
  switch (block.kind) {
    case 'text':
      return (
        <p>
          <InlineText text={block.text} />
        </p>
      );
    case 'list':
      return (
        <ul className="list-disc space-y-1.5 pl-5 marker:text-muted">
          <Items items={block.items} />
        </ul>
      );
    case 'steps':
      return (
        <ol className="nums list-decimal space-y-1.5 pl-5 marker:font-medium marker:text-muted">
          <Items items={block.items} />
        </ol>
      );
    case 'note':
      return (
        <Alert>
          <InlineText text={block.text} />
        </Alert>
      );
    case 'table':
      return (
        <div className="overflow-x-auto rounded-xl border bg-surface">
          <table className="w-full text-left text-sm [&_code]:whitespace-nowrap">
            <thead>
              <tr className="border-b bg-sunken text-muted text-xs">
                {block.columns.map((column) => (
                  <th key={column} scope="col" className="px-4 py-2 font-medium">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y">
              {block.rows.map((row) => (
                <tr key={row[0]}>
                  {row.map((cell, index) => (
                    <td
                      key={cell}
                      className={index === 0 ? 'px-4 py-2.5 align-top font-medium' : 'px-4 py-2.5'}
                    >
                      <InlineText text={cell} />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'picture':
      return (
        <>
          <Picture block={block} src={block.src} className={block.dark ? 'dark:hidden' : ''} />
          {block.dark ? <Picture block={block} src={block.dark} className="hidden dark:block" /> : null}
        </>
      );
  }
}

type PictureBlock = Extract<Block, { kind: 'picture' }>;

/** Loads lazily, so a picture that is hidden, such as the other theme's, is not loaded. */
function Picture({ block, src, className }: { block: PictureBlock; src: string; className: string }) {
  return (
    // biome-ignore lint/performance/noImgElement: the pictures are already small and need no resizing
    <img
      src={src}
      alt={block.alt}
      width={block.width}
      height={block.height}
      loading="lazy"
      className={cn('h-auto w-full', block.dark && 'rounded-xl border', className)}
    />
  );
}
