/** @jsxImportSource hono/jsx */
import { ComponentType } from 'discord-api-types/v10';
import type { Modal, ModalControl } from '../interactions/modal-schema';
import { Markdown, type MarkdownContext } from './markdown';
import { SelectView } from './select-view';

interface Props {
  modal: Modal;
  interactionId: string;
  context: MarkdownContext;
}

/** A modal as a native dialog with one form. */
export function ModalView({ modal, interactionId, context }: Props) {
  return (
    <dialog class="modal" aria-labelledby="modal-title" data-interaction-id={interactionId}>
      <form method="dialog">
        <h2 id="modal-title">{modal.title}</h2>
        {modal.components.map((part) => {
          if (part.type === ComponentType.TextDisplay)
            return <Markdown key={part.content} text={part.content} context={context} />;
          if (part.type === ComponentType.ActionRow) {
            return part.components.map((control) => (
              <Field key={control.custom_id} label={control.label} control={control} context={context} />
            ));
          }
          const { label, description, component } = part;
          return (
            <Field
              key={component.custom_id}
              label={label}
              description={description}
              control={component}
              context={context}
            />
          );
        })}
        <p class="failure" role="alert" hidden />
        <div class="actions">
          <button type="button" class="plain" data-close>
            Cancel
          </button>
          <button type="submit" class="primary">
            Submit
          </button>
        </div>
      </form>
    </dialog>
  );
}

interface FieldProps {
  label: string;
  description?: string | null | undefined;
  control: ModalControl;
  context: MarkdownContext;
}

function Field({ label, description, control, context }: FieldProps) {
  const isRequired = control.required !== false;
  return (
    <div class="field">
      <label for={`field-${control.custom_id}`}>{label}</label>
      {isRequired && (
        <span class="star" aria-hidden="true">
          {' '}
          *
        </span>
      )}
      {description && <small>{description}</small>}
      {control.type === ComponentType.TextInput ? (
        <TextInput control={control} isRequired={isRequired} />
      ) : (
        <SelectView select={control} context={context} name={control.custom_id} />
      )}
    </div>
  );
}

type TextControl = Extract<ModalControl, { type: ComponentType.TextInput }>;

function TextInput({ control, isRequired }: { control: TextControl; isRequired: boolean }) {
  const common = {
    id: `field-${control.custom_id}`,
    name: control.custom_id,
    required: isRequired,
    minlength: control.min_length ?? undefined,
    maxlength: control.max_length ?? undefined,
    placeholder: control.placeholder ?? undefined,
  };
  if (control.style === 1) return <input type="text" {...common} value={control.value ?? ''} />;
  return (
    <textarea rows={4} {...common}>
      {control.value ?? ''}
    </textarea>
  );
}
