import type { Child } from 'hono/jsx'
import { smallAvatar } from '../../../contract/small-avatars'
import type { SavedReply } from '../../../domain/drafts/saved-replies'
import { Icon } from '../../components/icon'
import { lengthIn } from '../../components/length'
import { Prose } from '../../components/prose'
import { useTranslation } from '../../i18n/context'
import { useMember } from '../../page-context'
import { Audience } from './audience'
import { EmojiPicker, type OpenPicker } from './emoji-picker'
import type { Typed } from './form'
import { MediaLine } from './media-line'
import { choiceNames, fieldName, hasRoom, mostPosts, type Part, pollLengths, type TypedPoll } from './parts'
import { Remaining } from './remaining'
import { SavedReplyMenu } from './saved-replies'

export interface SegmentProps {
  readonly part: Part
  /** Place of the post in the thread, from 1. */
  readonly number: number
  readonly of: number
  readonly typed: Typed
  readonly previews: ReadonlyMap<number, string | null>
  readonly mostCharacters: number
  /** The post as it would be published, as HTML; null where it is not shown. */
  readonly preview: string | null
  /** The picker of emojis that is open; null for none. */
  readonly picker: OpenPicker | null
  /** Texts that it offers; none for other posts than the answer. */
  readonly savedReplies: readonly SavedReply[]
  readonly hasMenuOpen: boolean
}

/** Post of the composer: words, warning, files and poll. The first one has the audience of all. */
export function Segment(props: SegmentProps) {
  const { part, number, of, typed, previews, preview, picker } = props
  const t = useTranslation()
  const viewer = useMember()
  const isFirst = number === 1
  const label = isFirst ? t('client.whatWouldYouLikeToSay') : t('client.textOfPostNumber', { number })
  return (
    <section
      class={number < of ? 'segment on' : 'segment'}
      aria-label={of === 1 ? t('interact.share.yourPost') : t('client.postNumberOf', { number, of })}
    >
      <span class="avatar-link">
        <img class="avatar" src={smallAvatar(viewer.avatarUrl)} alt="" width="44" height="44" />
      </span>
      <div class="write">
        {isFirst ? <Audience typed={typed} /> : <PostHead number={number} of={of} />}
        <div class="field cw">
          <label for={fieldName('cw', number)}>{t('client.contentWarning')}</label>
          <input
            class="input"
            id={fieldName('cw', number)}
            type="text"
            name={fieldName('spoiler_text', number)}
            value={part.warning}
            placeholder={t('client.warningHint')}
            dir="auto"
          />
        </div>
        <div class="typing">
          <textarea
            class={of === 1 ? 'area tall' : 'area'}
            name={fieldName('status', number)}
            rows={of === 1 ? 6 : 3}
            aria-label={label}
            placeholder={label}
            aria-describedby={fieldName('limit', number)}
            dir="auto"
          >
            {part.text}
          </textarea>
        </div>
        <div data-parts>
          <HiddenFields
            values={{
              [fieldName('media_ids', number)]: part.media.map(({ id }) => id).join(','),
              [fieldName('has_poll', number)]: part.poll === null ? '' : '1',
            }}
          />
          {part.media.length > 0 && (
            <ol class="files" aria-label={t('client.attachments')}>
              {part.media.map((media, index) => (
                <MediaLine
                  media={media}
                  index={index}
                  post={number}
                  preview={previews.get(media.id) ?? null}
                />
              ))}
            </ol>
          )}
          {part.poll !== null && <PollFields poll={part.poll} number={number} />}
          {preview !== null && (
            <section class="text" aria-label={t('client.preview')}>
              <Prose html={preview} />
            </section>
          )}
          <Tools {...props} />
          {picker?.number === number && <EmojiPicker {...picker} />}
        </div>
        {number === of && of < mostPosts && typed.edited === null && typed.scheduled === null && (
          <p>
            <button type="submit" class="button low" name="press" value="add_post">
              <Icon name="plus" isSmall />
              {t('client.addAnotherPost')}
            </button>
          </p>
        )}
      </div>
    </section>
  )
}

