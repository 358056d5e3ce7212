import { act, asPerson, channelId, showFailure } from './act.js';
import { openCommandForm } from './command-form.js';
import { Suggestions } from './suggestions.js';

/** The box below the messages: ordinary text, or a slash command. */
export function openComposer() {
  const form = document.querySelector('#composer');
  if (!form) return;
  const box = form.querySelector('textarea');
  const note = document.querySelector('#composer-note');
  const suggestions = new Suggestions(document.querySelector('#suggestions'));
  let commands = [];

  const choose = (command) => {
    suggestions.close();
    box.value = '';
    openCommandForm(command, suggestions, {
      onClose: () => box.focus(),
      onAnswer: (answer) => showFailure(note, answer),
    });
  };
  const suggest = async () => {
    if (!box.value.startsWith('/')) return suggestions.close();
    if (box.value === '/' || commands.length === 0) {
      commands = (await (await fetch(asPerson(`/_page/commands/${channelId()}`))).json()).commands;
    }
    const typed = box.value.slice(1).trim().toLowerCase();
    const found = commands.filter(({ label }) => label.includes(typed) || typed.startsWith(`${label} `));
    suggestions.open(
      found.map((command) => ({
        title: `/${command.label}`,
        detail: command.description,
        pick: () => choose(command),
      })),
      'No command of that name here',
    );
  };

  const send = async () => {
    const content = box.value.trim();
    if (!content) return;
    if (content.startsWith('/')) return suggest();
    if (box.dataset.maySend === 'false')
      return showFailure(note, { error: 'You may not write in this channel' });
    box.value = '';
    showFailure(note, await act('say', { channelId: channelId(), content }));
  };

  box.addEventListener('input', () => {
    showFailure(note);
    suggest();
  });
  box.addEventListener('keydown', (event) => {
    if (suggestions.handleKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    send();
  });
  form.addEventListener('submit', (event) => event.preventDefault());
}
