import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';

/** A table; on small screens each row becomes a block whose cells show their column's name. */
export function Table({
  label,
  columns,
  children,
}: {
  label: string;
  columns: string[];
  children: ReactNode;
}) {
  return (
    <div className="border-t">
      <table aria-label={label} className="w-full text-left max-md:block">
        <thead className="max-md:sr-only">
          <tr className="bg-sunken text-muted text-xs">
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className="whitespace-nowrap px-5 py-2 font-medium last:text-right"
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y max-md:block md:border-t">{children}</tbody>
      </table>
    </div>
  );
}

export function Row({ id, children }: { id: string; children: ReactNode }) {
  return (
    <tr data-row={id} className="max-md:block max-md:space-y-3 max-md:px-5 max-md:py-4">
      {children}
    </tr>
  );
}

export function Cell({ className, label, children, ...props }: ComponentProps<'td'> & { label: string }) {
  return (
    <td className={cn('align-middle max-md:block md:px-5 md:py-3', className)} {...props}>
      <span aria-hidden className="mb-1 block font-sans text-muted text-xs md:hidden">
        {label}
      </span>
      {children}
    </td>
  );
}
