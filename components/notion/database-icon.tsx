import { FileText } from 'lucide-react';

/** A database's icon from Notion: an emoji, a picture, or Notion's page symbol. */
export function DatabaseIcon({ icon }: { icon: string | null }) {
  const frame = 'grid size-9 shrink-0 place-items-center rounded-lg bg-sunken text-lg';
  if (icon === null)
    return (
      <span aria-hidden className={frame}>
        <FileText className="size-4.5 text-muted" />
      </span>
    );
  if (/^https?:\/\//.test(icon))
    return (
      <span aria-hidden className={frame}>
        {/* biome-ignore lint/performance/noImgElement: icons come from Notion's own hosts */}
        <img src={icon} alt="" referrerPolicy="no-referrer" className="size-5 object-contain" />
      </span>
    );
  return (
    <span aria-hidden className={frame}>
      {icon}
    </span>
  );
}
