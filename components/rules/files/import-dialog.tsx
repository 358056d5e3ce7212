'use client';

import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog } from '@/components/ui/dialog';
import { Field, fieldAria } from '@/components/ui/field';
import { isolate } from '@/lib/bidi';
import { ApiError, api } from '@/lib/client/api';
import { errorText, isAnswered } from '@/lib/client/error-text';
import { count, sentence } from '@/lib/client/format';
import { log } from '@/lib/client/log';
import type { ImportResult } from '@/lib/features/transfer/schema';

const FILE_MAX_BYTES = 1024 * 1024;
const RULES = '/api/app/rules';
const IMPORT = `${RULES}/import`;
const FAILED = 'The rules were not imported. Try again.';
const UNANSWERED =
  'No answer came, so the rules may be imported or not. Try again: they are imported only once.';
const NOT_LOOKED_AT = 'The file could not be looked at. Choose it again.';
const NOT_ALL_FIT = 409;

interface Offer {
  file: unknown;
  /** With the same id, trying again creates no second rules. */
  request: string;
  items: ImportResult['items'];
}

interface Chosen {
  whole: Offer;
  /** Without the rules that exist already; null if none does. */
  fresh: Offer | null;
}

/** Shows what a file of rules would create, then creates all of it or nothing. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { mutate } = useSWRConfig();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [wrongFile, setWrongFile] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  // Whether rules that exist already are imported again.
  const [again, setAgain] = useState(false);
  const offer = chosen && !again && chosen.fresh ? chosen.fresh : chosen?.whole;
  const items = offer?.items ?? [];
  const fits = items.length > 0 && items.every((item) => item.fits);

  async function look(picked: File | undefined) {
    setChosen(null);
    setAgain(false);
    setFailure(null);
    setWrongFile(null);
    if (!picked) return;
    if (picked.size > FILE_MAX_BYTES) {
      return setWrongFile('This file is larger than 1 MB, so it is not an export of rules.');
    }
    const text = await picked.text().catch(() => null);
    if (text === null) return setWrongFile(NOT_LOOKED_AT);
    const file = parse(text);
    if (file === undefined) return setWrongFile('This file is not JSON, so it is not an export of rules.');
    setBusy(true);
    try {
      await lookAt(file);
    } catch (error) {
      log.error('Failed to import rules', error);
      setWrongFile(whyWrong(error));
    }
    setBusy(false);
  }

  async function lookAt(file: unknown) {
    const whole = await offerOf(file);
    const known = whole.items.map(({ exists }) => exists === true);
    setChosen({ whole, fresh: known.includes(true) ? await offerOf(without(file, known)) : null });
  }

  async function create() {
    if (!chosen || !offer) return;
    const { file, request } = offer;
    setBusy(true);
    setFailure(null);
    try {
      await api<ImportResult>(`${IMPORT}?request=${request}`, 'POST', { file, apply: true });
      void mutate(RULES);
      void mutate('/api/app/me');
      return onClose();
    } catch (error) {
      log.error('Failed to import rules', error);
      if (!isAnswered(error)) void mutate(RULES);
      // Something no longer fits: show what.
      if (error instanceof ApiError && error.status === NOT_ALL_FIT)
        await lookAt(chosen.whole.file).catch(() => null);
      setFailure(errorText(error, FAILED, UNANSWERED));
    }
    setBusy(false);
  }

  return (
    <Dialog
      title="Import Rules"
      locked={busy}
      onClose={onClose}
      error={failure}
      footer={
        <>
          <Button variant="outline" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button disabled={!fits} busy={busy && chosen !== null} busyLabel="Importing..." onClick={create}>
            {fits ? `Import ${count(items.length, 'rule')}` : 'Import'}
          </Button>
        </>
      }
    >
      <div className="space-y-4 p-5">
        <Field
          id="import-file"
          label="File"
          hint="A file that Export all rules has made, here or in another account."
          warning={wrongFile}
        >
          <input
            id="import-file"
            type="file"
            accept="application/json,.json"
            disabled={busy}
            // Otherwise a file that was corrected and is chosen again would be no change.
            onClick={(event) => {
              event.currentTarget.value = '';
              void look(undefined);
            }}
            onChange={(event) => void look(event.target.files?.[0])}
            {...fieldAria('import-file', { hint: true, warning: wrongFile })}
            className="block w-full min-w-0 rounded-lg border border-border-strong bg-surface p-1.5 text-sm file:mr-3 file:rounded-md file:border-0 file:bg-sunken file:px-2.5 file:py-1 file:text-foreground"
          />
        </Field>
        <div role="status" className="space-y-3">
          {busy && !chosen ? <p className="text-muted">Looking at what fits...</p> : null}
          {fits ? <p className="sr-only">Everything in this file fits.</p> : null}
          {chosen?.fresh ? (
            <Alert variant="warning">{sayExisting(chosen.whole.items)}</Alert>
          ) : chosen && items.length === 0 ? (
            <p className="text-muted">This export has no rules.</p>
          ) : null}
          {items.length > 0 && !fits ? (
            <Alert variant="warning">Not all rules fit, so none can be imported.</Alert>
          ) : null}
        </div>
        {chosen?.fresh ? (
          <Checkbox
            id="import-again"
            label="Also import rules that exist already"
            hint="With both rules on, each card is posted twice."
            checked={again}
            onCheckedChange={setAgain}
          />
        ) : null}
        {items.length > 0 ? <Items items={items} /> : null}
      </div>
    </Dialog>
  );
}

function Items({ items }: Pick<ImportResult, 'items'>) {
  return (
    <ul aria-label="What would be created" className="divide-y rounded-lg border">
      {items.map(({ name, fits, problems, exists }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules that do not exist yet have no ids
        <li key={index} className="flex items-start gap-2 px-3 py-2">
          {fits ? (
            <Check className="mt-0.5 size-4 shrink-0 text-signal" aria-label="Fits" />
          ) : (
            <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-label="Does not fit" />
          )}
          <div className="min-w-0">
            <p className="break-words font-medium">
              <bdi>{name}</bdi>
            </p>
            {exists ? <p className="text-muted text-xs">A rule does this already.</p> : null}
            {problems.map((problem) => (
              <p key={problem} className="break-words text-muted text-xs">
                {problem}
              </p>
            ))}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** What a file would create. */
async function offerOf(file: unknown): Promise<Offer> {
  const { items } = await api<ImportResult>(IMPORT, 'POST', { file, apply: false });
  return { file, request: crypto.randomUUID(), items };
}

/** A file that was looked at, without some of its rules. */
const without = (file: unknown, left: boolean[]) => {
  const { rules, ...rest } = file as { rules: unknown[] };
  return { ...rest, rules: rules.filter((_, index) => !left[index]) };
};

/** Says which rules of a file exist already: "Some rules of this file exist already: Releases and Bugs." */
function sayExisting(items: Offer['items']): string {
  const names = items.flatMap(({ name, exists }) => (exists ? [isolate(name)] : []));
  const list = new Intl.ListFormat('en').format(names);
  const some = names.length === 1 ? 'One rule of this file exists' : 'Some rules of this file exist';
  const which = names.length === items.length ? 'Every rule of this file exists' : some;
  return `${which} already: ${list}.`;
}

function whyWrong(error: unknown): string {
  const reason = errorText(error, NOT_LOOKED_AT, NOT_LOOKED_AT);
  const isRefused = error instanceof ApiError && error.code === 'invalid_input';
  return isRefused ? sentence(`This file is not an export of rules, or it was changed: ${reason}`) : reason;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
