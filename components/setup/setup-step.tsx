import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Card, CardTitle } from '@/components/ui/card';
import { cn } from '@/lib/client/class-names';

/** A step of the setup: its drawing, its purpose, and either its button or the existing connection. */
export function SetupStep({
  icon,
  title,
  description,
  connected,
  waiting = false,
  children,
}: {
  icon: ReactNode;
  title: string;
  description: string;
  connected: boolean;
  waiting?: boolean;
  children: ReactNode;
}) {
  return (
    <Card className={cn('p-5', waiting && 'bg-transparent')} aria-label={title}>
      <div className="flex gap-4">
        {icon}
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <CardTitle>{title}</CardTitle>
            {connected ? (
              <Badge variant="signal">
                <Check aria-hidden />
                Connected
              </Badge>
            ) : null}
          </div>
          <p className="mt-0.5 text-pretty text-muted">{description}</p>
          <div className="mt-4">{children}</div>
        </div>
      </div>
    </Card>
  );
}
