const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
for (const time of document.querySelectorAll('time')) {
  time.textContent = days.format(new Date(time.dateTime));
}

for (const button of document.querySelectorAll('[data-advance-ms]')) {
  button.addEventListener('click', async () => {
    await fetch('/_sandbox/clock', {
      method: 'POST',
      body: JSON.stringify({ advanceMs: Number(button.dataset.advanceMs) }),
    });
    location.reload();
  });
}
