import { FileText } from 'lucide-react';
import { Picture } from '@/components/ui/picture';
import { cn } from '@/lib/client/class-names';

const sizes = { md: 'size-9 text-lg', lg: 'size-11 text-2xl' };

/** The icon of a database or a workspace from Notion: an emoji, a picture, or Notion's page symbol. */
export function NotionIcon({ icon, size = 'md' }: { icon: string | null; size?: keyof typeof sizes }) {
  const isPicture = icon !== null && /^https?:\/\//.test(icon);
  const symbol = <FileText className="size-4.5 text-muted" />;
  return (
    <span
      aria-hidden
      className={cn('grid shrink-0 place-items-center overflow-hidden rounded-lg bg-sunken', sizes[size])}
    >
      {isPicture ? (
        <Picture src={icon} className={size === 'lg' ? 'size-full object-cover' : 'size-5 object-contain'}>
          {symbol}
        </Picture>
      ) : (
        (icon ?? symbol)
      )}
    </span>
  );
}
