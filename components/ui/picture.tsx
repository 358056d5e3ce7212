'use client';

import { type ReactNode, useState } from 'react';

/** A picture from another service. `children` replace it when there is none or it cannot be shown. */
export function Picture({
  src,
  className,
  children,
}: {
  src: string | null;
  className: string;
  children: ReactNode;
}) {
  const [failed, setFailed] = useState<string | null>(null);
  if (!src || src === failed) return children;
  return (
    // biome-ignore lint/performance/noImgElement: it comes from the other service's own hosts
    <img src={src} alt="" referrerPolicy="no-referrer" className={className} onError={() => setFailed(src)} />
  );
}
