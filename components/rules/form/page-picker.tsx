'use client';

import { CommandInput, CommandItem, CommandList, CommandRoot } from 'cmdk';
import { FileText, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field, fieldAria } from '@/components/ui/field';
import { Picture } from '@/components/ui/picture';
import { isolate } from '@/lib/bidi';
import { cn } from '@/lib/client/class-names';
import { errorText } from '@/lib/client/error-text';
import { usePages, useRules } from '@/lib/client/resources';
import { useDebounced } from '@/lib/client/use-debounced';
import type { FoundPage } from '@/lib/features/tree/schema';
import type { ChosenPage } from './rule-terms';

const TYPING_MS = 300;
const HINT =
  'Notion finds new and just shared pages only after a while. Until then, paste a link to the page instead.';

/** Chooses a page in Notion by its title, or by a pasted link. */
export function PagePicker({
  page,
  onChoose,
  warning,
  asked,
}: {
  page: ChosenPage | null;
  onChoose: (page: ChosenPage | null) => void;
  warning: string | null;
  /** Each higher number moves the focus here. */
  asked: number;
}) {
  const place = useRef<HTMLDivElement>(null);
  const [isMoved, setIsMoved] = useState(false);
  const isChosen = page !== null;
  // The element that had the focus is gone, so its replacement gets it.
  useEffect(() => {
    if (isMoved) place.current?.querySelector<HTMLElement>(isChosen ? 'button' : 'input')?.focus();
  }, [isChosen, isMoved]);
  useEffect(() => {
    if (asked > 0) place.current?.querySelector('input')?.focus();
  }, [asked]);
  const choose = (chosen: ChosenPage | null) => {
    setIsMoved(true);
    onChoose(chosen);
  };
  return (
    <div ref={place}>
      <Field id="rule-page" label="Page" warning={warning} {...(!isChosen && { hint: HINT })}>
        {page ? (
          <Chosen page={page} onClear={() => choose(null)} />
        ) : (
          <PageSearch onChoose={choose} warning={warning} />
        )}
      </Field>
    </div>
  );
}

function Chosen({ page, onClear }: { page: ChosenPage; onClear: () => void }) {
  return (
    <div className="flex min-h-9 items-center gap-2 rounded-lg border border-border-strong bg-surface pr-1 pl-3">
      <PageIcon icon={page.icon} />
      <span dir="auto" title={page.title} className="min-w-0 flex-1 truncate text-left">
        {page.title}
      </span>
      <Button
        id="rule-page"
        variant="ghost"
        size="icon"
        aria-label={`Page: ${page.title}. Choose another page`}
        onClick={onClear}
      >
        <X aria-hidden />
      </Button>
    </div>
  );
}

function PageSearch({ onChoose, warning }: { onChoose: (page: ChosenPage) => void; warning: string | null }) {
  const [query, setQuery] = useState('');
  const settled = useDebounced(query.trim(), TYPING_MS);
  const { data, error, isLoading } = usePages(settled);
  // After a failure, what was found for earlier words is still there.
  const found = error ? undefined : data?.map(toChoice);
  const used = usePagesOfRules();
  // Before anything is typed, the pages of existing rules come first.
  const pages =
    settled === '' && used.length > 0
      ? [...used, ...(found ?? []).filter(({ id }) => used.every((page) => page.id !== id))]
      : found;
  const isBehind = isLoading || settled !== query.trim();
  const [marked, setMarked] = useState('');
  // Enter takes the first page found, but never one found for earlier words.
  const isFound = pages?.some(({ id }) => id === marked);
  const active = isBehind ? '' : isFound ? marked : (pages?.[0]?.id ?? '');
  return (
    <CommandRoot
      label="Page"
      shouldFilter={false}
      vimBindings={false}
      loop
      value={active}
      onValueChange={setMarked}
    >
      <CommandInput
        id="rule-page"
        aria-labelledby="rule-page-label"
        {...fieldAria('rule-page', { hint: true, warning })}
        value={query}
        onValueChange={setQuery}
        placeholder="Search by title, or paste a link"
        className="h-9 w-full min-w-0 rounded-lg border border-border-strong bg-surface px-3 text-sm placeholder:text-muted aria-invalid:border-warning"
      />
      <p role="status" className="mt-1.5 text-muted text-xs empty:sr-only">
        {statusText(isBehind, pages)}
      </p>
      {error ? (
        <p role="alert" className="mt-1.5 text-danger text-xs">
          {errorText(error, 'Notion was not searched. Try again.', 'Notion was not searched. Try again.')}
        </p>
      ) : null}
      <CommandList
        label="Pages"
        className={cn(
          'mt-1.5 max-h-56 overflow-y-auto rounded-lg border p-1',
          (pages ?? []).length === 0 && 'hidden',
          isBehind && 'opacity-60',
        )}
      >
        {pages?.map((page) => (
          <PageChoice key={page.id} page={page} onChoose={onChoose} />
        ))}
      </CommandList>
    </CommandRoot>
  );
}

/** A page to choose from. `hint` is shown next to its title. */
type Choice = ChosenPage & { hint: string | null };

const toChoice = ({ parentTitle, ...page }: FoundPage): Choice => ({
  ...page,
  hint: parentTitle && `in ${isolate(parentTitle)}`,
});

/** The pages that rules already watch. */
function usePagesOfRules(): Choice[] {
  const { data: rules = [] } = useRules();
  const pages = rules.flatMap(({ source, pageTitle, sourceIcon }) =>
    source.kind === 'page'
      ? [{ id: source.pageId, title: pageTitle ?? '', icon: sourceIcon, hint: 'in a rule' }]
      : [],
  );
  return [...new Map(pages.map((page) => [page.id, page])).values()];
}

function statusText(isBehind: boolean, pages: Choice[] | undefined): string | null {
  if (isBehind) return 'Searching...';
  if (!pages) return null;
  if (pages.length === 0) return 'Notion finds no such page that is shared with Pagewire.';
  return pages.length === 1 ? '1 page' : `${pages.length} pages`;
}

function PageChoice({ page, onChoose }: { page: Choice; onChoose: (page: ChosenPage) => void }) {
  const { id, title, icon, hint } = page;
  return (
    <CommandItem
      value={id}
      onSelect={() => onChoose({ id, title, icon })}
      className="flex cursor-pointer select-none items-center gap-2 rounded-md px-2 py-1.5 aria-selected:bg-hover"
    >
      <PageIcon icon={icon} />
      {/* Titles may differ only at their end. */}
      <span dir="auto" title={title} className="wrap-anywhere line-clamp-3 min-w-0 flex-1 text-left">
        {title}
      </span>
      {hint ? (
        <span title={hint} className="max-w-[40%] truncate text-muted text-xs">
          {hint}
        </span>
      ) : null}
    </CommandItem>
  );
}

function PageIcon({ icon }: { icon: string | null }) {
  const isPicture = icon?.startsWith('http') ?? false;
  if (icon && !isPicture) return <span aria-hidden>{icon}</span>;
  return (
    <Picture src={icon} className="size-4 shrink-0 rounded-sm">
      <FileText className="size-4 shrink-0 text-muted" aria-hidden />
    </Picture>
  );
}
