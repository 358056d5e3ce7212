'use client';

import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Card, CardHeader } from '@/components/ui/card';
import { lateDialog } from '@/components/ui/late';

const DeleteAccountDialog = lateDialog(() =>
  import('./delete-account-dialog').then((module) => module.DeleteAccountDialog),
);

export function DangerZone() {
  const [open, setOpen] = useState(false);
  return (
    <Card aria-labelledby="danger-title" className="border-danger-line">
      <CardHeader
        id="danger-title"
        title={<span className="text-danger">Danger Zone</span>}
        description="Deleting the account cancels the subscription, disconnects Discord and Notion, and removes every rule and link."
      />
      <div className="border-danger-line border-t px-5 py-4">
        <Button variant="quietDanger" onClick={() => setOpen(true)}>
          Delete Account
        </Button>
      </div>
      {open ? <DeleteAccountDialog onClose={() => setOpen(false)} /> : null}
    </Card>
  );
}
