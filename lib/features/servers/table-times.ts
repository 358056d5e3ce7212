import { tableTimes } from '@/lib/queue/table-times';

export const SERVER_TIMES = [
  tableTimes('discord_server', {
    // A reading that seems to have begun in the future counts as over, and one that ended there as too old.
    stays: ['installed_at', 'channels_checked_at', 'reading_since', 'bot_timed_out_until', 'removal_told_at'],
  }),
];
