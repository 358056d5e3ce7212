import { asPerson, channelId } from './act.js';
import { writeTimes } from './times.js';

const NEAR_BOTTOM = 120;
const SEEN_KEY = asPerson('discord-seen');

/** Keeps the page up to date: fetches it again whenever something changed. */
export function openLive() {
  const log = document.querySelector('#messages');
  log.scrollTop = log.scrollHeight;
  markUnread();
  let running = false;
  let again = false;
  const look = async () => {
    if (running) {
      again = true;
      return;
    }
    running = true;
    await refresh(log).catch(() => undefined);
    running = false;
    if (again) {
      again = false;
      look();
    }
  };
  const source = new EventSource('/_page/live');
  source.onmessage = look;
  source.onopen = look;
  addEventListener('pagehide', () => source.close());
  addEventListener('pageshow', (event) => event.persisted && location.reload());
}

async function refresh(log) {
  const response = await fetch(asPerson(location.pathname));
  if (response.status === 404) location.assign(asPerson('/'));
  if (!response.ok) return;
  const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
  const isNear = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_BOTTOM;
  merge(log, fresh.querySelector('#messages'));
  for (const id of ['rail', 'channels', 'members']) replace(id, fresh);
  document.body.dataset.clockOffset = fresh.body.dataset.clockOffset;
  writeTimes(document);
  markUnread();
  if (isNear) log.scrollTop = log.scrollHeight;
}

/** Replaces only the messages whose version changed, so that an open menu elsewhere stays as it is. */
function merge(log, fresh) {
  const known = new Map([...log.children].map((each) => [each.id, each]));
  const next = [...fresh.children].map((each) => {
    const old = known.get(each.id);
    return old?.dataset.version && old.dataset.version === each.dataset.version
      ? old
      : document.adoptNode(each);
  });
  if (next.length === log.children.length && next.every((each, index) => each === log.children[index]))
    return;
  log.replaceChildren(...next);
}

function replace(id, fresh) {
  const old = document.getElementById(id);
  const next = fresh.getElementById(id);
  if (!old || !next || old.dataset.drawn === next.innerHTML) return;
  const drawn = next.innerHTML;
  old.innerHTML = drawn;
  old.dataset.drawn = drawn;
}

/** Highlights channels with something new since this person last looked in this browser. */
function markUnread() {
  const seen = JSON.parse(localStorage.getItem(SEEN_KEY) ?? '{}');
  for (const link of document.querySelectorAll('#channels a[data-last]')) {
    const { channel, last } = link.dataset;
    if (channel === channelId() || !seen[channel]) seen[channel] = last;
    link.classList.toggle('unread', BigInt(last) > BigInt(seen[channel]));
  }
  localStorage.setItem(SEEN_KEY, JSON.stringify(seen));
}
