/** A line at the top of the window while a page or a dialog that somebody has asked for takes a moment to arrive. */
export function ProgressLine() {
  return (
    <div
      role="progressbar"
      aria-label="Loading"
      className="fixed inset-x-0 top-0 z-50 h-0.5 origin-left animate-arrive bg-wire forced-colors:bg-[Highlight] print:hidden"
    />
  );
}
