import type { ReactNode } from 'react';
import { Link } from '@/components/ui/link';
import type { Inline } from './content/doc-page';

const MARKS = /(`[^`]+`|\[[^\]]+\]\([^)]+\))/;

function part(text: string): ReactNode {
  if (text.startsWith('`'))
    return (
      <code className="rounded-md bg-sunken px-1.5 py-0.5 font-mono text-[0.8125rem]">
        {text.slice(1, -1)}
      </code>
    );
  const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(text);
  if (!link) return text;
  return (
    <Link href={link[2] ?? ''} className="font-medium text-signal underline underline-offset-4">
      {link[1]}
    </Link>
  );
}

/** Renders the two kinds of markup in the documentation's texts. */
export function InlineText({ text }: { text: Inline }) {
  return text.split(MARKS).map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a text never changes its order
    <span key={index}>{part(piece)}</span>
  ));
}
