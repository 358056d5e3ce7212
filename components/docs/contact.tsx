const LINK = 'font-medium text-signal underline underline-offset-4';

/** Where to write about a page of the documentation, if this installation names an address. */
export function Contact({
  email,
  inviteUrl,
}: {
  email?: string | undefined;
  inviteUrl?: string | undefined;
}) {
  return (
    <section aria-labelledby="contact" className="mt-10">
      <h2 id="contact" className="font-semibold text-lg tracking-tight print:break-after-avoid">
        Contact
      </h2>
      <p className="mt-3 text-[0.9375rem] leading-6">
        {email ? (
          <>
            Write to{' '}
            <a href={`mailto:${email}`} className={LINK}>
              {email}
            </a>
            .{' '}
          </>
        ) : null}
        {inviteUrl ? (
          <>
            Ask in the{' '}
            <a href={inviteUrl} rel="noreferrer" className={LINK}>
              community server
            </a>
            .
          </>
        ) : null}
        {email || inviteUrl ? null : 'Ask whoever operates this Pagewire.'}
      </p>
    </section>
  );
}
