import type { Child } from 'hono/jsx'
import { mediaLimits } from '../../../contract/limits'
import { smallAvatar } from '../../../contract/small-avatars'
import type { DraftContext } from '../../../domain/drafts/store'
import { languages } from '../../../lib/language'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { lengthIn } from '../../components/length'
import { Problems } from '../../components/problems'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { languageName } from '../../i18n/names'
import { useMember, usePage } from '../../page-context'
import { paths } from '../../paths'
import { Age } from '../../posts/age'
import { Post } from '../../posts/post'
import type { PostView } from '../../posts/post-view'
import { Audience } from './audience'
import { choiceNames, pollLengths, type Typed, type TypedPoll } from './form'
import { MediaLine } from './media-line'
import { Remaining } from './remaining'
import { type BesideComposer, ComposerSide } from './side'

export interface ComposerProps {
  readonly typed: Typed
  /** Post that it answers or quotes. */
  readonly related: PostView | null
  readonly context: DraftContext
  readonly beside: BesideComposer
  /** Time of the draft that is shown; null for none. */
  readonly savedAt: Date | null
  readonly hasJustSaved: boolean
  /** Text that a link brought along: a draft of its own, on the device alone. Null for none. */
  readonly startedWith: string | null
  readonly now: Date
  /** Addresses of small pictures of uploads, by id. */
  readonly previews: ReadonlyMap<number, string | null>
  readonly mostCharacters: number
}

/** Reason for which a post waits that the member wanted to be reminded of. */
export const undescribed = 'client.somethingIsNotDescribed'

/** Id of the form, by which its button in the head sends it. */
const formId = 'composer'

/** The composer as a page. Every button of it is one of the form, so that nothing typed is lost. */
export function Composer(props: ComposerProps) {
  const { typed, related, beside, now, previews, mostCharacters, startedWith } = props
  const t = useTranslation()
  const viewer = useMember()
  const problems = [usePage().errors.form ?? []].flat()
  const title = titleOf(t, typed)
  return (
    <Shell
      title={title}
      place={null}
      side={<ComposerSide beside={beside} now={now} formId={formId} />}
      isPrivate
      isTask
    >
      <ViewHead title={title} back={paths.home}>
        <a class="plain" href={paths.drafts} aria-label={t('client.drafts')}>
          <Icon name="history" />
        </a>
        <button type="submit" form={formId} class="button main" name="press" value="post">
          {typed.edited === null ? t('client.post') : t('common.save')}
        </button>
      </ViewHead>
      {problems.length > 0 && (
        <div class="pad">
          <Problems />
          {problems.includes(undescribed) && (
            <button type="submit" form={formId} class="button low" name="press" value="undescribed">
              {t('client.postWithoutDescriptions')}
            </button>
          )}
        </div>
      )}
      <DraftNote {...props} />
      {/* Its buttons are forms, which do not nest. */}
      {related !== null && <Post post={related} thread="up" />}
      <form
        id={formId}
        method="post"
        action={paths.publish}
        enctype="multipart/form-data"
        data-context={`${viewer.acct} ${startedWith ?? props.context}`}
        data-local={startedWith === null ? undefined : ''}
        data-saved={props.savedAt?.toISOString()}
      >
        <CsrfField />
        <HiddenFields
          values={{
            reply_to: typed.replyTo,
            quote: typed.quoted,
            edit: typed.edited,
            key: typed.key,
          }}
        />
        <section class="segment" aria-label={t('interact.share.yourPost')}>
          <span class="avatar-link">
            <img class="avatar" src={smallAvatar(viewer.avatarUrl)} alt="" width="44" height="44" />
          </span>
          <div class="write">
            <Audience typed={typed} />
            <div class="field cw">
              <label for="cw">{t('client.contentWarning')}</label>
              <input
                class="input"
                id="cw"
                type="text"
                name="spoiler_text"
                value={typed.warning}
                placeholder={t('client.warningHint')}
                dir="auto"
              />
            </div>
            <div class="typing">
              <textarea
                class="area tall"
                name="status"
                rows={6}
                aria-label={t('client.whatWouldYouLikeToSay')}
                placeholder={t('client.whatWouldYouLikeToSay')}
                aria-describedby="limit"
                dir="auto"
              >
                {typed.text}
              </textarea>
            </div>
            <div data-parts>
              <HiddenFields values={partsOf(typed)} />
              {typed.media.length > 0 && (
                <ol class="files" aria-label={t('client.attachments')}>
                  {typed.media.map((media, index) => (
                    <MediaLine media={media} index={index} preview={previews.get(media.id) ?? null} />
                  ))}
                </ol>
              )}
              {typed.poll !== null && <PollFields poll={typed.poll} />}
              <Tools typed={typed} mostCharacters={mostCharacters} />
            </div>
          </div>
        </section>
        <div class="compose-end">
          <div class="pair">
            <LanguageField code={typed.language} />
            {typed.edited === null && (
              <div class="field">
                <label for="when">{t('client.postLater')}</label>
                <input
                  class="input"
                  id="when"
                  type="datetime-local"
                  name="scheduled_at"
                  value={typed.scheduledAt}
                  aria-describedby="when-hint"
                />
                <p class="hint" id="when-hint">
                  {t('client.leaveEmptyToPostNow')}
                </p>
              </div>
            )}
          </div>
        </div>
      </form>
    </Shell>
  )
}

