/** An on/off switch that takes effect at once. */
export function Switch({
  checked,
  onCheckedChange,
  label,
}: {
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  label: string;
}) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      onClick={() => onCheckedChange(!checked)}
      className="inline-flex h-5 w-9 shrink-0 items-center rounded-full bg-border-strong p-0.5 transition-colors duration-150 aria-checked:bg-signal forced-colors:border forced-colors:p-px forced-colors:aria-checked:bg-[SelectedItem]"
    >
      <span
        data-on={checked || undefined}
        className="size-4 rounded-full bg-surface transition-transform duration-150 data-on:translate-x-4 forced-colors:bg-[ButtonText] forced-colors:data-on:bg-[SelectedItemText]"
      />
    </button>
  );
}
