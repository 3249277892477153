import type { SavedReply } from '../../../domain/drafts/saved-replies'
import type { DraftContext } from '../../../domain/drafts/store'
import { languages } from '../../../lib/language'
import { CsrfField } from '../../components/form'
import { Icon } from '../../components/icon'
import { Problems } from '../../components/problems'
import { Shell, ViewHead } from '../../components/shell'
import { useTranslation } from '../../i18n/context'
import { languageName } from '../../i18n/names'
import { useMember, usePage, useTypedForm } from '../../page-context'
import { paths } from '../../paths'
import { postActPath } from '../../posts/acts'
import { Age } from '../../posts/age'
import { Post } from '../../posts/post'
import type { PostView } from '../../posts/post-view'
import { composerPath } from './draft-lines'
import type { OpenPicker } from './emoji-picker'
import { partsOf, type Typed } from './form'
import { HiddenFields, Segment } from './segment'
import { type BesideComposer, ComposerSide } from './side'

export interface ComposerProps {
  readonly typed: Typed
  /** Post that it answers or quotes. */
  readonly related: PostView | null
  readonly context: DraftContext
  readonly beside: BesideComposer
  /** Texts that the composer of a reply offers; none for other posts. */
  readonly savedReplies: readonly SavedReply[]
  /** The menu of saved replies is open. */
  readonly hasMenuOpen: boolean
  /** Time of the draft that is shown; null for none. */
  readonly savedAt: Date | null
  readonly hasJustSaved: boolean
  /** Text that a link brought along: a draft of its own, on the device alone. Null for none. */
  readonly startedWith: string | null
  /** Part of a thread was published, and the rest goes on without being asked for where scripts run. */
  readonly continues: boolean
  readonly now: Date
  /** Addresses of small pictures of uploads, by id. */
  readonly previews: ReadonlyMap<number, string | null>
  readonly mostCharacters: number
  /** The posts as they would be published, as HTML; none where they are not shown. */
  readonly rendered: readonly (string | null)[]
  /** The picker of emojis that is open; null for none. */
  readonly picker: OpenPicker | null
}

/** Reason for which a post waits that the member wanted to be reminded of. */
export const undescribed = 'client.somethingIsNotDescribed'

/** Id of the form, by which its button in the head sends it. */
const formId = 'composer'

/** The composer as a page. Every button of it is one of the form, so that nothing typed is lost. */
export function Composer(props: ComposerProps) {
  const { typed, related, beside, now, previews, mostCharacters, startedWith, continues } = props
  const parts = partsOf(typed)
  const isNew = typed.edited === null && typed.scheduled === null
  const t = useTranslation()
  const viewer = useMember()
  const typing = useTypedForm()
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
          {isNew ? t('client.postAll', { count: parts.length }) : t('common.save')}
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
      {typed.published !== null && <PublishedNote published={typed.published} />}
      {/* Its buttons are forms, which do not nest. */}
      {related !== null && <Post post={related} thread="up" />}
      <form
        id={formId}
        method="post"
        action={paths.publish}
        {...typing}
        enctype="multipart/form-data"
        data-context={`${viewer.acct} ${startedWith ?? props.context}`}
        data-local={startedWith === null ? undefined : ''}
        data-opens={startedWith === null ? composerPath(props.context) : undefined}
        data-saved={props.savedAt?.toISOString()}
        data-continues={continues ? '' : undefined}
      >
        <CsrfField />
        <HiddenFields
          values={{
            reply_to: typed.replyTo,
            quote: typed.quoted,
            edit: typed.edited,
            ...(typed.edited === null ? {} : { content_type: typed.contentType }),
            scheduled: typed.scheduled,
            key: typed.key,
            posts: parts.length,
            published: typed.published?.count ?? null,
            published_last: typed.published?.last ?? null,
          }}
        />
        {parts.map((part, index) => (
          <Segment
            part={part}
            number={index + 1}
            of={parts.length}
            typed={typed}
            previews={previews}
            mostCharacters={mostCharacters}
            preview={props.rendered[index] ?? null}
            picker={props.picker}
            savedReplies={index === 0 ? props.savedReplies : []}
            hasMenuOpen={props.hasMenuOpen}
          />
        ))}
        <div class="compose-end">
          <div class="pair">
            <LanguageField code={typed.language} />
            {typed.edited === null && <FormatField chosen={typed.contentType} />}
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
                {typed.scheduled !== null && (
                  <button type="submit" class="button low" name="press" value="post_now">
                    {t('client.postNow')}
                  </button>
                )}
              </div>
            )}
          </div>
        </div>
      </form>
    </Shell>
  )
}

/** Says how much of a thread is published. */
function PublishedNote({ published }: { readonly published: NonNullable<Typed['published']> }) {
  const t = useTranslation()
  const { count, last } = published
  return (
    <div class="pad">
      <div class="note" role="status">
        <Icon name="check" />
        <div>
          {t('client.postsOfThreadPublished', { count })}{' '}
          <a href={postActPath(String(last))}>{t('client.showTheLastOne')}</a>
        </div>
      </div>
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

function titleOf(
  t: ReturnType<typeof useTranslation>,
  { edited, scheduled, replyTo, quoted }: Typed,
): string {
  if (scheduled !== null) return t('client.editScheduledPost')
  if (edited !== null) return t('client.editPost')
  if (replyTo !== null) return t('common.reply')
  return quoted === null ? t('client.newPost') : t('client.quote')
}

function FormatField({ chosen }: { readonly chosen: Typed['contentType'] }) {
  const t = useTranslation()
  return (
    <div class="field">
      <label for="format">{t('client.format')}</label>
      <select class="input" id="format" name="content_type">
        <option value="text/plain">{t('client.plainText')}</option>
        <option value="text/markdown" selected={chosen === 'text/markdown'}>
          {t('client.markdown')}
        </option>
      </select>
    </div>
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
