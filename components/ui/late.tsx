'use client';

import dynamic from 'next/dynamic';
import type { ComponentType, ReactNode } from 'react';
import { loadScript } from '@/lib/client/load-script';
import { log } from '@/lib/client/log';
import { useHasInput } from '@/lib/client/use-leave-guard';
import { Alert } from './alert';
import { Button } from './button';
import { ProgressLine } from './progress-line';

/** A part of a page that is loaded when it is first shown. If it never arrives, a notice takes its place. */
export const lateSection = <P,>(load: () => Promise<ComponentType<P>>, loading?: () => ReactNode) =>
  dynamic<P>(() => loadOr(MissingSection, load), { ssr: false, ...(loading && { loading }) });

/** A dialog that is loaded when it is first opened. If it never arrives, a notice appears in its place. */
export const lateDialog = <P extends { onClose: () => void }>(load: () => Promise<ComponentType<P>>) =>
  dynamic<P>(() => loadOr(MissingDialog, load), { ssr: false, loading: ProgressLine });

// An error instead would replace the whole page, with everything that somebody has entered there.
async function loadOr<P>(notice: ComponentType<P>, load: () => Promise<ComponentType<P>>) {
  try {
    return await loadScript(load);
  } catch (error) {
    log.error('A part of the page did not arrive', error);
    return notice;
  }
}

const MissingSection = () => <Missing />;

function MissingDialog({ onClose }: { onClose: () => void }) {
  return (
    <Missing onDismiss={onClose} className="fixed inset-x-4 bottom-4 z-40 mx-auto max-w-lg shadow-float" />
  );
}

function Missing(props: { onDismiss?: () => void; className?: string }) {
  const hasInput = useHasInput();
  return (
    <Alert
      variant="warning"
      urgent
      action={
        <Button variant="outline" size="sm" onClick={() => window.location.reload()}>
          Reload
        </Button>
      }
      {...props}
    >
      This did not arrive, perhaps because there is a new version.{' '}
      {hasInput
        ? 'What you entered is still here: save it, then reload the page.'
        : 'Reload the page to get it.'}
    </Alert>
  );
}
