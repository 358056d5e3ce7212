const RealDate = Date;
let aheadMs = 0;

class SteppedDate extends RealDate {
  constructor(...parts: [] | [number | string | Date]) {
    if (parts.length === 0) super(RealDate.now() + aheadMs);
    else super(...(parts as [number]));
  }

  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}

/** Sets this process's clock forward or back, as a wrong time server does. Timers are not affected. */
export function stepClock(ms: number): void {
  aheadMs += ms;
  globalThis.Date = aheadMs === 0 ? RealDate : (SteppedDate as DateConstructor);
}
