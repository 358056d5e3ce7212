'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useTheme } from 'next-themes';
import { useSyncExternalStore } from 'react';
import { cn } from '@/lib/client/class-names';

export const THEMES = [
  { value: 'system', label: 'System theme', icon: Monitor },
  { value: 'light', label: 'Light theme', icon: Sun },
  { value: 'dark', label: 'Dark theme', icon: Moon },
];

const never = () => () => {};

/** System, light or dark. None is marked until the browser has read the stored choice. */
export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const inBrowser = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return (
    <fieldset className="flex rounded-lg border bg-sunken p-0.5">
      <legend className="sr-only">Theme</legend>
      {THEMES.map(({ value, label, icon: Icon }) => {
        const chosen = inBrowser && theme === value;
        return (
          <button
            key={value}
            type="button"
            aria-label={label}
            title={label}
            aria-pressed={chosen}
            onClick={() => setTheme(value)}
            className={cn(
              'flex h-7 flex-1 items-center justify-center rounded-md px-2 transition-colors duration-150 hover:text-foreground',
              chosen ? 'bg-surface text-foreground ring-1 ring-border-strong' : 'text-muted',
            )}
          >
            <Icon className="size-3.5" aria-hidden />
          </button>
        );
      })}
    </fieldset>
  );
}
