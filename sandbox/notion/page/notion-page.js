// Sends each edit at once and redraws the page from the server, keeping what is open and focused.
const POLL_MS = 1500;
const live = () => document.getElementById('live');
let revision = live()?.dataset.revision;
let redrawing = false;
/** A list or calendar is open; redrawing would close it. */
let choosing = false;

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({}));
  showNotice(response.ok ? '' : (answer.error ?? 'The change was not saved.'));
  await redraw();
}

function showNotice(text) {
  const notice = document.getElementById('notice');
  notice.textContent = text;
  notice.hidden = text === '';
}

function enteredValue(field) {
  if (field.dataset.multiple !== undefined) {
    const boxes = field.closest('.choices').querySelectorAll('input:checked');
    return [...boxes].map((box) => box.value);
  }
  if (field.type === 'checkbox') return field.checked;
  if (field.dataset.start) return { start: field.dataset.start, end: field.value || null };
  if (field.dataset.end && field.value) return { start: field.value, end: field.dataset.end };
  return field.value;
}

/** Marks what is being sent, so that only text still being typed counts as unsaved. */
function markSent(fields) {
  for (const field of fields) field.defaultValue = field.value;
}

function isDirty() {
  const fields = document.querySelectorAll('#live input:not([type=checkbox], [type=hidden]), #live textarea');
  return [...fields].some((field) => field.value !== field.defaultValue);
}

async function redraw() {
  if (redrawing) return;
  redrawing = true;
  try {
    const response = await fetch(location.href);
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('live');
    const open = [...live().querySelectorAll('details')].map((each) => [each.id, each.open]);
    const scrolls = [...live().querySelectorAll('.scroll')].map((each) => [each.id, each.scrollLeft]);
    if (isDirty() || choosing) return;
    const { dataset, selectionStart, selectionEnd } = document.activeElement ?? {};
    live().replaceWith(fresh);
    revision = fresh.dataset.revision;
    for (const [id, isOpen] of open) {
      const details = document.getElementById(id);
      if (details) details.open = isOpen;
    }
    for (const [id, left] of scrolls) {
      const box = document.getElementById(id);
      if (box) box.scrollLeft = left;
    }
    const focused = dataset?.key && document.querySelector(`[data-key="${CSS.escape(dataset.key)}"]`);
    focused?.focus?.({ preventScroll: true });
    if (typeof selectionStart === 'number') focused?.setSelectionRange?.(selectionStart, selectionEnd);
  } finally {
    redrawing = false;
  }
}

document.addEventListener('change', (event) => {
  const field = event.target;
  choosing = false;
  if (field.matches('#live *')) markSent([field]);
  if (field.matches('[data-autosubmit]')) field.form.submit();
  if (field.dataset.row)
    post(`/ui/rows/${field.dataset.row}`, { property: field.dataset.property, value: enteredValue(field) });
  if (field.dataset.body) post(`/ui/rows/${field.dataset.body}/body`, { value: field.value });
});

document.addEventListener('mousedown', (event) => {
  choosing = event.target.matches('#live select, #live input[type=date]');
});
document.addEventListener('focusout', () => {
  choosing = false;
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!form.dataset.action) return;
  event.preventDefault();
  markSent(form.querySelectorAll('input'));
  const database = form.closest('[data-schema]').dataset.schema;
  post(`/ui/databases/${database}/schema`, {
    action: form.dataset.action,
    ...(form.dataset.of && { property: form.dataset.of }),
    ...(form.dataset.option && { option: form.dataset.option }),
    ...Object.fromEntries(new FormData(form)),
  });
});

// An open picker floats above the table, which would otherwise clip it.
document.addEventListener(
  'toggle',
  (event) => {
    const picker = event.target;
    if (!picker.matches?.('.picker') || !picker.open) return;
    for (const other of document.querySelectorAll('.picker[open]')) if (other !== picker) other.open = false;
    const box = picker.querySelector('summary').getBoundingClientRect();
    const choices = picker.querySelector('.choices');
    choices.style.left = `${Math.max(8, Math.min(box.left, innerWidth - choices.offsetWidth - 8))}px`;
    choices.style.top = `${Math.max(8, Math.min(box.bottom + 4, innerHeight - choices.offsetHeight - 8))}px`;
  },
  true,
);

document.addEventListener('click', (event) => {
  for (const picker of document.querySelectorAll('.picker[open]'))
    if (!picker.contains(event.target)) picker.open = false;
});

document.addEventListener(
  'scroll',
  (event) => {
    if (event.target.closest?.('.choices')) return;
    for (const picker of document.querySelectorAll('.picker[open]')) picker.open = false;
  },
  true,
);

if (live())
  setInterval(async () => {
    if (document.hidden || choosing || isDirty()) return;
    const answer = await fetch('/ui/revision').catch(() => undefined);
    if (answer?.ok && String((await answer.json()).revision) !== revision) await redraw();
  }, POLL_MS);
