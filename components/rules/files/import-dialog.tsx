'use client';

import { Check, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { Alert } from '@/components/ui/alert';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field, fieldAria } from '@/components/ui/field';
import { api } from '@/lib/client/api';
import { errorText } from '@/lib/client/error-text';
import { count } from '@/lib/client/format';
import { log } from '@/lib/client/log';
import type { ImportResult } from '@/lib/features/transfer/schema';

const FILE_MAX_BYTES = 1024 * 1024;
const IMPORT = '/api/app/rules/import';
const FAILED = 'The rules were not imported. Try again.';

interface Chosen {
  file: unknown;
  items: ImportResult['items'];
}

/** Shows what a file of rules would create, then creates all of it or nothing. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { mutate } = useSWRConfig();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [wrongFile, setWrongFile] = useState<string | null>(null);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const items = chosen?.items ?? [];
  const fits = items.length > 0 && items.every((item) => item.fits);

  async function look(picked: File | undefined) {
    setChosen(null);
    setFailure(null);
    setWrongFile(null);
    if (!picked) return;
    if (picked.size > FILE_MAX_BYTES) {
      return setWrongFile('This file is larger than 1 MB, so it is no export of rules.');
    }
    const file = parse(await picked.text());
    if (file === undefined) return setWrongFile('This file is no JSON, so it is no export of rules.');
    await ask({ file, apply: false }, setWrongFile, ({ items: found }) => setChosen({ file, items: found }));
  }

  async function ask(
    input: { file: unknown; apply: boolean },
    fail: (text: string) => void,
    then: (result: ImportResult) => void,
  ) {
    setBusy(true);
    try {
      then(await api<ImportResult>(IMPORT, 'POST', input));
    } catch (error) {
      log.error('Failed to import rules', error);
      fail(errorText(error, FAILED, FAILED));
    }
    setBusy(false);
  }

  async function create() {
    if (!chosen) return;
    setFailure(null);
    await ask({ file: chosen.file, apply: true }, setFailure, () => {
      void mutate('/api/app/rules');
      void mutate('/api/app/me');
      onClose();
    });
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
            onChange={(event) => void look(event.target.files?.[0])}
            aria-describedby={fieldAria('import-file', { hint: true, warning: wrongFile }).describedBy}
            aria-invalid={wrongFile !== null || undefined}
            className="block w-full min-w-0 rounded-lg border border-border-strong bg-surface p-1.5 text-sm file:mr-3 file:rounded-md file:border-0 file:bg-sunken file:px-2.5 file:py-1 file:text-foreground"
          />
        </Field>
        <div role="status">
          {chosen && items.length === 0 ? <p className="text-muted">This export has no rules.</p> : null}
          {items.length > 0 && !fits ? (
            <Alert variant="warning">Not all rules fit, so none can be imported.</Alert>
          ) : null}
        </div>
        {items.length > 0 ? <Items items={items} /> : null}
      </div>
    </Dialog>
  );
}

function Items({ items }: Pick<ImportResult, 'items'>) {
  return (
    <ul aria-label="What would be created" className="divide-y rounded-lg border">
      {items.map(({ name, fits, problems }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules that do not exist yet have no ids
        <li key={index} className="flex items-start gap-2 px-3 py-2">
          {fits ? (
            <Check className="mt-0.5 size-4 shrink-0 text-signal" aria-label="Fits" />
          ) : (
            <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning" aria-label="Does not fit" />
          )}
          <div className="min-w-0">
            <p className="break-words font-medium">{name}</p>
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
