import { ExternalLink } from 'lucide-react';
import { buttonClass } from '@/components/ui/button';
import { DatabaseBadge } from '@/components/ui/database-badge';
import { OptionLabel } from '@/components/ui/option-label';
import { Timestamp } from '@/components/ui/timestamp';
import { count } from '@/lib/client/format';
import type { Database } from '@/lib/features/workspaces/schema';
import { NotionIcon } from './notion-icon';

function StatusOptions({ database }: { database: Database }) {
  if (database.statusGroups.length === 0)
    return (
      <div className="flex flex-wrap gap-1.5">
        {database.statusOptions.map((name) => (
          <OptionLabel key={name} name={name} color="default" />
        ))}
      </div>
    );
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-3">
      {database.statusGroups.map((group) => (
        <div key={group.name} className="min-w-0">
          <dt className="text-muted text-xs">
            <bdi>{group.name}</bdi>
          </dt>
          <dd className="mt-1 flex flex-wrap gap-1.5">
            {group.options.map((option) => (
              <OptionLabel key={option.id} name={option.name} color={option.color} />
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** When Notion last reported a change. */
function LastEvent({ at }: { at: string | null }) {
  if (!at) return 'No event yet';
  return (
    <>
      Last event <Timestamp at={at} inSentence />
    </>
  );
}

export function DatabaseRow({ database }: { database: Database }) {
  return (
    <li className="px-5 py-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <NotionIcon icon={database.icon} />
        <div className="min-w-0 flex-1 basis-40">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h3 className="min-w-0 break-words font-medium">
              <bdi>{database.name}</bdi>
            </h3>
            <DatabaseBadge type={database.type} />
          </div>
          <p className="nums text-muted text-xs">
            <span>Used in {count(database.usedInRules, 'rule')}</span>
            {' · '}
            <span>
              <LastEvent at={database.lastEventAt} />
            </span>
          </p>
        </div>
        {database.url ? (
          <a
            href={database.url}
            target="_blank"
            rel="noreferrer"
            aria-label={`Open ${database.name}`}
            className={buttonClass({ variant: 'outline', size: 'sm' })}
          >
            Open
            <ExternalLink aria-hidden />
          </a>
        ) : null}
      </div>
      {database.type === 'task' && database.statusOptions.length > 0 ? (
        <fieldset className="mt-3 min-w-0 sm:pl-13" aria-label={`Status options of ${database.name}`}>
          <StatusOptions database={database} />
        </fieldset>
      ) : null}
    </li>
  );
}
