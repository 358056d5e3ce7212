import { open, seal, sealHeads, UnknownKeyError } from '@/lib/crypto';

/** Why a value is left as it is: it is sealed correctly, its key is not configured, or no key opens it. */
export type Stays = 'current' | 'unknown_key' | 'unreadable';

interface Purposes {
  purpose: string;
  formerPurpose?: string;
}

/** A value sealed again with the first key and for its current purpose, or why it is left as it is. */
export function reseal(sealed: Uint8Array, { purpose, formerPurpose }: Purposes): Uint8Array | Stays {
  const isOfFirstKey = sealHeads()[0]?.equals(sealed.subarray(0, 5));
  try {
    const plain = open(sealed, purpose);
    return isOfFirstKey ? 'current' : seal(plain, purpose);
  } catch (error) {
    if (error instanceof UnknownKeyError) return 'unknown_key';
    return formerPurpose === undefined ? 'unreadable' : rebind(sealed, purpose, formerPurpose);
  }
}

function rebind(sealed: Uint8Array, purpose: string, formerPurpose: string): Uint8Array | Stays {
  try {
    return seal(open(sealed, formerPurpose), purpose);
  } catch {
    return 'unreadable';
  }
}
