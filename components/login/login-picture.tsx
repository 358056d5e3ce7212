import { PRODUCT } from '@/components/brand/product';
import { DiscordCard } from '@/components/rules/preview/discord-card';

/** Illustrates the product: a row changes in Notion and a card appears in Discord. */
export function LoginPicture() {
  return (
    <div
      aria-hidden="true"
      className="hidden items-center justify-center overflow-hidden border-l bg-sunken p-12 lg:flex"
    >
      <div className="w-full max-w-lg">
        <div className="mr-16 rounded-xl border bg-surface p-4 shadow-float">
          <p className="text-muted text-xs">Game tasks</p>
          <p className="mt-2 font-semibold text-base">Lantern flicker shader</p>
          <dl className="mt-3 grid grid-cols-[5rem_1fr] gap-y-2">
            <dt className="text-muted">Status</dt>
            <dd>
              <span className="rounded-md bg-signal-soft px-1.5 py-0.5 text-signal">Done</span>
            </dd>
            <dt className="text-muted">Assignee</dt>
            <dd>Jonas Weber</dd>
          </dl>
        </div>
        <svg viewBox="0 0 400 72" fill="none" className="block h-18 w-full" aria-hidden="true">
          <path
            d="M60 0v20a16 16 0 0 0 16 16h248a16 16 0 0 1 16 16v20"
            className="stroke-wire"
            strokeWidth="2"
          />
          <circle cx="200" cy="36" r="5" className="fill-wire" />
        </svg>
        <div className="ml-16">
          <DiscordCard
            sender={PRODUCT}
            place="#build-log"
            content="Mira Okafor changed Status of Lantern flicker shader to Done"
            card={{
              author: 'Game tasks',
              title: 'Lantern flicker shader',
              lines: ['Status: In progress → Done', 'Updated by Mira Okafor just now'],
              fields: [
                { name: 'Assignee', value: 'Jonas Weber' },
                { name: 'Due', value: 'Nov 24, 2026' },
              ],
              footer: `${PRODUCT} · Game tasks → #build-log · Page Updated`,
              color: '#3f9d6b',
            }}
            buttons={['Assign to me', 'Change status', 'Open in Notion']}
          />
        </div>
      </div>
    </div>
  );
}
