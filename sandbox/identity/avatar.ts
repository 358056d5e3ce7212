import type { Person } from '../people';

const COLORS: Record<Person['key'], { back: string; front: string }> = {
  mira: { back: '#f0b35a', front: '#5b2f0d' },
  jonas: { back: '#7fb7a4', front: '#133d32' },
  vera: { back: '#b79ad6', front: '#361d55' },
};

/** A head and shoulders in the person's two colours. */
export function avatarSvg(person: Person): string {
  const { back, front } = COLORS[person.key];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="${person.name}">
  <rect width="64" height="64" fill="${back}"/>
  <circle cx="32" cy="25" r="11" fill="${front}"/>
  <path d="M10 64c0-15 9.5-24 22-24s22 9 22 24z" fill="${front}"/>
</svg>`;
}
