import type { CSSProperties } from 'react';
import { notionHue } from './notion-hue';

/** An option of a Notion property in its own colour, adjusted to stay readable in either theme. */
export function OptionLabel({ name, color }: { name: string; color: string }) {
  return (
    <span
      dir="auto"
      className="option-label wrap-anywhere max-w-full rounded-md px-1.5 py-0.5 text-xs"
      style={{ '--hue': notionHue(color) } as CSSProperties}
    >
      {name}
    </span>
  );
}
