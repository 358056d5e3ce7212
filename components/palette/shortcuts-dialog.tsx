'use client';

import { useState } from 'react';
import { Dialog } from '@/components/ui/dialog';
import { Kbd } from '@/components/ui/kbd';
import { Switch } from '@/components/ui/switch';
import { areSingleKeysOn, switchSingleKeys } from '@/lib/client/single-keys';
import { modKey } from '@/lib/client/use-keys';
import { SHORTCUTS } from './shortcuts';

/** Lists the keys, and switches off those that need neither Ctrl nor Cmd. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const [isOn, setOn] = useState(areSingleKeysOn);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="divide-y px-5">
        {SHORTCUTS.map(({ keys, text }) => (
          <div key={text} className="flex flex-row-reverse items-center justify-between gap-4 py-2.5">
            <dt className="flex shrink-0 gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key === 'Mod' ? modKey() : key}</Kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="flex items-center justify-between gap-4 border-t bg-sunken px-5 py-3">
        <div>
          <p className="font-medium">Single keys</p>
          <p className="mt-0.5 text-pretty text-muted text-xs">
            They do nothing while you type in a field. Switch them off if speech input presses them.
          </p>
        </div>
        <Switch
          label="Single keys"
          checked={isOn}
          onCheckedChange={(on) => {
            switchSingleKeys(on);
            setOn(on);
          }}
        />
      </div>
    </Dialog>
  );
}
