/** @jsxImportSource hono/jsx */
import {
  type APIButtonComponent,
  type APIMessageTopLevelComponent,
  type APISectionComponent,
  ButtonStyle,
  ComponentType,
} from 'discord-api-types/v10';
import { hex } from './embed-view';
import { Markdown, type MarkdownContext } from './markdown';
import { SelectView } from './select-view';

const STYLE_NAMES: Record<number, string> = { 1: 'primary', 2: 'secondary', 3: 'success', 4: 'danger' };

/** The buttons, menus and layout components of one message. */
export function Components({
  components,
  context,
}: {
  components: readonly APIMessageTopLevelComponent[];
  context: MarkdownContext;
}) {
  return (
    <>
      {components.map((component) => (
        <Component key={component.id} component={component} context={context} />
      ))}
    </>
  );
}

function Component({
  component,
  context,
}: {
  component: APIMessageTopLevelComponent;
  context: MarkdownContext;
}) {
  switch (component.type) {
    case ComponentType.ActionRow:
      return (
        <div class="row">
          {component.components.map((each) =>
            each.type === ComponentType.Button ? (
              <Button key={each.id} button={each} />
            ) : (
              <SelectView key={each.id} select={each} context={context} />
            ),
          )}
        </div>
      );
    case ComponentType.TextDisplay:
      return (
        <div class="content">
          <Markdown text={component.content} context={context} />
        </div>
      );
    case ComponentType.Section:
      return <Section section={component} context={context} />;
    case ComponentType.Separator:
      return component.divider === false ? <div class="gap" /> : <hr />;
    case ComponentType.Container: {
      const colour = component.accent_color;
      return (
        <div class="container" style={typeof colour === 'number' ? `border-left-color:${hex(colour)}` : ''}>
          <Components components={component.components} context={context} />
        </div>
      );
    }
    case ComponentType.MediaGallery:
      return (
        <div class="gallery">
          {component.items.map((item) => (
            <img key={item.media.url} src={item.media.url} alt={item.description ?? ''} />
          ))}
        </div>
      );
    default:
      return null;
  }
}

function Section({ section, context }: { section: APISectionComponent; context: MarkdownContext }) {
  const { accessory } = section;
  return (
    <div class="section">
      <div>
        <Components components={section.components} context={context} />
      </div>
      {accessory.type === ComponentType.Button ? (
        <Button button={accessory} />
      ) : (
        <img class="embed-thumbnail" src={accessory.media.url} alt={accessory.description ?? ''} />
      )}
    </div>
  );
}

function Button({ button }: { button: APIButtonComponent }) {
  const text = (
    <>
      {'emoji' in button && button.emoji?.name && <span aria-hidden="true">{button.emoji.name} </span>}
      {'label' in button && button.label}
    </>
  );
  if (button.style === ButtonStyle.Link) {
    return (
      <a class="component secondary" href={button.url} target="_blank" rel="noreferrer">
        {text} <span aria-hidden="true">↗</span>
      </a>
    );
  }
  if (button.style === ButtonStyle.Premium) return null;
  return (
    <button
      type="button"
      class={`component ${STYLE_NAMES[button.style]}`}
      data-custom-id={button.custom_id}
      disabled={button.disabled}
    >
      {text}
    </button>
  );
}
