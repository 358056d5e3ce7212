import { PRODUCT } from './product';

/** The logo: a page, the wire, a speech bubble. */
export function LogoMark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" className={className} aria-hidden="true">
      <path
        d="M2.5 6a3 3 0 0 1 3-3h4.6L14 6.9V17a3 3 0 0 1-3 3H5.5a3 3 0 0 1-3-3z"
        className="stroke-foreground"
        strokeWidth="2.5"
        strokeLinejoin="round"
      />
      <path
        d="M8.25 21v3.25a4.25 4.25 0 0 0 4.25 4.25h4.5a4.25 4.25 0 0 0 4.25-4.25V18"
        className="stroke-wire"
        strokeWidth="2.5"
        strokeLinecap="round"
      />
      <path
        d="M20.5 4h7.5a3 3 0 0 1 3 3v5.5a3 3 0 0 1-3 3h-2.3l-4.2 4.3v-4.3h-1a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3z"
        className="fill-blurple"
      />
    </svg>
  );
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 font-semibold text-base tracking-tight">
      <LogoMark />
      {PRODUCT}
    </span>
  );
}
