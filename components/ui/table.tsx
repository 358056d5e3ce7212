import type { ComponentProps, ReactNode } from 'react';
import { cn } from '@/lib/client/class-names';

/** A table; where the page has no room for its columns, each row becomes a block whose cells show their column's name. */
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
    <div className="@container border-t">
      <table aria-label={label} className="w-full text-left @max-table:block">
        <thead className="@max-table:sr-only">
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
        <tbody className="divide-y @max-table:block @table:border-t">{children}</tbody>
      </table>
    </div>
  );
}

export function Row({ id, children }: { id: string; children: ReactNode }) {
  return (
    <tr data-row={id} className="@max-table:block @max-table:space-y-3 @max-table:px-5 @max-table:py-4">
      {children}
    </tr>
  );
}

export function Cell({ className, label, children, ...props }: ComponentProps<'td'> & { label: string }) {
  return (
    <td className={cn('align-middle @max-table:block @table:px-5 @table:py-3', className)} {...props}>
      <span aria-hidden className="mb-1 block font-sans text-muted text-xs @table:hidden">
        {label}
      </span>
      {children}
    </td>
  );
}
