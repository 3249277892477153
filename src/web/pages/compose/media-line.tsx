import type { TextKey } from '../../../lib/translate'
import { Icon } from '../../components/icon'
import { useTranslation } from '../../i18n/context'
import type { TypedMedia } from './media-lines'
import { fieldName } from './parts'

interface MediaLineProps {
  readonly media: TypedMedia
  readonly index: number
  /** Number of the post that it belongs to. */
  readonly post: number
  readonly preview: string | null
}

/** An upload with its description, open beside it. */
export function MediaLine({ media: { id, description, focus }, index, post, preview }: MediaLineProps) {
  const t = useTranslation()
  const number = index + 1
  return (
    <li class="file">
      <div class="thumb">{preview !== null && <img src={preview} alt="" width="136" height="136" />}</div>
      <div class="field">
        <div class="ends">
          <label for={`description-${id}`}>{t('client.descriptionOfAttachmentNumber', { number })}</label>
          <span>
            {index > 0 && (
              <button
                type="submit"
                class="plain"
                name="press"
                value={`up:${id}`}
                aria-label={t('client.moveAttachmentNumberUp', { number })}
              >
                <Icon name="arrow-up" />
              </button>
            )}
            <button
              type="submit"
              class="plain"
              name="press"
              value={`remove:${id}`}
              aria-label={t('client.removeAttachmentNumber', { number })}
            >
              <Icon name="x" />
            </button>
          </span>
        </div>
        <textarea
          class="input"
          id={`description-${id}`}
          name={fieldName(`description_${id}`, post)}
          rows={2}
          dir="auto"
        >
          {description}
        </textarea>
        <p class="hint">{t('client.forPeopleWhoCanTSee')}</p>
        {preview !== null && <FocusField name={fieldName(`focus_${id}`, post)} chosen={focus} />}
      </div>
    </li>
  )
}

/** Parts of a picture that stay in sight where it is cropped, as `x,y` of the API. */
const focuses = [
  ['', 'client.focus.asItIs'],
  ['0,0', 'client.focus.middle'],
  ['0,0.7', 'client.focus.top'],
  ['0,-0.7', 'client.focus.bottom'],
  ['-0.7,0', 'client.focus.left'],
  ['0.7,0', 'client.focus.right'],
] as const satisfies readonly (readonly [string, TextKey])[]

function FocusField({ name, chosen }: { readonly name: string; readonly chosen: string }) {
  const t = useTranslation()
  return (
    <details class="focus-field">
      <summary class="quiet">
        <Icon name="crosshair" isSmall />
        {t('client.focus.field')}
      </summary>
      <select class="input" name={name} aria-label={t('client.focus.field')}>
        {focuses.map(([value, words]) => (
          <option value={value} selected={value === chosen}>
            {t(words)}
          </option>
        ))}
      </select>
    </details>
  )
}
