'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';
import { usePush } from '@/lib/client/use-push';

/**
 * A link to one of our pages, which loads that page once somebody points at it or focuses it. Next would prefetch part
 * of every linked page in view: two calls for each, and following the link would still need a third. Following it shows
 * that the page is on its way, unless `onNavigate` does something else.
 */
export function Link({
  onFocus,
  onPointerEnter,
  ...props
}: ComponentProps<typeof NextLink> & { href: string }) {
  const push = usePush();
  const [isLikely, setIsLikely] = useState(false);
  return (
    <NextLink
      onNavigate={(event) => {
        event.preventDefault();
        push(props.href);
      }}
      {...props}
      prefetch={isLikely}
      onFocus={(event) => {
        setIsLikely(true);
        onFocus?.(event);
      }}
      onPointerEnter={(event) => {
        setIsLikely(true);
        onPointerEnter?.(event);
      }}
    />
  );
}
