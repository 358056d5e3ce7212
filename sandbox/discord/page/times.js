const EVERY_MS = 20_000;
const STYLES = {
  t: { timeStyle: 'short' },
  T: { timeStyle: 'medium' },
  d: { dateStyle: 'short' },
  D: { dateStyle: 'long' },
  f: { dateStyle: 'long', timeStyle: 'short' },
  F: { dateStyle: 'full', timeStyle: 'short' },
};
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

export function openTimes() {
  writeTimes(document);
  setInterval(() => writeTimes(document), EVERY_MS);
}

/** Writes every timestamp in the reader's own time zone. */
export function writeTimes(root) {
  const now = Date.now() + Number(document.body.dataset.clockOffset);
  for (const each of root.querySelectorAll('time[data-style]')) {
    const date = new Date(each.dateTime);
    each.textContent = write(date, each.dataset.style, now);
    each.title = date.toLocaleString(undefined, STYLES.F);
  }
}

function write(date, style, now) {
  if (style === 'R') return relative((date.getTime() - now) / 1000);
  if (style !== 'message') return date.toLocaleString(undefined, STYLES[style]);
  const time = date.toLocaleString(undefined, STYLES.t);
  const days = Math.round((startOfDay(new Date(now)) - startOfDay(date)) / 86_400_000);
  if (days === 0) return time;
  return days === 1 ? `Yesterday at ${time}` : `${date.toLocaleString(undefined, STYLES.d)}, ${time}`;
}

function relative(seconds) {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? UNITS[5];
  return new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' }).format(Math.trunc(seconds / size), unit);
}

function startOfDay(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
