/** A list above the input box, operated with the arrow keys, Enter, Tab or the mouse. */
export class Suggestions {
  constructor(list) {
    this.list = list;
    this.items = [];
    this.current = 0;
  }

  /** Each item has a title, an optional detail and `pick`, which is called when it is chosen. */
  open(items, emptyText) {
    this.items = items;
    this.current = 0;
    this.list.replaceChildren(...items.map((item, index) => this.draw(item, index)));
    if (items.length === 0) this.list.textContent = emptyText;
    this.list.hidden = false;
    this.mark();
  }

  close() {
    this.items = [];
    this.list.hidden = true;
  }

  /** Returns true when the list handled the key. */
  handleKey(event) {
    if (this.list.hidden) return false;
    if (event.key === 'Escape') this.close();
    else if (this.items.length === 0) return false;
    else if (event.key === 'ArrowDown') this.move(1);
    else if (event.key === 'ArrowUp') this.move(-1);
    else if (event.key === 'Enter' || event.key === 'Tab') this.items[this.current].pick();
    else return false;
    event.preventDefault();
    return true;
  }

  move(step) {
    this.current = (this.current + step + this.items.length) % this.items.length;
    this.mark();
  }

  mark() {
    for (const [index, option] of [...this.list.children].entries()) {
      option.setAttribute('aria-selected', String(index === this.current));
      if (index === this.current) option.scrollIntoView({ block: 'nearest' });
    }
  }

  draw({ title, detail, pick }, index) {
    const option = document.createElement('div');
    option.setAttribute('role', 'option');
    const name = document.createElement('strong');
    name.textContent = title;
    option.append(name);
    if (detail) {
      const more = document.createElement('span');
      more.textContent = detail;
      option.append(more);
    }
    option.addEventListener('mousedown', (event) => event.preventDefault());
    option.addEventListener('click', pick);
    option.addEventListener('mousemove', () => {
      this.current = index;
      this.mark();
    });
    return option;
  }
}
