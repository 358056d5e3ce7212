import { Prisma } from '@/lib/db/database';
import { type TableTimes, tableTimes } from '@/lib/queue/table-times';

const moved = (at: string) => `case when ${at} > now() then ${at} - back else ${at} end`;

// Otherwise a flood, and the count of the ten cards before it, would last longer by as much as the clock was set back.
const PACE: TableTimes = {
  table: 'posting_pace',
  moves: ['last_at'],
  stays: [],
  moveBackSql: Prisma.raw(
    `update posting_pace set last_at = ${moved('last_at')},
       recent = array(select ${moved('at')} from unnest(recent) at) from step
     where last_at > now() or now() < any(recent)`,
  ),
};

export const FLOOD_TIMES = [PACE, tableTimes('flood', { stays: ['began_at', 'message_at', 'edit_at'] })];
