import { ChevronDown } from 'lucide-react';

/** A menu below a message as Discord shows it before anything is chosen. */
export function DiscordMenu({ text }: { text: string }) {
  return (
    <p className="mt-2 flex max-w-md items-center justify-between gap-2 rounded bg-[#1e1f22] px-3 py-2 text-[#a3a6ad]">
      {text}
      <ChevronDown className="size-4 shrink-0" aria-hidden />
    </p>
  );
}
