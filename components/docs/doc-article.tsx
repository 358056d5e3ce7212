import { ArrowLeft, ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from '@/components/ui/link';
import { DOC_PAGES } from './content/doc-groups';
import type { DocPage } from './content/doc-page';
import { DocBlock } from './doc-block';

function Neighbour({ page, back }: { page: DocPage; back: boolean }) {
  return (
    <Link
      href={page.path}
      className="flex items-center gap-2 rounded-lg border px-4 py-2.5 font-medium transition-colors duration-150 hover:border-border-strong"
    >
      {back ? <ArrowLeft className="size-4 text-muted" aria-hidden /> : null}
      {page.title}
      {back ? null : <ArrowRight className="size-4 text-muted" aria-hidden />}
    </Link>
  );
}

/** A page of the documentation, followed by `children` and by links to the pages before and after it. */
export function DocArticle({ page, children }: { page: DocPage; children?: ReactNode }) {
  const index = DOC_PAGES.indexOf(page);
  const previous = DOC_PAGES[index - 1];
  const next = DOC_PAGES[index + 1];
  return (
    <article className="min-w-0 max-w-2xl">
      <h1 className="wrap-anywhere text-balance font-semibold text-xl tracking-tight">{page.title}</h1>
      <p className="mt-2 text-pretty text-base text-muted">{page.description}</p>
      {page.sections.map((section) => (
        <section key={section.id} aria-labelledby={section.id} className="mt-10">
          <h2 id={section.id} className="font-semibold text-lg tracking-tight print:break-after-avoid">
            {section.heading}
          </h2>
          <div className="mt-3 space-y-4 text-[0.9375rem] leading-6">
            {section.blocks.map((block, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a page never changes its order
              <DocBlock key={index} block={block} />
            ))}
          </div>
        </section>
      ))}
      {children}
      <nav
        aria-label="Neighbouring pages"
        className="mt-14 flex flex-wrap justify-between gap-3 border-t pt-6 print:hidden"
      >
        {previous ? <Neighbour page={previous} back /> : <span />}
        {next ? <Neighbour page={next} back={false} /> : null}
      </nav>
    </article>
  );
}
