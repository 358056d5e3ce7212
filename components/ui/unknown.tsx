/** Replaces a number that could not be read. */
export function Unknown() {
  return (
    <>
      <span aria-hidden>–</span>
      <span className="sr-only">unknown</span>
    </>
  );
}
