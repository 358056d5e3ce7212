import { openComposer } from './composer.js';
import { openInteractions } from './interactions.js';
import { openLive } from './live.js';
import { openTimes } from './times.js';

openTimes();
openLive();
openInteractions();
openComposer();

const burger = document.querySelector('.burger');
burger?.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('side-open');
  burger.setAttribute('aria-expanded', String(isOpen));
});

document.body.inert = false;
