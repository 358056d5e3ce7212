'use client';

import { Download, Upload } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { lateDialog } from '@/components/ui/late';
import { download } from '@/lib/client/api';
import { errorText } from '@/lib/client/error-text';
import { useAction } from '@/lib/client/use-action';

const ImportDialog = lateDialog(() => import('./import-dialog').then((module) => module.ImportDialog));

const FAILED = 'The rules were not exported. Try again.';

/** Exports all rules to a file, and imports rules from one. */
export function RuleFiles({ hasRules, canImport }: { hasRules: boolean; canImport: boolean }) {
  const [importing, setImporting] = useState(false);
  const { busy, error, run } = useAction('Failed to export rules', (reason) =>
    errorText(reason, FAILED, FAILED),
  );
  const save = () => run(() => download('/api/app/rules/export', 'pagewire-rules.json'));

  return (
    <div className="mt-3 flex flex-wrap items-center justify-end gap-2">
      {error ? (
        <p role="alert" className="text-danger text-xs">
          {error}
        </p>
      ) : null}
      {hasRules ? (
        <Button variant="ghost" size="sm" busy={busy} busyLabel="Exporting..." onClick={() => void save()}>
          <Download aria-hidden />
          Export all rules
        </Button>
      ) : null}
      <Button variant="ghost" size="sm" disabled={!canImport} onClick={() => setImporting(true)}>
        <Upload aria-hidden />
        Import rules
      </Button>
      {importing ? <ImportDialog onClose={() => setImporting(false)} /> : null}
    </div>
  );
}
