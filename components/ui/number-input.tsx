'use client';

import { type ComponentProps, useState } from 'react';
import { Input } from './input';
import { numberIn, textOfNumber } from './typed-number';

type NumberInputProps = Omit<ComponentProps<typeof Input>, 'type' | 'value' | 'onChange' | 'min'> & {
  /** NaN for an empty field. */
  value: number;
  /** Gets NaN for an empty field, and for what is no number or one below `least`. */
  onValueChange: (value: number) => void;
  least?: number;
};

/** A field for a number, which keeps what is typed: "1.0" may become "1.05". */
export function NumberInput({ value, onValueChange, least, ...props }: NumberInputProps) {
  const [typed, setTyped] = useState('');
  return (
    <Input
      type="number"
      min={least}
      value={textOfNumber(value, typed, least)}
      onChange={({ target }) => {
        setTyped(target.value);
        onValueChange(numberIn(target.value, least));
      }}
      {...props}
    />
  );
}
