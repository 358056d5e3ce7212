import { Check } from 'lucide-react';
import { Card, CardTitle } from '@/components/ui/card';

const INCLUDED = [
  '1,000 notifications per month',
  'Up to 10 notification rules',
  '1 Discord server',
  '1 Notion workspace',
  'Unlimited users',
];

export function PlanCard() {
  return (
    <Card className="p-5" aria-labelledby="starter-title">
      <CardTitle id="starter-title">Starter</CardTitle>
      <p className="mt-1">
        <span className="font-semibold text-xl tracking-tight">$19</span>
        <span className="text-muted">/month</span>
      </p>
      <ul className="mt-5 space-y-2.5 border-t pt-5">
        {INCLUDED.map((text) => (
          <li key={text} className="flex items-center gap-3">
            <Check className="size-4 shrink-0 text-signal" aria-hidden />
            {text}
          </li>
        ))}
      </ul>
      <p className="mt-5 border-t pt-4 text-muted text-xs">
        Paid through Stripe. Cancel whenever you like; the plan stays until the end of the paid period.
      </p>
    </Card>
  );
}
