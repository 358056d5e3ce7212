import { cn } from '@/lib/client/class-names';
import { Picture } from './picture';

const sizes = {
  xs: 'size-4 rounded-full text-[0.5rem]',
  sm: 'size-6 rounded-full text-[0.625rem]',
  md: 'size-8 rounded-full text-xs',
  lg: 'mx-auto size-14 rounded-full text-base',
  tile: 'size-11 rounded-lg text-sm',
};

/** A person's or a server's picture, or the first two characters of the name. The name itself must be shown next to it. */
export function Avatar({
  name,
  picture = null,
  size = 'md',
}: {
  name: string;
  picture?: string | null;
  size?: keyof typeof sizes;
}) {
  const frame = cn('shrink-0', sizes[size]);
  return (
    <Picture src={picture} className={cn(frame, 'object-cover')}>
      <span
        aria-hidden
        className={cn(
          frame,
          'grid select-none place-items-center bg-blurple-soft font-semibold text-blurple-text',
        )}
      >
        {[...name].slice(0, 2).join('').toUpperCase()}
      </span>
    </Picture>
  );
}
