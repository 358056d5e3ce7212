import { cn } from '@/lib/client/class-names';

const sizes = { md: 'size-8 text-xs', lg: 'mx-auto size-14 text-base' };

/** A person's picture, or the first two letters of the name. The name itself must be shown next to it. */
export function Avatar({
  name,
  picture = null,
  size = 'md',
}: {
  name: string;
  picture?: string | null;
  size?: 'md' | 'lg';
}) {
  const frame = cn('shrink-0 rounded-full', sizes[size]);
  if (picture)
    // biome-ignore lint/performance/noImgElement: pictures come from the identity provider's own hosts
    return <img src={picture} alt="" referrerPolicy="no-referrer" className={cn(frame, 'object-cover')} />;
  return (
    <span
      aria-hidden
      className={cn(
        frame,
        'grid select-none place-items-center bg-blurple-soft font-semibold text-blurple-text',
      )}
    >
      {name.slice(0, 2).toUpperCase()}
    </span>
  );
}
