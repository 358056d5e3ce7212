/** The end of the period that begins at `start`: a month later, on the anchor's day or the month's last one. */
export function nextPeriodEnd(anchor: number, start: number): number {
  const from = new Date(anchor * 1000);
  const at = new Date(start * 1000);
  const months = (at.getUTCFullYear() - from.getUTCFullYear()) * 12 + at.getUTCMonth() - from.getUTCMonth();
  const candidate = addMonths(from, months);
  return candidate > start ? candidate : addMonths(from, months + 1);
}

function addMonths(from: Date, months: number): number {
  const target = new Date(from);
  target.setUTCDate(1);
  target.setUTCMonth(target.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return Math.floor(target.getTime() / 1000);
}
