'use client';

import { Search } from 'lucide-react';
import { useState } from 'react';
import { cn } from '@/lib/client/class-names';
import { Input } from './input';

/** A field to search a list by text. While focused it shows what is typed, because the address follows later. */
export function SearchInput({
  label,
  value,
  onChange,
  className,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  className?: string;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <span className={cn('relative block', className)}>
      <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-muted" aria-hidden />
      <Input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed ?? value}
        onChange={(event) => {
          setTyped(event.target.value);
          onChange(event.target.value);
        }}
        onBlur={() => setTyped(null)}
        className="pl-9"
      />
    </span>
  );
}
