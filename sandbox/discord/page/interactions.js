import { act, asPerson, channelId, showFailure } from './act.js';

/** Buttons, menus, the Apps menu and modals. */
export function openInteractions() {
  document.addEventListener('click', (event) => {
    const target = event.target.closest('button');
    if (!target?.closest('#messages')) return closeMenus();
    if (target.dataset.customId) pressComponent(target, target.dataset.customId);
    else if ('sendChoices' in target.dataset) sendChoices(target);
    else if (target.dataset.dismiss) dismiss(target.dataset.dismiss);
    else if (target.dataset.apps) openMenu(target);
  });
  document.addEventListener('change', (event) => {
    const { customId } = event.target.dataset;
    if (customId && !event.target.multiple) pressComponent(event.target, customId, [event.target.value]);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeMenus();
  });
}

function dismiss(messageId) {
  return act('dismiss', { channelId: channelId(), messageId });
}

function sendChoices(button) {
  const select = button.parentElement.querySelector('select');
  const values = [...select.selectedOptions].map((each) => each.value);
  return pressComponent(select, select.dataset.customId, values);
}

async function pressComponent(control, customId, values) {
  const message = control.closest('article');
  const failure = message.querySelector('.body > .failure');
  showFailure(failure);
  control.setAttribute('aria-busy', 'true');
  const answer = await act('component', {
    channelId: channelId(),
    messageId: message.dataset.messageId,
    customId,
    values,
  });
  control.removeAttribute('aria-busy');
  showFailure(failure, answer.error && { ...answer, error: 'This interaction failed' });
  showModal(answer);
}

/** Opens the modal in a response, if there is one. */
export function showModal({ modal }) {
  if (!modal) return;
  const holder = document.createElement('div');
  holder.innerHTML = modal;
  const dialog = holder.firstElementChild;
  document.body.append(dialog);
  dialog.showModal();
  dialog.addEventListener('close', () => dialog.remove());
  dialog.querySelector('[data-close]').addEventListener('click', () => dialog.close());
  dialog.querySelector('form').addEventListener('submit', (event) => {
    event.preventDefault();
    submitModal(dialog);
  });
}

async function submitModal(dialog) {
  const values = {};
  for (const field of dialog.querySelectorAll('[name]')) {
    values[field.name] = field.selectedOptions
      ? [...field.selectedOptions].map((each) => each.value).filter(Boolean)
      : [field.value];
  }
  const submit = dialog.querySelector('[type=submit]');
  submit.disabled = true;
  const answer = await act('modal', { interactionId: dialog.dataset.interactionId, values });
  submit.disabled = false;
  const error = answer.problem ? 'Something went wrong. Try again.' : answer.error;
  showFailure(dialog.querySelector('.failure'), { ...answer, error });
  if (!answer.error) dialog.close();
}

function closeMenus() {
  for (const menu of document.querySelectorAll('.apps-menu')) menu.remove();
  for (const button of document.querySelectorAll('.apps')) button.setAttribute('aria-expanded', 'false');
}

async function openMenu(button) {
  const wasOpen = button.getAttribute('aria-expanded') === 'true';
  closeMenus();
  if (wasOpen) return;
  const { messageCommands } = await (await fetch(asPerson(`/_page/commands/${channelId()}`))).json();
  const menu = document.createElement('div');
  menu.className = 'apps-menu';
  menu.setAttribute('role', 'menu');
  menu.append(...messageCommands.map((name) => menuItem(name, button)));
  if (messageCommands.length === 0) menu.textContent = 'No apps here';
  button.after(menu);
  button.setAttribute('aria-expanded', 'true');
  menu.querySelector('button')?.focus();
}

function menuItem(name, button) {
  const item = document.createElement('button');
  item.type = 'button';
  item.setAttribute('role', 'menuitem');
  item.textContent = name;
  item.addEventListener('click', async () => {
    closeMenus();
    const failure = button.closest('article').querySelector('.body > .failure');
    const answer = await act('message-command', {
      channelId: channelId(),
      name,
      targetId: button.dataset.apps,
    });
    showFailure(failure, answer);
    showModal(answer);
  });
  return item;
}
