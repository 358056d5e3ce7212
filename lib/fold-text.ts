/**
 * A text for comparing what people read: without capitals, and with each accented letter as one character. Programs store
 * such a letter as one character or as two, and nobody can see which.
 */
export const foldText = (text: string): string => text.normalize().toLowerCase();
