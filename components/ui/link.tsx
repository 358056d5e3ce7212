'use client';

import NextLink from 'next/link';
import { type ComponentProps, useState } from 'react';

/**
 * A link to one of our pages, which loads that page once somebody points at it or focuses it. Next would prefetch part
 * of every linked page in view: two calls for each, and following the link would still need a third.
 */
export function Link({ onFocus, onPointerEnter, ...props }: ComponentProps<typeof NextLink>) {
  const [isLikely, setIsLikely] = useState(false);
  return (
    <NextLink
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
