/** Sends an action of the person. Always returns an object, even when the sandbox cannot be reached. */
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

/** Adds the person in the tab's own URL to another URL, so that other tabs do not matter. */
export function asPerson(path) {
  return `${path}${location.search}`;
}

export function channelId() {
  return document.querySelector('.app').dataset.channelId;
}

/** Shows a failure in an element, or hides the element. */
export function showFailure(element, answer) {
  if (!element) return;
  element.hidden = !answer?.error;
  element.textContent = answer?.error ?? '';
  if (!answer?.problem) return;
  const detail = document.createElement('small');
  detail.textContent = answer.problem;
  element.append(detail);
}
