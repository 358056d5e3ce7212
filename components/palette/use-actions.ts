'use client';

import { Keyboard, LogOut, Plus, RefreshCw } from 'lucide-react';
import { useTheme } from 'next-themes';
import { flushSync } from 'react-dom';
import { useObstacle } from '@/components/rules/use-obstacle';
import { THEMES } from '@/components/shell/theme-switch';
import { useLookAtDiscord, useLookAtNotion } from '@/lib/client/look-again';
import { useServer, useWorkspace } from '@/lib/client/resources';
import { logOut } from '@/lib/client/session';
import { leave } from '@/lib/client/use-leave-guard';
import { useOnline } from '@/lib/client/use-online';
import type { Entry } from './find-entries';

/** The effects of palette entries. */
export interface PaletteCalls {
  /** Closes the palette and opens an address, in the dashboard or elsewhere. */
  go: (href: string) => void;
  /** Closes the palette. */
  close: () => void;
  showShortcuts: () => void;
  /** Refreshes a connection while the palette stays open; `look` returns why that failed. */
  refresh: (service: string, look: () => Promise<string | null>) => void;
}

/** The actions that are possible anywhere. An action that is not possible now says why, or is left out. */
export function useActions({ go, close, showShortcuts, refresh }: PaletteCalls): Entry[] {
  const obstacle = useObstacle();
  const { data: server } = useServer();
  const { data: workspace } = useWorkspace();
  const [lookAtDiscord, lookAtNotion] = [useLookAtDiscord(), useLookAtNotion()];
  const { theme, setTheme } = useTheme();
  const online = useOnline();

  const entries: (Entry | null)[] = [
    {
      id: 'new-rule',
      label: 'New Rule',
      hint: obstacle,
      words: 'create add',
      icon: Plus,
      href: '/rules?new=1',
      disabled: obstacle !== undefined,
      run: () => go('/rules?new=1'),
    },
    server
      ? {
          id: 'refresh-discord',
          label: 'Refresh Discord',
          words: 'channels reload',
          icon: RefreshCw,
          run: () => refresh('Discord', lookAtDiscord),
        }
      : null,
    workspace
      ? {
          id: 'refresh-notion',
          label: 'Refresh Notion',
          words: 'databases reload',
          icon: RefreshCw,
          run: () => refresh('Notion', lookAtNotion),
        }
      : null,
    ...THEMES.map(({ value, label, icon }) => ({
      id: `theme-${value}`,
      label,
      hint: theme === value ? 'In use' : undefined,
      words: 'change appearance colors',
      icon,
      run: () => {
        setTheme(value);
        close();
      },
    })),
    {
      id: 'shortcuts',
      label: 'Keyboard shortcuts',
      words: 'keys help',
      icon: Keyboard,
      run: showShortcuts,
    },
    {
      id: 'logout',
      label: 'Logout',
      words: 'sign out log out',
      icon: LogOut,
      disabled: !online,
      run: () => {
        // Closing restores the focus; only after that can a question take it.
        flushSync(close);
        leave(logOut);
      },
    },
  ];
  return entries.filter((entry) => entry !== null);
}