function PostHead({ number, of }: Pick<SegmentProps, 'number' | 'of'>) {
  const t = useTranslation()
  return (
    <div class="top">
      <b>{t('client.postNumberOf', { number, of })}</b>
      <button
        type="submit"
        class="plain"
        name="press"
        value={`remove_post:${number}`}
        aria-label={t('client.removePostNumber', { number })}
      >
        <Icon name="trash-2" />
      </button>
    </div>
  )
}

/** Adds files, a poll, and a warning; the field of the warning is shown by style alone. */
function Tools({ part, number, of, mostCharacters, picker, savedReplies, hasMenuOpen }: SegmentProps) {
  const t = useTranslation()
  return (
    <div class="tools">
      {hasRoom(part) && (
        <>
          <label class="plain file-button">
            <Icon name="image" />
            <span class="hidden">{t('client.picturesVideoOrSound')}</span>
            <input
              type="file"
              name={`${fieldName('file', number)}[]`}
              multiple
              accept="image/*,video/*,audio/*"
            />
          </label>
          <button type="submit" class="button low without-scripts" name="press" value="attach">
            {t('client.attach')}
          </button>
        </>
      )}
      <button
        type="submit"
        class="plain"
        name="press"
        value={`poll:${number}`}
        aria-label={part.poll === null ? t('client.addAPoll') : t('client.removeThePoll')}
        aria-expanded={part.poll !== null}
      >
        <Icon name="chart-bar" />
      </button>
      <label class="plain cw-toggle">
        <input type="checkbox" class="hidden" checked={part.warning !== ''} />
        <Icon name="triangle-alert" />
        <span class="hidden">{t('client.contentWarning')}</span>
      </label>
      <button
        type="submit"
        class="plain"
        name="press"
        value={picker?.number === number ? 'open' : `emoji:${number}`}
        aria-label={t('client.emojis')}
        aria-expanded={picker?.number === number}
      >
        <Icon name="smile-plus" />
      </button>
      {savedReplies.length > 0 && <SavedReplyMenu replies={savedReplies} isOpen={hasMenuOpen} />}
      <span class="end">
        <Remaining most={mostCharacters} id={fieldName('limit', number)} />
        {number === of && (
          <button type="submit" class="button low" name="press" value="preview">
            {t('client.preview')}
          </button>
        )}
        {number === of && (
          <button type="submit" class="button low" name="press" value="draft">
            {t('client.saveDraft')}
          </button>
        )}
      </span>
    </div>
  )
}

interface HiddenFieldsProps {
  readonly values: Readonly<Record<string, string | number | null>>
}

export function HiddenFields({ values }: HiddenFieldsProps): Child {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value === null ? '' : String(value)} />
      ))}
    </>
  )
}

function PollFields({ poll, number }: { readonly poll: TypedPoll; readonly number: number }) {
  const t = useTranslation()
  return (
    <fieldset class="poll-edit">
      <legend>{t('client.poll')}</legend>
      {choiceNames.map((name, index) => (
        <div class="option">
          <input
            class="input"
            type="text"
            name={fieldName(name, number)}
            value={poll.options[index] ?? ''}
            aria-label={t('client.choiceNumber', { number: index + 1 })}
          />
        </div>
      ))}
      <div class="pair">
        <div class="field">
          <label for={fieldName('length', number)}>{t('client.endsAfter')}</label>
          <select class="input" id={fieldName('length', number)} name={fieldName('poll_length', number)}>
            {pollLengths.map((seconds) => (
              <option value={String(seconds)} selected={seconds === poll.expiresInSeconds}>
                {lengthIn(t.language, seconds)}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for={fieldName('multiple', number)}>{t('client.peopleChoose')}</label>
          <select class="input" id={fieldName('multiple', number)} name={fieldName('poll_multiple', number)}>
            <option value="">{t('client.one')}</option>
            <option value="1" selected={poll.isMultiple}>
              {t('client.several')}
            </option>
          </select>
        </div>
      </div>
    </fieldset>
  )
}
