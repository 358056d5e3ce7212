import { cn } from '@/lib/client/class-names';

/** The wire between a page and a message, for empty states. The signal runs only when `live`. */
export function WireDrawing({ live = false, className }: { live?: boolean; className?: string }) {
  return (
    <svg
      viewBox="0 0 240 80"
      fill="none"
      className={cn('h-20 w-60 max-w-full', className)}
      aria-hidden="true"
    >
      <rect x="8.5" y="8.5" width="56" height="63" rx="7" className="fill-surface stroke-border-strong" />
      <path
        d="M19 22h24M19 33h35M19 43h30M19 53h20"
        className="stroke-border-strong"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <path d="M65 40h90" className="stroke-wire" strokeWidth="2" strokeLinecap="round" />
      <path
        d="M65 40h90"
        className={cn('stroke-wire', live && 'animate-signal')}
        strokeWidth="4"
        strokeLinecap="round"
        strokeDasharray="0.1 32"
      />
      <circle cx="65" cy="40" r="4" className="fill-surface stroke-wire" strokeWidth="2" />
      <circle cx="155" cy="40" r="4" className="fill-surface stroke-wire" strokeWidth="2" />
      <path
        d="M156 18a7 7 0 0 1 7-7h62a7 7 0 0 1 7 7v34a7 7 0 0 1-7 7h-44l-13 11v-11h-5a7 7 0 0 1-7-7z"
        className="fill-blurple-soft stroke-blurple"
      />
      <path d="M172 24v23" className="stroke-wire" strokeWidth="3" strokeLinecap="round" />
      <path
        d="M180 26h38M180 36h28M180 46h33"
        className="stroke-blurple"
        strokeOpacity="0.55"
        strokeWidth="3"
        strokeLinecap="round"
      />
      <circle cx="155" cy="40" r="4" className="fill-surface stroke-wire" strokeWidth="2" />
    </svg>
  );
}
