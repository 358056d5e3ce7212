import { round } from './measure';

/** One line of the table. */
export interface Row {
  what: string;
  figure: number;
  unit: string;
  /** The same figure for the floor that commits each event, measured in the same run. */
  committing?: number;
  /** The figure as a share or a multiple of the committing floor's. */
  ratio?: number;
  /** The same figure for the floor that stores nothing. */
  forgetful?: number;
  aim?: string;
  met?: boolean;
  /** Other observations, such as how many cards arrived and how many of them twice. */
  note?: string;
}

/** The aim for the figure. */
export interface Aim {
  text: string;
  isMet: (figure: number, ratio: number) => boolean;
}

export const below = (limit: number, unit: string): Aim => ({
  text: `< ${limit} ${unit}`,
  isMet: (figure) => figure < limit,
});
export const atMost = (limit: number, unit: string): Aim => ({
  text: `≤ ${limit} ${unit}`,
  isMet: (figure) => figure <= limit,
});
export const atLeast = (limit: number, unit: string): Aim => ({
  text: `≥ ${limit} ${unit}`,
  isMet: (figure) => figure >= limit,
});
export const atLeastOfFloor = (share: number): Aim => ({
  text: `≥ ${share} × the committing floor`,
  isMet: (_, ratio) => ratio >= share,
});
export const atMostOfFloor = (times: number): Aim => ({
  text: `≤ ${times} × the committing floor`,
  isMet: (_, ratio) => ratio <= times,
});

interface Measured {
  figure: number;
  unit: string;
  committing?: number;
  forgetful?: number;
  note?: string;
}

/** A row with its ratio, and whether it reaches its aim. */
export function toRow(what: string, measured: Measured, aim?: Aim): Row {
  const { figure, unit, committing, forgetful, note } = measured;
  const ratio = committing === undefined ? undefined : figure / committing;
  return {
    what,
    figure: round(figure),
    unit,
    ...(committing !== undefined && { committing: round(committing), ratio: round(ratio ?? 0) }),
    ...(forgetful !== undefined && { forgetful: round(forgetful) }),
    ...(aim && { aim: aim.text, met: aim.isMet(figure, ratio ?? Number.NaN) }),
    ...(note && { note }),
  };
}
