/** Sends what a person does; the answer is an object even when the sandbox cannot be reached. */
export async function act(path, body) {
  try {
    const response = await fetch(`/_page/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...asPerson() },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return { error: 'The sandbox did not answer' };
  }
}

/** A tab stays the person it was opened as, whoever another tab of the same browser has become since. */
export function asPerson() {
  return { 'sandbox-person': document.querySelector('.person-switch [aria-pressed="true"]').value };
}

export function channelId() {
  return document.querySelector('.app').dataset.channelId;
}

/** Shows a failure in its place, or takes it away. */
export function showFailure(place, answer) {
  if (!place) return;
  place.hidden = !answer?.error;
  place.textContent = answer?.error ?? '';
  if (!answer?.problem) return;
  const detail = document.createElement('small');
  detail.textContent = answer.problem;
  place.append(detail);
}
