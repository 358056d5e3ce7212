/** @jsxImportSource hono/jsx */
import { CARD_KEYS, CARDS, type CardKey } from '../cards';

export function CardChoice({ chosen }: { chosen: CardKey }) {
  return (
    <fieldset class="cards">
      <legend>Card</legend>
      {CARD_KEYS.map((key) => (
        <label key={key}>
          <input type="radio" name="card" value={key} checked={key === chosen} />
          <span>
            {CARDS[key].brand} •••• {CARDS[key].last4}
            <small>{CARDS[key].about}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