/** Adds files, a poll, and a warning; the field of the warning is shown by style alone. */
function Tools({ typed, mostCharacters }: Pick<ComposerProps, 'typed' | 'mostCharacters'>) {
  const t = useTranslation()
  return (
    <div class="tools">
      {typed.media.length < mediaLimits.perStatus && (
        <>
          <label class="plain file-button">
            <Icon name="image" />
            <span class="hidden">{t('client.picturesVideoOrSound')}</span>
            <input type="file" name="file[]" multiple accept="image/*,video/*,audio/*" />
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
        value="poll"
        aria-label={typed.poll === null ? t('client.addAPoll') : t('client.removeThePoll')}
        aria-expanded={typed.poll !== null}
      >
        <Icon name="chart-bar" />
      </button>
      <label class="plain cw-toggle">
        <input type="checkbox" class="hidden" checked={typed.warning !== ''} />
        <Icon name="triangle-alert" />
        <span class="hidden">{t('client.contentWarning')}</span>
      </label>
      <span class="end">
        <Remaining most={mostCharacters} />
        <button type="submit" class="button low" name="press" value="draft">
          {t('client.saveDraft')}
        </button>
      </span>
    </div>
  )
}

/** Says that a draft is shown, or was saved. */
function DraftNote({ savedAt, hasJustSaved, now }: ComposerProps) {
  const t = useTranslation()
  if (hasJustSaved)
    return (
      <div class="pad">
        <div class="note" role="status">
          <Icon name="check" />
          <div>{t('client.draftSaved')}</div>
        </div>
      </div>
    )
  if (savedAt === null) return null
  return (
    <div class="pad">
      <div class="note">
        <Icon name="history" />
        <div>
          {t.rich('client.draftFrom', { age: <Age at={savedAt} now={now} /> })}{' '}
          <button type="submit" form={formId} class="button low" name="press" value="discard">
            {t('client.startAfresh')}
          </button>
        </div>
      </div>
    </div>
  )
}

function titleOf(t: ReturnType<typeof useTranslation>, { edited, replyTo, quoted }: Typed): string {
  if (edited !== null) return t('client.editPost')
  if (replyTo !== null) return t('common.reply')
  return quoted === null ? t('client.newPost') : t('client.quote')
}

/** Fields of a form that its buttons change: scripts put them in place with what is shown of them. */
function partsOf({ media, poll }: Typed) {
  return { media_ids: media.map(({ id }) => id).join(','), has_poll: poll === null ? '' : '1' }
}

interface HiddenFieldsProps {
  readonly values: Readonly<Record<string, string | number | null>>
}

function HiddenFields({ values }: HiddenFieldsProps): Child {
  return (
    <>
      {Object.entries(values).map(([name, value]) => (
        <input type="hidden" name={name} value={value === null ? '' : String(value)} />
      ))}
    </>
  )
}

function PollFields({ poll }: { readonly poll: TypedPoll }) {
  const t = useTranslation()
  return (
    <fieldset class="poll-edit">
      <legend>{t('client.poll')}</legend>
      {choiceNames.map((name, index) => (
        <div class="option">
          <input
            class="input"
            type="text"
            name={name}
            value={poll.options[index] ?? ''}
            aria-label={t('client.choiceNumber', { number: index + 1 })}
          />
        </div>
      ))}
      <div class="pair">
        <div class="field">
          <label for="length">{t('client.endsAfter')}</label>
          <select class="input" id="length" name="poll_length">
            {pollLengths.map((seconds) => (
              <option value={String(seconds)} selected={seconds === poll.expiresInSeconds}>
                {lengthIn(t.language, seconds)}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="multiple">{t('client.peopleChoose')}</label>
          <select class="input" id="multiple" name="poll_multiple">
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

function LanguageField({ code: chosen }: { readonly code: string }) {
  const t = useTranslation()
  return (
    <div class="field">
      <label for="language">{t('client.language')}</label>
      <select class="input" id="language" name="language">
        <option value="">{t('client.notStated')}</option>
        {languages.map(({ code, name }) => (
          <option value={code} selected={code === chosen}>
            {languageName(t.language, code, name)}
          </option>
        ))}
      </select>
    </div>
  )
}
