/** Sends what a person does; the answer is an object even when the sandbox cannot be reached. */
export async function act(path, body) {
  try {
    const response = await fetch(asPerson(`/_page/${path}`), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return { error: 'The sandbox did not answer' };
  }
}

/** An address with the person whom the tab's own address names, whoever other tabs of the browser are. */
export function asPerson(path) {
  return `${path}${location.search}`;
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
