import { act, channelId } from './act.js';
import { showModal } from './interactions.js';

const WAIT_MS = 200;
const STRING = 3;
const INTEGER = 4;
const NUMBER = 10;

/** Shows the options of a chosen command and runs it; a command without options waits for Enter. */
export function openCommandForm(command, suggestions, { onClose, onAnswer }) {
  const form = document.querySelector('#command');
  const composer = document.querySelector('#composer');
  const values = {};
  const close = () => {
    suggestions.close();
    form.hidden = true;
    form.replaceChildren();
    composer.hidden = false;
    onClose();
  };
  const run = async () => {
    const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    close();
    const answer = await act('command', { channelId: channelId(), label: command.label, values: filled });
    onAnswer(answer);
    showModal(answer);
  };

  const name = document.createElement('strong');
  name.textContent = `/${command.label}`;
  const fields = command.options.map((option) => field(option, { command, suggestions, values }));
  const runButton = button('Run', 'primary');
  runButton.type = 'submit';
  const cancelButton = button('Cancel', 'plain');
  cancelButton.addEventListener('click', close);
  form.replaceChildren(name, ...fields, runButton, cancelButton);
  form.setAttribute('aria-label', `/${command.label}`);
  form.hidden = false;
  composer.hidden = true;
  form.onsubmit = (event) => {
    event.preventDefault();
    run();
  };
  form.onkeydown = (event) => {
    if (suggestions.handleKey(event)) return;
    if (event.key === 'Escape') close();
  };
  (form.querySelector('input, select') ?? runButton).focus();
}

function field(option, context) {
  const label = document.createElement('label');
  const text = document.createElement('span');
  text.textContent = option.name;
  label.title = option.description;
  const entries = option.choices ?? option.entries;
  const control = entries ? menu(entries) : input(option, context);
  control.required = Boolean(option.required);
  control.addEventListener('change', () => {
    if (!control.dataset.picked) context.values[option.name] = control.value;
  });
  label.append(text, control);
  return label;
}

function menu(entries) {
  const select = document.createElement('select');
  select.append(new Option('', ''), ...entries.map(({ name, value }) => new Option(name, value)));
  return select;
}

function input(option, { command, suggestions, values }) {
  const box = document.createElement('input');
  box.autocomplete = 'off';
  box.placeholder = option.description;
  if (option.type === INTEGER || option.type === NUMBER) box.inputMode = 'decimal';
  if (option.type === STRING && option.max_length) box.maxLength = option.max_length;
  let timer;
  const suggest = async () => {
    const typed = { ...values, [option.name]: box.value };
    const body = { channelId: channelId(), label: command.label, values: typed, focused: option.name };
    const { choices = [], error } = await act('command', body);
    if (document.activeElement !== box) return;
    const pick = ({ name, value }) => {
      box.value = name;
      box.dataset.picked = 'yes';
      values[option.name] = String(value);
      suggestions.close();
    };
    suggestions.open(
      choices.map((choice) => ({ title: choice.name, pick: () => pick(choice) })),
      error ?? 'Nothing matches',
    );
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(suggest, WAIT_MS);
  };
  box.addEventListener('input', () => {
    delete box.dataset.picked;
    values[option.name] = box.value;
    if (option.autocomplete) later();
  });
  if (option.autocomplete) box.addEventListener('focus', later);
  box.addEventListener('blur', () => suggestions.close());
  return box;
}

function button(text, style) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = style;
  made.textContent = text;
  return made;
}
