'use client';

import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk';
import { Search, WifiOff } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Modal } from '@/components/ui/modal';
import { count } from '@/lib/client/format';
import { keyName, PALETTE_KEY } from '@/lib/client/use-keys';
import { useOnline } from '@/lib/client/use-online';
import type { Entry, EntryGroup } from './find-entries';
import type { PaletteCalls } from './use-actions';
import { useEntries } from './use-entries';

const LABEL = 'Search pages, rules, databases and help';

/** Goes to a page, a rule, a database or a section of the documentation, and does things that are possible anywhere. */
export function Palette({
  onClose,
  onGo,
  onShortcuts,
}: {
  onClose: () => void;
  onGo: (href: string) => void;
  onShortcuts: () => void;
}) {
  const title = useId();
  const field = useRef<HTMLInputElement>(null);
  const online = useOnline();
  const [query, setQuery] = useState('');
  const [told, setTold] = useState<{ text: string; isFailure?: boolean } | null>(null);

  useEffect(() => field.current?.focus(), []);

  const refresh: PaletteCalls['refresh'] = async (service, look) => {
    setTold({ text: `Looking at ${service}...` });
    const failure = await look();
    setTold(failure ? { text: failure, isFailure: true } : { text: `${service} is up to date.` });
  };
  const groups = useEntries(query, { go: onGo, close: onClose, showShortcuts: onShortcuts, refresh });
  const found = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const isEmpty = found === 0;

  function closeAgain(event: KeyboardEvent) {
    if (keyName(event) !== PALETTE_KEY) return;
    event.preventDefault();
    onClose();
  }

  return (
    <Modal
      labelledBy={title}
      closeOutside
      onClose={onClose}
      className="inset-x-3 top-3 bottom-auto mx-auto w-auto max-w-140 animate-rise overflow-hidden rounded-xl bg-surface shadow-float sm:top-[12dvh]"
    >
      <h2 id={title} className="sr-only">
        Search and commands
      </h2>
      <CommandRoot label={LABEL} shouldFilter={false} vimBindings={false} loop onKeyDown={closeAgain}>
        <div className="flex items-center gap-3 border-b px-4">
          <Search className="size-4 shrink-0 text-muted" aria-hidden />
          <CommandInput
            ref={field}
            value={query}
            onValueChange={setQuery}
            placeholder={LABEL}
            className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-muted"
          />
        </div>
        {online ? null : (
          <p className="flex items-center gap-2 border-b bg-warning-soft px-4 py-2 text-warning">
            <WifiOff className="size-4 shrink-0" aria-hidden />
            You are offline. Pages open once you are back.
          </p>
        )}
        <p role="status" className={isEmpty ? 'px-4 py-8 text-center text-muted' : 'sr-only'}>
          {isEmpty ? 'Nothing found' : query.trim() ? count(found, 'result') : null}
        </p>
        <CommandList label="Results" className="max-h-[min(24rem,60dvh)] scroll-py-2 overflow-y-auto">
          {groups.map((group) => (
            <Group key={group.heading} group={group} online={online} />
          ))}
        </CommandList>
      </CommandRoot>
      {told?.isFailure ? (
        <p role="alert" className="border-t px-4 py-2.5 text-danger">
          {told.text}
        </p>
      ) : (
        <p role="status" className={told ? 'border-t px-4 py-2.5 text-muted' : 'sr-only'}>
          {told?.text}
        </p>
      )}
    </Modal>
  );
}

function Group({ group: { heading, entries }, online }: { group: EntryGroup; online: boolean }) {
  return (
    <CommandGroup
      heading={heading}
      className="border-b p-1.5 last:border-b-0 [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted [&_[cmdk-group-heading]]:text-xs"
    >
      {entries.map((entry) => (
        <Choice
          key={entry.id}
          entry={entry}
          disabled={entry.disabled || (!online && entry.href !== undefined)}
        />
      ))}
    </CommandGroup>
  );
}

function Choice({
  entry: { id, label, hint, icon: Icon, run },
  disabled,
}: {
  entry: Entry;
  disabled: boolean;
}) {
  return (
    <CommandItem
      value={id}
      disabled={disabled}
      onSelect={run}
      className="flex min-h-9 items-center gap-3 rounded-md px-2.5 py-1.5 data-[disabled=true]:cursor-default data-[selected=true]:bg-hover data-[disabled=true]:text-muted"
    >
      <Icon className="size-4 shrink-0 text-muted" aria-hidden />
      {/* Names may differ only at their end. */}
      <span dir="auto" title={label} className="wrap-anywhere line-clamp-3 min-w-0 flex-1 text-left">
        {label}
      </span>
      {hint ? <span className="max-w-1/2 shrink-0 truncate text-muted text-xs">{hint}</span> : null}
    </CommandItem>
  );
}
